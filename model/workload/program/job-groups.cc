/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-groups.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

std::string
NameOf(GroupRole role)
{
    switch (role)
    {
    case GroupRole::TENSOR:
        return "tp";
    case GroupRole::CONTEXT:
        return "cp";
    case GroupRole::EXPERT:
        return "ep";
    case GroupRole::DATA:
        return "dp";
    case GroupRole::EXPERT_DATA:
        return "dp-experts";
    case GroupRole::REPLICA:
        return "dp-replicas";
    case GroupRole::CHECKPOINT:
        return "checkpoint";
    case GroupRole::PIPELINE:
        break;
    }
    return "pp";
}

} // namespace

std::string
ParallelismNameOf(const std::string& group)
{
    return group.substr(0, group.find_first_of(" -"));
}

JobGroups::JobGroups(const ParallelismPlan& plan, bool hasCheckpoints)
{
    const RankLayout layout(plan);
    const std::vector<Parallelism> experts{Parallelism::CONTEXT, Parallelism::SHARD};
    std::vector<Parallelism> data = experts;
    data.push_back(Parallelism::EXPERT);

    Add(layout, GroupRole::TENSOR, {Parallelism::TENSOR});
    Add(layout, GroupRole::CONTEXT, {Parallelism::CONTEXT});
    Add(layout, GroupRole::DATA, data);
    if (plan.ep > 1)
    {
        Add(layout, GroupRole::EXPERT, {Parallelism::EXPERT});
        Add(layout, GroupRole::EXPERT_DATA, experts);
    }
    Add(layout, GroupRole::REPLICA, {Parallelism::REPLICA}); // exist only with sharding
    Add(layout, GroupRole::PIPELINE, {Parallelism::PIPELINE});
    if (hasCheckpoints)
    {
        AddRails(layout, plan.scaleUp);
    }
}

void
JobGroups::AddRails(const RankLayout& layout, uint32_t rails)
{
    m_size[GroupRole::CHECKPOINT] = layout.GetRanks() / rails;
    m_number[GroupRole::CHECKPOINT] = m_groupOf.size();
    m_groupOf.emplace_back(layout.GetRanks());
    for (uint32_t rail = 0; rail < rails; ++rail)
    {
        JobGroup group;
        group.role = GroupRole::CHECKPOINT;
        group.name = NameOf(group.role) + " " + std::to_string(rail);
        group.onOneRail = true;
        for (uint32_t rank = rail; rank < layout.GetRanks(); rank += rails)
        {
            group.ranks.push_back(rank);
            m_groupOf.back()[rank] = m_groups.size();
        }
        m_groups.push_back(std::move(group));
    }
}

void
JobGroups::Add(const RankLayout& layout,
               GroupRole role,
               const std::vector<Parallelism>& parallelisms)
{
    m_size[role] = layout.GetGroup(0, parallelisms).size();
    if (m_size[role] == 1)
    {
        return;
    }
    m_number[role] = m_groupOf.size();
    std::vector<uint32_t> groupOf(layout.GetRanks(), UINT32_MAX);
    uint32_t number = 0;
    for (uint32_t rank = 0; rank < layout.GetRanks(); ++rank)
    {
        if (groupOf[rank] != UINT32_MAX)
        {
            continue;
        }
        std::vector<uint32_t> ranks = layout.GetGroup(rank, parallelisms);
        std::sort(ranks.begin(), ranks.end());
        for (const uint32_t member : ranks)
        {
            groupOf[member] = m_groups.size();
        }
        JobGroup group;
        group.role = role;
        group.name = NameOf(role) + " " + std::to_string(number++);
        group.onOneRail = std::all_of(ranks.begin(), ranks.end(), [&](uint32_t member) {
            return layout.GetRail(member) == layout.GetRail(ranks.front()) &&
                   (member == ranks.front() ||
                    layout.GetServer(member) != layout.GetServer(ranks.front()));
        });
        group.inScaleUp = layout.IsInScaleUp(ranks);
        group.ranks = std::move(ranks);
        m_groups.push_back(std::move(group));
    }
    m_groupOf.push_back(std::move(groupOf));
}

std::vector<uint32_t>
JobGroups::GetGroupsOf(uint32_t rank) const
{
    std::vector<uint32_t> groups;
    for (const auto& groupOf : m_groupOf)
    {
        groups.push_back(groupOf.at(rank));
    }
    return groups;
}

std::optional<uint32_t>
JobGroups::GetNumber(GroupRole role) const
{
    const auto found = m_number.find(role);
    return found == m_number.end() ? std::nullopt : std::optional<uint32_t>(found->second);
}

bool
JobGroups::IsOnOneRail(uint32_t number) const
{
    return m_groups.at(m_groupOf.at(number).front()).onOneRail;
}

uint32_t
JobGroups::GetSize(GroupRole role) const
{
    const auto found = m_size.find(role);
    return found == m_size.end() ? 1 : found->second;
}

} // namespace ns3
