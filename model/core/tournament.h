/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TOURNAMENT_H
#define PHOTONIC_RAILS_TOURNAMENT_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * The tournament of the circle method: one member stays, the others rotate.
 * @param members the number of members: ranks, or ports
 * @return rounds in which every pair meets once: members - 1 in which none is idle if members is
 * even, else as many as members, in each of which one is idle; none for less than two members
 */
std::vector<std::vector<std::pair<uint32_t, uint32_t>>> MakeTournament(uint32_t members);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TOURNAMENT_H */
