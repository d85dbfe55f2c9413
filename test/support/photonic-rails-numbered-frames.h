/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NUMBERED_FRAMES_H
#define PHOTONIC_RAILS_NUMBERED_FRAMES_H

#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{

/**
 * @param number in the first four bytes, to distinguish packets
 * @param payload bytes, 4 or more
 * @param priority that its traffic class follows
 * @return a packet of the host stack
 */
Ptr<Packet> MakeNumberedPacket(uint32_t number, uint32_t payload, uint8_t priority);

/** @return the number in a packet's first four bytes */
uint32_t NumberOfPacket(Ptr<const Packet> packet);

} // namespace ns3

#endif /* PHOTONIC_RAILS_NUMBERED_FRAMES_H */
