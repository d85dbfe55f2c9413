/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ROCE_OPCODES_H
#define PHOTONIC_RAILS_ROCE_OPCODES_H

#include "ns3/roce-frame.h"

#include <vector>

namespace ns3
{

/** All opcodes there are, for tests that hold something for each. */
inline const std::vector<RoceOpcode> OPCODES{RoceOpcode::SEND_FIRST,
                                             RoceOpcode::SEND_MIDDLE,
                                             RoceOpcode::SEND_LAST,
                                             RoceOpcode::SEND_ONLY,
                                             RoceOpcode::WRITE_FIRST,
                                             RoceOpcode::WRITE_MIDDLE,
                                             RoceOpcode::WRITE_LAST,
                                             RoceOpcode::WRITE_LAST_WITH_IMMEDIATE,
                                             RoceOpcode::WRITE_ONLY,
                                             RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE,
                                             RoceOpcode::ACKNOWLEDGE,
                                             RoceOpcode::CNP};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ROCE_OPCODES_H */
