/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-rail-bench.h"

#include "photonic-rails-numbered-frames.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/optical-fiber.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

RailBench::RailBench(uint32_t hosts,
                     uint64_t bitsPerSecond,
                     Picoseconds fiberDelay,
                     const std::function<void(PhotonicRailHelper&)>& prepare)
{
    UsePicoseconds();
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    PhotonicRailHelper helper;
    helper.SetPorts(1, DataRate(bitsPerSecond));
    helper.SetFiberAttribute("Delay", TimeValue(ToTime(fiberDelay)));
    helper.SetReconfigurationTime(MicroSeconds(1));
    if (prepare)
    {
        prepare(helper);
    }
    rail = helper.Install(NodeContainer(hosts));
    ocs = rail.GetOpticalSwitch();
    ocs->TraceConnectWithoutContext("FrameDropped", MakeCallback(&RailBench::SwitchDropped, this));
    for (uint32_t h = 0; h < hosts; ++h)
    {
        Nic(h)->SetReceiveCallback(MakeCallback(&RailBench::Receive, this));
        Nic(h)->TraceConnectWithoutContext("FrameDropped",
                                           MakeCallback(&RailBench::NicDropped, this).Bind(h));
        rail.GetFiber(h)->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&RailBench::FiberDropped, this).Bind(h));
    }
}

RailBench::~RailBench()
{
    if (audited)
    {
        RailAudit audit;
        audit.Add(rail);
        audit.Require();
    }
    Simulator::Destroy();
    Config::Reset();
}

CircuitPlanReport
RailBench::Join(uint32_t a, uint32_t b)
{
    return ocs->Connect(PortId(a), PortId(b));
}

void
RailBench::At(Picoseconds when, std::function<void()> what)
{
    Simulator::Schedule(ToTime(when) - Simulator::Now(), &RailBench::Do, std::move(what));
}

bool
RailBench::Send(uint32_t from, uint32_t to, uint32_t number, uint32_t payload, uint8_t priority)
{
    return SendTo(from, Nic(to)->GetAddress(), number, payload, priority);
}

bool
RailBench::SendTo(uint32_t from, Address to, uint32_t number, uint32_t payload, uint8_t priority)
{
    Ptr<Packet> packet = MakeNumberedPacket(number, payload, priority);
    return Nic(from)->Send(packet, to, ETHER_TYPE);
}

void
RailBench::SendAt(Picoseconds when,
                  uint32_t from,
                  uint32_t to,
                  uint32_t number,
                  uint32_t payload,
                  uint8_t priority)
{
    At(when,
       [this, from, to, number, payload, priority] { Send(from, to, number, payload, priority); });
}

void
RailBench::Run()
{
    Simulator::Run();
}

Picoseconds
RailBench::Span(uint64_t bytes, uint64_t bitsPerSecond)
{
    __extension__ using Wide = unsigned __int128;
    const Wide bits = Wide{8} * bytes * 1'000'000'000'000U;
    return static_cast<Picoseconds>((bits + bitsPerSecond - 1) / bitsPerSecond);
}

Picoseconds
RailBench::ArrivalOf(uint32_t number) const
{
    for (const Arrival& arrival : arrivals)
    {
        if (arrival.number == number)
        {
            return arrival.at;
        }
    }
    return -1;
}

void
RailBench::Do(std::function<void()> what)
{
    what();
}

bool
RailBench::Receive(Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t, const Address&)
{
    const uint32_t number = NumberOfPacket(packet);
    for (uint32_t h = 0; h < rail.GetGpus(); ++h)
    {
        if (Nic(h) == device)
        {
            arrivals.push_back({h, number, NowPicoseconds()});
        }
    }
    return true;
}

void
RailBench::SwitchDropped(PortId, const WireFrame&, FrameDropReason reason)
{
    losses.push_back({"switch", reason, NowPicoseconds()});
}

void
RailBench::NicDropped(uint32_t host, const WireFrame&, FrameDropReason reason)
{
    losses.push_back({"host " + std::to_string(host), reason, NowPicoseconds()});
}

void
RailBench::FiberDropped(uint32_t host, const WireFrame&, FrameDropReason reason)
{
    losses.push_back({"fiber " + std::to_string(host), reason, NowPicoseconds()});
}

} // namespace ns3
