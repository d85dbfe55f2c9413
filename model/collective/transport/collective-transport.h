/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_TRANSPORT_H
#define PHOTONIC_RAILS_COLLECTIVE_TRANSPORT_H

#include "ns3/callback.h"
#include "ns3/identifier.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** A link between two ranks' NICs: a port of each. */
struct RailLink
{
    uint32_t here{0};  //!< the sender's port
    uint32_t there{0}; //!< the receiver's

    /** @return whether both are the same @param other */
    bool operator==(const RailLink& other) const
    {
        return here == other.here && there == other.there;
    }

    /** @return whether this one comes first @param other */
    bool operator<(const RailLink& other) const
    {
        return here != other.here ? here < other.here : there < other.there;
    }
};

/**
 * A message between ranks. Messages of equal ranks, group, channel and link arrive in the order in
 * which they were sent; others may overtake each other.
 */
struct TransportMessage
{
    /** Channels from this one on are those of sends and receives between two ranks. */
    static constexpr uint16_t POINT_TO_POINT = 0x8000;
    /** With that: from the receiver to the sender, that receives have been called. */
    static constexpr uint16_t CLEAR_TO_SEND = 0x4000;

    RankId from;         //!< who sends it, even if another forwards it
    RankId to;           //!< who is to have it
    GroupId group;       //!< of what communication it is
    uint16_t channel{0}; //!< of that
    RailLink link;       //!< between NICs: the ports that it takes
    uint32_t tag{0};     //!< goes with it: what it is, as both ends of the channel know
    uint64_t bytes{0};   //!< how much
};

/**
 * @ingroup photonic-rails
 * @brief What carries the messages of one rank's collectives: NICs on rails, the fabric inside a
 * server, or the network of the hosts.
 *
 * A transport belongs to one rank. Both ends know a message by its group, channel and tag. Nothing
 * is lost without a word: a message either arrives and is settled, in that order, or fails.
 */
class Transport : public Object
{
  public:
    /** Told of a message. */
    typedef Callback<void, const TransportMessage&> MessageCallback;
    /** Told of a message that is given up, and why. */
    typedef Callback<void, const TransportMessage&, const std::string&> FailedCallback;

    /** @return the type */
    static TypeId GetTypeId();

    /**
     * Sends a message, after those that were sent before.
     * @param message what
     */
    virtual void Send(const TransportMessage& message) = 0;

    /**
     * @param message one that was sent and has neither been settled nor failed
     * @return what it goes through, for somebody who wants to know why it does not: "queue pair 3,
     *         port 0"
     */
    virtual std::string Describe(const TransportMessage& message) const = 0;

    /** @param callback called when a message for this rank is there */
    void SetArrivedCallback(MessageCallback callback);
    /** @param callback called when the other end is known to have a message of this rank's */
    void SetSettledCallback(MessageCallback callback);
    /** @param callback called when a message of this rank's is given up */
    void SetFailedCallback(FailedCallback callback);

  protected:
    void DoDispose() override;

    /** A message for this rank is there. @param message it */
    void NotifyArrived(const TransportMessage& message);
    /** The other end has a message. @param message it */
    void NotifySettled(const TransportMessage& message);
    /** A message is given up. @param why for the sender */
    void NotifyFailed(const TransportMessage& message, const std::string& why);

  private:
    MessageCallback m_arrived;
    MessageCallback m_settled;
    FailedCallback m_failed;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_TRANSPORT_H */
