/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_BENCH_H
#define PHOTONIC_RAILS_RAIL_BENCH_H

#include "photonic-rails-numbered-frames.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/test.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A rail of a few hosts without a network stack, for tests that look at single frames: what came
 * in where and when, what was lost where and why.
 *
 * Frames carry a number in their payload, so that one can be told from another.
 */
class RailBench
{
  public:
    /** An EtherType for local experiments (IEEE 802). */
    static constexpr uint16_t ETHER_TYPE = 0x88b5;

    /** A frame that came to a host's network stack. */
    struct Arrival
    {
        uint32_t host;
        uint32_t number;
        Picoseconds at;

        bool operator==(const Arrival& other) const
        {
            return host == other.host && number == other.number && at == other.at;
        }
    };

    /** A frame that was lost. */
    struct Loss
    {
        std::string where; //!< "switch", "fiber 0", "host 0"
        FrameDropReason reason;
        Picoseconds at;
    };

    /**
     * @param hosts how many
     * @param bitsPerSecond rate of their ports
     * @param fiberDelay of each fiber, in ps
     * @param prepare sets up the helper further, if wanted
     */
    RailBench(uint32_t hosts,
              uint64_t bitsPerSecond,
              Picoseconds fiberDelay,
              const std::function<void(PhotonicRailHelper&)>& prepare = nullptr)
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
        ocs->TraceConnectWithoutContext("FrameDropped",
                                        MakeCallback(&RailBench::SwitchDropped, this));
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

    ~RailBench()
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

    Ptr<RailNetDevice> Nic(uint32_t host) const
    {
        return rail.GetNic(host);
    }

    /** Joins two hosts, since before the simulation began or from when the switch has turned. */
    CircuitPlanReport Join(uint32_t a, uint32_t b)
    {
        return ocs->Connect(PortId(a), PortId(b));
    }

    /** Does something in the course of the simulation. */
    void At(Picoseconds when, std::function<void()> what)
    {
        Simulator::Schedule(ToTime(when) - Simulator::Now(), &RailBench::Do, std::move(what));
    }

    /** Sends a frame, now. @param payload bytes, 46 or more */
    bool Send(uint32_t from,
              uint32_t to,
              uint32_t number,
              uint32_t payload = 1000,
              uint8_t priority = 0)
    {
        return SendTo(from, Nic(to)->GetAddress(), number, payload, priority);
    }

    bool SendTo(uint32_t from, Address to, uint32_t number, uint32_t payload, uint8_t priority = 0)
    {
        Ptr<Packet> packet = MakeNumberedPacket(number, payload, priority);
        return Nic(from)->Send(packet, to, ETHER_TYPE);
    }

    /** Sends a frame in the course of the simulation. */
    void SendAt(Picoseconds when,
                uint32_t from,
                uint32_t to,
                uint32_t number,
                uint32_t payload = 1000,
                uint8_t priority = 0)
    {
        At(when, [this, from, to, number, payload, priority] {
            Send(from, to, number, payload, priority);
        });
    }

    /** Runs to the end. */
    void Run()
    {
        Simulator::Run();
    }

    /**
     * The number of bytes of a frame from its first bit to its last: preamble 8, header 14, check
     * sequence 4.
     */
    static uint64_t BytesToLastBit(uint32_t payload)
    {
        return 8 + 14 + uint64_t{payload} + 4;
    }

    /** The same with the gap of 12 bytes. */
    static uint64_t BytesOnWire(uint32_t payload)
    {
        return BytesToLastBit(payload) + 12;
    }

    /** How long so many bytes last, rounded up. */
    static Picoseconds Span(uint64_t bytes, uint64_t bitsPerSecond)
    {
        __extension__ using Wide = unsigned __int128;
        const Wide bits = Wide{8} * bytes * 1'000'000'000'000U;
        return static_cast<Picoseconds>((bits + bitsPerSecond - 1) / bitsPerSecond);
    }

    /** @return when a frame came in, or -1 */
    Picoseconds ArrivalOf(uint32_t number) const
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

    bool audited{true}; //!< whether everything must be accounted for at the end
    Rail rail;
    Ptr<OpticalCircuitSwitch> ocs;
    std::vector<Arrival> arrivals;
    std::vector<Loss> losses;

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

    void SwitchDropped(PortId, const WireFrame&, FrameDropReason reason)
    {
        losses.push_back({"switch", reason, NowPicoseconds()});
    }

    void NicDropped(uint32_t host, const WireFrame&, FrameDropReason reason)
    {
        losses.push_back({"host " + std::to_string(host), reason, NowPicoseconds()});
    }

    void FiberDropped(uint32_t host, const WireFrame&, FrameDropReason reason)
    {
        losses.push_back({"fiber " + std::to_string(host), reason, NowPicoseconds()});
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_BENCH_H */
