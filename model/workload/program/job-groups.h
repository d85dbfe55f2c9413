/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_GROUPS_H
#define PHOTONIC_RAILS_JOB_GROUPS_H

#include "ns3/parallelism-plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** The data that ranks exchange in a group. */
enum class GroupRole : uint8_t
{
    TENSOR,      //!< partial sums, or tokens with sequence parallelism
    CONTEXT,     //!< keys and values
    EXPERT,      //!< tokens to experts and back
    DATA,        //!< parameters and gradients that all data-parallel ranks share
    EXPERT_DATA, //!< those of experts, among ranks that have the same experts
    REPLICA,     //!< gradients of a shard, among its replicas (HSDP)
    PIPELINE,    //!< activations and their gradients, between stages
    CHECKPOINT,  //!< copies of state, from server to server of a rail
};

/** A group of ranks of a job. */
struct JobGroup
{
    GroupRole role{GroupRole::DATA};
    std::string name{};            //!< "dp 3"; up to the first space or dash, its parallelism
    std::vector<uint32_t> ranks{}; //!< ascending
    bool onOneRail{false};         //!< each rank in another server, all on the same rail
    bool inScaleUp{false};         //!< all in one server: no rail is used
};

/** @return the parallelism in a group's name: tp, cp, ep, dp or pp @param group "dp 3" */
std::string ParallelismNameOf(const std::string& group);

/**
 * @ingroup photonic-rails
 * @brief All groups of a job with more than one rank, and the ranks of each.
 *
 * Rank programs name groups by number; GetNumber() returns it for a role, the same for all ranks,
 * and GetGroupsOf() returns the group of each number for a rank.
 */
class JobGroups
{
  public:
    /**
     * @param plan must have no mistakes
     * @param hasCheckpoints whether ranks of a rail copy their state to each other
     */
    explicit JobGroups(const ParallelismPlan& plan, bool hasCheckpoints = false);

    /** @return all groups */
    const std::vector<JobGroup>& GetGroups() const
    {
        return m_groups;
    }

    /** @return by number in rank programs: the index in GetGroups() for a rank */
    std::vector<uint32_t> GetGroupsOf(uint32_t rank) const;

    /** @return the number that rank programs use, or none if each rank is alone */
    std::optional<uint32_t> GetNumber(GroupRole role) const;

    /**
     * @return whether one rail connects a group's ranks
     * @param number of the group in rank programs
     */
    bool IsOnOneRail(uint32_t number) const;

    /** @return the number of ranks of a group */
    uint32_t GetSize(GroupRole role) const;

  private:
    /** Adds the groups of checkpoints: the ranks of each rail, by server. */
    void AddRails(const RankLayout& layout, uint32_t rails);
    /** Adds all groups of a role, if they have more than one rank. */
    void Add(const RankLayout& layout,
             GroupRole role,
             const std::vector<Parallelism>& parallelisms);

    std::vector<JobGroup> m_groups;
    std::map<GroupRole, uint32_t> m_number;
    std::map<GroupRole, uint32_t> m_size;
    std::vector<std::vector<uint32_t>> m_groupOf; //!< by number and rank
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_GROUPS_H */
