/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pfc-headroom.h"

#include "ns3/ethernet-frame.h"
#include "ns3/frame-clock.h"
#include "ns3/pause-frame-header.h"

#include <bitset>

namespace ns3
{

namespace
{

constexpr uint32_t CLASSES = 8;
/** Bytes of a pause frame, with preamble and gap. */
constexpr uint64_t PAUSE = EthernetFrame::MINIMUM_PAYLOAD + EthernetFrame::FRAMING;

} // namespace

PfcHeadroom::PfcHeadroom(uint32_t largestFrame, uint8_t losslessClasses)
    : m_frame(uint64_t{largestFrame} + FrameClock::PREAMBLE + FrameClock::GAP),
      m_classes(std::bitset<CLASSES>(losslessClasses).count())
{
}

uint64_t
PfcHeadroom::GetBytes(uint64_t bitsPerSecond, Picoseconds wait) const
{
    __extension__ using Wide = unsigned __int128;
    constexpr uint64_t BYTE = 8'000'000'000'000; // picoseconds at 1 b/s
    const Wide meanwhile =
        (static_cast<Wide>(static_cast<uint64_t>(wait)) * bitsPerSecond + (BYTE - 1)) / BYTE;
    // four frames: the one that crosses, the one before the pause, the peer's, and the broken one
    return static_cast<uint64_t>(meanwhile) + 4 * m_frame + m_classes * PAUSE;
}

uint64_t
PfcHeadroom::GetBitsAhead() const
{
    return 8 * (m_frame + CLASSES * PAUSE);
}

bool
PfcHeadroom::CanRepeat(uint16_t quanta) const
{
    return uint64_t{quanta} * PauseFrameHeader::QUANTUM_BITS / 2 >= GetBitsAhead();
}

uint64_t
PfcHeadroom::GetEnoughQuanta() const
{
    return 2 * GetBitsAhead() / PauseFrameHeader::QUANTUM_BITS + 1;
}

} // namespace ns3
