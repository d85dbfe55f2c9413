/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_BENCH_H
#define PHOTONIC_RAILS_HOST_BENCH_H

#include "ns3/address.h"
#include "ns3/circuit-plan-report.h"
#include "ns3/frame-drop-reason.h"
#include "ns3/identifier.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/packet.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picoseconds.h"
#include "ns3/rail.h"
#include "ns3/socket.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

struct WireFrame;

/**
 * One rail of hosts with an internet stack, for tests that run ordinary ns-3 traffic over circuits:
 * the bytes that applications received and when, and the losses with place and reason.
 *
 * Host h has the address 10.1.0.(h + 1) and switch port h.
 */
class HostBench
{
  public:
    static constexpr uint16_t PORT = 9; //!< of every listener

    /** The beginning and the end of every test case, also of one that stops halfway. */
    struct Case
    {
        Case();
        ~Case();
    };

    /** Bytes that an application received. */
    struct Arrival
    {
        uint32_t host;
        Picoseconds at;
        uint32_t bytes;
    };

    /**
     * @param hosts how many
     * @param bitsPerSecond rate of their ports
     * @param fiberDelay of each fiber
     * @param prepare sets up the helper further, if wanted
     */
    HostBench(uint32_t hosts,
              uint64_t bitsPerSecond,
              Picoseconds fiberDelay,
              const std::function<void(PhotonicRailHelper&)>& prepare = nullptr);

    ~HostBench();

    bool audited{true}; //!< whether everything must be accounted for at the end

    /** Calls a function in the course of the simulation; ns-3.35 schedules no lambdas. */
    static void At(Picoseconds when, std::function<void()> what);

    /** Joins two hosts: since ever, or from the end of the reconfiguration. */
    CircuitPlanReport Join(uint32_t a, uint32_t b);

    // -------------------------------------------------------------- closed forms

    /** How long so many bytes last on a wire, rounded up. */
    static Picoseconds Span(uint64_t bytes, uint64_t bitsPerSecond);

    /** From a frame's first bit to its last: preamble 8, header 14, 46 or more, check sequence 4.
     */
    static uint64_t BytesToLastBit(uint32_t ipBytes);

    /** An IPv4 datagram with UDP: headers of 20 and 8 bytes. */
    static uint32_t UdpDatagram(uint32_t payload)
    {
        return 20 + 8 + payload;
    }

    /** From the first bit in at one host to the last bit out at the other: a frame and two fibers.
     */
    Picoseconds Unidirectional(uint32_t ipBytes) const;

    // -------------------------------------------------------------------- traffic

    /** A host takes UDP datagrams, which are recorded in `arrivals`. */
    void Listen(uint32_t host);

    /** Sends one UDP datagram, now. */
    void SendUdp(uint32_t from, uint32_t to, uint32_t payload, uint8_t priority = 0);

    /** A host answers UDP echoes. */
    static void Answer(Ptr<Node> node);

    /** A host sends UDP echoes; the instants at which it gets them back are put into a list. */
    static void Ping(Ptr<Node> from,
                     Ipv4Address to,
                     uint32_t payload,
                     Picoseconds first,
                     std::vector<Picoseconds>& back,
                     uint32_t count = 1,
                     Picoseconds interval = 1'000'000);

    /** A host takes TCP connections; arrivals are recorded in `arrivals`. */
    void ListenTcp(uint32_t host);

    /** Sends bytes over TCP. */
    void SendTcp(uint32_t from, uint32_t to, uint64_t bytes, Picoseconds start);

    // -------------------------------------------------------------------- results

    /** @return the bytes that the applications of a host got */
    uint64_t BytesAt(uint32_t host) const;

    /**
     * @return how often the applications of a host received bytes after one instant, up to another
     */
    uint32_t ArrivalsWithin(uint32_t host, Picoseconds after, Picoseconds until) const;

    /** The reconfiguration time. */
    static constexpr Picoseconds RECONFIGURATION = 20'000'000;

    Case self; // first, so that it ends last
    uint64_t rate;
    Picoseconds fiber;
    NodeContainer nodes;
    PhotonicRailHelper helper;
    Rail rail;
    Ipv4InterfaceContainer addresses;
    Ptr<OpticalCircuitSwitch> ocs;
    std::vector<Arrival> arrivals;
    std::map<FrameDropReason, uint32_t> switchDrops;
    std::map<std::pair<uint32_t, FrameDropReason>, uint32_t> nicDrops; //!< by host and reason

  private:
    static void Do(std::function<void()> what);

    static void Note(std::vector<Picoseconds>* instants, Ptr<const Packet>);

    void ReceiveUdp(uint32_t host, Ptr<Socket> socket);

    void ReceiveTcp(uint32_t host, Ptr<const Packet> packet, const Address&);

    void SwitchDropped(PortId, const WireFrame&, FrameDropReason reason);

    void NicDropped(uint32_t host, const WireFrame&, FrameDropReason reason);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_BENCH_H */
