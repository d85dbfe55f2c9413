/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MULTI_HOP_TRANSPORT_H
#define PHOTONIC_RAILS_MULTI_HOP_TRANSPORT_H

#include "collective-transport.h"

#include "ns3/instant-queue.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Carries messages over several links of a rail, one after another (multi-hop): the GPUs
 * between forward them.
 *
 * A message with a path (TransportMessage::path) names all NICs on its way. Each GPU on it stores
 * and forwards: it sends a message on, over a queue pair of its own, a picosecond after it has all
 * of it, and those of one instant by sender, receiver, group and channel (InstantQueue). Its memory
 * is not limited, so no two messages wait for each other in a circle. With n links of equal rate, a
 * message that takes T on one link of an idle path takes n T + (n - 1) ps. A long transfer is many
 * messages, and all links of its path carry it at once.
 *
 * A message is settled when the last NIC has it and its notice is back: a message of 0 bytes, over
 * the same links, which takes as long as any message of that size, after the acknowledgement of the
 * last link. If a GPU on the way cannot send it on, the notice has 1 byte and comes from
 * there. A notice that is lost leaves the message open.
 *
 * It takes over the transport of the rail, with its callbacks and its disposal. Messages without a
 * path go to that transport as they are. Every rank has one. Not modelled: the time that a GPU
 * takes between its NIC's receive and send.
 * @code
 * Ptr<MultiHopTransport> transport = CreateObject<MultiHopTransport>();
 * transport->Join(RankId(0), rail);
 * message.path = path; // 0, 1, 2
 * message.link = path->links.front();
 * transport->Send(message);
 * @endcode
 */
class MultiHopTransport : public Transport
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    MultiHopTransport();
    ~MultiHopTransport() override;

    /**
     * Sets the transport of the rail.
     * @param rank whose NIC it uses
     * @param rail sends messages over one link
     */
    void Join(RankId rank, Ptr<Transport> rail);

    // Transport
    void Send(const TransportMessage& message) override;
    void Prepare(const TransportMessage& message) override;
    std::string Describe(const TransportMessage& message) const override;

    /** @return the number of messages of other ranks that this rank has forwarded; no notices */
    uint64_t GetForwarded() const;
    /** @return the bytes of these messages */
    uint64_t GetForwardedBytes() const;

    /** Signature of MessageForwarded. */
    typedef void (*MessageTracedCallback)(const TransportMessage& message);

  protected:
    void DoDispose() override;

  private:
    /** The messages that no notice has come back for, by the ends, the flow and the tag. */
    using OpenKey = std::tuple<RankId, RankId, GroupId, uint16_t, uint32_t>;

    /** @return the key of a message or its notice */
    static OpenKey KeyOf(const TransportMessage& message);

    /** Releases the transport. */
    void Leave();
    /** Sends a message on over its next link when the instant is over. */
    void Forward(const TransportMessage& message);
    /**
     * Sends the notice of a message from here to its first sender.
     * @param bytes 0: it has arrived; 1: it has failed
     */
    void SendNotice(const TransportMessage& message, uint64_t bytes);
    /** Handles a notice of a message of this NIC. */
    void TakeNotice(const TransportMessage& notice);
    /** Handles a message that the rail has brought, for this NIC or to be forwarded. */
    void RailArrived(const TransportMessage& message);
    /** Handles a message that has come over its present link. */
    void RailSettled(const TransportMessage& message);
    /** Handles a message that failed on its present link. */
    void RailFailed(const TransportMessage& message, const std::string& why);

    RankId m_rank;
    Ptr<Transport> m_rail;
    uint64_t m_forwarded{0};
    uint64_t m_forwardedBytes{0};
    std::map<OpenKey, TransportMessage> m_open;
    TracedCallback<const TransportMessage&> m_messageForwarded;
    InstantQueue m_instant; //!< messages to forward
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MULTI_HOP_TRANSPORT_H */
