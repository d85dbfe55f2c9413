/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_QUEUE_PAIR_H
#define PHOTONIC_RAILS_RDMA_QUEUE_PAIR_H

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
 * then cut into one contiguous piece a port, each with PSNs of its own, and is complete when all
 * pieces are.
 *
 * Every message that Post() takes ends in exactly one call at this end: settled (the peer has all
 * of it and said so) or failed (with the reason; the queue pair then takes no more). A message that
 * failed may still have arrived: its acknowledgement may be what was lost.
 *
 * Receives are always posted: a message finds a buffer whenever it comes. Receiver-not-ready is not
 * modelled (no RNR NAK, timer or retries, and no work requests to run out of), because libraries
 * like NCCL send only what the receiver has announced a buffer for. A program that waits for that
 * posts later.
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
    /** What came of a call to Post(). */
    struct Posted
    {
        bool accepted;   //!< whether the message was taken
        uint64_t id;     //!< its ordinal here, if it was
        std::string why; //!< why not, if it was not
    };

    /** Told of a message that is settled or has arrived. */
    typedef Callback<void, Ptr<RdmaQueuePair>, const RdmaMessage&> MessageCallback;
    /** Told of a message that failed, and why. */
    typedef Callback<void, Ptr<RdmaQueuePair>, const RdmaMessage&, const std::string&>
        FailedCallback;

    /** A queue pair of a single port that this one is made of. */
    struct SubQueuePair
    {
        uint32_t port;      //!< of the engine
        uint32_t queuePair; //!< its number on that port
    };

    /**
     * @param owner whose queue pair it is
     * @param number of it in that engine
     * @param subPairs what it is made of, one a port
     */
    RdmaQueuePair(RdmaQueuePairOwner* owner, uint32_t number, std::vector<SubQueuePair> subPairs);

    /**
     * Sends a message.
     * @param verb what it does at the other end
     * @param bytes its size, 0 or more
     * @param immediate for WRITE_WITH_IMMEDIATE
     * @return its id, or why it was not taken: the queue pair has failed
     */
    Posted Post(RdmaVerb verb, uint64_t bytes, uint32_t immediate = 0);

    /** @param callback called when a message of this end's is acknowledged */
    void SetSettledCallback(MessageCallback callback);
    /** @param callback called when a message of the peer's has arrived whole */
    void SetArrivedCallback(MessageCallback callback);
    /** @param callback called for each message that failed, in order */
    void SetFailedCallback(FailedCallback callback);

    /** @return its number in its engine */
    uint32_t GetNumber() const;
    /** @return what it is made of */
    const std::vector<SubQueuePair>& GetSubQueuePairs() const;
    /** @return whether it has failed */
    bool HasFailed() const;
    /** @return why it has failed; empty if it has not */
    const std::string& GetError() const;
    /** @return the messages that are posted and neither settled nor failed */
    std::size_t GetOpenMessages() const;
    /** @return what its sending half has counted, over all ports */
    QueuePairSender::Counters GetSenderCounters() const;
    /** @return what its receiving half has counted, over all ports */
    QueuePairReceiver::Counters GetReceiverCounters() const;

    /** What its messages have come to. */
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

    /** @return what its messages have come to */
    const Totals& GetTotals() const;

    /** A piece is settled. Called by the engine. */
    void PieceSettled(std::size_t subPair);
    /** A piece has arrived. Called by the engine. */
    void PieceArrived(std::size_t subPair, const RdmaMessage& piece);
    /** A sub queue pair has failed. Called by the engine. */
    void SubQueuePairFailed(std::size_t subPair, const std::string& why);
    /** The engine is gone. */
    void Detach();

  private:
    /** A message with pieces on their way in. */
    struct Incoming
    {
        RdmaMessage message;
        std::size_t pieces{0}; //!< that have arrived
    };

    RdmaQueuePairOwner* m_owner; //!< null when it is gone
    uint32_t m_number;
    std::vector<SubQueuePair> m_subPairs;
    RingQueue<RdmaMessage> m_open;         //!< posted, neither settled nor failed
    std::vector<uint64_t> m_settledPieces; //!< by sub queue pair
    std::vector<uint64_t> m_arrivedPieces; //!< by sub queue pair
    RingQueue<Incoming> m_incoming;
    std::string m_error;
    Totals m_totals;
    MessageCallback m_settled;
    MessageCallback m_arrived;
    FailedCallback m_failed;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_QUEUE_PAIR_H */
