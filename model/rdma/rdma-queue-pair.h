/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_QUEUE_PAIR_H
#define PHOTONIC_RAILS_RDMA_QUEUE_PAIR_H

#include "queue-pair-progress.h"
#include "queue-pair-receiver.h"
#include "queue-pair-sender.h"
#include "rdma-queue-pair-owner.h"

#include "ns3/callback.h"
#include "ns3/ptr.h"
#include "ns3/ring-queue.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One end of a queue pair, as an application sees it: messages in, completions out, in order
 * and each exactly once.
 *
 * A queue pair may run over several NIC ports whose circuits lead to the same peer. A message is
 * then divided into one contiguous piece a port, each with PSNs of its own, and is complete when
 * all pieces are.
 *
 * Every message that Post() takes ends in exactly one call at this end: settled (the peer has
 * acknowledged all of it) or failed (with the reason; the queue pair then accepts no more). A
 * message that failed may still have arrived, if only its acknowledgement was lost.
 *
 * Receives are always posted: every message has a buffer. Receiver-not-ready is not modelled (no
 * RNR NAK, timer, retries or work requests), because libraries like NCCL send only into buffers
 * that the receiver has announced. A program that waits for such a buffer posts later.
 *
 * @code
 * auto [here, there] = RdmaEngine::Connect(nodeA, nodeB);
 * there->SetArrivedCallback(MakeCallback(&MyApplication::MessageIsIn, app));
 * here->Post(RdmaVerb::SEND, 1 << 20);
 * @endcode
 */
class RdmaQueuePair : public SimpleRefCount<RdmaQueuePair>
{
  public:
    /** The result of Post(). */
    struct Posted
    {
        bool accepted;   //!< whether the message was accepted
        uint64_t id;     //!< its ordinal here, if accepted
        std::string why; //!< the reason, if not accepted
    };

    /** Called with a message that is settled or has arrived. */
    typedef Callback<void, Ptr<RdmaQueuePair>, const RdmaMessage&> MessageCallback;
    /** Called with a message that failed, and the reason. */
    typedef Callback<void, Ptr<RdmaQueuePair>, const RdmaMessage&, const std::string&>
        FailedCallback;

    /** A queue pair of a single port, a part of this one. */
    struct SubQueuePair
    {
        uint32_t port;      //!< of the engine
        uint32_t queuePair; //!< its number on that port
    };

    /**
     * @param owner the engine of the queue pair
     * @param number of the queue pair in that engine
     * @param subPairs its parts, one a port
     */
    RdmaQueuePair(RdmaQueuePairOwner* owner, uint32_t number, std::vector<SubQueuePair> subPairs);

    /**
     * Sends a message.
     * @param verb the operation at the other end
     * @param bytes its size, 0 or more
     * @param immediate 32 bits, for WRITE_WITH_IMMEDIATE only
     * @return its id, or the reason of a refusal: the queue pair has failed
     */
    Posted Post(RdmaVerb verb, uint64_t bytes, uint32_t immediate = 0);

    /** @param callback called when a message of this end is acknowledged */
    void SetSettledCallback(MessageCallback callback);
    /** @param callback called when a message of the peer has arrived whole */
    void SetArrivedCallback(MessageCallback callback);
    /** @param callback called for each message that failed, in order */
    void SetFailedCallback(FailedCallback callback);

    /** @return its number in its engine */
    uint32_t GetNumber() const;
    /** @return its sub queue pairs */
    const std::vector<SubQueuePair>& GetSubQueuePairs() const;
    /** @return whether it has failed */
    bool HasFailed() const;
    /** @return the reason of the failure; empty if it has not failed */
    const std::string& GetError() const;
    /** @return the number of messages that are posted and neither settled nor failed */
    std::size_t GetOpenMessages() const;
    /** @return the counts of its sending half, over all ports */
    QueuePairSender::Counters GetSenderCounters() const;
    /** @return the counts of its receiving half, over all ports */
    QueuePairReceiver::Counters GetReceiverCounters() const;

    /** Counts of its messages. */
    struct Totals
    {
        uint64_t posted{0};
        uint64_t settled{0};
        uint64_t failed{0};
        uint64_t arrived{0};
        uint64_t postedBytes{0};
        uint64_t settledBytes{0};
        uint64_t failedBytes{0};
        uint64_t arrivedBytes{0};
    };

    /** @return the counts of its messages */
    const Totals& GetTotals() const;

    /**
     * @param sending whether it is the end that sends
     * @return whether messages may be counted by Skip() from now on: nothing is open, and all runs
     * over one port without window or rate
     */
    bool MaySkip(bool sending) const;

    /**
     * @return what the queue pair has carried so far, from this end to the other, as far as its
     * ports know
     */
    QueuePairProgress GetProgress(const RdmaQueuePair& there) const;

    /** Counts messages from this end to the other as sent, arrived and settled by now. */
    void Skip(RdmaQueuePair& there, const QueuePairProgress& progress);

    /**
     * @param watch whose messages these are: it is not notified of them (RdmaEngine::SetWatch());
     * null: nobody's
     */
    void SetWatch(const BatchWatch* watch)
    {
        m_watch = watch;
    }

    /** @return the settings of the half on one port; there must be one port */
    const QueuePairSettings& GetSettings() const;

    /** A piece is settled. Called by the engine. */
    void PieceSettled(std::size_t subPair);
    /** A piece has arrived. Called by the engine. */
    void PieceArrived(std::size_t subPair, const RdmaMessage& piece);
    /** A sub queue pair has failed. Called by the engine. */
    void SubQueuePairFailed(std::size_t subPair, const std::string& why);
    /** The engine no longer exists. */
    void Detach();

  private:
    /** What its ports have carried without frames is to be in its counts. */
    void MakeUp() const;

    /** The numbers of pieces of messages that a sub queue pair has carried. */
    struct Pieces
    {
        uint64_t settled{0};
        uint64_t arrived{0};
    };

    /** A message of which pieces are missing. */
    struct Incoming
    {
        RdmaMessage message;
        std::size_t pieces{0}; //!< that have arrived
    };

    const BatchWatch* m_watch{nullptr};
    RdmaQueuePairOwner* m_owner; //!< null after Detach()
    uint32_t m_number;
    std::vector<SubQueuePair> m_subPairs;
    RingQueue<RdmaMessage> m_open; //!< posted, neither settled nor failed
    std::vector<Pieces> m_pieces;  //!< by sub queue pair
    RingQueue<Incoming> m_incoming;
    std::string m_error;
    Totals m_totals;
    MessageCallback m_settled;
    MessageCallback m_arrived;
    FailedCallback m_failed;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_QUEUE_PAIR_H */
