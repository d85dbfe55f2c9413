/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_FOLD_H
#define PHOTONIC_RAILS_RAIL_FOLD_H

#include "folded-call.h"
#include "folded-operation.h"

#include "ns3/flow-key.h"
#include "ns3/identifier.h"
#include "ns3/rail-net-device.h"
#include "ns3/rail.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class CommunicationGroup;

/**
 * @ingroup photonic-rails
 * @brief The rails of a job that do the same. The operations of one, the leader, are simulated, and
 * those of the others follow them.
 *
 * **The promise.** All instants and counts of operations, and all that the control plane sends, are
 * equal to those of a run in which each rail is simulated, to the picosecond. Only the data plane
 * of rails is folded: every rank runs its program, requests circuits and gets grants, every switch
 * changes its circuits, every control message is sent. An operation that follows has no messages,
 * queue pairs and frames on its rail. Rails need not do the same at the same instant: a control
 * plane serves them one after another. An operation follows later by the time that lies between
 * its first grant and that of the leader's (FoldedOperation), as long as this holds for all of its
 * ranks. Where it does not hold at the first input, or the leader comes later than the rail, the
 * operation has messages of its own. Where it turns out later, the run has diverged: it stops with
 * a report, before the difference has an effect.
 *
 * **What is folded.** Operations of groups with all ranks on one rail. Sends and receives follow
 * only in step: on circuits that are granted both directions may begin at one instant, with grants
 * in any order. Operations that may be memoized do not follow, if SetMemoized() says so: one that
 * is like the leader's costs as little, and one that is not makes no run diverge.
 *
 * **In step.** Without a control plane nothing serves one rail after another: rails do the same at
 * the same instants, or they differ. Then operations follow wherever they overlap, at a port or in
 * a switch, since all that a rail has is equal to what the leader has, until one of them does not
 * begin with the leader's. With it the run has diverged.
 *
 * **Observers.** A sink or a trace of frames or messages at another rail than the leader needs
 * their messages. If one is connected when the first operation begins, each rail is simulated. One
 * that is connected later makes the run diverge. Counts of devices and engines on a rail that
 * follows are those of its leader when all operations have ended (RailAudit, JobRun).
 *
 * **What must be equal.** The caller checks before the run that nothing makes rails differ:
 * programs, groups, rates, delays, losses, faults. The fold checks in the run that ports have
 * carrier without a break, take equal links, are used by no other operation in between, and that
 * nothing was a matter of chance (SetChanceCallback()).
 *
 * @code
 * const Ptr<RailFold> fold = Create<RailFold>(rails);
 * fold->AddGroup(groupOfRail1, 1, groupOfRail0); // for each group of each rail
 * application->SetFold(fold);                    // for each rank
 * @endcode
 */
class RailFold : public SimpleRefCount<RailFold>, private FoldedCall::Rails
{
  public:
    /** @param rails that do the same, the leader first: rank k is on rail k modulo their number */
    explicit RailFold(const std::vector<Rail>& rails);

    /**
     * Adds a group of a rail.
     * @param group with all ranks on the rail
     * @param rail its number
     * @param leading group of the leader that does the same, in the same order
     */
    void AddGroup(const CommunicationGroup& group,
                  uint32_t rail,
                  const CommunicationGroup& leading);

    /** @param inStep whether rails do the same at the same instants; false by default */
    void SetInStep(bool inStep);

    /**
     * @param memoized whether operations that may be memoized (OperationMemo) have messages of
     *        their own, as far as they need any; false by default
     */
    void SetMemoized(bool memoized);

    /**
     * @param share whether operations at different ports of a rank disturb each other, since one
     *        thread posts their messages (RailMessageTime); false by default
     */
    void SetRanksShare(bool share);

    /**
     * @param find gives what of the leader has been a matter of chance; empty: nothing so far. It
     * is called when an operation has come to an end there: with it the run has diverged.
     */
    void SetChanceCallback(const std::function<std::string()>& find);

    /** @param diverged is called with a report when a run has diverged; default: it aborts */
    void SetDivergedCallback(const std::function<void(const std::string& why)>& diverged);

    /** @return the reason why the run has diverged, and its results are void; empty: it has not */
    const std::string& GetDivergence() const
    {
        return m_divergence;
    }

    /**
     * @return whether operations may follow: not before the first one begins, and never if an
     *         observer of another rail than the leader is connected by then
     */
    bool IsFolding() const
    {
        return m_isFolding;
    }

    /** @return the number of rails */
    uint32_t GetRails() const
    {
        return m_rails.size();
    }

    /** Counts of operations, each once for each rail. */
    struct Counters
    {
        uint64_t led{0};      //!< of the leader
        uint64_t followed{0}; //!< of others, that followed
        uint64_t own{0};      //!< of others, with messages of their own
    };

    /** @return the counts so far */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /**
     * Makes the part of a rank in an operation that it calls.
     * @param flow of the operation @param number in the flow
     * @param place of the rank in the group
     * @param mayBeMemoized whether the operation may be memoized
     * @param owner its operation
     * @return the part; null: the operation is on no rail of the fold
     */
    std::unique_ptr<FoldedCall> Call(const FlowKey& flow,
                                     uint64_t number,
                                     uint32_t place,
                                     RankId rank,
                                     bool mayBeMemoized,
                                     FoldedCall::Owner& owner);

  private:
    /** A group on a rail. */
    struct OnRail
    {
        GroupId leading; //!< group of the leader
        uint32_t rail;
        std::vector<RankId> ranks;
        std::string name;
    };

    /** Names an operation on all rails: flow of the leader, and number. */
    using Key = std::pair<FlowKey, uint64_t>;

    /** An operation that ranks have called. */
    struct Entry
    {
        Key key;
        std::shared_ptr<FoldedOperation> operation;
        std::vector<std::vector<std::size_t>> ports; //!< by rail: places in m_open
        std::vector<std::vector<FoldedCall*>> calls; //!< by rail and place; null: none
        std::vector<bool> isDeciding;                //!< by rail: an event decides
    };

    // FoldedCall::Rails
    void AddInput(FoldedCall& call, const FoldedPath& path) override;
    void AddOutput(FoldedCall& call, const FoldedOperation::Output& output) override;
    void End(FoldedCall& call) override;
    void Remove(FoldedCall& call) override;
    void Check(const std::string& mistake) override;
    bool IsObserved(RankId rank) const override;
    Ptr<RailNetDevice> GetNic(RankId rank, uint32_t port) const override;

    /** @return the entry of an operation */
    Entry& Find(const FoldedOperation& operation);
    /** Notes that an operation uses the ports of a path. */
    void Open(Entry& entry, uint32_t rail, RankId rank, const FoldedPath& path);
    /** @return the other operations that use its ports on a rail */
    std::vector<FoldedOperation*> ListOverlapping(const Entry& entry, uint32_t rail) const;
    /** Decides how an operation runs on a rail. @param now the call that has the input, or null */
    void Decide(Entry& entry, uint32_t rail, bool isLast, const FoldedCall* now);
    /** The same, after other events of the instant. */
    void DecideLater(std::shared_ptr<FoldedOperation> operation, uint32_t rail);
    /** Looks, a picosecond later, whether the leader has had what a rail has. */
    void CheckAhead(std::shared_ptr<FoldedOperation> operation, uint32_t rail);
    /** The first operation begins. */
    void Begin();

    std::vector<Rail> m_rails;
    bool m_inStep{false};
    bool m_memoizes{false}; //!< see SetMemoized()
    bool m_ranksShare{false};
    bool m_hasBegun{false};
    bool m_isFolding{false};
    std::vector<std::size_t> m_sinks; //!< by NIC port: those that need no frames of followers
    std::function<std::string()> m_chance;
    std::function<void(const std::string&)> m_diverged;
    std::string m_divergence;
    Counters m_counters;
    std::map<uint32_t, OnRail> m_groups; //!< by id
    std::map<Key, Entry> m_entries;
    std::map<const FoldedOperation*, Key> m_keys;
    std::vector<std::vector<FoldedOperation*>> m_open; //!< by NIC port: operations that use it
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_FOLD_H */
