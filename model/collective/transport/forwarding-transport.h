/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FORWARDING_TRANSPORT_H
#define PHOTONIC_RAILS_FORWARDING_TRANSPORT_H

#include "collective-transport.h"
#include "scale-up-transport.h"

#include "ns3/instant-queue.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Reaches ranks on other rails through GPUs of the two servers (PXN in NCCL).
 *
 * A rail joins GPUs of different servers, one or more of each. A message for another rail names a
 * relay (TransportMessage::relays): either a GPU of the sender's server, which gets it over the
 * fabric inside the server and sends it on its rail; or a GPU of the receiver's server, which
 * receives it on the sender's rail and passes it on over the fabric there; or both, on a third
 * rail. For the receiver the message comes from its origin. Messages of equal relays keep the order
 * of the paths that they take.
 *
 * A message with a relay at the sender is settled at its origin when the relay's rail has settled
 * it and the relay's notice is back (0 bytes over the fabric). Failures come back on the same path.
 * A relay at the receiver has a message when the rail settles it; the fabric does not lose any.
 *
 * It takes over its two transports, with their callbacks and their disposal, and is the only
 * transport of its rank. Messages without relays for another server go directly to the rail, and
 * messages for a rank of the same server stay in the fabric. Every rank of a server has one.
 *
 * A relay stores and forwards: it forwards a message a picosecond after it has all of it, and
 * those of one instant by sender, group and channel (InstantQueue). Its memory is not limited. Not
 * modelled: the time that the relay's GPU takes between its NIC and the fabric.
 *
 * @code
 * Ptr<ForwardingTransport> transport = CreateObject<ForwardingTransport>();
 * transport->Join(scaleUp, rail);
 * message.relays.atSender = RankId(5); // in this server, on the rail of the receiver
 * transport->Send(message);
 * @endcode
 */
class ForwardingTransport : public Transport
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    ForwardingTransport();
    ~ForwardingTransport() override;

    /**
     * Sets the transports.
     * @param scaleUp the rank's transport inside its server
     * @param rail the rank's transport over its rail
     */
    void Join(Ptr<ScaleUpTransport> scaleUp, Ptr<Transport> rail);

    void Send(const TransportMessage& message) override;
    void Prepare(const TransportMessage& message) override;
    ScaleUpPort FindPort(RankId rank) const override;
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
    /** Forwards a message of other ranks when the instant is over. */
    void Forward(const TransportMessage& message, bool isFromRail);
    /** Handles a parcel of another rank of this server. */
    void TakeParcel(const ScaleUpParcel& parcel);
    /** Handles a message that has come over the rail, for this rank or to be forwarded. */
    void RailArrived(const TransportMessage& message);
    /** Handles a message that the rail has settled, of this rank or a forwarded one. */
    void RailSettled(const TransportMessage& message);
    /** Handles a message that failed on the rail, of this rank or a forwarded one. */
    void RailFailed(const TransportMessage& message, const std::string& why);

    Ptr<ScaleUpTransport> m_scaleUp;
    Ptr<Transport> m_rail;
    uint64_t m_forwarded{0};
    uint64_t m_forwardedBytes{0};
    TracedCallback<const TransportMessage&> m_messageForwarded;
    InstantQueue m_instant; //!< messages to forward
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FORWARDING_TRANSPORT_H */
