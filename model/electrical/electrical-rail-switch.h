/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ELECTRICAL_RAIL_SWITCH_H
#define PHOTONIC_RAILS_ELECTRICAL_RAIL_SWITCH_H

#include "ecn-profile.h"
#include "electrical-switch-port.h"
#include "packet-switch-clock.h"
#include "packet-switch-core.h"

#include "ns3/batch-mode.h"
#include "ns3/frame-drop-reason.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A packet switch: the switch in the middle of an electrical rail, or one of several.
 *
 * **Model.** An Ethernet switch with one shared packet memory and queues at its outputs. The switch
 * looks up the destination of an incoming frame. The frame waits in the queue of its output port
 * and traffic class, and is sent at the rate of that port. Aggregate it to a Node; AddPort() gives
 * the node a device for every port. NICs and fibers are those of an optical rail.
 *
 * **Time.** With `Forwarding` StoreAndForward a frame enters its queue `SwitchingDelay` after its
 * last bit. With CutThrough it does so `SwitchingDelay` after its first 50 bytes (preamble,
 * Ethernet, IPv4 and UDP headers, the input of look-up and hash), if the ingress rate is not below
 * the egress rate; else, and for group addresses, when it is whole. So no bit leaves before it has
 * arrived. Frames leave back to back, at instants that the FrameClock of each port gives to the
 * picosecond. Both ends of a fiber must have the same `DataRate` when the simulation begins.
 *
 * **Order.** At each port: pause frames, then classes 7 to 0, then ingress ports in turn by number.
 * Frames that arrive at one instant are processed by ingress port, and a frame that enters its
 * queue at the instant at which the wire becomes free is not a candidate at that instant. So no
 * result depends on the order of ns-3 events that have equal times. The sender sets the class of a
 * frame.
 *
 * **Paths.** Each address has a set of equally good ports (GetTable()); a hash of the flow picks
 * one, with the switch's `HashSeed`, so a flow keeps its order. Frames to group addresses go to all
 * ports, or those of SetFloodPorts(), except their ingress port. Frames without a route are
 * dropped.
 *
 * **Memory.** A frame occupies memory from its entry into its queue until its first bit leaves.
 * `BufferSize` bytes are shared by dynamic thresholds (see SharedBuffer): frames of lossy classes
 * are dropped beyond their threshold; the senders of `LosslessClasses` are paused (IEEE 802.1Qbb),
 * and a computed headroom for each port holds the frames that still arrive. Pauses are real frames;
 * the switch repeats them at half of their quanta while they last, and obeys pause frames that it
 * receives.
 *
 * **Marks.** Queues of `EcnClasses` mark with Congestion Experienced (see EcnMarking), by the
 * length at the arrival of a frame. The marks depend only on seed, run, stream, port and the
 * frame's ordinal at the port. Switches with equal `EcnStream` draw equally: they mark the same
 * frames while their traffic is the same (common random numbers).
 *
 * **Cost.** One pending ns-3 event for the whole switch. A decision is visible at the other end of
 * a fiber one fiber delay later at the earliest, so the switch delays its decisions, up to the
 * shortest fiber's delay, and makes many at once, each at its own instant (see PacketSwitchCore).
 * Results are the same. While a trace source of the switch is connected it does not delay them: a
 * trace fires a picosecond after the instant of its event, when that is over. Neither does a switch
 * with a fiber to another process of a distributed simulation.
 *
 * **Not modelled.** Learning of addresses, VLANs, routing, spanning tree; cells; limits of the
 * look-up pipeline in frames a second; PFC watchdogs; the check of bits: a frame with a bit error
 * is lost in the fiber, also where a cut-through switch would forward it, and a frame that is cut
 * after its header was forwarded goes on whole. A port without incoming light continues to send.
 *
 * **Defaults.** 64 MB is a round figure for switch chips of 400 Gb/s ports; their predecessor
 * Tomahawk 2 (64 ports of 100 Gb/s) has 42 MB. Alpha 1 and a hysteresis of 3,556 bytes are the
 * settings of SONiC for lossless classes of a Tomahawk 5 (pg_profile_lookup.ini of Arista 7060X6:
 * threshold 0, which is 2^0, xon_offset 3556). ECN thresholds of 4 and 16 kB for each Gb/s (32 and
 * 128 us, see EcnMarking::GetDefaults()) and 20 % are those of the simulator of HPCC (Li et al.,
 * SIGCOMM 2019): 400 and 1600 kB at 100 Gb/s. The switching delay is 0, as that of an optical
 * switch; reports on the first Tomahawk give 300 to 500 ns (ipspace.net, Broadcom Tomahawk 101).
 *
 * @code
 * Ptr<ElectricalRailSwitch> packetSwitch = CreateObject<ElectricalRailSwitch>();
 * node->AggregateObject(packetSwitch);
 * fiber->Attach(nic, packetSwitch->AddPort()); // ElectricalRailHelper does all of this
 * ForwardingTable& table = packetSwitch->GetTable();
 * table.Add(address, table.AddRoute({PortId(0)}));
 * @endcode
 */
class ElectricalRailSwitch : public Object, private PacketSwitchEnvironment
{
  public:
    static constexpr uint32_t CLASSES = PacketSwitchCore::CLASSES; //!< traffic classes

    /** The earliest instant at which a frame is forwarded. */
    enum Forwarding
    {
        STORE_AND_FORWARD, //!< when it is whole
        CUT_THROUGH,       //!< when its header is in
    };

    /** @return the type */
    static TypeId GetTypeId();

    ElectricalRailSwitch();
    ~ElectricalRailSwitch() override;

    /**
     * Adds a port to the switch and to its node. Before the simulation begins.
     * @return the port, for a fiber
     */
    Ptr<ElectricalSwitchPort> AddPort();

    /**
     * @param port a port of the switch
     * @return its device
     */
    Ptr<ElectricalSwitchPort> GetPort(PortId port) const;

    /** @return the number of ports */
    uint32_t GetPorts() const;

    /** @return the forwarding table; fill it before the simulation begins */
    ForwardingTable& GetTable();

    /**
     * Sets the egress ports of frames to group addresses. Default: all ports.
     * @param ports a frame is never sent to its ingress port
     */
    void SetFloodPorts(const std::vector<PortId>& ports);

    /**
     * Sets marking thresholds of a class, in place of EcnClasses. Before the simulation begins.
     * @param trafficClass 0 to 7
     * @param kmin bytes up to which no frame is marked
     * @param kmax bytes beyond which every frame is marked
     * @param pmax marked share at kmax, 0 to 1
     */
    void SetEcn(uint32_t trafficClass, uint64_t kmin, uint64_t kmax, double pmax);

    /**
     * Fixes the random draws of marks.
     * @param stream the first stream number
     * @return the number of streams used: one for each port
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @return whether marks of frames that it has forwarded were drawn for this switch alone: then
     *         another switch with the same traffic may have marked others
     */
    bool HasDrawnOwnMarks() const;

    /**
     * @param port a port of the switch
     * @return its counters, up to now
     */
    const PacketSwitchCounters& GetCounters(PortId port);

    /** @return the bytes of memory in use, now */
    uint64_t GetBufferUsed();

    /** @return the present state of the memory; empty before the simulation begins */
    const SharedBuffer& GetBuffer();

    /**
     * @return the number of frames in the switch, now: in queues and before them
     */
    uint64_t GetFrames();

    /**
     * @param port a port of the switch
     * @param trafficClass 0 to 7
     * @return the bytes in its egress queue, now
     */
    uint64_t GetQueue(PortId port, uint32_t trafficClass);

    /**
     * @param port a port of the switch
     * @param trafficClass 0 to 7
     * @return whether the port's peer pauses the class, now
     */
    bool IsPaused(PortId port, uint32_t trafficClass);

    /**
     * @param port a port of the switch
     * @param trafficClass 0 to 7
     * @return whether the switch has paused the class at the port's peer
     */
    bool HasPaused(PortId port, uint32_t trafficClass);

    /**
     * The headroom of each lossless class (see PfcHeadroom). The reaction time of the peer is
     * `PauseResponse`.
     * @param port a port of the switch, with a fiber
     * @return bytes
     */
    uint64_t GetHeadroom(PortId port) const;

    /** Signature of FrameDropped: the ingress port, the frame as it came in, and the reason. */
    typedef void (*FrameDroppedCallback)(PortId port,
                                         const WireFrame& frame,
                                         FrameDropReason reason);
    /** Signature of FramePassed: the ingress port, the egress port, the frame at the egress. */
    typedef void (*FramePassedCallback)(PortId in, PortId out, const WireFrame& frame);
    /** Signature of EcnMarked: the egress port, and the marked frame. */
    typedef void (*EcnMarkedCallback)(PortId port, const WireFrame& frame);
    /** Signature of PauseSent: the port, the class and quanta of 512 bit times. 0: it goes on. */
    typedef void (*PauseSentCallback)(PortId port, uint32_t trafficClass, uint16_t quanta);
    /** Signature of PauseReceived: the port, the class and the span. 0: it goes on. */
    typedef void (*PauseReceivedCallback)(PortId port, uint32_t trafficClass, Time span);
    /** Signature of QueueDepth: the egress port, the class and the bytes in the queue. */
    typedef void (*QueueDepthCallback)(PortId port, uint32_t trafficClass, uint64_t bytes);
    /** Signature of BufferUsed: bytes. */
    typedef void (*BufferUsedCallback)(uint64_t bytes);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    class Port;

    /** Takes the rail over into trains. @param [out] why the reason if not @return whether it did
     */
    bool EnterTrains(std::string& why);
    /** Returns to packet events before a change, or a read, that trains do not support. */
    void LeaveTrain(const char* why);
    /** Sets when frames may go on. */
    void SetForwarding(Forwarding forwarding);
    /** @return when frames may go on */
    Forwarding GetForwarding() const;
    /** Sets the rate of a port from now on. */
    void SetRate(PortId port, DataRate rate);
    /** A frame has left a port's fiber. */
    void ReceiveFrame(PortId port, WireFrame&& frame);
    /** A frame is to come out of a port's fiber. @return whether the switch takes it ahead */
    bool Announce(PortId port, WireFrame& frame);
    /** Announced frames that have not come out of a port's fiber return into it. */
    void Withdraw(const ElectricalSwitchPort& port);
    /** The same at all ports. */
    void Withdraw();
    /** @return the instant at which the switch takes a frame that arrives at a port */
    Picoseconds GetHandOver(PortId port, const WireFrame& frame) const;

    /** @return a port; aborts with the name of the caller if there is no such port */
    const Ptr<ElectricalSwitchPort>& At(PortId port, const char* caller) const;
    /** @return a class; aborts with the name of the caller if there is no such class */
    static uint32_t ClassAt(uint32_t trafficClass, const char* caller);

    /** A callback was connected or disconnected. */
    void NotifyObservers();
    /** Fixes the settings of the switch, from its attributes. */
    void Configure();
    /**
     * Fixes the fibers of the ports.
     * @param [out] headroom bytes by port
     * @return the delay of the shortest fiber, or 0 without fibers
     */
    Picoseconds ConnectFibers(std::vector<uint64_t>& headroom);
    /** Stops the run if the ends of a port's fiber have different rates. */
    void CheckRates(const Ptr<ElectricalSwitchPort>& port) const;
    /** Fixes the marking of each port. */
    void ConfigureMarking();
    /** @return bytes of the largest frame, with check sequence */
    uint32_t GetLargestFrame() const;
    /** Applies a pause frame. */
    void ReceivePause(PortId port, const WireFrame& frame);

    // PacketSwitchEnvironment
    void PutFrame(uint32_t port, uint32_t ingress, WireFrame&& frame) override;
    WireFrame MakePause(uint32_t port, uint32_t trafficClass, uint16_t quanta) override;
    void PutPause(uint32_t port, WireFrame&& frame) override;
    void NotifyDropped(uint32_t ingress, const WireFrame& frame, FrameDropReason reason) override;
    void NotifyMarked(uint32_t egress, const WireFrame& frame) override;
    void NotifyQueue(uint32_t egress, uint32_t trafficClass) override;

    PacketSwitchCore m_core;
    PacketSwitchClock m_clock;
    std::vector<Ptr<ElectricalSwitchPort>> m_ports;
    std::vector<Ptr<OpticalFiber>> m_fibers; //!< by port, set when the simulation begins
    bool m_observed{false};                  //!< a callback is connected
    uint64_t m_attemptsToSkip{0};            //!< to enter trains, after one that was refused
    BatchMode* m_train{nullptr};             //!< has taken the rail over; null: packet events

    Forwarding m_forwarding{STORE_AND_FORWARD};
    Time m_switchingDelay;
    uint16_t m_mtu;
    uint64_t m_bufferSize;
    double m_alpha;
    double m_xoffAlpha;
    uint32_t m_hysteresis;
    uint8_t m_losslessClasses;
    uint16_t m_pauseQuanta;
    Time m_pauseResponse;
    uint8_t m_ecnClasses;
    uint64_t m_ecnKmin;
    uint64_t m_ecnKmax;
    double m_ecnPmax;
    int64_t m_ecnStream; //!< of draws that other switches share; -1: m_stream
    EcnProfile m_ecn;
    uint64_t m_hashSeed;
    int64_t m_stream{-1};

    TracedCallback<PortId, const WireFrame&, FrameDropReason> m_frameDropped;
    TracedCallback<PortId, PortId, const WireFrame&> m_framePassed;
    TracedCallback<PortId, const WireFrame&> m_ecnMarked;
    TracedCallback<PortId, uint32_t, uint16_t> m_pauseSent;
    TracedCallback<PortId, uint32_t, Time> m_pauseReceived;
    TracedCallback<PortId, uint32_t, uint64_t> m_queueDepth;
    TracedCallback<uint64_t> m_bufferUsed;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ELECTRICAL_RAIL_SWITCH_H */
