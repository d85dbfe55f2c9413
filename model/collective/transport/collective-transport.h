/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_TRANSPORT_H
#define PHOTONIC_RAILS_COLLECTIVE_TRANSPORT_H

#include "ns3/callback.h"
#include "ns3/identifier.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

struct ScaleUpPort;

/** A link between two ranks' NICs: a port of each. */
struct RailLink
{
    uint32_t here{0};  //!< the sender's port
    uint32_t there{0}; //!< the receiver's

    /** @return whether both are the same link */
    bool operator==(const RailLink& other) const
    {
        return here == other.here && there == other.there;
    }

    /** @return whether this link is before the other in the order of links */
    bool operator<(const RailLink& other) const
    {
        return here != other.here ? here < other.here : there < other.there;
    }
};

/** The ranks that forward a message between the fabric in a server and a rail. */
struct Relays
{
    std::optional<RankId> atSender;   //!< in the server of the sender: its NIC sends the message
    std::optional<RankId> atReceiver; //!< in the server of the receiver: its NIC receives it

    /** @return whether both are the same relays */
    bool operator==(const Relays& other) const
    {
        return atSender == other.atSender && atReceiver == other.atReceiver;
    }
};

/** The way of a message over several links of a rail, with a rank's NIC between any two. */
struct RailPath
{
    std::vector<RankId> ranks;   //!< whose NICs it passes, the first sender and last receiver too
    std::vector<RailLink> links; //!< from each of them to the next

    /** @return the way back, over the same links */
    RailPath GetReverse() const;

    /** @return whether both are the same way */
    bool operator==(const RailPath& other) const
    {
        return ranks == other.ranks && links == other.links;
    }

    /** @return whether this way is before the other in the order of ways */
    bool operator<(const RailPath& other) const
    {
        return ranks != other.ranks ? ranks < other.ranks : links < other.links;
    }
};

/** A path that several messages take; null: one link leads to the receiving NIC. */
using SharedRailPath = std::shared_ptr<const RailPath>;

/**
 * A message between ranks. Messages of equal ranks, group, channel, link, relays and path arrive in
 * the order in which they were sent; others may arrive in another order.
 */
struct TransportMessage
{
    /** Channels from this one on are for sends and receives between two ranks. */
    static constexpr uint16_t POINT_TO_POINT = 0x8000;
    /**
     * Added to such a channel: reports of the receiver to the sender that receives have been
     * called.
     */
    static constexpr uint16_t CLEAR_TO_SEND = 0x4000;

    RankId from;          //!< the sender, even if another rank forwards the message
    RankId to;            //!< the receiver, even if another rank forwards the message
    GroupId group;        //!< the group of the operation
    uint16_t channel{0};  //!< of that operation
    RailLink link;        //!< between NICs: the ports that it takes
    uint32_t tag{0};      //!< identifies the message to both ends of the channel
    uint64_t bytes{0};    //!< size
    uint32_t place{0};    //!< of its transfer among those that the sender has in the operation
    Relays relays{};      //!< of a message that takes a rail
    SharedRailPath path;  //!< of a message that takes several links of the rail
    uint32_t hop{0};      //!< of the path: the number of the present link, from 0
    bool isNotice{false}; //!< on the way back: a message has arrived, or failed

    /** @return the rank whose NIC sends it on the rail */
    RankId GetFirst() const
    {
        return relays.atSender.value_or(from);
    }

    /** @return the rank whose NIC receives it from the rail */
    RankId GetLast() const
    {
        return relays.atReceiver.value_or(to);
    }

    /** @return the rank whose NIC is at the far end of the present link */
    RankId GetNext() const
    {
        return path ? path->ranks[hop + 1] : GetLast();
    }

    /** @return whether the present link is the last one of its way over the rail */
    bool IsOnLastLink() const
    {
        return !path || hop + 1 == path->links.size();
    }
};

/**
 * @ingroup photonic-rails
 * @brief Carries the messages of one rank's operations: over NICs on rails, the scale-up fabric of
 * a server, or the network of the hosts.
 *
 * A transport belongs to one rank. Both ends identify a message by its group, channel and tag. Each
 * loss is reported: a message either arrives and is settled, in that order, or fails. A message
 * that a rank of the receiver's server forwards is settled when that rank has it.
 */
class Transport : public Object
{
  public:
    /** Called with a message. */
    typedef Callback<void, const TransportMessage&> MessageCallback;
    /** Called with a message that has failed, and the reason. */
    typedef Callback<void, const TransportMessage&, const std::string&> FailedCallback;

    /** @return the type */
    static TypeId GetTypeId();

    /** Sends a message, after the messages sent before. */
    virtual void Send(const TransportMessage& message) = 0;

    /** Makes what messages like this one need, such as a queue pair; by default nothing. */
    virtual void Prepare(const TransportMessage& message);

    /** @return the port inside the server that a rank has; none: it is not in this server */
    virtual ScaleUpPort FindPort(RankId rank) const;

    /**
     * @param message that was sent and has neither been settled nor failed
     * @return the resources that it uses, for a report of a failure: "queue pair 3, port 0"
     */
    virtual std::string Describe(const TransportMessage& message) const = 0;

    /** @param callback is called when a message for this rank has arrived */
    void SetArrivedCallback(MessageCallback callback);
    /** @param callback is called when a message of this rank is settled: the other end has it */
    void SetSettledCallback(MessageCallback callback);
    /** @param callback is called when a message of this rank has failed */
    void SetFailedCallback(FailedCallback callback);

  protected:
    void DoDispose() override;

    /** Reports that a message for this rank has arrived. */
    void NotifyArrived(const TransportMessage& message);
    /** Reports that a message of this rank is settled. */
    void NotifySettled(const TransportMessage& message);
    /** Reports that a message of this rank has failed. @param why the reason, for the sender */
    void NotifyFailed(const TransportMessage& message, const std::string& why);

  private:
    MessageCallback m_arrived;
    MessageCallback m_settled;
    FailedCallback m_failed;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_TRANSPORT_H */
