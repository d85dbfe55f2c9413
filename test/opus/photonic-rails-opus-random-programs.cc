/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-opus-random-programs.h"

#include "photonic-rails-opus-random.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

RandomPrograms::RandomPrograms(const RandomJob& job)
    : m_job(job),
      m_parts(job.servers * job.rails)
{
    for (uint32_t o = 0; o < job.operations.size(); ++o)
    {
        for (const uint32_t rank : job.RanksOf(job.operations[o]))
        {
            Add(rank, o);
        }
    }
}

uint32_t
RandomPrograms::GroupOf(Part& part, uint32_t group)
{
    const auto [found, isNew] = part.groups.try_emplace(group, part.order.size());
    if (isNew)
    {
        part.order.push_back(group);
    }
    return found->second;
}

void
RandomPrograms::Add(uint32_t rank, uint32_t number)
{
    const RandomOperation& listed = m_job.operations[number];
    Part& part = m_parts[rank];
    while (part.iteration < listed.iteration)
    {
        ++part.iteration;
        part.program->BeginIteration();
    }
    RankOperation operation;
    operation.kind = RankOperation::Kind::COMPUTE;
    operation.duration = ToTime(listed.duration);
    if (listed.kind == RandomOperation::Kind::COLLECTIVE)
    {
        operation.kind = RankOperation::Kind::COLLECTIVE;
        operation.collective = listed.collective;
        operation.algorithm = listed.algorithm;
        operation.stream = m_job.streams ? m_job.groups[listed.group].stream : 0;
    }
    else if (listed.kind == RandomOperation::Kind::SEND)
    {
        const bool sends = listed.from == rank;
        operation.kind = sends ? RankOperation::Kind::SEND : RankOperation::Kind::RECEIVE;
        const std::vector<uint32_t>& ranks = m_job.groups[listed.group].ranks;
        operation.place =
            std::find(ranks.begin(), ranks.end(), sends ? listed.to : listed.from) - ranks.begin();
        operation.stream = !m_job.streams ? 0 : sends ? 1 : 2;
    }
    if (listed.kind != RandomOperation::Kind::COMPUTE)
    {
        operation.group = GroupOf(part, listed.group);
        operation.bytes = listed.bytes;
    }
    // some wait for operations of another stream, as the list has it
    for (const auto& [stream, last] : part.last)
    {
        if (stream != operation.stream && (number + stream + rank) % 3 == 0)
        {
            operation.after.push_back(last);
        }
    }
    const bool hints = m_job.policy == "co-scheduled" && !m_job.streams &&
                       listed.kind != RandomOperation::Kind::COMPUTE;
    const uint32_t here = part.program->GetOperations().size();
    const uint32_t mine = here + (hints && listed.acquired ? 1 : 0);
    if (mine > here)
    {
        Hint(part, operation.stream, CircuitHint::Kind::ACQUIRE, mine);
    }
    part.program->Add(operation);
    part.listed[mine] = number;
    part.last[operation.stream] = mine;
    if (hints && listed.released)
    {
        Hint(part, operation.stream, CircuitHint::Kind::RELEASE, mine);
    }
}

void
RandomPrograms::Hint(Part& part, uint32_t stream, CircuitHint::Kind kind, uint32_t operation)
{
    const uint32_t hint = part.program->Hint(stream, kind);
    part.program->Edit(hint).first = operation;
    part.program->Edit(hint).last = operation;
}

} // namespace ns3
