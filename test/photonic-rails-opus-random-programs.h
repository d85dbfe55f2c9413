/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_RANDOM_PROGRAMS_H
#define PHOTONIC_RAILS_OPUS_RANDOM_PROGRAMS_H

#include "photonic-rails-opus-random.h"

#include "ns3/rank-program.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

/**
 * @file
 * The list of operations of a random job, rank by rank.
 */

namespace ns3
{

/** The parts of ranks in a random job. */
class RandomPrograms
{
  public:
    explicit RandomPrograms(const RandomJob& job)
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

    /** What a rank does. */
    struct Part
    {
        std::shared_ptr<RankProgram> program{std::make_shared<RankProgram>()};
        std::map<uint32_t, uint32_t> groups; //!< of the job: their numbers in the program
        std::vector<uint32_t> order;         //!< the groups, in order of these numbers
        std::map<uint32_t, uint32_t> listed; //!< by operation of the program: that of the job
        std::map<uint32_t, uint32_t> last;   //!< by stream: the last operation of the program
        int64_t iteration{-1};
    };

    const std::vector<Part>& GetParts() const
    {
        return m_parts;
    }

  private:
    uint32_t GroupOf(Part& part, uint32_t group)
    {
        const auto [found, isNew] = part.groups.try_emplace(group, part.order.size());
        if (isNew)
        {
            part.order.push_back(group);
        }
        return found->second;
    }

    void Add(uint32_t rank, uint32_t number)
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
        operation.duration = listed.duration;
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
                std::find(ranks.begin(), ranks.end(), sends ? listed.to : listed.from) -
                ranks.begin();
            operation.stream = !m_job.streams ? 0 : sends ? 1 : 2;
        }
        if (listed.kind != RandomOperation::Kind::COMPUTE)
        {
            operation.group = GroupOf(part, listed.group);
            operation.bytes = listed.bytes;
        }
        // some wait for what was on another stream, as the list has it
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

    void Hint(Part& part, uint32_t stream, CircuitHint::Kind kind, uint32_t operation)
    {
        const uint32_t hint = part.program->Hint(stream, kind);
        part.program->Edit(hint).first = operation;
        part.program->Edit(hint).last = operation;
    }

    const RandomJob& m_job;
    std::vector<Part> m_parts;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_RANDOM_PROGRAMS_H */
