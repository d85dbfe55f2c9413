/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_NET_DEVICE_H
#define PHOTONIC_RAILS_RAIL_NET_DEVICE_H

#include "host-receiver.h"
#include "port-batch-mode.h"
#include "port-events.h"
#include "port-traces.h"
#include "rail-transmitter.h"
#include "receiver-lock.h"

#include "ns3/batch-mode.h"
#include "ns3/batch-port.h"
#include "ns3/data-rate.h"
#include "ns3/frame-drop-reason.h"
#include "ns3/frame-sinks.h"
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
 * @brief One port of a NIC on a rail: an Ethernet port with a fiber to a switch of any kind.
 *
 * **Sending.** The wire is never shared. Frames leave back to back, at instants that a FrameClock
 * gives to the picosecond. The NIC chooses the next frame when the wire is free: pause frames
 * first, then traffic classes from 7 down to 0, and within a class in turn by number, the host
 * stack's queue being number 0 and the queue pairs of the offload 1 and up. A wire that was idle
 * begins with the lowest number. A choice depends only on the state before its instant (busy wire),
 * or at the end of its instant (idle wire, decided one picosecond later), so no result depends on
 * the order of events that have equal times.
 *
 * **Pausing.** IEEE 802.1Qbb and 802.3 pause frames hold classes until their quanta are over. A
 * frame that has begun is sent whole.
 *
 * **Carrier.** Light on the fiber gives carrier after `LinkUpTime` (lock and port bring-up, drawn
 * in seconds each time); the loss of light removes carrier at once. Without carrier the NIC sends
 * nothing: it holds its frames or drops them, by `NoCarrierAction`. A frame that comes before the
 * receiver has locked is dropped. Carrier is not link state: IsLinkUp() and the link-change
 * callbacks follow it only if `NotifyStack` is set, because ns-3's ARP clears its cache at every
 * link change. The host gets a port event `ProcessingTime` after carrier has come, and at once when
 * it is gone; frames do not wait for that.
 *
 * **Power.** SetPower() switches the port off: the port is down, at both ends of its fiber. Its
 * queues and its transport go on as without carrier.
 *
 * **Receiving.** Sniffers first, then the offload, then the host stack. A frame with another
 * destination address is dropped, after promiscuous callbacks have received it: on a circuit it has
 * the wrong destination.
 *
 * Frames are Ethernet II with preamble (8 bytes), check sequence (4) and gap (12) on the wire, and
 * at least 64 bytes from header to check sequence. Packets map to classes by SocketPriorityTag.
 * Times and sizes of preamble and gap are in every trace that passes a WireFrame.
 *
 * **Packet trains.** If `PhotonicRailsFidelity` is PacketTrains, an undisturbed circuit between two
 * ports is computed many frames at a time (see CircuitTrain), with the same results. The port
 * returns to packet events before a change that trains do not model. In trains, its state is that
 * of an earlier instant. So an offload calls CatchUp() or Advance() before a change of its own
 * state, and CatchUpWholly() before a read of its counts. GetCounters() does so by itself.
 *
 * Not modelled: FEC and encoding (rates are of the MAC), autonegotiation, wake-up of the
 * transceiver beyond LinkUpTime.
 */
class RailNetDevice : public BatchPort
{
  public:
    static constexpr uint32_t CLASSES = RailTransmitter::CLASSES; //!< traffic classes

    /** The treatment of traffic while there is no carrier. */
    enum NoCarrierAction
    {
        HOLD, //!< traffic waits in the queues
        DROP, //!< the host stack's packets are dropped; an offload holds its own in any case
    };

    /** @return the type */
    static TypeId GetTypeId();

    RailNetDevice();
    ~RailNetDevice() override;

    /**
     * Puts a transport into the NIC.
     * @param offload the transport, which must outlive the device; null removes it
     */
    void SetOffload(NicOffload* offload);

    /** The simulation is taken apart: what is on its way in trains is forgotten. */
    void AbandonTrains();

    /** The offload has a run to send, now. */
    void NotifyOffloadReady();

    /**
     * Switches the port off, now, or on again. A port that is off sends no light, also in the
     * middle of a frame, and receives nothing: it has no carrier. When it is on again, the receiver
     * locks anew, which takes a LinkUpTime.
     */
    void SetPower(bool isOn);

    /** @return whether the port is on */
    bool HasPower() const;

    /** @return whether there is carrier now */
    bool HasCarrier() const;

    /** @return the instant since which there is the present carrier; call it while there is */
    Time GetCarrierSince() const;

    /** @return whether the last port event that the host got was carrier */
    bool IsPortUp() const;

    /** @return whether there is a LinkUpTime; else carrier comes with the light */
    bool HasLinkUpTime() const;

    /** @return the time from light to the present carrier, or to the last one; 0: none */
    Time GetLastLinkUp() const;

    /**
     * @param trafficClass 0 to 7
     * @return whether the peer pauses the class, now
     */
    bool IsPaused(uint32_t trafficClass) const;

    /**
     * Sends a pause frame of the receiving half, before all other traffic.
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
     * Shows the fill of the queues to the host stack: aggregates a NetDeviceQueueInterface with a
     * queue for each class.
     */
    void AggregateQueueInterface();

    /** @return the rate of the port, preambles and gaps included */
    DataRate GetDataRate() const override;

    /** Counts of the frames of this port. */
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

    /** @return the counts of the frames of this port */
    const Counters& GetCounters() const;

    /** @return the same, which may be behind: after CatchUpWholly() */
    const Counters& PeekCounters() const
    {
        return m_counters;
    }

    /** @return packets of the host stack that wait to be sent */
    uint64_t GetQueued() const;

    /** @return whether a trace that fires for every frame is connected */
    bool IsObserved() const;

    /**
     * Gives a sink all frames from now on, in batches. Unlike a trace source it costs no events.
     */
    void AddSink(std::shared_ptr<FrameSink> sink);

    /** @param sink one that was added; it is settled up to now and gets no more frames */
    void RemoveSink(const std::shared_ptr<FrameSink>& sink);

    /** @return the sinks that were added */
    const std::vector<std::shared_ptr<FrameSink>>& GetSinks() const override;

    /** Counts of frames in trains, and of changes between trains and packet events. */
    typedef TrainCounters Trains;

    /** @return the counts of trains; all 0 with PacketEvents */
    const Trains& GetTrains() const;

    /**
     * Brings the circuit from this port to another into trains ahead of the first frame, if it is
     * quiet and nothing needs its frames.
     * @return its trains; null: packet events
     */
    Ptr<BatchMode> GoInTrains(RailNetDevice& other);

    /** @return the sinks, for frames without instants (BatchMode::CountAhead()) */
    const FrameSinks& GetSinksOfTotals() const
    {
        return m_sinks;
    }

    /** @return the port's end of the circuit that is in trains */
    uint32_t GetTrainEnd() const
    {
        return m_batchMode.GetEnd();
    }

    /** Returns to packet events before a change of the offload that trains do not model. */
    void LeaveTrain(const char* why)
    {
        m_batchMode.LeaveTrain(why);
    }

    /** Brings the circuit into its present state, if it is reserved (BatchMode). */
    void MakeUp() const
    {
        m_batchMode.MakeUp();
    }

    /** Brings port and offload up to now, before a change of the offload's state. */
    void CatchUp();

    /** As CatchUp(), for a change that only adds frames to send: open runs are not cut. */
    void Advance();

    /** The same, before the offload gets a queue pair, which changes nothing on a quiet circuit. */
    void CatchUpUnlessReserved() const
    {
        m_batchMode.CatchUpUnlessReserved();
    }

    /** Brings state and counts up to now, before a read of the offload's counts. */
    void CatchUpWholly() const;

    /**
     * @return whether the present calls to the offload belong to a past instant, so that no effect
     *         of them may be visible
     */
    bool IsInThePast() const;

    /**
     * Fixes the random draws of the link-up time and of the processing time.
     * @param stream the first stream number
     * @return the number of streams used: one, and one if there is a processing time
     */
    int64_t AssignStreams(int64_t stream);

    // FiberPort
    void ReceiveFrame(WireFrame&& frame) override;
    void ReceiveLight(bool light) override;
    void PresetLight(bool light) override;
    bool EmitsLight() const override;
    std::optional<TransceiverPower> GetTransceiverPower() const override;

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
    /** Signature of Power. */
    typedef void (*PowerCallback)(bool isOn);
    /** Signature of Pause: the class and the span. 0: it goes on. */
    typedef void (*PauseCallback)(uint32_t trafficClass, Time span);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    // BatchPort
    bool MayGoInTrains(std::string& why) const override;
    Picoseconds GetLockedSince() const override;
    bool HasOffload() const override;
    BatchOffload* GetBatchOffload() const override;
    TransmitterState EnterBatchMode(Ptr<BatchMode> mode, uint32_t end) override;
    void ResumeTransmitter(const TransmitterState& state, const std::string& why) override;
    void ForgetBatchMode() override;
    void CountSentInTrain(uint64_t frames) override;
    void CountReceivedInTrain(uint64_t frames) override;

    /** @return whether the port goes in trains, or would at its next frame */
    bool IsReadyForTrains() const;
    /** Sets the rate. */
    void SetDataRate(DataRate rate);
    /** Sets the size of the host stack's queues. */
    void SetQueueSize(QueueSize size);
    /** @return the size of each of the host stack's queues */
    QueueSize GetQueueSize() const;
    /** A frame goes on the wire, now. */
    void Put(WireFrame&& frame);
    /** A packet of the host stack, framed, is dropped before it is sent. */
    void DropOutgoing(Ptr<Packet> packet, uint32_t trafficClass, FrameDropReason reason);
    /** The carrier changes, now. */
    void SetCarrier(bool carrier);
    /** Drops all packets of the host stack. */
    void DropQueued();
    /** Applies a pause frame. */
    void ReceivePause(const WireFrame& frame);
    /** Passes a frame to the offload. */
    void ReceiveForOffload(const WireFrame& frame);
    /** A frame that came in is dropped. */
    void DropIncoming(const WireFrame& frame, FrameDropReason reason);
    /** A callback for every frame was connected or disconnected. */
    void NotifyObservers();
    /** Sets the time from light to carrier. */
    void SetLinkUpTime(Ptr<RandomVariableStream> seconds);
    /** @return the time from light to carrier */
    Ptr<RandomVariableStream> GetLinkUpTime() const;
    /** Sets the time from carrier to the port event. */
    void SetProcessingTime(Ptr<RandomVariableStream> seconds);
    /** @return the time from carrier to the port event */
    Ptr<RandomVariableStream> GetProcessingTime() const;

    DataRate m_rate;
    uint16_t m_mtu;
    QueueSize m_queueSize;
    NoCarrierAction m_noCarrierAction;
    double m_launchPower;         //!< dBm
    double m_receiverSensitivity; //!< dBm
    bool m_notifyStack;

    mutable RailTransmitter m_transmitter; //!< its queues are created at their first use
    ReceiverLock m_lock;
    PortEvents m_events;
    NicOffload* m_offload{nullptr};
    BatchOffload* m_batchOffload{nullptr}; //!< the same, if it supports trains
    HostReceiver m_host;
    FrameSinks m_sinks;
    Counters m_counters;
    bool m_inTrains{false}; //!< PhotonicRailsFidelity is PacketTrains
    bool m_isOn{true};
    Picoseconds m_offSince{0}; //!< the latest instant at which the port was switched off
    bool m_light{false};       //!< comes out of the fiber
    PortBatchMode m_batchMode;
    PortTraces m_traces; //!< the sources that fire for every frame

    TracedCallback<> m_linkChange;

    TracedCallback<const WireFrame&, FrameDropReason> m_frameDropped;
    TracedCallback<bool> m_powerTrace;
    TracedCallback<bool> m_carrierTrace;
    TracedCallback<bool> m_portEvent;
    TracedCallback<uint32_t, Time> m_pauseTrace;
    TracedCallback<Ptr<const Packet>> m_macTxDrop;
    TracedCallback<Ptr<const Packet>> m_phyRxDrop;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_NET_DEVICE_H */
