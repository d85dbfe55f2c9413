/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_TRANSPORT_H
#define PHOTONIC_RAILS_RDMA_TRANSPORT_H

#include "collective-transport.h"

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-queue-pair.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

class ProcessLinks;
class RdmaTransport;

/** The RDMA transports of all ranks, so that they find each other. */
class RankDirectory : public SimpleRefCount<RankDirectory>
{
  public:
    RankDirectory();
    ~RankDirectory();

    /** Adds the transport of the next rank. */
    void Add(Ptr<RdmaTransport> transport);

    /** @return a rank's transport; aborts if there is no such rank */
    Ptr<RdmaTransport> Get(RankId rank) const;

    /** @return the number of ranks */
    uint32_t GetRanks() const;

    /** Drops all transports. */
    void Clear();

    /**
     * Ranks of a rail are on several processes of a distributed simulation, so the first message
     * to one of another process makes the other end of a queue pair there. Fibers between the
     * processes are attached: what takes the least time of all messages is there before a frame.
     */
    void Split();

    /**
     * Has the process of a rank make the other end of a queue pair.
     * @param sender whose NIC sends the messages
     * @param number of this end
     */
    void OpenThere(RankId sender, const TransportMessage& message, uint32_t number) const;

  private:
    std::vector<Ptr<RdmaTransport>> m_transports; //!< by rank
    Ptr<ProcessLinks> m_links;                    //!< null: rails are each on one process
    uint32_t m_listener{0};
};

/**
 * @ingroup photonic-rails
 * @brief Messages between ranks over the NICs of a rail: RDMA writes with immediate data, which is
 * the message's tag. It sends a message over its present link.
 *
 * Each way (from and to a rank, of a group, on a channel, between two ports) has its own queue
 * pair, as in NCCL. Its ends are the ranks whose NICs send and receive, which may be relays. A real
 * cluster connects queue pairs before a job begins; here they are created at their first use, which
 * takes no time.
 *
 * **Receipts.** A queue pair that fails may have delivered messages whose acknowledgements were
 * lost. With a ReceiptLatency the two ends settle that over the network of the hosts: the sender
 * informs the receiver, which closes its end, ReceiptLatency later, and returns the number of
 * messages that have arrived. Another ReceiptLatency later these messages are settled, and the
 * others fail: none of them will arrive. The next message of the way takes a new queue pair. A
 * receiver whose GPU has failed returns nothing.
 */
class RdmaTransport : public Transport
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    RdmaTransport() = default;

    /**
     * @param rank that owns this transport
     * @param node the rank's, with an RdmaEngine
     * @param directory of all ranks
     */
    RdmaTransport(RankId rank, Ptr<Node> node, Ptr<RankDirectory> directory);

    // Transport
    void Send(const TransportMessage& message) override;
    void Prepare(const TransportMessage& message) override;
    std::string Describe(const TransportMessage& message) const override;

    /**
     * @return both ends of the queue pair of messages that this rank sends, its own first; it is
     *         made if there is none yet
     */
    RdmaEngine::Ends GetEnds(const TransportMessage& message);

    /** @return the turn of a way among those of a port, which does not depend on the first use */
    static QueuePairOrder OrderOf(const TransportMessage& message);

    /** @return the node of the rank */
    const Ptr<Node>& GetNode() const
    {
        return m_node;
    }

    /** Makes this rank's end of a way from a rank of another process. */
    void Accept(RankId sender, const TransportMessage& message, uint32_t number);

    /** @return the number of ways that this rank's messages have taken */
    std::size_t GetWays() const;

  protected:
    void DoDispose() override;

  private:
    /** A message that has failed, and the reason. */
    struct Uncertain
    {
        TransportMessage message;
        std::string why;
    };

    /** A sequence of messages that keep their order. */
    struct Way
    {
        RdmaTransport* transport;           //!< of this rank
        TransportMessage label;             //!< without tag and bytes
        Ptr<RdmaQueuePair> sending;         //!< this rank's end, if it is the sender
        Ptr<RdmaQueuePair> receiving;       //!< the other end, if this rank is the sender
        uint32_t place{0};                  //!< among the ways that this rank sends on
        std::vector<Uncertain> uncertain{}; //!< without a receipt, in order

        /** @return a message of the way */
        TransportMessage Make(const RdmaMessage& message) const;
        /** Handles a message of this rank that is settled. */
        void Settled(Ptr<RdmaQueuePair>, const RdmaMessage& message);
        /** Handles a message for this rank that has arrived. */
        void Arrived(Ptr<RdmaQueuePair>, const RdmaMessage& message);
        /** Handles a message of this rank that has failed. */
        void Failed(Ptr<RdmaQueuePair>, const RdmaMessage& message, const std::string& why);
    };

    /** The path of a way, by its links rather than by the object. */
    struct PathKey
    {
        SharedRailPath path;
        bool isNotice;

        bool operator<(const PathKey& other) const;
    };

    using Key = std::tuple<RankId, RankId, RankId, GroupId, uint16_t, uint32_t, uint32_t, PathKey>;

    /** @return the key that distinguishes ways */
    static Key KeyOf(const TransportMessage& message);
    /** A message was not accepted, or has failed: a receipt tells whether it has arrived. */
    void MarkUncertain(Way& way, const TransportMessage& message, const std::string& why);
    /** Closes this rank's end of a way. @param sender that wants a receipt for its way */
    void CloseEnd(Ptr<RdmaTransport> sender, uint32_t place);
    /** Sends a receipt. */
    void SendReceipt(Ptr<RdmaTransport> sender, uint32_t place) const;
    /** Takes a receipt. @param arrived messages of the way that have arrived, since it began */
    void TakeReceipt(uint32_t place, uint64_t arrived);

    /** @return both ends of a new queue pair; no second one if that is on another process */
    RdmaEngine::Ends Connect(const RdmaTransport& peer, const TransportMessage& message) const;
    /** Makes a way on which this rank receives. */
    void Receive(const Ptr<RdmaQueuePair>& end, const TransportMessage& label);

    /** @return the way of a message, which is created if it is new */
    Way& WayOf(const TransportMessage& message);

    Time m_receiptLatency;
    RankId m_rank;
    Ptr<Node> m_node;
    Ptr<RankDirectory> m_directory;
    // queue pairs call ways, which stay where they are
    std::vector<std::unique_ptr<Way>> m_sending;
    std::vector<std::unique_ptr<Way>> m_receiving;
    std::map<Key, uint32_t> m_ways; //!< places in m_sending
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_TRANSPORT_H */
