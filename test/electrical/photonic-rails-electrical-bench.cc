/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-electrical-bench.h"

#include "../support/photonic-rails-numbered-frames.h"
#include "../support/photonic-rails-wire-units.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/node-container.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3
{

ElectricalBench::ElectricalBench(uint32_t hosts,
                                 uint64_t bitsPerSecond,
                                 Picoseconds fiberDelay,
                                 const std::function<void(ElectricalRailHelper&)>& prepare,
                                 bool observed)
{
    UsePicoseconds();
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    ElectricalRailHelper helper;
    helper.SetPorts(1, DataRate(bitsPerSecond));
    helper.SetFiberAttribute("Delay", TimeValue(ToTime(fiberDelay)));
    if (prepare)
    {
        prepare(helper);
    }
    rail = helper.Install(NodeContainer(hosts));
    railSwitch = rail.GetSwitchNode()->GetObject<ElectricalRailSwitch>();
    if (observed)
    {
        railSwitch->TraceConnectWithoutContext("FrameDropped",
                                               MakeCallback(&ElectricalBench::Dropped, this));
        railSwitch->TraceConnectWithoutContext("PauseSent",
                                               MakeCallback(&ElectricalBench::Paused, this));
    }
    for (uint32_t h = 0; h < hosts; ++h)
    {
        Nic(h)->SetReceiveCallback(MakeCallback(&ElectricalBench::Receive, this));
        Nic(h)->TraceConnectWithoutContext("Pause",
                                           MakeCallback(&ElectricalBench::NicPaused, this).Bind(h));
    }
}

ElectricalBench::~ElectricalBench()
{
    if (audited)
    {
        RailAudit audit;
        audit.Add(rail);
        audit.Require();
    }
    for (uint32_t h = 0; h < loads.size(); ++h)
    {
        Nic(h)->SetOffload(nullptr);
    }
    Simulator::Destroy();
    Config::Reset();
}

Ptr<RailNetDevice>
ElectricalBench::Nic(uint32_t host) const
{
    return rail.GetNic(host);
}

Mac48Address
ElectricalBench::AddressOf(uint32_t host) const
{
    return Mac48Address::ConvertFrom(Nic(host)->GetAddress());
}

void
ElectricalBench::UseOffloads()
{
    for (uint32_t h = 0; h < rail.GetGpus(); ++h)
    {
        loads.push_back(std::make_unique<LoadOffload>(Nic(h), h));
    }
}

void
ElectricalBench::At(Picoseconds when, std::function<void()> what)
{
    Simulator::Schedule(ToTime(when) - Simulator::Now(), &ElectricalBench::Do, std::move(what));
}

void
ElectricalBench::SendTo(uint32_t from,
                        Address to,
                        uint32_t number,
                        uint32_t payload,
                        uint8_t priority)
{
    Ptr<Packet> packet = MakeNumberedPacket(number, payload, priority);
    Nic(from)->Send(packet, to, RailBench::ETHER_TYPE);
}

void
ElectricalBench::SendAt(Picoseconds when,
                        uint32_t from,
                        uint32_t to,
                        uint32_t number,
                        uint32_t payload,
                        uint8_t priority)
{
    At(when, [this, from, to, number, payload, priority] {
        SendTo(from, Nic(to)->GetAddress(), number, payload, priority);
    });
}

void
ElectricalBench::PostAt(Picoseconds when,
                        uint32_t from,
                        uint32_t to,
                        uint64_t frames,
                        uint32_t wireBytes,
                        uint8_t trafficClass,
                        uint16_t flow)
{
    At(when, [this, from, to, frames, wireBytes, trafficClass, flow] {
        loads[from]->Post(AddressOf(to), frames, wireBytes, trafficClass, flow);
    });
}

Picoseconds
ElectricalBench::ArrivalOf(uint32_t number) const
{
    for (const RailBench::Arrival& arrival : arrivals)
    {
        if (arrival.number == number)
        {
            return arrival.at;
        }
    }
    return -1;
}

std::vector<uint32_t>
ElectricalBench::Order() const
{
    std::vector<uint32_t> order;
    for (const RailBench::Arrival& arrival : arrivals)
    {
        order.push_back(arrival.number);
    }
    return order;
}

PacketSwitchCounters
ElectricalBench::Sum(Ptr<ElectricalRailSwitch> which)
{
    PacketSwitchCounters sum;
    for (uint32_t p = 0; p < which->GetPorts(); ++p)
    {
        const PacketSwitchCounters& port = which->GetCounters(PortId(p));
        sum.received += port.received;
        sum.receivedBytes += port.receivedBytes;
        sum.copied += port.copied;
        sum.dropped += port.dropped;
        sum.droppedBytes += port.droppedBytes;
        sum.forwarded += port.forwarded;
        sum.forwardedBytes += port.forwardedBytes;
        sum.marked += port.marked;
        sum.pausesSent += port.pausesSent;
        sum.pausesReceived += port.pausesReceived;
    }
    return sum;
}

uint64_t
ElectricalBench::Digest() const
{
    uint64_t digest = 14695981039346656037ULL;
    const auto add = [&digest](uint64_t part) { digest = (digest ^ part) * 1099511628211ULL; };
    for (uint32_t h = 0; h < rail.GetGpus(); ++h)
    {
        for (const RailBench::Arrival& arrival : arrivals)
        {
            if (arrival.host == h)
            {
                add(arrival.number);
                add(arrival.at);
            }
        }
        for (const LoadOffload::Arrival& arrival : loads.at(h)->arrivals)
        {
            add(arrival.from);
            add(arrival.number);
            add(arrival.at);
            add(arrival.marked);
        }
    }
    return digest;
}

void
ElectricalBench::Do(std::function<void()> what)
{
    what();
}

bool
ElectricalBench::Receive(Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t, const Address&)
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
ElectricalBench::Dropped(PortId port, const WireFrame&, FrameDropReason reason)
{
    losses.push_back({port.Get(), reason, NowPicoseconds()});
}

void
ElectricalBench::Paused(PortId port, uint32_t trafficClass, uint16_t quanta)
{
    pauses.push_back({port.Get(), trafficClass, quanta, NowPicoseconds()});
}

void
ElectricalBench::NicPaused(uint32_t host, uint32_t, Time span)
{
    if (span.IsStrictlyPositive())
    {
        nicPauses.push_back(host);
    }
}

Picoseconds
Length(uint32_t payload)
{
    return RailBench::BytesToLastBit(payload) * BYTE;
}

} // namespace ns3
