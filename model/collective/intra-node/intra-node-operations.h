/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_OPERATIONS_H
#define PHOTONIC_RAILS_INTRA_NODE_OPERATIONS_H

#include "intra-node-memory.h"
#include "intra-node-session.h"
#include "intra-node-stretches.h"

#include "ns3/collective-transport.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/intra-node-fabric.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/scale-up-ahead.h"
#include "ns3/scale-up-domain.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations of ranks of one server, worked out as one where nothing disturbs them.
 *
 * Operations that are in flight together and share ranks are a session (IntraNodeSession). When a
 * rank calls an operation, the session works out the ends of its operations at all ranks from the
 * calls so far, and one event at each rank ends them. A later call of a rank, also of the same
 * instant, may change the ends that are still to come.
 *
 * An operation goes by messages if a rank does not allow otherwise, if a trace source of the
 * ScaleUpDomain is connected, if a message is under way at one of its ranks, or if its group has
 * such an operation that some rank has not called. If a message is sent at a rank of a session, a
 * trace source is connected, or a rank stops, all operations of the session go on by messages from
 * this instant on. Times, counts and records are those of messages in any case.
 *
 * Ranks that begin the same stretch of their programs are worked out as a whole, with one event a
 * rank for all of its operations (IntraNodeStretches). A call of another operation, and whatever
 * disturbs one, has them go on operation by operation.
 *
 * CollectiveHelper makes one for each server:
 * @code
 * const auto operations = CreateObject<IntraNodeOperations>();
 * operations->SetFabric(domain, RankId(8), memory);
 * application->SetIntraNode(operations); // of rank 8, of rank 9, ...
 * @endcode
 */
class IntraNodeOperations : public IntraNodeFabric,
                            private ScaleUpAhead,
                            private IntraNodeStretches::Owner
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    IntraNodeOperations();
    ~IntraNodeOperations() override;

    /**
     * @param domain whose members are consecutive ranks
     * @param first of these ranks
     * @param memory that the servers of a job share
     */
    void SetFabric(Ptr<ScaleUpDomain> domain, RankId first, Ptr<IntraNodeMemory> memory);

    // IntraNodeFabric
    void Join(RankId rank, IntraNodeRank* library) override;
    void Leave(RankId rank) override;
    bool Contains(const CommunicationGroup& group) const override;
    IntraNodeAnswer Call(const IntraNodeCall& call) override;
    std::shared_ptr<const StretchSteps> ShareSteps(StretchSteps&& steps) override;
    bool EnterStretch(const StretchEntry& entry) override;
    void LeaveStretch(RankId rank) override;
    void Stop(RankId rank) override;
    void Forget(const IntraNodeOperation* operation) override;
    uint64_t GetMostEarly(RankId rank) override;
    Picoseconds GetLastActivity(RankId rank) override;

  protected:
    void DoDispose() override;

  private:
    using Operation = IntraNodeSession::Operation;
    using Key = std::pair<GroupId, uint64_t>; //!< the group, and the number in its flow

    // ScaleUpAhead
    void Disturb(MemberId from, MemberId to) override;
    void DisturbAll() override;
    bool IsAt(MemberId member) const override;
    void Commit() override;

    // IntraNodeStretches::Owner
    bool MayEnter(const StretchEntry& entry, Picoseconds call) override;
    std::shared_ptr<const IntraNodeRanks> FindRanks(const CommunicationGroup& group) override;
    void CallOver(const IntraNodeCall& call) override;
    void CatchUp(const std::vector<MemberId>& members) override;

    /** @return the member of the domain that a rank is */
    MemberId GetMember(RankId rank) const;
    /** @return whether the operation of a first call may be worked out as one */
    bool MayBeOne(const IntraNodeCall& call);
    /** @return a new operation, by its first call */
    std::shared_ptr<Operation> Begin(const IntraNodeCall& call);
    /** @return the session for an operation of some members: a new one, or those of the members */
    IntraNodeSession& OpenSession(const std::vector<MemberId>& members);
    /** Schedules the next wake of a session. */
    void Arm(IntraNodeSession& session);
    /** @return the session of a rank; null: there is none */
    IntraNodeSession* FindSession(RankId rank) const;
    /** @return a session; null if it is gone */
    IntraNodeSession* FindSession(uint64_t number) const;
    /** The instant of a call is over: works out the ends of a session. */
    void Plan(uint64_t number);
    /** Operations of a session are over now. */
    void Wake(uint64_t number);
    /** Schedules an event for each operation of a session that is over at a rank now. */
    void Fire(IntraNodeSession& session);
    /** Goes on to this instant, and schedules the events of what is over. */
    void EndThose(IntraNodeSession& session);
    /** Ends an operation at a rank. */
    void End(std::shared_ptr<Operation> operation, uint32_t place);
    /** Notes that an operation is over at a rank. */
    void Count(const std::shared_ptr<Operation>& operation, uint32_t place);
    /** Forgets an operation that goes by messages, if all have called it. */
    void ForgetIfCalled(const std::shared_ptr<Operation>& operation);
    /** Gives the members of a session back to the domain: its operations are over. */
    void Close(IntraNodeSession& session);
    /** The operations of a session go on by messages. */
    void GoOnByMessages(IntraNodeSession& session);
    /** Restores the messages of a session at the domain. */
    void RestoreMessages(const IntraNodeSession& session);
    /** Gives what a session has sent and delivered by now to the domain's counts. */
    void Commit(IntraNodeSession& session);
    /** Removes a session. */
    void Erase(IntraNodeSession& session);
    /** Reports to the ranks of an operation what they have sent and received. */
    void ReportToRanks(const IntraNodeRun& run, const Operation& operation);
    /** @return a message for the transports */
    TransportMessage MakeTransportMessage(const Operation& operation, uint32_t message) const;
    /** @return a message for the domain */
    ScaleUpMessage MakeMessage(const Operation& operation, uint32_t message) const;

    Ptr<ScaleUpDomain> m_domain;
    RankId m_first;
    Ptr<IntraNodeMemory> m_memory;
    Ptr<IntraNodeStretches> m_stretches;     //!< null: there is no fabric
    std::vector<IntraNodeRank*> m_libraries; //!< by member
    std::map<GroupId, std::shared_ptr<const IntraNodeRanks>> m_groups;
    std::map<Key, std::shared_ptr<Operation>> m_operations; //!< not called by all, or not over
    std::vector<IntraNodeSession*> m_sessionOf;             //!< by member
    std::vector<std::unique_ptr<IntraNodeSession>> m_sessions;
    uint64_t m_numbers{0}; //!< of sessions
    /** By group: the instant at which all had called the last operation that goes by messages. */
    std::map<GroupId, Picoseconds> m_lastByMessages;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_OPERATIONS_H */
