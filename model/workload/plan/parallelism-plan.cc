/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "parallelism-plan.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::size_t AXES = 6;

/** What an order names: the axes, but for replicas, which go where dp goes. */
const std::vector<std::pair<std::string, std::vector<ParallelAxis>>>&
GetOrderNames()
{
    static const std::vector<std::pair<std::string, std::vector<ParallelAxis>>> names{
        {"tp", {ParallelAxis::TENSOR}},
        {"cp", {ParallelAxis::CONTEXT}},
        {"ep", {ParallelAxis::EXPERT}},
        {"dp", {ParallelAxis::SHARD, ParallelAxis::REPLICA}},
        {"pp", {ParallelAxis::PIPELINE}},
    };
    return names;
}

/** @return the axes in the order in which they run, fastest first; fewer than all where the order
 *  has a mistake @param order such as tp-cp-ep-dp-pp */
std::vector<ParallelAxis>
ReadOrder(const std::string& order)
{
    std::vector<ParallelAxis> axes;
    std::istringstream words(order);
    for (std::string word; std::getline(words, word, '-');)
    {
        const auto& names = GetOrderNames();
        const auto found = std::find_if(names.begin(), names.end(), [&word](const auto& name) {
            return name.first == word;
        });
        const bool again =
            found != names.end() && std::count(axes.begin(), axes.end(), found->second.front()) > 0;
        if (found == names.end() || again)
        {
            return {};
        }
        axes.insert(axes.end(), found->second.begin(), found->second.end());
    }
    const bool dangling = !order.empty() && order.back() == '-';
    return dangling ? std::vector<ParallelAxis>{} : axes;
}

} // namespace

const std::vector<ParallelAxis>&
GetParallelAxes()
{
    static const std::vector<ParallelAxis> axes{ParallelAxis::TENSOR,
                                                ParallelAxis::CONTEXT,
                                                ParallelAxis::EXPERT,
                                                ParallelAxis::SHARD,
                                                ParallelAxis::REPLICA,
                                                ParallelAxis::PIPELINE};
    return axes;
}

const char*
ToString(ParallelAxis axis)
{
    static const char* const names[AXES]{"tp", "cp", "ep", "dp", "replica", "pp"};
    return names[static_cast<std::size_t>(axis)];
}

uint32_t
ParallelismPlan::GetDegree(ParallelAxis axis) const
{
    switch (axis)
    {
    case ParallelAxis::TENSOR:
        return tp;
    case ParallelAxis::CONTEXT:
        return cp;
    case ParallelAxis::EXPERT:
        return ep;
    case ParallelAxis::SHARD:
        return dp / ep / replicas;
    case ParallelAxis::REPLICA:
        return replicas;
    case ParallelAxis::PIPELINE:
        return pp;
    }
    NS_ABORT_MSG("there is no axis " << static_cast<int>(axis));
    return 0;
}

std::string
FindMistake(const ParallelismPlan& plan)
{
    const std::vector<std::pair<const char*, uint32_t>> numbers{{"tp", plan.tp},
                                                                {"cp", plan.cp},
                                                                {"dp", plan.dp},
                                                                {"pp", plan.pp},
                                                                {"ep", plan.ep},
                                                                {"replicas", plan.replicas},
                                                                {"scaleUp", plan.scaleUp}};
    uint64_t ranks = 1;
    for (const auto& [name, value] : numbers)
    {
        if (value == 0)
        {
            return std::string("parallelism plan: ") + name + " is 0; the least is 1";
        }
    }
    for (const uint32_t degree : {plan.tp, plan.cp, plan.dp, plan.pp})
    {
        ranks *= degree;
        if (ranks > LARGEST_PLAN)
        {
            return "parallelism plan: tp x cp x dp x pp is above " + std::to_string(LARGEST_PLAN) +
                   " ranks; the most is that";
        }
    }
    if (uint64_t{plan.ep} * plan.replicas > plan.dp || plan.dp % (plan.ep * plan.replicas) != 0)
    {
        return "parallelism plan: dp is " + std::to_string(plan.dp) +
               ", which is not a multiple of ep x replicas = " + std::to_string(plan.ep) + " x " +
               std::to_string(plan.replicas) +
               "; dp counts ranks of expert parallelism and replicas too";
    }
    if (plan.replicas > 1 && plan.sharding == ParameterSharding::NONE)
    {
        return "parallelism plan: replicas is " + std::to_string(plan.replicas) +
               " but parameters are not sharded, so each of dp ranks is a replica already; set "
               "replicas to 1, or sharding to FULL";
    }
    if (ReadOrder(plan.order).size() != AXES)
    {
        return "parallelism plan: order is \"" + plan.order +
               "\"; it has to name tp, cp, ep, dp and pp, each once, with - between them, the "
               "fastest first, such as tp-cp-ep-dp-pp";
    }
    return "";
}

RankLayout::RankLayout(const ParallelismPlan& plan)
    : m_ranks(plan.GetRanks()),
      m_scaleUp(plan.scaleUp),
      m_degree(AXES),
      m_stride(AXES)
{
    const std::string mistake = FindMistake(plan);
    NS_ABORT_MSG_UNLESS(mistake.empty(), mistake);
    uint32_t stride = 1;
    for (const ParallelAxis axis : ReadOrder(plan.order))
    {
        const std::size_t index = static_cast<std::size_t>(axis);
        m_degree[index] = plan.GetDegree(axis);
        m_stride[index] = stride;
        stride *= m_degree[index];
    }
}

uint32_t
RankLayout::GetPlace(uint32_t rank, ParallelAxis axis) const
{
    NS_ABORT_MSG_UNLESS(rank < m_ranks, "there is no rank " << rank << " of " << m_ranks);
    const std::size_t index = static_cast<std::size_t>(axis);
    return rank / m_stride[index] % m_degree[index];
}

uint32_t
RankLayout::GetPeer(uint32_t rank, ParallelAxis axis, uint32_t place) const
{
    const std::size_t index = static_cast<std::size_t>(axis);
    NS_ABORT_MSG_UNLESS(place < m_degree[index],
                        "there is no place " << place << " along " << ToString(axis) << " of "
                                             << m_degree[index]);
    return rank - GetPlace(rank, axis) * m_stride[index] + place * m_stride[index];
}

std::vector<uint32_t>
RankLayout::GetGroup(uint32_t rank, const std::vector<ParallelAxis>& axes) const
{
    std::vector<uint32_t> group{rank};
    for (const ParallelAxis axis : axes)
    {
        std::vector<uint32_t> wider;
        for (uint32_t place = 0; place < m_degree[static_cast<std::size_t>(axis)]; ++place)
        {
            for (const uint32_t one : group)
            {
                wider.push_back(GetPeer(one, axis, place));
            }
        }
        group = std::move(wider);
    }
    return group;
}

uint32_t
RankLayout::GetServer(uint32_t rank) const
{
    return rank / m_scaleUp;
}

uint32_t
RankLayout::GetRail(uint32_t rank) const
{
    return rank % m_scaleUp;
}

bool
RankLayout::IsInScaleUp(const std::vector<uint32_t>& ranks) const
{
    return std::all_of(ranks.begin(), ranks.end(), [this, &ranks](uint32_t rank) {
        return GetServer(rank) == GetServer(ranks.front());
    });
}

} // namespace ns3
