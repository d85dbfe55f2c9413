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
 * @brief Reaches ranks on other rails through the server's GPU that is on the rail of each (PXN in
 * NCCL).
 *
 * A rail joins the GPUs of one local rank only. A message for another rail goes over the fabric
 * inside the server to the GPU of this server that is on that rail, its relay, and from there over
 * the relay's rail to the receiver, for which the message comes from its origin. Messages keep the
 * order of the two paths that they take. A message is settled at its origin when the relay's rail
 * has settled it and the relay's notice is back (0 bytes over the fabric). Failures come back on
 * the same path.
 *
 * It takes over its two transports, with their callbacks and their disposal, and is the only
 * transport of its rank. Messages for the own rail go directly to it, and messages for a rank of
 * the same server stay in the fabric. Every rank of a server has one.
 *
 * The relay stores and forwards: it forwards a message when it has all of it. Its memory is not
 * limited. Not modelled: the time that the relay's GPU takes to pass a message to its NIC.
 *
 * @code
 * Ptr<ForwardingTransport> transport = CreateObject<ForwardingTransport>();
 * transport->Join(scaleUp, rail, [=](RankId to) { return ...the rank here on its rail...; });
 * @endcode
 */
class ForwardingTransport : public Transport
{
  public:
    /**
     * Returns the rank of this server that is on the rail of a rank; for a rank of this server,
     * that rank.
     */
    typedef std::function<RankId(RankId)> RelayFunction;

    /** @return the type */
    static TypeId GetTypeId();

    ForwardingTransport();
    ~ForwardingTransport() override;

    /**
     * Sets the transports and the relays.
     * @param scaleUp the rank's transport inside its server
     * @param rail the rank's transport over its rail
     * @param relay returns the rank of this server through which another is reached
     */
    void Join(Ptr<ScaleUpTransport> scaleUp, Ptr<Transport> rail, RelayFunction relay);

    void Send(const TransportMessage& message) override;
    std::string Describe(const TransportMessage& message) const override;

    /** @return the number of messages of other ranks that this rank has forwarded */
    uint64_t GetForwarded() const;

    /** @return the bytes of these messages */
    uint64_t GetForwardedBytes() const;

    /** Signature of MessageForwarded. */
    typedef void (*MessageTracedCallback)(const TransportMessage& message);

  protected:
    void DoDispose() override;

  private:
    /** Releases the two transports. */
    void Leave();
    /** Handles a parcel of another rank of this server. */
    void TakeParcel(const ScaleUpParcel& parcel);
    /** Handles a message that the rail has settled, of this rank or a forwarded one. */
    void RailSettled(const TransportMessage& message);
    /** Handles a message that failed on the rail, of this rank or a forwarded one. */
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
