/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PACKET_SWITCH_CORE_H
#define PHOTONIC_RAILS_PACKET_SWITCH_CORE_H

#include "ecn-marking.h"
#include "forwarding-table.h"
#include "frame-store.h"
#include "shared-buffer.h"
#include "switch-egress.h"

#include "ns3/frame-drop-reason.h"
#include "ns3/identifier.h"
#include "ns3/picoseconds.h"
#include "ns3/wire-frame.h"

#include <array>
#include <cstdint>
#include <deque>
#include <queue>
#include <vector>

namespace ns3
{

/** How a packet switch works. */
struct PacketSwitchSettings
{
    static constexpr uint32_t CLASSES = 8; //!< traffic classes

    Picoseconds switchingDelay{0}; //!< between a frame's arrival and its queue
    bool cutThrough{false};        //!< a frame may leave before it is whole
    uint32_t largestFrame{0};      //!< bytes without preamble and gap; larger are dropped
    SharedBuffer::Settings buffer; //!< which classes are lossless stands there too
    uint16_t pauseQuanta{0xffff};  //!< of every pause frame that holds a class
    uint64_t hashSeed{0};          //!< for the choice among equally good ports
};

/** What one port of a packet switch has seen. Bytes are those of frames with check sequence. */
struct PacketSwitchCounters
{
    uint64_t received{0};       //!< frames that came in, but for pause frames
    uint64_t receivedBytes{0};  //!< their bytes
    uint64_t copied{0};         //!< copies made of them in flooding, beyond the first
    uint64_t dropped{0};        //!< of frames and copies that came in here, those dropped
    uint64_t droppedBytes{0};   //!< their bytes
    uint64_t forwarded{0};      //!< frames that went out, but for pause frames
    uint64_t forwardedBytes{0}; //!< their bytes
    uint64_t marked{0};         //!< of those that go out here, with congestion experienced
    uint64_t pausesSent{0};     //!< pause frames that went out
    uint64_t pausesReceived{0}; //!< pause frames that came in, once for each class they concern
};

/** What a packet switch is in the midst of: its wires, and who looks on. */
class PacketSwitchEnvironment
{
  public:
    virtual ~PacketSwitchEnvironment() = default;

    /**
     * A frame goes on the wire.
     * @param port it leaves by
     * @param ingress the port that it came by
     * @param frame the frame, with its times on the wire
     */
    virtual void PutFrame(uint32_t port, uint32_t ingress, WireFrame&& frame) = 0;

    /**
     * A pause frame is wanted, to go on the wire next.
     * @param port it leaves by
     * @param trafficClass 0 to 7
     * @param quanta of 512 bit times
     * @return the frame
     */
    virtual WireFrame MakePause(uint32_t port, uint32_t trafficClass, uint16_t quanta) = 0;

    /** A pause frame goes on the wire. @param port it leaves by @param frame with its times */
    virtual void PutPause(uint32_t port, WireFrame&& frame) = 0;

    /** A frame is lost. @param ingress the port that it came by */
    virtual void NotifyDropped(uint32_t ingress,
                               const WireFrame& frame,
                               FrameDropReason reason) = 0;

    /** A frame was marked. @param egress the port that it leaves by */
    virtual void NotifyMarked(uint32_t egress, const WireFrame& frame) = 0;

    /** The bytes in a queue, and so in the buffer, have changed. */
    virtual void NotifyQueue(uint32_t egress, uint32_t trafficClass) = 0;
};

/**
 * @ingroup photonic-rails
 * @brief The inside of a packet switch: look-up, shared buffer, queues, pauses, and the exact
 * instants at which frames leave.
 *
 * It has a clock of its own. Frames are given to it as they come in; nothing happens until
 * Process() takes the clock on, and then everything happens at its own exact instant, in order, as
 * if it had been done then. So the owner may wait and do many instants at once: the results are the
 * same for any waiting that ends before the first frame is due at the other end of its wire.
 *
 * An instant has three parts, so that nothing depends on the order in which frames of one instant
 * are given:
 * 1. Wires that end a frame at it go on, by what was the case before the instant.
 * 2. What came in takes effect: pauses, then frames, by ingress port.
 * 3. Wires that are idle begin, by what is the case now, by port.
 *
 * Pauses that part 3 makes due are looked at in part 3 again.
 *
 * Plain C++: no simulator.
 */
class PacketSwitchCore
{
  public:
    static constexpr uint32_t CLASSES = PacketSwitchSettings::CLASSES; //!< traffic classes

    /** @param surroundings which must outlive the switch */
    explicit PacketSwitchCore(PacketSwitchEnvironment& environment);

    /** Adds a port. */
    void AddPort(uint64_t bitsPerSecond);

    /** @param now from when on, or ALWAYS_BEFORE */
    void SetRate(uint32_t port, uint64_t bitsPerSecond, Picoseconds now);

    /**
     * Fixes how the switch works, and its memory. Before any frame comes.
     * @param settings how
     * @param headroom by port: bytes for each lossless class
     */
    void Configure(const PacketSwitchSettings& settings, std::vector<uint64_t> headroom);

    /**
     * Fixes which frames are marked that leave by a port.
     * @param marking by class
     * @param key what the draws of this port have in common, as EcnMarking::KeyOf() gives it
     */
    void SetMarking(uint32_t port, const std::array<EcnMarking, CLASSES>& marking, uint64_t key);

    /** @return where frames are sent */
    ForwardingTable& GetTable();

    /** @param ports that frames to group addresses go to, but for the one they come by */
    void SetFloodPorts(std::vector<PortId> ports);

    /** @param port joined to a fiber: others are never flooded to */
    void SetConnected(uint32_t port);

    /**
     * A frame comes in. With cut-through, its header has; else it has, down to its last bit.
     * @param frame the frame, with its times at the port
     * @param now the instant, not before that of an earlier call
     */
    void ReceiveFrame(uint32_t ingress, WireFrame&& frame, Picoseconds now);

    /**
     * A pause frame has come in, down to its last bit.
     * @param trafficClass 0 to 7
     * @param span how long the class is held; 0 lets it go on
     */
    void ReceivePause(uint32_t port, uint32_t trafficClass, Picoseconds span, Picoseconds at);

    /** @return the first instant at which something is to do, or NEVER */
    Picoseconds GetNextDue() const;

    /**
     * Does everything that is due up to an instant.
     * @param until the instant; all that comes in at it or before has been given
     */
    void Process(Picoseconds until);

    /** @return the counters of a port */
    const PacketSwitchCounters& GetCounters(uint32_t port) const;

    /** @return the buffer as it is */
    const SharedBuffer& GetBuffer() const;

    /** @return the number of frames in the switch */
    uint64_t GetFrames() const;

    /**
     * @param trafficClass 0 to 7
     * @return whether the switch has told the peer to hold the class
     */
    bool HasPaused(uint32_t port, uint32_t trafficClass) const;

    /**
     * @param trafficClass 0 to 7
     * @return the first instant at which it may begin a frame, as its peer told
     */
    Picoseconds GetHeldUntil(uint32_t port, uint32_t trafficClass) const;

    /** Gives all frames up. */
    void Clear();

    /** Bytes that a cut-through switch reads first: preamble, Ethernet, IPv4 and UDP headers. */
    static constexpr uint32_t HEADER_BYTES = 8 + 14 + 20 + 8;

  private:
    /** A frame that has come in, until it is in a queue. */
    struct Arrival
    {
        Picoseconds at; //!< when it comes to its queue
        uint32_t number;
        uint32_t ingress;
    };

    /** What can be due, by part of the instant. */
    enum Kind : uint32_t
    {
        WIRE_ENDS,      //!< part 1
        PAUSE_COMES,    //!< part 2
        REFRESH_PAUSE,  //!< part 2
        FRAME_COMES,    //!< part 2
        WIRE_MAY_BEGIN, //!< part 3
    };

    /** Something due. */
    struct Due
    {
        Picoseconds at;
        Kind kind;
        uint32_t which; //!< port, or port and class
        int64_t what;   //!< how long the pause lasts, or the frame's number

        /** @return whether it comes after another: the order of a heap with the first on top */
        bool operator<(const Due& other) const
        {
            return at != other.at       ? at > other.at
                   : kind != other.kind ? kind > other.kind
                                        : which > other.which;
        }
    };

    /** A port beyond what its egress is. */
    struct Port
    {
        /** @param bitsPerSecond its rate */
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
        bool connected{false};                   //!< there is a fiber
        bool watched{false};                     //!< the end of the frame on the wire is due
        bool begins{false};                      //!< among those that may begin, now
        Picoseconds chance{NEVER};               //!< when what the peer holds may go on
        uint8_t paused{0}; //!< a bit for each class that its peer was told to hold
        std::array<Picoseconds, CLASSES> refresh; //!< when that is to be said again
    };

    /** Part 2 for frames: all that arrive at an instant. */
    void Admit(Picoseconds now);
    /** A frame comes to its queue, or is flooded, or dropped. */
    void Forward(uint32_t number, Picoseconds now);
    /** A frame for a group of stations. */
    void Flood(uint32_t number, Picoseconds now);
    /** A frame is stored for a port, if there is room. */
    void Store(uint32_t number, uint32_t egress, Picoseconds now);
    /** A frame is lost. */
    void Drop(uint32_t number, FrameDropReason reason);
    /** Something waits at a port: finds out when it can go. */
    void Wake(uint32_t port, Picoseconds now);
    /** Puts the next thing on a wire, or leaves it idle. */
    void Decide(uint32_t port, Picoseconds now, bool wireWasIdle);
    /** Puts a pause frame on a wire. */
    void SendPause(uint32_t port, Picoseconds now, bool wireWasIdle);
    /** Puts a frame on a wire. */
    void SendFrame(uint32_t port,
                   const SwitchEgress::Choice& choice,
                   Picoseconds now,
                   bool wireWasIdle);
    /** Tells the peer of a port to hold a class. */
    void PausePeer(uint32_t port, uint32_t trafficClass, Picoseconds now);
    /** Part 3. */
    void BeginWires(Picoseconds now);
    /** Does what is on top of the heap. */
    void ProcessDue(const Due& due);

    PacketSwitchEnvironment& m_environment;
    PacketSwitchSettings m_settings;
    ForwardingTable m_table;
    SharedBuffer m_buffer;
    FrameStore m_store;
    std::vector<Port> m_ports;
    std::vector<PortId> m_floodPorts;
    bool m_floodsEverywhere{true};
    std::deque<Arrival> m_arrivals; //!< in order of time
    std::priority_queue<Due> m_due;
    std::vector<uint32_t> m_beginning; //!< ports that may begin, now
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PACKET_SWITCH_CORE_H */
