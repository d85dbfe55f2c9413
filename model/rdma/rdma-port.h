/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_PORT_H
#define PHOTONIC_RAILS_RDMA_PORT_H

#include "answer-queue.h"
#include "queue-pair-receiver.h"
#include "queue-pair-sender.h"
#include "queue-pair-summary.h"
#include "ready-queue-pairs.h"

#include "ns3/batch-offload.h"
#include "ns3/mac48-address.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** The other end of a queue pair. */
struct QueuePairPeer
{
    Mac48Address mac;
    uint32_t ip{0};
    uint32_t queuePair{0}; //!< its number there
};

/**
 * @ingroup photonic-rails
 * @brief The interface of an RdmaPort to its owner: time and notifications.
 */
class RdmaPortOwner
{
  public:
    virtual ~RdmaPortOwner() = default;

    /** @return the present instant */
    virtual Picoseconds GetNow() const = 0;

    /** Hands over all frames that have arrived by now, if they are computed ahead. */
    virtual void CompletePast()
    {
    }

    /** The port has frames to send: the owner notifies the NIC. */
    virtual void NotifyReady() = 0;
    /** A queue pair needs a call of RdmaPort::Wake() at an instant, or earlier; NEVER: no call. */
    virtual void WakeAt(uint32_t queuePair, Picoseconds when) = 0;
    /** A message is acknowledged. */
    virtual void NotifySettled(uint32_t queuePair, const RdmaMessage& message) = 0;
    /** A message has arrived whole. */
    virtual void NotifyArrived(uint32_t queuePair, const RdmaMessage& message) = 0;
    /** A queue pair has failed with these messages open. */
    virtual void NotifyFailed(uint32_t queuePair,
                              const std::vector<RdmaMessage>& open,
                              const std::string& why) = 0;
};

/**
 * @ingroup photonic-rails
 * @brief The queue pairs of one NIC port: the transport behind NicOffload. Plain C++ without a
 * simulator and without packets.
 *
 * Acknowledgements have a class of their own, before data, with one frame for all frames that are
 * settled by its instant. A frame with a congestion mark causes a notification, at most one for a
 * queue pair in each interval.
 *
 * An idle queue pair costs about 600 bytes and no time.
 */
class RdmaPort : public BatchOffload
{
  public:
    /** Numbers 0 and 1 are the management queue pairs of InfiniBand. */
    static constexpr uint32_t FIRST_QUEUE_PAIR = 2;
    /** Half of the 24 bits of a number are left for names (SetName()). */
    static constexpr uint32_t FIRST_NAME = 1U << 23;

    /**
     * @param owner must outlive this object
     * @param mac address of the port
     * @param ip address of the port
     */
    RdmaPort(RdmaPortOwner& owner, Mac48Address mac, uint32_t ip);

    /**
     * @param settings of the queue pair
     * @param congestion window and rate
     * @return its number
     */
    uint32_t Create(const QueuePairSettings& settings, std::unique_ptr<CongestionState> congestion);

    /**
     * @param queuePair a number that Create() gave
     * @param peer the other end
     */
    void Connect(uint32_t queuePair, const QueuePairPeer& peer);

    /**
     * Sets the name by which a peer calls a queue pair: on another process of a distributed
     * simulation it does not know the number. Names are from FIRST_NAME on.
     * @param ip of the peer
     */
    void SetName(uint32_t queuePair, uint32_t ip, uint32_t name);

    /**
     * @param queuePair a queue pair that is connected and has not failed
     * @param message to send
     * @return its id
     */
    uint64_t Post(uint32_t queuePair, const RdmaMessage& message);

    /** A timeout or a departure of a queue pair may be due. */
    void Wake(uint32_t queuePair);

    /**
     * Makes a queue pair fail; its open messages are reported.
     * @param why the reason, for the report
     */
    void Fail(uint32_t queuePair, const std::string& why);
    /**
     * Closes a queue pair at the end of this instant: it fails a picosecond later, and frames that
     * arrive later are dropped. So the order of the events of this instant makes no difference.
     */
    void Close(uint32_t queuePair, const std::string& why);

    /**
     * The port sends and receives nothing any more after this instant: what it has is dead. Peers
     * notice it by their retry limits. Its open messages are neither settled nor reported.
     */
    void Silence();

    /** The port has another GPU, now: its queue pairs fail, and new ones can be made. */
    void EndSilence(const std::string& why);

    /** @return whether it is silent, from the next instant on */
    bool IsSilent() const
    {
        return m_silentAfter != NEVER;
    }

    /** @return whether a queue pair is idle, so that either half may skip messages */
    bool MaySkip(uint32_t queuePair) const;
    /** A queue pair goes on behind messages that it has sent without frames. */
    void SkipSent(uint32_t queuePair, const QueuePairProgress& progress);
    /** A queue pair goes on behind messages that it has received without frames. */
    void SkipReceived(uint32_t queuePair, const QueuePairProgress& progress);
    /** @return the settings of a queue pair */
    const QueuePairSettings& GetSettings(uint32_t queuePair) const;

    /** @return the sending half of a queue pair */
    const QueuePairSender& GetSender(uint32_t queuePair) const;
    /** @return the receiving half of a queue pair */
    const QueuePairReceiver& GetReceiver(uint32_t queuePair) const;
    /** @return the number of queue pairs */
    uint32_t GetQueuePairs() const;
    /** @return the port's MAC address */
    Mac48Address GetMac() const;
    /** @return the port's IP address */
    uint32_t GetIp() const;

    // NicOffload
    uint32_t GetReadyClasses() const override;
    bool PeekRun(uint8_t trafficClass, uint32_t after, Picoseconds seen, FrameRun& run) override;
    void CommitRun(const FrameRun& taken,
                   Picoseconds seen,
                   const RunClock& times,
                   WireFrame& head,
                   RoceFrame* tail) override;
    bool ReceiveFrame(const WireFrame& frame) override;
    bool ReceiveRun(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void NotifyCarrier(bool carrier) override;

    // BatchOffload
    const char* WhyNoTrains(const std::vector<Mac48Address>& peers) const override;
    const char* WhyNoTrainsAnyMore(const std::vector<Mac48Address>& peers) const override;
    Mac48Address GetPeer(uint32_t queuePair) const override;
    bool TakesTurns(uint8_t trafficClass) const override;
    bool GetProspect(Prospect& prospect) const override;
    uint64_t GetFirstAnswered(const WireFrame& head) const override;
    void BeginTrains() override;
    Outlook GetOutlook(bool lossy) const override;
    bool MaySettle(const RoceFrame& answer) const override;
    bool ChangesWhatIsSent(const RoceFrame& answer) const override;
    Work GetStream(Stream& stream) const override;
    uint64_t GetDue(uint32_t queuePair) const override;
    void DescribeAnswer(uint32_t queuePair, uint64_t upTo, WireFrame& frame) const override;
    void ReceiveAnswers(const WireFrame& latest, uint64_t count) override;

  private:
    /** Both halves of a queue pair. */
    struct QueuePair
    {
        QueuePair(const QueuePairSettings& theSettings, std::unique_ptr<CongestionState> congestion)
            : settings(theSettings),
              sender(settings, std::move(congestion)),
              receiver(settings)
        {
        }

        QueuePair(const QueuePair&) = delete; // its halves refer to its settings
        QueuePair& operator=(const QueuePair&) = delete;

        QueuePairSettings settings;
        QueuePairPeer peer;
        QueuePairSender sender;
        QueuePairReceiver receiver;
        AnswerQueue acks;
        AnswerQueue cnps;
        Picoseconds cnpFrom{ALWAYS_BEFORE}; //!< the earliest next notification
        Picoseconds closedAt{NEVER};        //!< frames that arrive later are dropped
        bool active{false};                 //!< in the list of its data class
    };

    static constexpr uint64_t ANSWER = ~uint64_t{0}; //!< ordinal of a run that is an answer
    static constexpr std::size_t MOST_NOTED = 64;    //!< see m_becameReady

    /** What the queue pairs with data of a class do next, if they are many. */
    struct ManyAhead
    {
        bool known{false};
        uint8_t trafficClass{0};
        uint64_t bytesToEnd{Outlook::NOTHING}; //!< see Outlook
        bool again{false};                     //!< see Outlook
    };

    /** @return the number of the queue pair that a frame with data or an answer is for */
    uint32_t NumberOf(const RoceFrame& frame) const;
    /** @return a queue pair by its number; null if there is none */
    QueuePair* Find(uint32_t queuePair) const;
    /** @return a queue pair by its number, which must exist */
    QueuePair& At(uint32_t queuePair) const;
    /** @return what the queue pairs with data of a class do next */
    const ManyAhead& LookAtMany(uint8_t trafficClass) const;
    /** Updates the lists and the wake-up of a queue pair. */
    void Refresh(uint32_t id, QueuePair& pair);
    /** Has a queue pair woken when its sender needs it. @param now the present instant, or an
     *  earlier one that is computed now */
    void SetWake(uint32_t id, QueuePair& pair, Picoseconds now);
    /** Removes a queue pair that has failed from those with frames to send. */
    void Forget(uint32_t queuePair, QueuePair& pair);
    /** @return whether a queue pair has a run of a class */
    bool PeekPair(uint8_t trafficClass, uint32_t id, Picoseconds seen, FrameRun& run) const;
    /** Queues an answer. */
    void QueueAnswer(uint32_t id, QueuePair& pair, const RoceFrame& frame, Picoseconds at);
    /** Fills in source and destination. */
    void Address(uint32_t id, const QueuePair& pair, RoceFrame& frame) const;
    /** Acts on the results of frames that came in. */
    void Follow(uint32_t id,
                QueuePair& pair,
                const QueuePairReceiver::Outcome& outcome,
                Picoseconds at);
    /** Acts on an acknowledgement or a notification. */
    void ReceiveAnswer(uint32_t id, QueuePair& pair, const RoceFrame& frame, Picoseconds at);
    /** @return whether queue pairs lead to ports. @param peers in order */
    bool LeadTo(const std::vector<Mac48Address>& peers, const ReadyQueuePairs::List& list) const;
    /** A queue pair has something to send. */
    void NoteReady(uint32_t id);
    /** Processes a congestion mark. */
    void ReceiveMark(uint32_t id, QueuePair& pair, const RoceFrame& frame, Picoseconds at);

    RdmaPortOwner& m_owner;
    Mac48Address m_mac;
    uint32_t m_ip;
    bool m_carrier{false};
    Picoseconds m_silentAfter{NEVER}; //!< the last instant at which it sends and receives
    std::vector<std::unique_ptr<QueuePair>> m_pairs;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_named; //!< by address and name of the peer
    ReadyQueuePairs m_readyPairs;
    std::string m_whyClosed; //!< why queue pairs were closed last
    QueuePairSummary m_summary;
    mutable ManyAhead m_many;                    //!< until one of them sends or is answered
    mutable ReadyQueuePairs::List m_becameReady; //!< since WhyNoTrains(); if MOST_NOTED, not all
    mutable bool m_lossPossible{false};          //!< frames sent before trains began may be lost
    std::vector<RdmaMessage> m_settled; //!< buffer for the messages that an acknowledgement settles
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_PORT_H */
