/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ELECTRICAL_BENCH_H
#define PHOTONIC_RAILS_ELECTRICAL_BENCH_H

#include "photonic-rails-rail-bench.h"

#include "ns3/electrical-rail-helper.h"
#include "ns3/nic-offload.h"
#include "ns3/ring-queue.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * What a host sends and gets without a network stack: runs of frames of some size to other hosts,
 * as a transport in the NIC would.
 */
class LoadOffload : public NicOffload
{
  public:
    /** Frames to send, one after the other. */
    struct Load
    {
        Mac48Address to;
        uint64_t frames;
        uint32_t wireBytes;
        uint8_t trafficClass;
        uint16_t flow; //!< UDP source port
        Picoseconds ready;
        uint32_t sent{0};
    };

    /** A frame that came. */
    struct Arrival
    {
        uint32_t from; //!< host
        uint16_t flow;
        uint32_t number; //!< in its load, from 0
        Picoseconds at;
        bool marked; //!< with congestion experienced
    };

    /**
     * @param nic the port
     * @param host its number
     */
    LoadOffload(Ptr<RailNetDevice> nic, uint32_t host)
        : m_nic(nic),
          m_host(host)
    {
        nic->SetOffload(this);
    }

    /** Sends frames, from now on. */
    void Post(Mac48Address to,
              uint64_t frames,
              uint32_t wireBytes,
              uint8_t trafficClass,
              uint16_t flow = 0)
    {
        m_loads.push_back({to, frames, wireBytes, trafficClass, flow, NowPicoseconds()});
        m_nic->NotifyOffloadReady();
    }

    uint32_t GetReadyClasses() const override
    {
        uint32_t classes = 0;
        for (const Load& load : m_loads)
        {
            classes |= load.frames > 0 ? 1U << load.trafficClass : 0;
        }
        return classes;
    }

    bool PeekRun(uint8_t trafficClass, uint32_t after, Picoseconds seen, FrameRun& run) override
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
                return true;
            }
        }
        return false;
    }

    void CommitRun(const FrameRun& taken,
                   Picoseconds,
                   const RunClock&,
                   WireFrame& frame,
                   RoceFrame*) override
    {
        Load& load = m_loads[taken.id - 1];
        frame.destination = load.to;
        frame.roce.sourceIp = m_host;
        frame.roce.sourcePort = load.flow;
        frame.roce.psn = load.sent++;
        frame.roce.tos = RoceFrame::ECN_CAPABLE;
        --load.frames;
    }

    bool ReceiveFrame(const WireFrame& frame) override
    {
        arrivals.push_back({frame.roce.sourceIp,
                            frame.roce.sourcePort,
                            frame.roce.psn,
                            frame.last,
                            (frame.roce.tos & RoceFrame::ECN_MASK) == RoceFrame::ECN_CONGESTION});
        return true;
    }

    bool ReceiveRun(const WireFrame&, const RoceFrame&, const RunClock&) override
    {
        return false; // this NIC sends frame by frame
    }

    Ptr<Packet> MakePacket(const WireFrame& frame) const override
    {
        return Create<Packet>(frame.wireBytes - 24);
    }

    void NotifyCarrier(bool) override
    {
    }

    std::vector<Arrival> arrivals;

  private:
    Ptr<RailNetDevice> m_nic;
    uint32_t m_host;
    std::vector<Load> m_loads;
};

/**
 * An electrical rail of a few hosts without a network stack: what came in where and when, what was
 * lost where and why. Host h is at port h of the first switch, if there is one only.
 */
class ElectricalBench
{
  public:
    /** A frame that the first switch dropped. */
    struct Loss
    {
        uint32_t port;
        FrameDropReason reason;
        Picoseconds at;
    };

    /** A pause frame that the first switch sent. */
    struct Pause
    {
        uint32_t port;
        uint32_t trafficClass;
        uint16_t quanta;
        Picoseconds at;
    };

    /**
     * @param hosts how many
     * @param bitsPerSecond rate of their ports
     * @param fiberDelay of each fiber, in ps
     * @param prepare sets up the helper further, if wanted
     * @param observed whether the first switch's drops and pauses are recorded here
     */
    ElectricalBench(uint32_t hosts,
                    uint64_t bitsPerSecond,
                    Picoseconds fiberDelay,
                    const std::function<void(ElectricalRailHelper&)>& prepare = nullptr,
                    bool observed = true)
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
            Nic(h)->TraceConnectWithoutContext(
                "Pause",
                MakeCallback(&ElectricalBench::NicPaused, this).Bind(h));
        }
    }

    ~ElectricalBench()
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

    Ptr<RailNetDevice> Nic(uint32_t host) const
    {
        return rail.GetNic(host);
    }

    Mac48Address AddressOf(uint32_t host) const
    {
        return Mac48Address::ConvertFrom(Nic(host)->GetAddress());
    }

    /** Puts an offload into each NIC. */
    void UseOffloads()
    {
        for (uint32_t h = 0; h < rail.GetGpus(); ++h)
        {
            loads.push_back(std::make_unique<LoadOffload>(Nic(h), h));
        }
    }

    /** Does something in the course of the simulation. */
    static void At(Picoseconds when, std::function<void()> what)
    {
        Simulator::Schedule(ToTime(when) - Simulator::Now(), &ElectricalBench::Do, std::move(what));
    }

    /** Sends a frame of the host stack, now. @param payload bytes, 46 or more */
    void SendTo(uint32_t from, Address to, uint32_t number, uint32_t payload, uint8_t priority = 0)
    {
        Ptr<Packet> packet = MakeNumberedPacket(number, payload, priority);
        Nic(from)->Send(packet, to, RailBench::ETHER_TYPE);
    }

    /** Sends a frame of the host stack in the course of the simulation. */
    void SendAt(Picoseconds when,
                uint32_t from,
                uint32_t to,
                uint32_t number,
                uint32_t payload = 1000,
                uint8_t priority = 0)
    {
        At(when, [this, from, to, number, payload, priority] {
            SendTo(from, Nic(to)->GetAddress(), number, payload, priority);
        });
    }

    /** Sends an offload's frames in the course of the simulation. */
    void PostAt(Picoseconds when,
                uint32_t from,
                uint32_t to,
                uint64_t frames,
                uint32_t wireBytes,
                uint8_t trafficClass,
                uint16_t flow = 0)
    {
        At(when, [this, from, to, frames, wireBytes, trafficClass, flow] {
            loads[from]->Post(AddressOf(to), frames, wireBytes, trafficClass, flow);
        });
    }

    /** @return when a frame of the host stack came in, or -1 */
    Picoseconds ArrivalOf(uint32_t number) const
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

    /** @return the numbers of the frames of the host stack that came in, in order */
    std::vector<uint32_t> Order() const
    {
        std::vector<uint32_t> order;
        for (const RailBench::Arrival& arrival : arrivals)
        {
            order.push_back(arrival.number);
        }
        return order;
    }

    /** @return the sum of the counters of all ports of a switch */
    static PacketSwitchCounters Sum(Ptr<ElectricalRailSwitch> which)
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

    /** @return a number that tells all arrivals of two runs apart */
    uint64_t Digest() const
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

    Rail rail;
    Ptr<ElectricalRailSwitch> railSwitch;
    std::vector<std::unique_ptr<LoadOffload>> loads; //!< by host
    bool audited{true}; //!< whether everything must be accounted for at the end
    std::vector<RailBench::Arrival> arrivals; //!< of the host stack
    std::vector<Loss> losses;
    std::vector<Pause> pauses;
    std::vector<uint32_t> nicPauses; //!< hosts that were told to pause

  private:
    static void Do(std::function<void()> what)
    {
        what();
    }

    bool Receive(Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t, const Address&)
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

    void Dropped(PortId port, const WireFrame&, FrameDropReason reason)
    {
        losses.push_back({port.Get(), reason, NowPicoseconds()});
    }

    void Paused(PortId port, uint32_t trafficClass, uint16_t quanta)
    {
        pauses.push_back({port.Get(), trafficClass, quanta, NowPicoseconds()});
    }

    void NicPaused(uint32_t host, uint32_t, Time span)
    {
        if (span.IsStrictlyPositive())
        {
            nicPauses.push_back(host);
        }
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ELECTRICAL_BENCH_H */
