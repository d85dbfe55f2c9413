/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ELECTRICAL_RAIL_SWITCH_H
#define PHOTONIC_RAILS_ELECTRICAL_RAIL_SWITCH_H

#include "electrical-switch-port.h"
#include "packet-switch-core.h"

#include "ns3/event-id.h"
#include "ns3/frame-drop-reason.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A packet switch: the switch in the middle of an electrical rail, or one of several.
 *
 * **What it models.** An Ethernet switch with one shared packet memory and queues at its outputs.
 * A frame that has come in is looked up by its destination, waits in the queue of its output port
 * and traffic class, and is sent at the rate of that port. Aggregate it to a Node; AddPort() gives
 * the node a device for every port. NICs and fibers are those of an optical rail.
 *
 * **Time.** With `Forwarding` StoreAndForward a frame comes to its queue `SwitchingDelay` after its
 * last bit. With CutThrough it does so `SwitchingDelay` after its first 50 bytes (preamble,
 * Ethernet, IPv4 and UDP headers: what look-up and hash need), if the frame came in no slower than
 * it leaves; else, and for group addresses, when it is whole. So no bit leaves before it has come.
 * Frames leave back to back, at instants that the FrameClock of each port gives to the picosecond.
 * Both ends of a fiber must have the same `DataRate` when the simulation begins.
 *
 * **Order.** At each port: pause frames, then classes 7 to 0, then ingress ports in turn by number.
 * What comes in at one instant is dealt with by ingress port, and a frame that is in its queue only
 * at the instant at which a wire ends another was not there yet. So no result depends on the order
 * of ns-3 events that have equal times. A frame's class is what its sender gave it.
 *
 * **Way.** Each address has a set of equally good ports (GetTable()); a hash of the flow picks one,
 * with the switch's `HashSeed`, so a flow keeps its order. Frames to group addresses go to all
 * ports, or those of SetFloodPorts(), but for the one they came by. What has no route is dropped.
 *
 * **Memory.** A frame takes memory from when it comes to its queue until its first bit leaves.
 * `BufferSize` bytes are shared by dynamic thresholds (see SharedBuffer): lossy classes are dropped
 * beyond theirs; of `LosslessClasses` the sender is paused (IEEE 802.1Qbb), and headroom that is
 * worked out for each port holds what still comes. Pauses are real frames; they are repeated at
 * half of their quanta while they last, and the switch heeds those it gets.
 *
 * **Marks.** Queues of `EcnClasses` mark with Congestion Experienced (see EcnMarking), by the
 * length that a frame finds when it comes. Which frames are marked depends on seed, run, stream,
 * port and the frame's ordinal at the port only.
 *
 * **Cost.** One pending ns-3 event for the whole switch. What is decided at an instant shows at
 * the other end of a fiber one fiber delay later at the earliest, so the switch lets its decisions
 * wait, up to the shortest fiber's delay, and takes many at once, each at its own instant (see
 * PacketSwitchCore). Results are the same. While a trace source of the switch is connected it does
 * not wait: a trace fires a picosecond after the instant it speaks of, when that is over.
 *
 * **Left out.** Learning of addresses, VLANs, routing, spanning tree; cells; limits of the look-up
 * pipeline in frames a second; PFC watchdogs; the check of bits: a frame with a bit error is lost
 * in the fiber, also if a cut-through switch would have passed it on, and one that is cut after its
 * header was passed on goes on whole. A port whose light is gone sends on, into the dark.
 *
 * **Defaults.** 64 MB is a round figure for switch chips of 400 Gb/s ports; of their forerunner
 * Tomahawk 2 (64 ports of 100 Gb/s) 42 MB are known. Alpha 1 and a hysteresis of 3,556 bytes are
 * what SONiC sets for lossless classes of a Tomahawk 5 (pg_profile_lookup.ini of Arista 7060X6:
 * threshold 0, which is 2^0, xon_offset 3556). ECN thresholds of 4 and 16 kB for each Gb/s (32 and
 * 128 us, see EcnMarking::GetDefaults()) and 20 % are those in use with the simulator of HPCC (Li
 * et al., SIGCOMM 2019): 400 and 1600 kB at 100 Gb/s. The switching delay is 0, as that of
 * an optical switch is; of the first Tomahawk 300 to 500 ns are reported (ipspace.net, Broadcom
 * Tomahawk 101).
 *
 * @code
 * Ptr<ElectricalRailSwitch> switch = CreateObject<ElectricalRailSwitch>();
 * node->AggregateObject(switch);
 * fiber->Attach(nic, switch->AddPort()); // and so on, or ElectricalRailHelper for all of this
 * ForwardingTable& table = switch->GetTable();
 * table.Add(address, table.AddRoute({PortId(0)}));
 * @endcode
 */
class ElectricalRailSwitch : public Object, private PacketSwitchEnvironment
{
  public:
    static constexpr uint32_t CLASSES = PacketSwitchCore::CLASSES; //!< traffic classes

    /** When a frame may go on. */
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

    /** @return the number of ports there are */
    uint32_t GetPorts() const;

    /** @return where frames are sent, to be filled before the simulation begins */
    ForwardingTable& GetTable();

    /**
     * Says where frames to group addresses go. Until then: everywhere.
     * @param ports the ports; never the one that a frame came by
     */
    void SetFloodPorts(const std::vector<PortId>& ports);

    /**
     * Marks a class by thresholds of its own, whatever EcnClasses says. Before the simulation
     * begins.
     * @param trafficClass 0 to 7
     * @param kmin bytes up to which nothing is marked
     * @param kmax bytes beyond which everything is marked
     * @param pmax share that is marked at kmax, 0 to 1
     */
    void SetEcn(uint32_t trafficClass, uint64_t kmin, uint64_t kmax, double pmax);

    /**
     * Fixes which frames are marked.
     * @param stream the first stream number
     * @return the number of streams used: one for each port
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @param port a port of the switch
     * @return what it has seen, up to now
     */
    const PacketSwitchCounters& GetCounters(PortId port);

    /** @return the bytes of memory in use, now */
    uint64_t GetBufferUsed();

    /** @return the memory as it is, now; without any before the simulation begins */
    const SharedBuffer& GetBuffer();

    /** @return the frames that are in the switch, now: those queued, and those on their way there
     */
    uint64_t GetFrames();

    /**
     * @param port a port of the switch
     * @param trafficClass 0 to 7
     * @return the bytes that wait to leave by it, now
     */
    uint64_t GetQueue(PortId port, uint32_t trafficClass);

    /**
     * @param port a port of the switch
     * @param trafficClass 0 to 7
     * @return whether the port's peer has paused the class, now
     */
    bool IsPaused(PortId port, uint32_t trafficClass);

    /**
     * @param port a port of the switch
     * @param trafficClass 0 to 7
     * @return whether the switch has told the port's peer to pause the class
     */
    bool HasPaused(PortId port, uint32_t trafficClass);

    /**
     * The memory set aside, for each lossless class, for what comes between the instant at which a
     * threshold is crossed and that at which the pause takes effect:
     * - the frame that crosses it;
     * - while the pause frame waits for the frame that has just begun at this port, goes out behind
     *   pause frames for the other classes, and travels there: what the peer sends meanwhile, at
     *   its full rate;
     * - what the peer has not noticed yet (`PauseResponse`), and the frame it has just begun;
     * - what is in the fiber, or in the switch on its way to its queue;
     * - one frame because frames come whole.
     *
     * @param port a port of the switch, with a fiber
     * @return bytes
     */
    uint64_t GetHeadroom(PortId port) const;

    /** Signature of FrameDropped: the ingress port, the frame as it came in, and why. */
    typedef void (*FrameDroppedCallback)(PortId port,
                                         const WireFrame& frame,
                                         FrameDropReason reason);
    /** Signature of FramePassed: the ingress port, the egress port, the frame at the egress. */
    typedef void (*FramePassedCallback)(PortId in, PortId out, const WireFrame& frame);
    /** Signature of EcnMarked: the egress port, and the frame as it is now. */
    typedef void (*EcnMarkedCallback)(PortId port, const WireFrame& frame);
    /** Signature of PauseSent: the port, the class and quanta of 512 bit times. 0: it goes on. */
    typedef void (*PauseSentCallback)(PortId port, uint32_t trafficClass, uint16_t quanta);
    /** Signature of PauseReceived: the port, the class and how long. 0: it goes on. */
    typedef void (*PauseReceivedCallback)(PortId port, uint32_t trafficClass, Time span);
    /** Signature of QueueDepth: the egress port, the class and the bytes that wait. */
    typedef void (*QueueDepthCallback)(PortId port, uint32_t trafficClass, uint64_t bytes);
    /** Signature of BufferUsed: bytes. */
    typedef void (*BufferUsedCallback)(uint64_t bytes);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    class Port;

    /** A port has another rate from now on. */
    void SetRate(PortId port, DataRate rate);
    /** A frame came out of a port's fiber. */
    void ReceiveFrame(PortId port, WireFrame&& frame);
    /** @return when a frame that comes by a port is wanted */
    Picoseconds GetHandOver(PortId port, const WireFrame& frame) const;

    /** @return a port; aborts, in the name of the caller, if there is none of that number */
    const Ptr<ElectricalSwitchPort>& At(PortId port, const char* caller) const;
    /** @return a class; aborts, in the name of the caller, if there is none of that number */
    static uint32_t ClassAt(uint32_t trafficClass, const char* caller);

    /** Somebody began or ceased to listen. */
    void NotifyObservers();
    /** Fixes how the switch works, from its attributes. */
    void Configure();
    /** Stops the run if the ends of a port's fiber have different rates. */
    void CheckRates(const Ptr<ElectricalSwitchPort>& port) const;
    /** Fixes which frames are marked. */
    void ConfigureMarking();
    /** @return bytes of the largest frame, with check sequence */
    uint32_t GetLargestFrame() const;
    /** Takes a pause frame to heart. */
    void ReceivePause(PortId port, const WireFrame& frame);
    /** Does what is due before the present instant. */
    void CatchUp();
    /** Sees to it that what is due next will be done in time. */
    void Arm();
    /** The pending event. */
    void Wake();

    // PacketSwitchEnvironment
    void PutFrame(uint32_t port, uint32_t ingress, WireFrame&& frame) override;
    WireFrame MakePause(uint32_t port, uint32_t trafficClass, uint16_t quanta) override;
    void PutPause(uint32_t port, WireFrame&& frame) override;
    void NotifyDropped(uint32_t ingress, const WireFrame& frame, FrameDropReason reason) override;
    void NotifyMarked(uint32_t egress, const WireFrame& frame) override;
    void NotifyQueue(uint32_t egress, uint32_t trafficClass) override;

    /** Thresholds of a class that has its own. */
    struct EcnThresholds
    {
        uint64_t kmin;
        uint64_t kmax;
        double pmax;
    };

    PacketSwitchCore m_core;
    std::vector<Ptr<ElectricalSwitchPort>> m_ports;
    std::vector<Ptr<OpticalFiber>> m_fibers; //!< by port, from when the simulation begins
    Picoseconds m_slack{0};                  //!< how long decisions may wait
    bool m_observed{false};                  //!< somebody listens
    bool m_processing{false};
    EventId m_wake;
    Picoseconds m_wakeAt{NEVER}; //!< when that is

    Forwarding m_forwarding;
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
    std::map<uint32_t, EcnThresholds> m_ecnOfClass; //!< of classes that have their own
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
