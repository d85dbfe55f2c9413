/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PAUSE_FRAME_H
#define PHOTONIC_RAILS_PAUSE_FRAME_H

#include "pause-frame-header.h"

#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Makes an 802.1Qbb frame, from its Ethernet header to its padding.
 * @param source address of the port that sends it
 * @param trafficClass 0 to 7
 * @param quanta length of the pause; 0 ends it
 * @return the frame
 */
Ptr<Packet> MakePauseFrame(Mac48Address source, uint32_t trafficClass, uint16_t quanta);

/**
 * @ingroup photonic-rails
 * @brief Reads a pause frame.
 * @param packet a frame, from its Ethernet header on
 * @param [out] pause its contents
 * @return false if it is no pause frame
 */
bool ReadPauseFrame(Ptr<const Packet> packet, PauseFrameHeader& pause);

/**
 * @ingroup photonic-rails
 * @param quanta of a pause
 * @param bitsPerSecond rate of the port that receives it
 * @return the length of the pause
 */
Picoseconds GetPauseSpan(uint16_t quanta, uint64_t bitsPerSecond);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PAUSE_FRAME_H */
