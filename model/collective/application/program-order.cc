/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "program-order.h"

#include "program-stretches.h"
#include "rank-program.h"

#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace ns3
{

ProgramOrder::ProgramOrder(const RankProgram& program, const std::vector<uint32_t>& same)
    : m_places(program.GetOperations().size()),
      m_streams(program.GetStreams())
{
    using Kind = RankOperation::Kind;
    std::map<std::tuple<uint32_t, Kind, uint32_t>, uint32_t> flows;
    std::set<std::tuple<uint32_t, Kind, uint32_t>> distinct;
    std::vector<uint32_t> counts; // by flow
    const std::vector<RankOperation>& operations = program.GetOperations();
    for (uint32_t o = 0; o < operations.size(); ++o)
    {
        const RankOperation& call = operations[o];
        Place& place = m_places[o];
        place.index = m_streams[call.stream].size();
        m_streams[call.stream].push_back(o);
        if (!call.IsExchange())
        {
            continue;
        }
        const uint32_t group = same.empty() ? call.group : same[call.group];
        const uint32_t to = call.kind == Kind::COLLECTIVE ? 0 : call.place;
        const auto [flow, isNew] = flows.try_emplace({group, call.kind, to}, m_flows.size());
        if (isNew)
        {
            m_flows.push_back(o);
            counts.push_back(0);
        }
        place.flow = flow->second;
        place.number = counts[place.flow]++;
        if (distinct.emplace(call.group, call.kind, call.place).second)
        {
            m_distinct.push_back(o);
        }
    }
    for (std::vector<uint32_t>& stream : m_streams)
    {
        stream.shrink_to_fit();
    }
    m_stretches = std::make_shared<const ProgramStretches>(program, *this);
}

std::shared_ptr<const ProgramOrder>
ProgramOrder::Share(const std::shared_ptr<const RankProgram>& program)
{
    // an order that is kept keeps its program, so the address of that is no other program's
    static std::map<const RankProgram*, std::weak_ptr<const ProgramOrder>> kept;
    std::shared_ptr<const ProgramOrder> known = kept[program.get()].lock();
    if (known && known->m_places.size() == program->GetOperations().size())
    {
        return known;
    }
    for (auto one = kept.begin(); one != kept.end();)
    {
        one = one->second.expired() ? kept.erase(one) : std::next(one);
    }
    const auto order = std::make_shared<ProgramOrder>(*program);
    order->m_program = program;
    kept[program.get()] = order;
    return order;
}

} // namespace ns3
