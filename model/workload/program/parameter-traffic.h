/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PARAMETER_TRAFFIC_H
#define PHOTONIC_RAILS_PARAMETER_TRAFFIC_H

#include "job-groups.h"
#include "training-task.h"

#include "ns3/model-unit.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the exchanges of data-parallel ranks: parameters before their use, gradients after
 * their computation.
 *
 * It keeps the set of gathered units of a rank, and the gradients that wait for their bucket.
 */
class ParameterTraffic
{
  public:
    /**
     * @param task of the job
     * @param groups of the job
     * @param program receives the operations of the streams GATHER and REDUCE
     */
    ParameterTraffic(const TrainingTask& task, const JobGroups& groups, RankProgram& program);

    /** @return whether a unit must be gathered before its use */
    bool MustGather(const ModelUnit& unit) const;

    /**
     * Gathers a unit.
     * @param after operations that it waits for
     * @return operations that its user waits for
     */
    std::vector<uint32_t> Gather(const ModelUnit& unit, const std::vector<uint32_t>& after);

    /** Frees the gathered parameters of a unit. */
    void Free(const ModelUnit& unit);

    /**
     * Processes the gradients of a unit.
     * @param after the operations that the reduction waits for, the one that computes them first
     */
    void Reduce(const ModelUnit& unit, const std::vector<uint32_t>& after);

    /** @return the reductions of this iteration so far */
    const std::vector<uint32_t>& GetReductions() const
    {
        return m_reductions;
    }

    /**
     * Ends an iteration: sums waiting gradients, then writes the small reductions.
     * @param after the last operation of the backward passes
     * @return the operations that the optimizer waits for
     */
    std::vector<uint32_t> Finish(uint32_t after);

    /** @return the parameters that a rank updates @param units of its stages */
    uint64_t CountUpdated(const std::vector<std::vector<ModelUnit>>& units) const;

  private:
    /** Waiting gradients of a kind. */
    struct Bucket
    {
        GroupRole role{GroupRole::DATA};
        uint64_t bytes{0};
        uint32_t after{0};
    };

    /** Writes a collective, if the group has more than one rank. */
    void Write(uint32_t stream,
               GroupRole role,
               CollectiveKind kind,
               uint64_t bytes,
               const std::vector<uint32_t>& after,
               const std::string& label,
               std::vector<uint32_t>& written);
    /** @return the role of the ranks that have the same experts */
    GroupRole ExpertRole() const;
    /** Processes the gradients of a kind. */
    void ReducePart(GroupRole role,
                    uint64_t parameters,
                    const std::vector<uint32_t>& after,
                    const std::string& label);
    /** Adds to a bucket, and sums it if it is full. */
    void AddToBucket(GroupRole role, uint64_t bytes, uint32_t after);
    /** Sums a bucket. */
    void Empty(Bucket& bucket, uint32_t after);

    const TrainingTask& m_task;
    const JobGroups& m_groups;
    RankProgram& m_program;
    std::set<std::string> m_held; //!< names of gathered units
    std::vector<Bucket> m_buckets;
    std::vector<uint32_t> m_reductions; //!< reductions of this iteration
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PARAMETER_TRAFFIC_H */
