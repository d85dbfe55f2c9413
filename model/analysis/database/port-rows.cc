/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-rows.h"

#include "ns3/exact-span.h"
#include "ns3/picosecond-resolution.h"

#include <utility>

namespace ns3
{

namespace
{

/** @return the time of bytes on a wire, rounded up to whole picoseconds */
Time
GetBusyTime(uint64_t bytes, uint64_t bitsPerSecond)
{
    return ToTime(ExactSpan::Of(ExactSpan::Wide(8) * bytes, bitsPerSecond).RoundUp());
}

} // namespace

PortRows::PortRows(std::shared_ptr<ResultWriter> writer, const Rail& rail)
    : ResultSource(std::move(writer), "ports"),
      m_rail(rail)
{
    for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
    {
        for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
        {
            m_records.push_back(CarrierRecord::Record(rail.GetNic(gpu, port)));
        }
    }
}

void
PortRows::Write(Time end, const CounterOf& counterOf, bool isFollowed)
{
    for (std::size_t r = 0; r < m_records.size(); ++r)
    {
        const uint32_t gpu = r / m_rail.GetPortsPerGpu();
        const uint32_t port = r % m_rail.GetPortsPerGpu();
        const FrameCounter& counter = counterOf(gpu, port);
        const FrameCounter::Counts sent = counter.GetSent();
        const FrameCounter::Counts received = counter.GetReceived();
        const uint64_t rate = m_rail.GetNic(gpu, port)->GetDataRate().GetBitRate();
        Add(m_rail.GetId(),
            gpu,
            port,
            m_rail.GetSwitchPort(gpu, port),
            rate,
            sent.frames,
            sent.wireBytes,
            sent.payloadBytes,
            received.frames,
            received.wireBytes,
            GetBusyTime(sent.wireBytes, rate),
            m_records[r]->GetDark(end),
            isFollowed);
    }
}

} // namespace ns3
