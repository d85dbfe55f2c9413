/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PACKET_SWITCH_CORE_H
#define PHOTONIC_RAILS_PACKET_SWITCH_CORE_H

#include "announced-frames.h"
#include "ecn-marking.h"
#include "forwarding-table.h"
#include "frame-store.h"
#include "shared-buffer.h"
#include "switch-egress.h"

#include "ns3/frame-drop-reason.h"
#include "ns3/identifier.h"
#include "ns3/mac48-address.h"
#include "ns3/picoseconds.h"
#include "ns3/ring-queue.h"
#include "ns3/transmitter-state.h"
#include "ns3/wire-frame.h"

#include <array>
#include <cstdint>
#include <deque>
#include <queue>
#include <vector>

namespace ns3
{

/** The settings of a packet switch. */
struct PacketSwitchSettings
{
    static constexpr uint32_t CLASSES = 8; //!< traffic classes

    Picoseconds switchingDelay{0}; //!< between a frame's arrival and its queue
    bool cutThrough{false};        //!< a frame may leave before it is whole
    uint32_t largestFrame{0};      //!< bytes without preamble and gap; larger are dropped
    SharedBuffer::Settings buffer; //!< includes the set of lossless classes
    uint16_t pauseQuanta{0xffff};  //!< of every pause frame that pauses a class
    uint64_t hashSeed{0};          //!< for the choice among equally good ports
};

/**
 * The counters of one port of a packet switch. Bytes are those of frames with check sequence.
 *
 * Summed over all ports of a switch that holds no frame: received + copied = forwarded + dropped.
 */
struct PacketSwitchCounters
{
    uint64_t received{0};       //!< frames that came in, except pause frames
    uint64_t receivedBytes{0};  //!< their bytes
    uint64_t copied{0};         //!< additional copies of them from flooding
    uint64_t dropped{0};        //!< dropped frames and copies of this ingress port
    uint64_t droppedBytes{0};   //!< their bytes
    uint64_t forwarded{0};      //!< frames that were sent, except pause frames
    uint64_t forwardedBytes{0}; //!< their bytes
    uint64_t marked{0}; //!< frames of this egress port that were marked with congestion experienced
    uint64_t pausesSent{0};     //!< pause frames that were sent
    uint64_t pausesReceived{0}; //!< pause frames that came in, once for each class they apply to
};

/** A frame inside a packet switch. */
struct SwitchedFrame
{
    uint32_t ingress{0};
    uint32_t egress{0};    //!< of a frame in a queue
    Picoseconds enters{0}; //!< when it enters a queue; of a frame in one: not used
    WireFrame frame;       //!< with its times at the ingress
};

/** The state of a packet switch without congestion, for another that goes on from there. */
struct PacketSwitchState
{
    std::vector<TransmitterState> wires; //!< by port
    std::vector<SwitchedFrame> coming;   //!< not in a queue yet, in order of time
    std::vector<SwitchedFrame> waiting;  //!< in queues; those of an ingress and class in order
};

/** The environment of a PacketSwitchCore: its wires, and the receivers of its notifications. */
class PacketSwitchEnvironment
{
  public:
    virtual ~PacketSwitchEnvironment() = default;

    /**
     * A frame goes on the wire.
     * @param port the egress port
     * @param ingress the ingress port
     * @param frame the frame, with its times on the wire
     */
    virtual void PutFrame(uint32_t port, uint32_t ingress, WireFrame&& frame) = 0;

    /**
     * Makes a pause frame, which goes on the wire next.
     * @param port the egress port
     * @param trafficClass 0 to 7
     * @param quanta of 512 bit times
     * @return the frame
     */
    virtual WireFrame MakePause(uint32_t port, uint32_t trafficClass, uint16_t quanta) = 0;

    /** A pause frame goes on the wire. @param port the egress port @param frame with its times */
    virtual void PutPause(uint32_t port, WireFrame&& frame) = 0;

    /** A frame is dropped. @param ingress its ingress port */
    virtual void NotifyDropped(uint32_t ingress,
                               const WireFrame& frame,
                               FrameDropReason reason) = 0;

    /** A frame was marked. @param egress its egress port */
    virtual void NotifyMarked(uint32_t egress, const WireFrame& frame) = 0;

    /** The bytes in a queue, and so in the buffer, have changed. */
    virtual void NotifyQueue(uint32_t egress, uint32_t trafficClass) = 0;
};

/**
 * @ingroup photonic-rails
 * @brief The inside of a packet switch: look-up, shared buffer, queues, pauses, and the exact
 * instants at which frames leave.
 *
 * It has a clock of its own. The owner passes frames to it as they arrive. Process() advances the
 * clock and carries out every action at its own exact instant, in order. So the owner may wait and
 * process many instants at once: the results are the same for any delay that ends before the first
 * frame is due at the other end of its wire.
 *
 * An instant has three parts, so that no result depends on the order in which frames of one instant
 * are passed:
 * 1. Wires that end a frame begin the next one, by the state before the instant.
 * 2. Arrivals take effect: pauses, then frames, by ingress port.
 * 3. Idle wires begin, by the present state, in order of ports.
 *
 * Pauses that part 3 makes due are processed in part 3 again.
 *
 * Plain C++: no simulator.
 */
class PacketSwitchCore
{
  public:
    static constexpr uint32_t CLASSES = PacketSwitchSettings::CLASSES; //!< traffic classes

    /** @param environment must outlive the switch */
    explicit PacketSwitchCore(PacketSwitchEnvironment& environment);

    /** Adds a port. */
    void AddPort(uint64_t bitsPerSecond);

    /** @param now the first instant of the rate, or ALWAYS_BEFORE */
    void SetRate(uint32_t port, uint64_t bitsPerSecond, Picoseconds now);

    /**
     * Fixes the settings of the switch, and its memory. Before the first frame.
     * @param headroom by port: bytes for each lossless class
     */
    void Configure(const PacketSwitchSettings& settings, std::vector<uint64_t> headroom);

    /**
     * Fixes the marking of the frames of an egress port.
     * @param marking by class
     * @param key the key of the draws of this port, from EcnMarking::KeyOf()
     */
    void SetMarking(uint32_t port, const std::array<EcnMarking, CLASSES>& marking, uint64_t key);

    /** @return the forwarding table */
    ForwardingTable& GetTable();

    /** @param ports egress ports of frames to group addresses, except the ingress port */
    void SetFloodPorts(std::vector<PortId> ports);

    /** @param port has a fiber; flooding skips ports without one */
    void SetConnected(uint32_t port);

    /**
     * A frame comes in: down to its last bit, or with cut-through its header.
     * @param frame the frame, with its times at the port
     * @param now the instant, not before that of an earlier call
     */
    void ReceiveFrame(uint32_t ingress, WireFrame&& frame, Picoseconds now);

    /**
     * A frame will come in, unless Withdraw() is called before: as ReceiveFrame() at that instant,
     * and counted then.
     * @param at the instant, not before that of an earlier frame of this port
     */
    void Announce(uint32_t ingress, WireFrame&& frame, Picoseconds at);

    /**
     * Announced frames of a port are to come in by ReceiveFrame() after all.
     * @param now those of earlier instants have come in
     * @return the others, in order
     */
    RingQueue<WireFrame> Withdraw(uint32_t ingress, Picoseconds now);

    /**
     * A pause frame has come in, down to its last bit.
     * @param trafficClass 0 to 7
     * @param span the length of the pause; 0 lets the class go on
     * @param now the instant, after all that were processed
     */
    void ReceivePause(uint32_t port, uint32_t trafficClass, Picoseconds span, Picoseconds now);

    /** @return the next instant with an action, or NEVER */
    Picoseconds GetNextDue() const;

    /**
     * Carries out all actions that are due up to an instant.
     * @param until all arrivals up to this instant have been passed
     */
    void Process(Picoseconds until);

    /** @return the counters of a port */
    const PacketSwitchCounters& GetCounters(uint32_t port) const;

    /** @return whether a mark of a frame was a matter of chance, since its queue was that long */
    bool HasDrawnMarks() const
    {
        return m_hasDrawnMarks;
    }

    /**
     * @param now everything before it was processed
     * @return the reason why another cannot take the frames over; null if it can. Then no pause is
     *         in effect and no rate changes.
     */
    const char* WhyNotTaken(Picoseconds now) const;

    /**
     * @param addresses of NICs, in order
     * @return whether all frames inside are those of offloads and go to one of these
     */
    bool HoldsOnlyFramesTo(const std::vector<Mac48Address>& addresses);

    /** @return the bytes that may wait in the switch so that none is dropped or paused */
    uint64_t GetCalmBytes() const;

    /** @return the bytes that may wait for a port so that none is marked */
    uint64_t GetUnmarkedBytes(uint32_t port) const;

    /** Removes all frames. @return them, and the progress of the wires */
    PacketSwitchState TakeState();

    /** Takes over the frames and the progress of the wires; there are no frames now. */
    void PutState(PacketSwitchState&& state);

    /**
     * Adds to the counts of a port.
     * @param more counts of frames
     * @param queued number of frames that entered queues of this egress port
     */
    void Count(uint32_t port, const PacketSwitchCounters& more, uint64_t queued);

    /**
     * @param address of a NIC
     * @return the only port that leads there; the number of ports if there are none or several
     */
    uint32_t FindPort(Mac48Address address) const;

    /** @return the present state of the buffer */
    const SharedBuffer& GetBuffer() const;

    /** @return the number of frames in the switch, without those that are announced */
    uint64_t GetFrames() const;

    /**
     * @param trafficClass 0 to 7
     * @return whether the switch has paused the class at the peer
     */
    bool HasPaused(uint32_t port, uint32_t trafficClass) const;

    /**
     * @param trafficClass 0 to 7
     * @return the first instant at which it may begin a frame, by the pauses of its peer
     */
    Picoseconds GetHeldUntil(uint32_t port, uint32_t trafficClass) const;

    /** Removes all frames. */
    void Clear();

  private:
    /** A frame that has come in and is not in a queue yet. */
    struct Arrival
    {
        Picoseconds at; //!< the instant at which it enters its queue
        uint32_t number;
        uint32_t ingress;
    };

    /** The kinds of actions, by part of the instant. */
    enum Kind : uint32_t
    {
        WIRE_ENDS,      //!< part 1
        PAUSE_COMES,    //!< part 2
        REFRESH_PAUSE,  //!< part 2
        FRAME_COMES,    //!< part 2
        WIRE_MAY_BEGIN, //!< part 3
    };

    /** An action that is due. */
    struct Due
    {
        Picoseconds at;
        Kind kind;
        uint32_t which; //!< port, or port and class
        int64_t what;   //!< the length of the pause, or the frame's number

        /** @return whether it is later than another: the order of a heap with the first on top */
        bool operator<(const Due& other) const
        {
            return at != other.at       ? at > other.at
                   : kind != other.kind ? kind > other.kind
                                        : which > other.which;
        }
    };

    /** A port, except for the state in SwitchEgress. */
    struct Port
    {
        /** @param bitsPerSecond rate of the port */
        explicit Port(uint64_t bitsPerSecond)
            : egress(bitsPerSecond)
        {
            refresh.fill(NEVER);
        }

        SwitchEgress egress;
        PacketSwitchCounters counters;
        std::array<EcnMarking, CLASSES> marking; //!< by class
        uint64_t markingKey{0};                  //!< see EcnMarking
        uint64_t ordinal{0};                     //!< of frames queued to leave here
        bool connected{false};                   //!< the port has a fiber
        bool watched{false};                     //!< the end of the frame on the wire is due
        bool begins{false};                      //!< listed in m_beginning
        Picoseconds chance{NEVER};               //!< the end of a pause of the peer
        uint8_t paused{0}; //!< a bit for each class that is paused at its peer
        std::array<Picoseconds, CLASSES> refresh; //!< next repetition of the pause
    };

    /** Part 2 for frames: all that arrive at an instant. */
    void Admit(Picoseconds now);
    /** The same if all of them were announced. */
    void AdmitAnnounced(Picoseconds now);
    /** Takes the first announced frame of a port, which has come in. @return its arrival */
    Arrival TakeAnnounced(uint32_t ingress);
    /** A frame enters its queue, is flooded, or is dropped. */
    void Forward(uint32_t number, Picoseconds now);
    /** Floods a frame to a group address. */
    void Flood(uint32_t number, Picoseconds now);
    /** Stores a frame for a port, if there is memory. */
    void Store(uint32_t number, uint32_t egress, Picoseconds now);
    /** Drops a frame. */
    void Drop(uint32_t number, FrameDropReason reason);
    /** A port has work: determines when it can send. */
    void Wake(uint32_t port, Picoseconds now);
    /** Puts the next frame on a wire, or leaves it idle. */
    void Decide(uint32_t port, Picoseconds now, bool wireWasIdle);
    /** Puts a pause frame on a wire. */
    void SendPause(uint32_t port, Picoseconds now, bool wireWasIdle);
    /** Puts a frame on a wire. */
    void SendFrame(uint32_t port,
                   const SwitchEgress::Choice& choice,
                   Picoseconds now,
                   bool wireWasIdle);
    /** Pauses a class at the peer of a port. */
    void PausePeer(uint32_t port, uint32_t trafficClass, Picoseconds now);
    /** Part 3. */
    void BeginWires(Picoseconds now);
    /** Carries out the action on top of the heap. */
    void ProcessDue(const Due& due);

    PacketSwitchEnvironment& m_environment;
    PacketSwitchSettings m_settings;
    ForwardingTable m_table;
    SharedBuffer m_buffer;
    FrameStore m_store;
    std::vector<Port> m_ports;
    std::vector<PortId> m_floodPorts;
    bool m_floodsEverywhere{true};
    bool m_hasDrawnMarks{false};
    std::deque<Arrival> m_arrivals; //!< in order of time
    AnnouncedFrames m_announced;    //!< are there at their instants
    std::priority_queue<Due> m_due;
    std::vector<uint32_t> m_beginning; //!< ports that may begin, now
    uint32_t m_pausesComing{0};        //!< actions PAUSE_COMES that are due
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PACKET_SWITCH_CORE_H */
