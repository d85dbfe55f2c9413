/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ELECTRICAL_BENCH_H
#define PHOTONIC_RAILS_ELECTRICAL_BENCH_H

#include "../support/photonic-rails-rail-bench.h"
#include "photonic-rails-load-offload.h"

#include "ns3/address.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/electrical-rail-switch.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/picoseconds.h"
#include "ns3/rail-net-device.h"
#include "ns3/rail.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * An electrical rail of a few hosts without a network stack: the frames that came in, and those
 * that were lost, with place, time and reason. Host h is at port h of the first switch, if there is
 * one only.
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
                    bool observed = true);

    ~ElectricalBench();

    Ptr<RailNetDevice> Nic(uint32_t host) const;

    Mac48Address AddressOf(uint32_t host) const;

    /** Puts an offload into each NIC. */
    void UseOffloads();

    /** Calls a function in the course of the simulation. */
    static void At(Picoseconds when, std::function<void()> what);

    /** Sends a frame of the host stack, now. @param payload bytes, 46 or more */
    void SendTo(uint32_t from, Address to, uint32_t number, uint32_t payload, uint8_t priority = 0);

    /** Sends a frame of the host stack in the course of the simulation. */
    void SendAt(Picoseconds when,
                uint32_t from,
                uint32_t to,
                uint32_t number,
                uint32_t payload = 1000,
                uint8_t priority = 0);

    /** Sends an offload's frames in the course of the simulation. */
    void PostAt(Picoseconds when,
                uint32_t from,
                uint32_t to,
                uint64_t frames,
                uint32_t wireBytes,
                uint8_t trafficClass,
                uint16_t flow = 0);

    /** @return when a frame of the host stack came in, or -1 */
    Picoseconds ArrivalOf(uint32_t number) const;

    /** @return the numbers of the frames of the host stack that came in, in order */
    std::vector<uint32_t> Order() const;

    /** @return the sum of the counters of all ports of a switch */
    static PacketSwitchCounters Sum(Ptr<ElectricalRailSwitch> which);

    /** @return a number that distinguishes the arrivals of two runs */
    uint64_t Digest() const;

    Rail rail;
    Ptr<ElectricalRailSwitch> railSwitch;
    std::vector<std::unique_ptr<LoadOffload>> loads; //!< by host
    bool audited{true}; //!< whether everything must be accounted for at the end
    std::vector<RailBench::Arrival> arrivals; //!< of the host stack
    std::vector<Loss> losses;
    std::vector<Pause> pauses;
    std::vector<uint32_t> nicPauses; //!< hosts that received a pause

  private:
    static void Do(std::function<void()> what);
    bool Receive(Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t, const Address&);
    void Dropped(PortId port, const WireFrame&, FrameDropReason reason);
    void Paused(PortId port, uint32_t trafficClass, uint16_t quanta);
    void NicPaused(uint32_t host, uint32_t, Time span);
};

/** @return time from a frame's first bit to its last, at RATE */
Picoseconds Length(uint32_t payload);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ELECTRICAL_BENCH_H */
