/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ALL_PAIRS_MATCHINGS_H
#define PHOTONIC_RAILS_ALL_PAIRS_MATCHINGS_H

#include "fabric-description.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** Matchings of the ports of a fabric in which each pair of ports meets once. */
struct AllPairsMatchings
{
    std::vector<uint32_t> ports;                  //!< by rank, the port that it is at
    std::vector<std::vector<Circuit>> matchings;  //!< of ports
    std::vector<std::vector<FabricRoute>> routes; //!< by matching; empty if it cannot be set
    uint32_t settable{0};                         //!< matchings that the fabric sets
    uint32_t tries{0};                            //!< places of the ranks that were tried
    uint64_t steps{0};                            //!< of all searches

    /** @return whether the fabric sets them all, so that all pairs of ports meet */
    bool AreComplete() const
    {
        return settable == matchings.size();
    }
};

/**
 * @ingroup photonic-rails
 * @brief Finds the fewest matchings in which each two ports of a fabric meet: n - 1 for an even
 * number of ports, n for an odd one.
 *
 * They are those of a tournament by the circle method: in round r the ranks meet whose numbers add
 * up to r, modulo n - 1; the rank that is left meets the last one, which does not rotate. Fewer
 * cannot be: each port has n - 1 others, and of an odd number one port stays alone in each.
 *
 * Ports of a mesh are in order round it, so the circuits of a round are nested and hardly cross. If
 * the fabric cannot set a round, the last rank changes its port, and after all ports ranks change
 * theirs in an order that looks random, but is always the same: another tournament of the ports.
 * @param most the most places of the ranks to try
 * @return the first complete matchings, or the best ones
 */
AllPairsMatchings FindAllPairsMatchings(const FabricDescription& fabric, uint32_t most);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ALL_PAIRS_MATCHINGS_H */
