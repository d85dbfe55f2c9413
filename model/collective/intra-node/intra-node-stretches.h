/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_STRETCHES_H
#define PHOTONIC_RAILS_INTRA_NODE_STRETCHES_H

#include "intra-node-memory.h"
#include "intra-node-run.h"
#include "intra-node-stretch.h"

#include "ns3/identifier.h"
#include "ns3/intra-node-fabric.h"
#include "ns3/ptr.h"
#include "ns3/scale-up-domain.h"
#include "ns3/simple-ref-count.h"
#include "ns3/stretch-rank.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The stretches that ranks of one server are in (IntraNodeStretch): one event at each rank
 * ends them.
 *
 * If something disturbs one, its ranks go on operation by operation, in the state that they have at
 * this instant: what is over before it is over, and what is under way has begun when it did.
 */
class IntraNodeStretches : public SimpleRefCount<IntraNodeStretches>
{
  public:
    /** The operations of the server, one by one. */
    class Owner
    {
      public:
        virtual ~Owner() = default;
        /**
         * @param call the instant of the first call, not before now
         * @return whether a rank may be in a stretch, as far as other operations go
         */
        virtual bool MayEnter(const StretchEntry& entry, Picoseconds call) = 0;
        /** @return the ranks of a group; null if one of them does not take part */
        virtual std::shared_ptr<const IntraNodeRanks> FindRanks(
            const CommunicationGroup& group) = 0;
        /** A rank has called an operation at an instant of the past, and it is over there. */
        virtual void CallOver(const IntraNodeCall& call) = 0;
        /** Operations of some members were called in the past: schedules what is to come. */
        virtual void CatchUp(const std::vector<MemberId>& members) = 0;
    };

    IntraNodeStretches(Ptr<ScaleUpDomain> domain, Ptr<IntraNodeMemory> memory, Owner& owner);

    /** See IntraNodeFabric::EnterStretch(). */
    bool Enter(const StretchEntry& entry);

    /** @return whether a member is in one */
    bool IsAt(MemberId member) const
    {
        return m_of[member.Get()] != nullptr;
    }

    /** Those of a member go on operation by operation, if it is not over by now. */
    void Leave(MemberId member);

    /** The same; what is over at this instant is over at once. */
    void LeaveWholly(MemberId member);

    /** All go on operation by operation, if they are not over by now. */
    void LeaveAll();

    /** Drops those of a member, whose library is gone. */
    void Drop(MemberId member);

  private:
    /**
     * A rank is about to enter one: frees its group of others.
     * @param call the instant of the first call, not before now
     * @return the one that all ranks have left, or will have by then; null: there is none
     */
    std::shared_ptr<IntraNodeStretch> MakeRoom(const StretchEntry& entry,
                                               const IntraNodeRanks& ranks,
                                               Picoseconds call);
    /** A stretch goes on operation by operation, or is over by now. */
    void Leave(const std::shared_ptr<IntraNodeStretch>& stretch);
    /** Members are in a stretch no more. */
    void Remove(const IntraNodeStretch& stretch);
    /** All is over by now: members are free for others. */
    void Close(const std::shared_ptr<IntraNodeStretch>& stretch);
    /** The stretch at a rank is over, at this instant. */
    void End(std::shared_ptr<IntraNodeStretch> stretch, uint32_t place);
    /** The ranks of a stretch go on operation by operation. */
    void GoOn(IntraNodeStretch& stretch);
    /**
     * Calls in the past the collective operations of a part that is under way.
     * @param shared the steps of the parts that are over at all ranks
     * @param libraries by place; null: the stretch is over there, or has not begun
     * @param reached by place: the step that is under way
     */
    void CallAgain(IntraNodeStretch& stretch,
                   std::size_t shared,
                   const std::vector<StretchRank*>& libraries,
                   const std::vector<std::size_t>& reached);
    /** Gives what the first steps have sent and delivered, and their ports, to the domain. */
    void Count(const IntraNodeStretch& stretch, std::size_t steps);

    Ptr<ScaleUpDomain> m_domain;
    Ptr<IntraNodeMemory> m_memory;
    Owner& m_owner;
    std::vector<std::shared_ptr<IntraNodeStretch>> m_of; //!< by member; null: it is in none
    /** Those that are over by now; some ranks have their events in this instant. */
    std::vector<std::shared_ptr<IntraNodeStretch>> m_ending;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_STRETCHES_H */
