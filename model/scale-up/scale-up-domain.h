/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_DOMAIN_H
#define PHOTONIC_RAILS_SCALE_UP_DOMAIN_H

#include "scale-up-ahead.h"
#include "scale-up-held.h"
#include "scale-up-ports.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
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
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class ProcessLinks;

/** A message between two members. */
struct ScaleUpMessage
{
    MemberId from;        //!< the sender
    MemberId to;          //!< the receiver, another member
    uint64_t bytes{0};    //!< size
    std::any content;     //!< for the two ends; it takes no time
    ScaleUpOrder order{}; //!< among the messages that the sender sends at the same instant
    uint64_t number{0};   //!< set by the domain, for a message from another process
};

/** The counts of a member's port. */
struct ScaleUpCount
{
    uint64_t messagesSent{0};
    uint64_t bytesSent{0};
    uint64_t messagesDelivered{0}; //!< to this member
    uint64_t bytesDelivered{0};    //!< to this member

    /** Adds counts. */
    ScaleUpCount& operator+=(const ScaleUpCount& more)
    {
        messagesSent += more.messagesSent;
        bytesSent += more.bytesSent;
        messagesDelivered += more.messagesDelivered;
        bytesDelivered += more.bytesDelivered;
        return *this;
    }

    /** @return these counts without others, which they include */
    ScaleUpCount Without(const ScaleUpCount& others) const
    {
        return {messagesSent - others.messagesSent,
                bytesSent - others.bytesSent,
                messagesDelivered - others.messagesDelivered,
                bytesDelivered - others.bytesDelivered};
    }
};

class ScaleUpDomain;

/** A member's port of a fabric. */
struct ScaleUpPort
{
    Ptr<ScaleUpDomain> domain; //!< null: there is none
    MemberId member;
};

/**
 * @ingroup photonic-rails
 * @brief The fabric that joins the GPUs inside a server, such as NVLink with its NVSwitches.
 *
 * Every member has a port with an output and an input. Messages keep their order and take the time
 * of ScaleUpPorts: 8 bytes / rate in each of the two ports, one latency between them, cut-through.
 * Both directions are used at once, and the fabric between the ports never blocks.
 *
 * Not modelled: packets, flits and credits (a message arrives as a whole, with its last bit),
 * errors, reductions and multicast in the switches, the time that a GPU takes to read its memory.
 *
 * Members may be on several processes of a distributed simulation (SimulationProcesses). Then a
 * message leaves in the process of its sender, which knows when its output is free, and takes the
 * input of its receiver in the other process, with equal results. The latency, which is 3 ps or
 * more, is the lookahead; the content travels by SetContentCodec().
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
    /** Called with a message. */
    typedef Callback<void, const ScaleUpMessage&> MessageCallback;

    /** @return the type */
    static TypeId GetTypeId();

    ScaleUpDomain();
    ~ScaleUpDomain() override;

    /**
     * Joins a GPU to the fabric. The first call fixes the attributes.
     * @param node the GPU's node
     * @return its member id
     */
    MemberId AddMember(Ptr<Node> node);

    /** @return whether it has a member, after which its attributes can't be set */
    bool HasBegun() const;

    /** @return the number of members */
    uint32_t GetMembers() const;

    /** @param callback is called on the member's node when a message for the member has arrived */
    void SetDeliveredCallback(MemberId member, MessageCallback callback);

    /**
     * @param callback is called on the member's node one latency after a message of the member was
     * delivered
     */
    void SetSettledCallback(MemberId member, MessageCallback callback);

    /**
     * Sends a message, after the messages that its sender sent before; those of one instant leave
     * by their order.
     */
    void Send(const ScaleUpMessage& message);

    /** Puts the content of a message, for another process. */
    using ContentWriter = std::function<void(const std::any& content, ByteWriter& bytes)>;
    /** @return the content that was put */
    using ContentReader = std::function<std::any(ByteReader& bytes)>;

    /** Sets how content goes to members on other processes. */
    void SetContentCodec(const ContentWriter& writer, const ContentReader& reader);

    /** @return whether members are on several processes */
    bool IsSplit() const;

    /** @return the rate of a port in one direction */
    DataRate GetPortRate() const;

    /** @return the latency from the sender's port to the receiver's */
    Time GetLatency() const;

    /** @return the counts of a member's port */
    const ScaleUpCount& GetCount(MemberId member) const;

    /** @return the id of a member's node */
    uint32_t GetNodeId(MemberId member) const;

    // For traffic that is worked out ahead of its events
    /**
     * @param ahead such traffic of this domain. It takes the place of another, which goes by
     * messages from now on
     */
    void SetAhead(ScaleUpAhead* ahead);

    /** There is no such traffic any more. @param ahead has no effect if another has its place */
    void RemoveAhead(const ScaleUpAhead* ahead);

    /** @return whether such traffic is that of the domain */
    bool HasAhead(const ScaleUpAhead* ahead) const;

    // For traffic that is held: it is known, and is simulated only if something disturbs it
    /** Has such traffic told of what disturbs it. */
    void AddHeld(ScaleUpHeld* held);

    /** There is no such traffic any more. */
    void RemoveHeld(ScaleUpHeld* held);

    /** @return whether traffic that is worked out ahead uses a member's port by now */
    bool IsAheadAt(MemberId member) const;

    /** @return whether a trace source of messages is connected, so that each needs its events */
    bool IsObserved() const;

    /** @return whether all messages from and to a member are delivered by now */
    bool IsQuiet(MemberId member);

    /** @return the clock of the ports */
    const ScaleUpClock& GetClock() const;

    /** @return how busy a quiet member's port is */
    ScaleUpBusy GetBusy(MemberId member) const;

    /** Sets how busy a quiet member's port is, by messages that are not of this domain. */
    void SetBusy(MemberId member, const ScaleUpBusy& busy);

    /** Adds messages that were sent and delivered ahead of events to a member's counts. */
    void AddCount(MemberId member, const ScaleUpCount& more);

    /** Restores a message that is sent at this instant. It has been counted. */
    void RestoreSent(const ScaleUpMessage& message);

    /**
     * Restores a message that has left its sender's output, which SetBusy() counts.
     * @param reaches the instant at which its first bit reaches the receiver's port, later than now
     */
    void RestoreUnderWay(const ScaleUpMessage& message, ScaleUpClock::Fraction reaches);

    /**
     * Restores a message that its receiver's input has, which SetBusy() counts. Those of a receiver
     * come in order.
     * @param delivered later than now
     */
    void RestoreDue(const ScaleUpMessage& message, Picoseconds delivered);

    /** Restores the notice of a delivered message. @param when it settles, later than now */
    void RestoreNotice(const ScaleUpMessage& message, Picoseconds when);

    /** Signature of MessageSent and MessageDelivered. */
    typedef void (*MessageTracedCallback)(const ScaleUpMessage& message);

  protected:
    void DoDispose() override;

  private:
    /** A message whose delivery time is known. */
    struct Due
    {
        Picoseconds delivered;
        ScaleUpMessage message;
    };

    /** A GPU. */
    struct Member
    {
        uint32_t node;
        uint32_t process; //!< of the node
        bool isHere;      //!< it is this process
        MessageCallback delivered;
        MessageCallback settled;
        std::deque<Due> due;                //!< in the order of delivery
        TimedInbox<ScaleUpMessage> notices; //!< of the member's own messages that were delivered
        ScaleUpCount count;
        uint64_t underWay{0}; //!< messages from it and to it that are not delivered
    };

    /** Schedules a call for a member, on its node. @param at not before now */
    void ScheduleAt(Picoseconds at, void (ScaleUpDomain::*call)(MemberId), MemberId member);
    /** Disturbs held traffic of two members. */
    void DisturbHeld(MemberId from, MemberId to);
    /** Schedules the calls that the ports need. */
    void ScheduleCalls();
    /** Makes the ports by the attributes. */
    void Begin();
    /** Handles the arrivals at a member's port, and the messages that have passed it. */
    void Reach(MemberId member);
    /** Takes the messages that have reached a member's input. */
    void TakeReached(MemberId to);
    /** Delivers a message. */
    void Deliver(const ScaleUpMessage& message);
    /** Reports to a member which of its messages were delivered. */
    void Settle(MemberId member);
    /** Keeps a message until its delivery. @return it, for the ports */
    ScaleUpPost Keep(const ScaleUpMessage& message);
    /** Handles a message whose delivery is known. */
    void AddDue(const ScaleUpMessage& message, Picoseconds delivered);
    /** Reports a delivery to the sender. @param when a latency after it */
    void AddNotice(const ScaleUpMessage& message, Picoseconds when);
    /** A trace source was connected or disconnected. */
    void NotifyObservers();
    /** Has members on several processes. */
    void Split();
    /** Sends the messages that have left for other processes. */
    void SendDeparted();
    /** Takes what comes from another process. */
    void TakeRemote(ByteReader& bytes);
    /** Takes a message that has left its sender. */
    void TakeDeparted(ByteReader& bytes);
    /** Takes the notice that a message was delivered. */
    void TakeNotice(ByteReader& bytes);
    /** Sends a notice to a sender on another process. */
    void SendNotice(const ScaleUpMessage& message) const;
    /** @return a member; aborts if there is none of that number */
    const Member& Get(MemberId member) const;
    /** @return a member; aborts if there is none of that number */
    Member& Get(MemberId member);

    std::string m_generation;
    DataRate m_portRate;
    Time m_latency;
    ScaleUpPorts m_ports;
    uint32_t m_largest{0};        //!< the most members
    std::deque<Member> m_members; //!< a callback may add a member, and none must move
    uint64_t m_sequence{0};
    std::unordered_map<uint64_t, ScaleUpMessage> m_messages; //!< that wait for their delivery
    std::unordered_map<uint64_t, ScaleUpMessage> m_away;     //!< that wait for a notice, by number
    bool m_isSplit{false};
    Ptr<ProcessLinks> m_links; //!< null: it is not split
    uint32_t m_listener{0};    //!< of ProcessLinks, if it is split
    ContentWriter m_writer;
    ContentReader m_reader;
    ScaleUpAhead* m_ahead{nullptr};
    std::vector<ScaleUpHeld*> m_held;
    bool m_observed{false}; //!< a trace source has been connected

    TracedCallback<const ScaleUpMessage&> m_messageSent;
    TracedCallback<const ScaleUpMessage&> m_messageDelivered;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_DOMAIN_H */
