/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "drop-rows.h"

#include "ns3/optical-circuit-switch.h"
#include "ns3/optical-fiber.h"
#include "ns3/rail-net-device.h"
#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

std::string
DescribeAddress(const Mac48Address& address)
{
    std::ostringstream text;
    text << address;
    return text.str();
}

} // namespace

DropRows::DropRows(std::shared_ptr<ResultWriter> writer,
                   const std::string& place,
                   RailId rail,
                   std::optional<PortId> port)
    : ResultSource(std::move(writer), "drops"),
      m_place(place),
      m_rail(rail),
      m_port(port)
{
}

void
DropRows::Record(const Rail& rail, const std::shared_ptr<ResultWriter>& writer, bool fibers)
{
    if (const Ptr<OpticalCircuitSwitch> middle = rail.GetOpticalSwitch())
    {
        const auto source = Create<DropRows>(writer, "switch", rail.GetId(), std::nullopt);
        Listen(*middle, "FrameDropped", MakeCallback(&DropRows::DroppedAt, source));
    }
    for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
    {
        for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
        {
            const PortId other = rail.GetSwitchPort(gpu, port);
            const auto nic = Create<DropRows>(writer, "nic", rail.GetId(), other);
            Listen(*rail.GetNic(gpu, port), "FrameDropped", MakeCallback(&DropRows::Dropped, nic));
            if (fibers)
            {
                const auto fiber = Create<DropRows>(writer, "fiber", rail.GetId(), other);
                Listen(*rail.GetFiber(gpu, port),
                       "FrameDropped",
                       MakeCallback(&DropRows::Dropped, fiber));
            }
        }
    }
}

void
DropRows::Dropped(const WireFrame& frame, FrameDropReason reason)
{
    Add(Simulator::Now(),
        m_place,
        m_rail,
        m_port,
        ToString(reason),
        frame.wireBytes,
        frame.trafficClass,
        DescribeAddress(frame.source),
        DescribeAddress(frame.destination));
}

void
DropRows::DroppedAt(PortId port, const WireFrame& frame, FrameDropReason reason)
{
    m_port = port;
    Dropped(frame, reason);
}

} // namespace ns3
