/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_BENCH_H
#define PHOTONIC_RAILS_RAIL_BENCH_H

#include "ns3/address.h"
#include "ns3/circuit-plan-report.h"
#include "ns3/frame-drop-reason.h"
#include "ns3/identifier.h"
#include "ns3/net-device.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/packet.h"
#include "ns3/picoseconds.h"
#include "ns3/rail-net-device.h"
#include "ns3/rail.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class PhotonicRailHelper;
struct WireFrame;

/**
 * A rail of a few hosts without a network stack, for tests of single frames: frames that came in
 * and frames that were lost, with place, time and reason.
 *
 * Frames carry a number in their payload, which distinguishes them.
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
              const std::function<void(PhotonicRailHelper&)>& prepare = nullptr);

    ~RailBench();

    Ptr<RailNetDevice> Nic(uint32_t host) const
    {
        return rail.GetNic(host);
    }

    /** Joins two hosts, since before the simulation began or from the end of a reconfiguration. */
    CircuitPlanReport Join(uint32_t a, uint32_t b);

    /** Calls a function in the course of the simulation. */
    void At(Picoseconds when, std::function<void()> what);

    /** Sends a frame, now. @param payload bytes, 46 or more */
    bool Send(uint32_t from,
              uint32_t to,
              uint32_t number,
              uint32_t payload = 1000,
              uint8_t priority = 0);

    bool SendTo(uint32_t from, Address to, uint32_t number, uint32_t payload, uint8_t priority = 0);

    /** Sends a frame in the course of the simulation. */
    void SendAt(Picoseconds when,
                uint32_t from,
                uint32_t to,
                uint32_t number,
                uint32_t payload = 1000,
                uint8_t priority = 0);

    /** Runs to the end. */
    void Run();

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
    static Picoseconds Span(uint64_t bytes, uint64_t bitsPerSecond);

    /** @return when a frame came in, or -1 */
    Picoseconds ArrivalOf(uint32_t number) const;

    bool audited{true}; //!< whether everything must be accounted for at the end
    Rail rail;
    Ptr<OpticalCircuitSwitch> ocs;
    std::vector<Arrival> arrivals;
    std::vector<Loss> losses;

  private:
    static void Do(std::function<void()> what);

    bool Receive(Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t, const Address&);

    void SwitchDropped(PortId, const WireFrame&, FrameDropReason reason);

    void NicDropped(uint32_t host, const WireFrame&, FrameDropReason reason);

    void FiberDropped(uint32_t host, const WireFrame&, FrameDropReason reason);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_BENCH_H */
