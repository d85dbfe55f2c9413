/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ALGORITHM_SAMPLES_H
#define PHOTONIC_RAILS_ALGORITHM_SAMPLES_H

#include "ns3/collective-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Makes the parameters that an algorithm is checked with.
 *
 * The samples differ in all that an algorithm may depend on: 1 and 4 channels, one direction and
 * both, the first and the last rank as root, the straggler, the ranks in a server, and for
 * ALL_TO_ALL_V a demand matrix in which some pairs have nothing to send; and in the ports of a
 * rank.
 *
 * @param kind of the operation
 * @param ranks in the group
 * @param mostPorts of a rank; there are samples for each number from 1
 * @return the samples, always the same ones
 */
std::vector<CollectiveParameters> MakeSamples(CollectiveKind kind,
                                              uint32_t ranks,
                                              uint32_t mostPorts = 1);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ALGORITHM_SAMPLES_H */
