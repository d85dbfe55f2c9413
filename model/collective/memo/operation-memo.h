/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_MEMO_H
#define PHOTONIC_RAILS_OPERATION_MEMO_H

#include "memo-store.h"
#include "memoized-call.h"
#include "memoized-operation.h"

#include "ns3/communication-group.h"
#include "ns3/flow-key.h"
#include "ns3/identifier.h"
#include "ns3/ptr.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-transport.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations of a job on circuits, so that one that is like an earlier one costs an
 * event a rank (MemoizedOperation), with the same times and counts.
 *
 * What can be memoized: collective operations of one stage, and sends by rendezvous, all of whose
 * messages take fabrics inside servers, or circuits without detours, in packet trains, with queue
 * pairs without window and rate, where library and start-up take no time, and without observers:
 * sinks, and traces of frames or messages, at one of the ports or fabrics.
 *
 * CollectiveHelper makes one for each job:
 * @code
 * const Ptr<OperationMemo> memo = Create<OperationMemo>(directory);
 * application->SetMemo(memo); // of each rank
 * @endcode
 */
class OperationMemo : public SimpleRefCount<OperationMemo>,
                      private MemoizedOperation::Ranks,
                      private MemoizedCall::Sends
{
  public:
    /** @param directory of the ranks of the job */
    explicit OperationMemo(const Ptr<RankDirectory>& directory);

    /**
     * Makes the part of a rank in an operation that it calls.
     * @param flow of the operation @param number in the flow
     * @param place of the rank in the group
     * @param owner its operation
     * @return its part; null: a rank of the group is in another process
     */
    std::unique_ptr<MemoizedCall> Call(const FlowKey& flow,
                                       uint64_t number,
                                       const MemoStore::Kind& kind,
                                       const CommunicationGroup& group,
                                       uint32_t place,
                                       MemoizedCall::Owner& owner);

    /** The same for a send that a rank calls, or its receive. */
    std::unique_ptr<MemoizedCall> Call(const MemoizedSend& send, MemoizedCall::Owner& owner);

    /**
     * A send, or its receive, goes by messages though sends may be memoized: the other end is not
     * to wait for it without messages, now or later.
     */
    void LeaveOut(const MemoizedSend& send);

    /** A message has come to a rank of a flow that has not called its operation. */
    void NoteEarly(const FlowKey& flow);

    /** The operations of a flow behind one go on by messages: what has come of them counts. */
    void DisturbLater(const FlowKey& flow, uint64_t number);

    /** The operations of a rank go on by messages. */
    void Stop(RankId rank);

    /** @return whether messages are made up for, and a rank's message belongs to that */
    bool TakeArrived(RankId rank, const TransportMessage& message)
    {
        return std::any_of(m_makingUp.begin(), m_makingUp.end(), [&](const auto& operation) {
            return operation->TakeArrived(rank, message);
        });
    }

    /** The same for a message of a rank that is settled. */
    bool TakeSettled(RankId rank, const TransportMessage& message)
    {
        return std::any_of(m_makingUp.begin(), m_makingUp.end(), [&](const auto& operation) {
            return operation->TakeSettled(rank, message);
        });
    }

    /** Counts of operations. */
    struct Counters
    {
        uint64_t memoized{0};  //!< held to the end; sends that overlap as one
        uint64_t workedOut{0}; //!< of these, those that needed no earlier one
        uint64_t recorded{0};  //!< simulated, and kept or as one that is kept
        uint64_t madeUp{0};    //!< held at first, and made up for
    };

    /** @return the counts so far */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /** The simulation is over. */
    void Clear();

  private:
    /** @return whether all ranks of a group are in this process */
    bool AreHere(const std::vector<RankId>& ranks) const;

    // MemoizedOperation::Ranks
    RdmaEngine& GetEngine(RankId rank) override;
    uint32_t GetContext(RankId rank) override;
    RdmaEngine::Ends GetEnds(const TransportMessage& way) override;
    void SetMakingUp(const std::vector<Ptr<MemoizedOperation>>& operations) override;
    void CountMemoized() override;
    void CountWorkedOut() override;
    void CountRecorded() override;
    void CountMadeUp() override;
    void Forget(const MemoizedOperation& operation) override;

    // MemoizedCall::Sends
    Ptr<MemoizedCall::Operation> Find(const MemoizedSend& send) override;

    /** Names an operation: flow, and number in it. */
    using Key = std::pair<FlowKey, uint64_t>;

    /** Two ranks, in order. */
    using Pair = std::pair<RankId, RankId>;

    /** Names an operation, and its ranks. */
    struct About
    {
        std::optional<Key> key; //!< none: sends
        std::vector<RankId> ranks{};
    };

    Ptr<RankDirectory> m_directory;
    Ptr<MemoStore> m_memory;
    std::vector<Ptr<RdmaEngine>> m_engines; //!< by rank
    std::map<Key, Ptr<MemoizedOperation>> m_operations;
    std::map<Pair, Ptr<MemoizedOperation>> m_pairs; //!< sends that overlap
    std::set<Pair> m_leftOut;                       //!< see LeaveOut()
    std::map<const MemoizedOperation*, About> m_about;
    std::vector<Ptr<MemoizedOperation>> m_makingUp;
    Counters m_counters;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_MEMO_H */
