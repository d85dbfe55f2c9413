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
#include <utility>
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

    /** A hash of a key. */
    struct Hash
    {
        std::size_t operator()(const Key& key) const;
    };

    /** The most results of a kind that are kept: with random computing times few occur again. */
    static constexpr std::size_t MOST_RESULTS = 1024;

    /** Results of a kind, by their keys. */
    template <typename Result>
    class Results
    {
      public:
        /** @return a result; null if there is none */
        std::shared_ptr<const Result> Find(const Key& key) const
        {
            const auto known = m_known.find(key);
            return known == m_known.end() ? nullptr : known->second;
        }

        /** Keeps a result. */
        void Add(const Key& key, std::shared_ptr<const Result> result)
        {
            if (m_known.size() >= MOST_RESULTS)
            {
                m_known.clear();
            }
            m_known[key] = std::move(result);
        }

        /** Forgets all. */
        void Clear()
        {
            m_known.clear();
        }

      private:
        std::unordered_map<Key, std::shared_ptr<const Result>, Hash> m_known;
    };

    /** @return what is known of single operations */
    Results<IntraNodeResult>& GetResults()
    {
        return m_results;
    }

    /** @return what is known of parts of stretches */
    Results<StretchPart>& GetParts()
    {
        return m_parts;
    }

  private:
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
    Results<StretchPart> m_parts;
    Results<IntraNodeResult> m_results;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_MEMORY_H */
