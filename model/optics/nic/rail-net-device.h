/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_NET_DEVICE_H
#define PHOTONIC_RAILS_RAIL_NET_DEVICE_H

#include "rail-transmitter.h"

#include "ns3/batch-mode.h"
#include "ns3/batch-port.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/frame-drop-reason.h"
#include "ns3/frame-sink.h"
#include "ns3/light-history.h"
#include "ns3/nic-offload.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One port of a NIC on a rail: an Ethernet port with a fiber in it, whatever switch the
 * fiber leads to.
 *
 * **Sending.** The wire is never shared. Frames leave back to back, at instants that a FrameClock
 * gives to the picosecond. What goes next is chosen when the wire is free: pause frames first,
 * then traffic classes from 7 down to 0, and within a class in turn by number, the host stack's
 * queue being number 0 and the queue pairs of the offload 1 and up. A wire that was idle begins
 * with the lowest number. A choice sees only what was the case before its instant (busy wire), or
 * at its instant once that is over (idle wire, decided one picosecond later), so no result depends
 * on the order of events that have equal times.
 *
 * **Pausing.** IEEE 802.1Qbb and 802.3 pause frames hold classes until their quanta are over. A
 * frame that has begun goes out whole.
 *
 * **Carrier.** Light on the fiber gives carrier after `LinkUpTime` (lock and port bring-up, drawn
 * in seconds each time); dark takes it away at once. Without carrier the NIC sends nothing: it
 * holds what it has, or drops it, as `NoCarrierAction` says. A frame that comes before the receiver
 * has locked is dropped. Carrier is not link state: IsLinkUp() and the link-change callbacks follow
 * it only if `NotifyStack` is set, because ns-3's ARP forgets its cache at every link change.
 *
 * **Receiving.** Sniffers first, then the offload, then the host stack. A frame that is addressed
 * to somebody else is dropped (promiscuous listeners see it): on a circuit that is light which
 * went astray.
 *
 * Frames are Ethernet II with preamble (8 bytes), check sequence (4) and gap (12) on the wire, and
 * at least 64 bytes from header to check sequence. Packets map to classes by SocketPriorityTag.
 * Times and sizes of preamble and gap are in every trace that passes a WireFrame.
 *
 * Left out: FEC and encoding (rates are of the MAC), autonegotiation, wake-up of the transceiver
 * beyond LinkUpTime.
 */
class RailNetDevice : public BatchPort
{
  public:
    static constexpr uint32_t CLASSES = RailTransmitter::CLASSES; //!< traffic classes

    /** What becomes of traffic while there is no carrier. */
    enum NoCarrierAction
    {
        HOLD, //!< it waits in the queues
        DROP, //!< the host stack's packets are dropped; an offload holds its own in any case
    };

    /** @return the type */
    static TypeId GetTypeId();

    RailNetDevice();
    ~RailNetDevice() override;

    /**
     * Puts a transport into the NIC.
     * @param offload the transport, which must outlive the device; null takes it out
     */
    void SetOffload(NicOffload* offload);

    /** The offload has a run that is ready, now. */
    void NotifyOffloadReady();

    /** @return whether there is carrier now */
    bool HasCarrier() const;

    /**
     * @param trafficClass 0 to 7
     * @return whether the peer has paused the class, now
     */
    bool IsPaused(uint32_t trafficClass) const;

    /**
     * Sends a pause frame of the receiver's, ahead of all other traffic.
     * @param trafficClass 0 to 7
     * @param quanta of 512 bit times; 0 lets the class go on
     */
    void SendPause(uint32_t trafficClass, uint16_t quanta);

    /**
     * @param trafficClass 0 to 7
     * @return the host stack's queue of that class
     */
    Ptr<Queue<Packet>> GetQueue(uint32_t trafficClass) const;

    /** @return the number of those queues, 8 */
    uint32_t GetQueues() const;

    /**
     * @param packet a packet of the host stack
     * @return its traffic class
     */
    static uint32_t ClassOf(Ptr<const Packet> packet);

    /**
     * Lets the host stack see the queues fill: aggregates a NetDeviceQueueInterface with a queue
     * for each class.
     */
    void AggregateQueueInterface();

    /** @return the rate of the port, preambles and gaps included */
    DataRate GetDataRate() const override;

    /** What has become of the frames of this port. */
    struct Counters
    {
        uint64_t sent{0};       //!< put on the wire
        uint64_t received{0};   //!< came out of the fiber
        uint64_t forHost{0};    //!< of them, handed to the host stack
        uint64_t forOffload{0}; //!< of them, taken by the offload
        uint64_t pauses{0};     //!< of them, pause frames
        uint64_t droppedIn{0};  //!< of them, dropped
        uint64_t droppedOut{0}; //!< packets of the host stack that never were on the wire
    };

    /** @return what has become of the frames of this port */
    const Counters& GetCounters() const;

    /** @return packets of the host stack that wait to be sent */
    uint64_t GetQueued() const;

    /** @return whether a trace that fires for every frame is connected */
    bool IsObserved() const;

    /**
     * Tells a sink of all frames from now on, in batches. Unlike a trace source it costs no events.
     */
    void AddSink(std::shared_ptr<FrameSink> sink);

    /**
     * @param sink one that was added; it is settled up to now, and told no more
     */
    void RemoveSink(const std::shared_ptr<FrameSink>& sink);

    /** @return the sinks that were added */
    const std::vector<std::shared_ptr<FrameSink>>& GetSinks() const override;

    /** What trains have carried, and how often they could not. */
    struct Trains
    {
        uint64_t frames{0};  //!< of this port's, sent in trains
        uint64_t boarded{0}; //!< times that trains took over from packet events
        uint64_t left{0};    //!< times that packet events took over from trains
        uint64_t refused{0}; //!< times that trains were tried and could not take over
        std::string why;     //!< why, the last time

        /** Adds another port's or run's, but for its reason. */
        void Add(const Trains& more)
        {
            frames += more.frames;
            boarded += more.boarded;
            left += more.left;
            refused += more.refused;
        }
    };

    /** @return what trains have carried; all 0 with PacketEvents */
    const Trains& GetTrains() const;

    /** Works out what is over, before the offload is told something. */
    void CatchUp();

    /** The same, if it is only told that there is more to send. */
    void Advance();

    /** Works out and counts all that is over, before the offload is asked what it has counted. */
    void CatchUpWholly() const;

    /** @return whether what the offload is told now lies in the past, so that nobody may see it */
    bool IsInThePast() const;

    /** @return the bytes of a frame that was sent or received, from Ethernet header to padding */
    Ptr<Packet> BytesOf(const WireFrame& frame) const;

    /**
     * Fixes the random draws of the link-up time.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    // FiberPort
    void ReceiveFrame(WireFrame&& frame) override;
    void ReceiveLight(bool light) override;
    void PresetLight(bool light) override;
    bool EmitsLight() const override;

    // NetDevice
    void SetAddress(Address address) override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

    /** Signature of FrameSent, FrameReceived: the frame, with its times at this port. */
    typedef void (*FrameCallback)(const WireFrame& frame);
    /** Signature of FrameDropped. */
    typedef void (*FrameDroppedCallback)(const WireFrame& frame, FrameDropReason reason);
    /** Signature of Carrier. */
    typedef void (*CarrierCallback)(bool carrier);
    /** Signature of Pause: the class, and how long. 0: it goes on. */
    typedef void (*PauseCallback)(uint32_t trafficClass, Time span);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    // BatchPort
    bool MayGoInTrains(std::string& why) const override;
    Picoseconds GetLockedSince() const override;
    BatchOffload* GetBatchOffload() const override;
    TransmitterState EnterBatchMode(Ptr<BatchMode> mode, uint32_t end) override;
    void ResumeTransmitter(const TransmitterState& state, const std::string& why) override;
    void ForgetBatchMode() override;
    void CountSentInTrain(uint64_t frames) override;
    void CountReceivedInTrain(uint64_t frames) override;

    /** The rate was set. */
    void SetDataRate(DataRate rate);
    /** Sets the size of the host stack's queues. */
    void SetQueueSize(QueueSize size);
    /** @return the size of each of the host stack's queues */
    QueueSize GetQueueSize() const;
    /** A frame goes on the wire, now. */
    void Put(WireFrame&& frame);
    /** A packet of the host stack, framed, is lost on its way out. */
    void DropOutgoing(Ptr<Packet> packet, uint32_t trafficClass, FrameDropReason reason);
    /** There is carrier, or none, from now on. */
    void SetCarrier(bool carrier);
    /** The receiver has locked. */
    void Lock();
    /** Takes a pause frame to heart. */
    void ReceivePause(const WireFrame& frame);
    /** Hands a frame to the host stack. @return false if it is addressed to somebody else */
    bool ReceiveForHost(const WireFrame& frame);
    /** A frame that came in is lost. */
    void DropIncoming(const WireFrame& frame, FrameDropReason reason);
    /** Somebody began or ceased to listen to every frame. */
    void NotifyObservers();
    /** @return whether trains have taken over just now */
    bool EnterTrain();
    /** Something happens that trains do not do. */
    void LeaveTrain(const char* why);

    DataRate m_rate;
    uint16_t m_mtu;
    QueueSize m_queueSize;
    Ptr<RandomVariableStream> m_linkUpTime;
    NoCarrierAction m_noCarrierAction;
    bool m_notifyStack;

    mutable RailTransmitter m_transmitter; //!< its queues are created when first asked for
    NicOffload* m_offload{nullptr};
    BatchOffload* m_batchOffload{nullptr}; //!< the same, if it can go in trains
    LightHistory<bool> m_locked;           //!< when the receiver could read
    EventId m_locking;
    bool m_observed{false}; //!< somebody listens to every frame
    std::vector<std::shared_ptr<FrameSink>> m_sinks;
    Counters m_counters;
    bool m_inTrains{false};     //!< PhotonicRailsFidelity is PacketTrains
    Ptr<BatchMode> m_batchMode; //!< what sends and receives, or null: packet events
    uint32_t m_batchEnd{0};     //!< this port's end of the circuit
    Trains m_trains;

    NetDevice::ReceiveCallback m_receive;
    NetDevice::PromiscReceiveCallback m_promiscReceive;
    TracedCallback<> m_linkChange;

    TracedCallback<const WireFrame&> m_frameSent;
    TracedCallback<const WireFrame&> m_frameReceived;
    TracedCallback<const WireFrame&, FrameDropReason> m_frameDropped;
    TracedCallback<bool> m_carrierTrace;
    TracedCallback<uint32_t, Time> m_pauseTrace;
    TracedCallback<Ptr<const Packet>> m_macTx;
    TracedCallback<Ptr<const Packet>> m_macTxDrop;
    TracedCallback<Ptr<const Packet>> m_macRx;
    TracedCallback<Ptr<const Packet>> m_macPromiscRx;
    TracedCallback<Ptr<const Packet>> m_phyTxBegin;
    TracedCallback<Ptr<const Packet>> m_phyRxEnd;
    TracedCallback<Ptr<const Packet>> m_phyRxDrop;
    TracedCallback<Ptr<const Packet>> m_sniffer;
    TracedCallback<Ptr<const Packet>> m_promiscSniffer;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_NET_DEVICE_H */
