/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-program.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

const char*
NameOfKind(const RankOperation& operation)
{
    switch (operation.kind)
    {
    case RankOperation::Kind::COMPUTE:
        return "compute";
    case RankOperation::Kind::COLLECTIVE:
        return ToString(operation.collective);
    case RankOperation::Kind::SEND:
        return "send";
    case RankOperation::Kind::RECEIVE:
        return "receive";
    case RankOperation::Kind::ITERATION:
        return "iteration";
    case RankOperation::Kind::CIRCUITS:
        break;
    }
    return "circuits";
}

uint32_t
RankProgram::Add(const RankOperation& operation)
{
    m_operations.push_back(operation);
    const uint32_t number = m_operations.size() - 1;
    m_operations.back().after.clear();
    for (const uint32_t earlier : operation.after)
    {
        After(number, earlier);
    }
    m_lastOf[operation.stream] = number;
    if (m_iteration && m_begun.insert(operation.stream).second)
    {
        After(number, *m_iteration);
    }
    return number;
}

uint32_t
RankProgram::Compute(uint32_t stream, Time duration, const std::string& label)
{
    NS_ABORT_MSG_IF(duration.IsStrictlyNegative(),
                    "RankProgram: computing can't take " << duration.GetTimeStep()
                                                         << " ps; give 0 or more");
    RankOperation operation;
    operation.stream = stream;
    operation.duration = duration;
    operation.label = label;
    return Add(operation);
}

uint32_t
RankProgram::Collective(uint32_t stream,
                        uint32_t group,
                        CollectiveKind kind,
                        uint64_t bytes,
                        const std::string& algorithm)
{
    RankOperation operation;
    operation.kind = RankOperation::Kind::COLLECTIVE;
    operation.stream = stream;
    operation.group = group;
    operation.collective = kind;
    operation.bytes = bytes;
    operation.algorithm = algorithm;
    return Add(operation);
}

uint32_t
RankProgram::Send(uint32_t stream, uint32_t group, uint32_t to, uint64_t bytes)
{
    RankOperation operation;
    operation.kind = RankOperation::Kind::SEND;
    operation.stream = stream;
    operation.group = group;
    operation.place = to;
    operation.bytes = bytes;
    return Add(operation);
}

uint32_t
RankProgram::Receive(uint32_t stream, uint32_t group, uint32_t from, uint64_t bytes)
{
    const uint32_t number = Send(stream, group, from, bytes);
    m_operations[number].kind = RankOperation::Kind::RECEIVE;
    return number;
}

uint32_t
RankProgram::SendReceiveGroup(uint32_t stream,
                              uint32_t group,
                              uint32_t ranks,
                              const std::vector<GroupedSend>& sends)
{
    auto demand = std::make_shared<DemandMatrix>(ranks);
    for (const GroupedSend& one : sends)
    {
        NS_ABORT_MSG_UNLESS(one.from < ranks && one.to < ranks && one.from != one.to,
                            "RankProgram: a grouped send from place "
                                << one.from << " to place " << one.to << " in a group of " << ranks
                                << "; name two places, counted from 0");
        demand->Set(one.from, one.to, demand->Get(one.from, one.to) + one.bytes);
    }
    const uint32_t number =
        Collective(stream, group, CollectiveKind::ALL_TO_ALL_V, 0, "grouped-sends");
    m_operations[number].demand = demand;
    return number;
}

uint32_t
RankProgram::BeginIteration()
{
    RankOperation operation;
    operation.kind = RankOperation::Kind::ITERATION;
    for (const auto& [stream, last] : m_lastOf)
    {
        if (!m_operations[last].isBackground)
        {
            operation.after.push_back(last);
        }
    }
    m_iteration.reset();
    const uint32_t number = Add(operation);
    m_iteration = number;
    m_begun = {operation.stream};
    return number;
}

uint32_t
RankProgram::Hint(uint32_t stream, CircuitHint::Kind hint)
{
    RankOperation operation;
    operation.kind = RankOperation::Kind::CIRCUITS;
    operation.stream = stream;
    operation.hint = hint;
    return Add(operation);
}

void
RankProgram::After(uint32_t operation, uint32_t earlier)
{
    NS_ABORT_MSG_UNLESS(earlier < operation && operation < m_operations.size(),
                        "RankProgram: operation " << operation << " can't come after operation "
                                                  << earlier
                                                  << ": name one that was added before it");
    m_operations[operation].after.push_back(earlier);
}

void
RankProgram::Shrink()
{
    m_operations.shrink_to_fit();
}

const std::vector<RankOperation>&
RankProgram::GetOperations() const
{
    return m_operations;
}

RankOperation&
RankProgram::Edit(uint32_t operation)
{
    return m_operations.at(operation);
}

uint32_t
RankProgram::GetGroups() const
{
    uint32_t groups = 0;
    for (const RankOperation& one : m_operations)
    {
        groups = one.IsExchange() ? std::max(groups, one.group + 1) : groups;
    }
    return groups;
}

uint32_t
RankProgram::GetStreams() const
{
    uint32_t streams = 0;
    for (const RankOperation& one : m_operations)
    {
        streams = std::max(streams, one.stream + 1);
    }
    return streams;
}

} // namespace ns3
