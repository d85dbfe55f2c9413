/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_MEMORY_H
#define PHOTONIC_RAILS_INTRA_NODE_MEMORY_H

#include "intra-node-plan.h"
#include "stretch-part.h"

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"
#include "ns3/picoseconds.h"
#include "ns3/scale-up-ports.h"
#include "ns3/simple-ref-count.h"
#include "ns3/stretch-rank.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** What becomes of an operation on idle ports, all times from its first call on. */
struct IntraNodeResult
{
    std::vector<Picoseconds> ends; //!< by place
    std::vector<ScaleUpBusy> busy; //!< by place: of its port, then
    std::vector<uint64_t> waited;  //!< by place
};

/**
 * @ingroup photonic-rails
 * @brief What the servers of a job have worked out, so that what repeats is worked out once: plans
 * of operations, steps of stretches, and the results of operations on idle ports by the times of
 * their calls.
 *
 * Plain C++.
 */
class IntraNodeMemory : public SimpleRefCount<IntraNodeMemory>
{
  public:
    /** All that a result depends on, as numbers. */
    using Key = std::vector<int64_t>;

    /** @return the plan of an operation */
    std::shared_ptr<const IntraNodePlan> GetPlan(
        const std::shared_ptr<const CollectiveSchedule>& schedule,
        uint64_t buffer,
        uint64_t messageSize,
        CollectiveProtocol protocol);

    /** @return equal steps that were given before, or these */
    std::shared_ptr<const StretchSteps> ShareSteps(StretchSteps&& steps);

    /** @return a part of a stretch; null if there is none */
    std::shared_ptr<const StretchPart> FindPart(const Key& key) const;

    /** Keeps a part of a stretch. */
    void AddPart(const Key& key, std::shared_ptr<const StretchPart> part);

    /** @return a result; null if there is none */
    std::shared_ptr<const IntraNodeResult> FindResult(const Key& key) const;

    /** Keeps a result. */
    void AddResult(const Key& key, std::shared_ptr<const IntraNodeResult> result);

  private:
    /** A hash of a key. */
    struct Hash
    {
        std::size_t operator()(const Key& key) const;
    };

    /** A plan, with its schedule, whose address is in the key. */
    struct Known
    {
        std::shared_ptr<const CollectiveSchedule> schedule;
        std::shared_ptr<const IntraNodePlan> plan;
    };

    std::map<std::tuple<const CollectiveSchedule*, uint64_t, uint64_t, CollectiveProtocol>, Known>
        m_plans;
    std::size_t m_messages{0}; //!< of all plans
    std::vector<std::shared_ptr<const StretchSteps>> m_steps;
    std::unordered_map<Key, std::shared_ptr<const StretchPart>, Hash> m_parts;
    std::unordered_map<Key, std::shared_ptr<const IntraNodeResult>, Hash> m_results;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_MEMORY_H */
