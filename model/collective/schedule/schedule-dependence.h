/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCHEDULE_DEPENDENCE_H
#define PHOTONIC_RAILS_SCHEDULE_DEPENDENCE_H

#include "collective-transfer.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Finds whether the end of each rank depends on the begin of every rank: whatever the times
 * of transfers, none has all that comes to it before each of the others has begun to send.
 *
 * So it is of an all-reduce, an all-gather, a reduce-scatter, an all-to-all and a barrier; it is
 * not of a broadcast, of whose ranks only the root must have begun, nor of an all-to-all in which
 * a rank has nothing for another.
 *
 * A transfer depends on the begin of its sender, and on what the transfers depend on that brought
 * the version of the chunk that it sends. Takes time as ranks times transfers, memory as ranks
 * squared.
 *
 * @param transfers of a schedule, in its order
 * @param ranks number of ranks in its group
 * @return whether it is so; false also of a schedule that sends what a rank does not have
 */
bool DependsOnAll(const std::vector<CollectiveTransfer>& transfers, uint32_t ranks);

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCHEDULE_DEPENDENCE_H */
