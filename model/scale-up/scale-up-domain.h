/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_DOMAIN_H
#define PHOTONIC_RAILS_SCALE_UP_DOMAIN_H

#include "scale-up-ports.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/timed-inbox.h"
#include "ns3/traced-callback.h"

#include <any>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** A message between two members. */
struct ScaleUpMessage
{
    MemberId from;     //!< who sends it
    MemberId to;       //!< who gets it: another
    uint64_t bytes{0}; //!< how much
    std::any content;  //!< what the two ends make of it; goes along and takes no time
};

/** What has passed a member's port. */
struct ScaleUpCount
{
    uint64_t messagesSent{0};
    uint64_t bytesSent{0};
    uint64_t messagesDelivered{0}; //!< to this member
    uint64_t bytesDelivered{0};    //!< to this member
};

/**
 * @ingroup photonic-rails
 * @brief The fabric that joins the GPUs inside a server, such as NVLink with its NVSwitches.
 *
 * Every member has a port with a way out and a way in. Messages keep their order and take the time
 * that ScaleUpPorts tells: 8 bytes / rate in each of the two ports, one latency between them,
 * cut-through. Both ways are used at once, and the fabric between the ports never blocks.
 *
 * Left out: packets, flits and credits (a message is there at once, as a whole, with its last bit),
 * errors, reductions and multicast in the switches, the time a GPU takes to read its memory.
 *
 * Members are in one process: with ns-3's distributed engines, do not split a server.
 *
 * @code
 * Ptr<ScaleUpDomain> domain = CreateObject<ScaleUpDomain>();
 * domain->SetAttribute("Generation", StringValue("nvlink5"));
 * const MemberId a = domain->AddMember(gpuA);
 * const MemberId b = domain->AddMember(gpuB);
 * domain->SetDeliveredCallback(b, MakeCallback(&Receiver::Take, &receiver));
 * domain->Send({a, b, 1'000'000, {}});
 * @endcode
 */
class ScaleUpDomain : public Object
{
  public:
    /** Told of a message. */
    typedef Callback<void, const ScaleUpMessage&> MessageCallback;

    /** @return the type */
    static TypeId GetTypeId();

    ScaleUpDomain();
    ~ScaleUpDomain() override;

    /**
     * Joins a GPU to the fabric. With the first, the attributes are taken over.
     * @param node the GPU's node
     * @return its number here
     */
    MemberId AddMember(Ptr<Node> node);

    /** @return whether it has a member: its attributes can't be set any more */
    bool HasBegun() const;

    /** @return the number of members */
    uint32_t GetMembers() const;

    /**
     * @param member whom
     * @param callback called on its node when a message for it is there
     */
    void SetDeliveredCallback(MemberId member, MessageCallback callback);

    /**
     * @param member whom
     * @param callback called on its node one latency after a message of its own was delivered
     */
    void SetSettledCallback(MemberId member, MessageCallback callback);

    /**
     * Sends a message, after those that its sender sent before.
     * @param message what
     */
    void Send(const ScaleUpMessage& message);

    /** @return rate of a port in one direction */
    DataRate GetPortRate() const;

    /** @return from the sender's port to the receiver's */
    Time GetLatency() const;

    /**
     * @param member whose
     * @return what has passed its port
     */
    const ScaleUpCount& GetCount(MemberId member) const;

    /**
     * @param member whose
     * @return its node's number
     */
    uint32_t GetNodeId(MemberId member) const;

    /** Signature of MessageSent and MessageDelivered. */
    typedef void (*MessageTracedCallback)(const ScaleUpMessage& message);

  protected:
    void DoDispose() override;

  private:
    /** A message that has got its turn at the receiver. */
    struct Due
    {
        Picoseconds delivered;
        ScaleUpMessage message;
    };

    /** A GPU. */
    struct Member
    {
        uint32_t node;
        MessageCallback delivered;
        MessageCallback settled;
        std::deque<Due> due;                //!< in the order of delivery
        TimedInbox<ScaleUpMessage> notices; //!< of its own messages that were delivered
        ScaleUpCount count;
    };

    /** Makes the ports by the attributes. */
    void Begin();
    /** Something reaches a member's port, or is through it. */
    void Reach(MemberId member);
    /** A message is there. */
    void Deliver(const ScaleUpMessage& message);
    /** A member gets to know what was delivered. */
    void Settle(MemberId member);
    /** @return a member; aborts if there is none of that number */
    const Member& Get(MemberId member) const;
    /** @return a member; aborts if there is none of that number */
    Member& Get(MemberId member);

    std::string m_generation;
    DataRate m_portRate;
    Time m_latency;
    ScaleUpPorts m_ports;
    uint32_t m_largest{0};        //!< so many members at most
    std::deque<Member> m_members; //!< a callback may add one, and none must move
    uint64_t m_sequence{0};
    std::unordered_map<uint64_t, ScaleUpMessage> m_messages; //!< that wait for their turn

    TracedCallback<const ScaleUpMessage&> m_messageSent;
    TracedCallback<const ScaleUpMessage&> m_messageDelivered;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_DOMAIN_H */
