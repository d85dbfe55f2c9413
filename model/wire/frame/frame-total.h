/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_TOTAL_H
#define PHOTONIC_RAILS_FRAME_TOTAL_H

#include "roce-frame.h"

#include <cstdint>

namespace ns3
{

/** A number of frames of RoCE that are alike, without their instants. */
struct FrameTotal
{
    RoceOpcode opcode{RoceOpcode::SEND_ONLY};
    uint32_t payload{0};   //!< bytes of each
    uint32_t wireBytes{0}; //!< of each, with preamble and gap
    uint64_t frames{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_TOTAL_H */
