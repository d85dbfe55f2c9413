/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FORWARDING_TRANSPORT_H
#define PHOTONIC_RAILS_FORWARDING_TRANSPORT_H

#include "collective-transport.h"
#include "scale-up-transport.h"

#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Reaches ranks on other rails through the server's GPU that is on the rail of each: what
 * NCCL calls PXN.
 *
 * A rail joins the GPUs of one local rank only. A message for another rail goes over the fabric
 * inside the server to the GPU of this server that is on that rail, its relay, and from there over
 * the relay's rail to the receiver, who sees the one who sent it. Messages keep the order of the
 * two ways that they take. A message is settled at its origin when the relay's rail has settled it
 * and the relay's notice is back (0 bytes over the fabric); failures come back in the same way.
 *
 * It takes over the two transports that it is given, callbacks and end of life, and is the one
 * transport of its rank for all of it: what is for the own rail goes straight there, and what is
 * for a rank of the same server stays in the fabric. Every rank of a server has one.
 *
 * The relay forwards message by message: it sends a message on when it has all of it. It has room
 * for any number. Left out: the time that the relay's GPU takes to pass a message to its NIC.
 *
 * @code
 * Ptr<ForwardingTransport> transport = CreateObject<ForwardingTransport>();
 * transport->Join(scaleUp, rail, [=](RankId to) { return ...the rank here on its rail...; });
 * @endcode
 */
class ForwardingTransport : public Transport
{
  public:
    /** Tells the rank of this server that is on the rail of a rank; itself for one of this
     * server's. */
    typedef std::function<RankId(RankId)> RelayFunction;

    /** @return the type */
    static TypeId GetTypeId();

    ForwardingTransport();
    ~ForwardingTransport() override;

    /**
     * Gives it what it sends over.
     * @param scaleUp the rank's way through its server
     * @param rail the rank's way over its rail
     * @param relay tells the rank of this server by which another is reached
     */
    void Join(Ptr<ScaleUpTransport> scaleUp, Ptr<Transport> rail, RelayFunction relay);

    void Send(const TransportMessage& message) override;
    std::string Describe(const TransportMessage& message) const override;

    /** @return the messages of others that this rank has sent on so far */
    uint64_t GetForwarded() const;

    /** @return the bytes of these */
    uint64_t GetForwardedBytes() const;

    /** Signature of MessageForwarded. */
    typedef void (*MessageTracedCallback)(const TransportMessage& message);

  protected:
    void DoDispose() override;

  private:
    /** Lets go of the two transports. */
    void Leave();
    /** A parcel of another rank of this server is there. */
    void TakeParcel(const ScaleUpParcel& parcel);
    /** The rail has settled a message, of this rank or of one that it forwards for. */
    void RailSettled(const TransportMessage& message);
    /** The rail has given up a message, of this rank or of one that it forwards for. */
    void RailFailed(const TransportMessage& message, const std::string& why);

    Ptr<ScaleUpTransport> m_scaleUp;
    Ptr<Transport> m_rail;
    RelayFunction m_relay;
    uint64_t m_forwarded{0};
    uint64_t m_forwardedBytes{0};
    TracedCallback<const TransportMessage&> m_messageForwarded;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FORWARDING_TRANSPORT_H */
