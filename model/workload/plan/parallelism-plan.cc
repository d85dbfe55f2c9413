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

constexpr std::size_t PARALLELISMS = 6;

/** The names in an order: the parallelisms, except for replicas, which follow dp. */
const std::vector<std::pair<std::string, std::vector<Parallelism>>>&
GetOrderNames()
{
    static const std::vector<std::pair<std::string, std::vector<Parallelism>>> names{
        {"tp", {Parallelism::TENSOR}},
        {"cp", {Parallelism::CONTEXT}},
        {"ep", {Parallelism::EXPERT}},
        {"dp", {Parallelism::SHARD, Parallelism::REPLICA}},
        {"pp", {Parallelism::PIPELINE}},
    };
    return names;
}

/**
 * @return the parallelisms in order, fastest varying first; fewer than all if the order has a
 *         mistake
 * @param order such as tp-cp-ep-dp-pp
 */
std::vector<Parallelism>
ReadOrder(const std::string& order)
{
    std::vector<Parallelism> parallelisms;
    std::istringstream words(order);
    for (std::string word; std::getline(words, word, '-');)
    {
        const auto& names = GetOrderNames();
        const auto found = std::find_if(names.begin(), names.end(), [&word](const auto& name) {
            return name.first == word;
        });
        const bool again =
            found != names.end() &&
            std::count(parallelisms.begin(), parallelisms.end(), found->second.front()) > 0;
        if (found == names.end() || again)
        {
            return {};
        }
        parallelisms.insert(parallelisms.end(), found->second.begin(), found->second.end());
    }
    const bool dangling = !order.empty() && order.back() == '-';
    return dangling ? std::vector<Parallelism>{} : parallelisms;
}

} // namespace

const std::vector<Parallelism>&
GetParallelisms()
{
    static const std::vector<Parallelism> parallelisms{Parallelism::TENSOR,
                                                       Parallelism::CONTEXT,
                                                       Parallelism::EXPERT,
                                                       Parallelism::SHARD,
                                                       Parallelism::REPLICA,
                                                       Parallelism::PIPELINE};
    return parallelisms;
}

const char*
ToString(Parallelism parallelism)
{
    static const char* const names[PARALLELISMS]{"tp", "cp", "ep", "dp", "replica", "pp"};
    return names[static_cast<std::size_t>(parallelism)];
}

uint32_t
ParallelismPlan::GetDegree(Parallelism parallelism) const
{
    switch (parallelism)
    {
    case Parallelism::TENSOR:
        return tp;
    case Parallelism::CONTEXT:
        return cp;
    case Parallelism::EXPERT:
        return ep;
    case Parallelism::SHARD:
        return dp / ep / replicas;
    case Parallelism::REPLICA:
        return replicas;
    case Parallelism::PIPELINE:
        return pp;
    }
    NS_ABORT_MSG("there is no parallelism " << static_cast<int>(parallelism));
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
    if (ReadOrder(plan.order).size() != PARALLELISMS)
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
      m_degree(PARALLELISMS),
      m_stride(PARALLELISMS)
{
    const std::string mistake = FindMistake(plan);
    NS_ABORT_MSG_UNLESS(mistake.empty(), mistake);
    uint32_t stride = 1;
    for (const Parallelism parallelism : ReadOrder(plan.order))
    {
        const std::size_t index = static_cast<std::size_t>(parallelism);
        m_degree[index] = plan.GetDegree(parallelism);
        m_stride[index] = stride;
        stride *= m_degree[index];
    }
}

uint32_t
RankLayout::GetPlace(uint32_t rank, Parallelism parallelism) const
{
    NS_ABORT_MSG_UNLESS(rank < m_ranks, "there is no rank " << rank << " of " << m_ranks);
    const std::size_t index = static_cast<std::size_t>(parallelism);
    return rank / m_stride[index] % m_degree[index];
}

uint32_t
RankLayout::GetPeer(uint32_t rank, Parallelism parallelism, uint32_t place) const
{
    const std::size_t index = static_cast<std::size_t>(parallelism);
    NS_ABORT_MSG_UNLESS(place < m_degree[index],
                        "there is no place " << place << " along " << ToString(parallelism)
                                             << " of " << m_degree[index]);
    return rank - GetPlace(rank, parallelism) * m_stride[index] + place * m_stride[index];
}

std::vector<uint32_t>
RankLayout::GetGroup(uint32_t rank, const std::vector<Parallelism>& parallelisms) const
{
    std::vector<uint32_t> group{rank};
    for (const Parallelism parallelism : parallelisms)
    {
        std::vector<uint32_t> wider;
        for (uint32_t place = 0; place < m_degree[static_cast<std::size_t>(parallelism)]; ++place)
        {
            for (const uint32_t one : group)
            {
                wider.push_back(GetPeer(one, parallelism, place));
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
