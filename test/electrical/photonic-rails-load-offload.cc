/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-load-offload.h"

#include "ns3/packet.h"
#include "ns3/picosecond-resolution.h"

#include <cstddef>

namespace ns3
{

LoadOffload::LoadOffload(Ptr<RailNetDevice> nic, uint32_t host)
    : m_nic(nic),
      m_host(host)
{
    nic->SetOffload(this);
}

void
LoadOffload::Post(Mac48Address to,
                  uint64_t frames,
                  uint32_t wireBytes,
                  uint8_t trafficClass,
                  uint16_t flow)
{
    m_loads.push_back({to, frames, wireBytes, trafficClass, flow, NowPicoseconds()});
    m_nic->NotifyOffloadReady();
}

uint32_t
LoadOffload::GetReadyClasses() const
{
    uint32_t classes = 0;
    for (const Load& load : m_loads)
    {
        classes |= load.frames > 0 ? 1U << load.trafficClass : 0;
    }
    return classes;
}

bool
LoadOffload::PeekRun(uint8_t trafficClass, uint32_t after, Picoseconds seen, FrameRun& run)
{
    // in turn by number, which is 1 and up in the order of posting
    const std::size_t first = after < m_loads.size() ? after : 0;
    for (std::size_t i = 0; i < m_loads.size(); ++i)
    {
        const std::size_t place = (first + i) % m_loads.size();
        const Load& load = m_loads[place];
        if (load.frames > 0 && load.trafficClass == trafficClass && load.ready <= seen)
        {
            const uint32_t id = place + 1;
            run = {id, load.sent, load.frames, load.wireBytes, load.wireBytes};
            run.wrapped = id <= after;
            return true;
        }
    }
    return false;
}

void
LoadOffload::CommitRun(const FrameRun& taken,
                       Picoseconds,
                       const RunClock&,
                       WireFrame& head,
                       RoceFrame*)
{
    Load& load = m_loads[taken.id - 1];
    head.destination = load.to;
    head.roce.sourceIp = m_host;
    head.roce.sourcePort = load.flow;
    head.roce.psn = load.sent++;
    head.roce.tos = RoceFrame::ECN_CAPABLE;
    --load.frames;
}

bool
LoadOffload::ReceiveFrame(const WireFrame& frame)
{
    arrivals.push_back({frame.roce.sourceIp,
                        frame.roce.sourcePort,
                        frame.roce.psn,
                        frame.last,
                        (frame.roce.tos & RoceFrame::ECN_MASK) == RoceFrame::ECN_CONGESTION});
    return true;
}

bool
LoadOffload::ReceiveRun(const WireFrame&, const RoceFrame&, const RunClock&)
{
    return false; // this NIC sends frame by frame
}

void
LoadOffload::NotifyCarrier(bool)
{
}

} // namespace ns3
