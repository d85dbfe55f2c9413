/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-totals.h"

#include "ns3/message-frames.h"
#include "ns3/roce-frame.h"

namespace ns3
{

void
FrameTotals::Add(const FrameTotal& total)
{
    for (FrameTotal& one : m_totals)
    {
        if (one.opcode == total.opcode && one.payload == total.payload &&
            one.wireBytes == total.wireBytes)
        {
            one.frames += total.frames;
            return;
        }
    }
    m_totals.push_back(total);
}

void
FrameTotals::AddMessages(RdmaVerb verb, uint64_t bytes, uint32_t mtu, uint64_t messages)
{
    const MessageFrames frames(verb, bytes, mtu);
    const auto add = [&](uint64_t place, uint64_t alike) {
        Add({frames.OpcodeOf(place),
             frames.PayloadOf(place),
             frames.WireBytesOf(place),
             alike * messages});
    };
    for (uint64_t place = 0; place < frames.GetCount();)
    {
        const uint64_t run = frames.RunFrom(place); // a step of a ring may have 10,000s of frames
        if (run > 1)
        {
            add(place, run - 1);
        }
        add(place + run - 1, 1);
        place += run;
    }
}

void
FrameTotals::AddAcknowledgements(uint64_t frames)
{
    if (frames > 0)
    {
        Add({RoceOpcode::ACKNOWLEDGE, 0, RoceFrame::WireBytes(RoceOpcode::ACKNOWLEDGE, 0), frames});
    }
}

uint64_t
FrameTotals::GetFrames() const
{
    uint64_t frames = 0;
    for (const FrameTotal& one : m_totals)
    {
        frames += one.frames;
    }
    return frames;
}

} // namespace ns3
