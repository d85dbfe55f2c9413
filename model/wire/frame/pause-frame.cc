/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pause-frame.h"

#include "ethernet-frame.h"
#include "frame-clock.h"

namespace ns3
{

Ptr<Packet>
MakePauseFrame(Mac48Address source, uint32_t trafficClass, uint16_t quanta)
{
    PauseFrameHeader pause;
    pause.SetClass(trafficClass, quanta);
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(pause);
    EthernetFrame::Frame(packet,
                         source,
                         PauseFrameHeader::GetDestination(),
                         PauseFrameHeader::ETHER_TYPE);
    return packet;
}

bool
ReadPauseFrame(Ptr<const Packet> packet, PauseFrameHeader& pause)
{
    Ptr<Packet> copy = packet->Copy();
    if (EthernetFrame::Unframe(copy) != PauseFrameHeader::ETHER_TYPE)
    {
        return false;
    }
    copy->RemoveHeader(pause);
    return pause.IsPause();
}

Picoseconds
GetPauseSpan(uint16_t quanta, uint64_t bitsPerSecond)
{
    return FrameClock(bitsPerSecond).Span(uint64_t{quanta} * PauseFrameHeader::QUANTUM_BITS / 8);
}

} // namespace ns3
