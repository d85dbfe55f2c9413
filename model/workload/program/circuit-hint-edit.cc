/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-hint-edit.h"

#include "job-dry-run.h"
#include "job-groups.h"
#include "job-layout.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** Operations in a row of one parallelism, in order of their calls. */
struct PhaseRun
{
    std::string parallelism;
    std::vector<uint32_t> operations; //!< by number
};

/** The hints for a run. */
struct RunHints
{
    std::vector<uint32_t> after; //!< operations that must be over before
    std::vector<std::pair<uint32_t, uint32_t>>
        ranges; //!< the first and last operation of each flow
    Time due{0};

    bool operator==(const RunHints& other) const
    {
        return after == other.after && ranges == other.ranges && due == other.due;
    }
};

/** @return the flow of an exchange */
std::tuple<uint32_t, RankOperation::Kind, uint32_t>
FlowOf(const RankOperation& exchange)
{
    const bool isCollective = exchange.kind == RankOperation::Kind::COLLECTIVE;
    return {exchange.group, exchange.kind, isCollective ? 0 : exchange.place};
}

/** Plans the hints of a rank. */
class HintPlan
{
  public:
    HintPlan(const JobPrograms& job, uint32_t rank, const JobDryRun& times, uint32_t perServer)
        : m_operations(job.ranks[rank].program->GetOperations()),
          m_rank(rank),
          m_times(times)
    {
        for (const uint32_t group : job.ranks[rank].groups)
        {
            m_onRails.push_back(!AreInOneServer(job.groups[group].ranks, perServer));
            m_parallelisms.push_back(ParallelismNameOf(job.groups[group].name));
        }
    }

    /** @return the hints of all runs, in order of their runs */
    std::vector<RunHints> Make() const
    {
        std::vector<RunHints> all;
        const std::vector<PhaseRun> runs = FindRuns();
        for (std::size_t r = 0; r < runs.size(); ++r)
        {
            RunHints hints;
            Picoseconds free = 0;
            if (r > 0)
            {
                hints.after = FindLastOfStreams(runs[r - 1]);
                for (const uint32_t operation : hints.after)
                {
                    free = std::max(free, m_times.GetEnd(m_rank, operation));
                }
            }
            const Picoseconds call = m_times.GetBegin(m_rank, runs[r].operations.front());
            hints.due = ToTime(std::max<Picoseconds>(0, call - free));
            hints.ranges = FindRanges(runs[r]);
            all.push_back(hints);
        }
        return all;
    }

  private:
    /** @return the runs, in order of their calls */
    std::vector<PhaseRun> FindRuns() const
    {
        std::vector<uint32_t> calls;
        for (uint32_t o = 0; o < m_operations.size(); ++o)
        {
            if (m_operations[o].IsExchange() && m_onRails[m_operations[o].group])
            {
                calls.push_back(o);
            }
        }
        std::stable_sort(calls.begin(), calls.end(), [this](uint32_t one, uint32_t other) {
            return m_times.GetBegin(m_rank, one) < m_times.GetBegin(m_rank, other);
        });
        std::vector<PhaseRun> runs;
        for (const uint32_t call : calls)
        {
            const std::string& parallelism = m_parallelisms[m_operations[call].group];
            if (runs.empty() || runs.back().parallelism != parallelism)
            {
                runs.push_back({parallelism, {}});
            }
            runs.back().operations.push_back(call);
        }
        return runs;
    }

    /** @return the last operation of a run on each stream */
    std::vector<uint32_t> FindLastOfStreams(const PhaseRun& run) const
    {
        std::map<uint32_t, uint32_t> lastOf;
        for (const uint32_t operation : run.operations)
        {
            uint32_t& last =
                lastOf.emplace(m_operations[operation].stream, operation).first->second;
            last = std::max(last, operation);
        }
        std::vector<uint32_t> all;
        for (const auto& [stream, operation] : lastOf)
        {
            all.push_back(operation);
        }
        return all;
    }

    /** @return the first and last operation of each flow in a run */
    std::vector<std::pair<uint32_t, uint32_t>> FindRanges(const PhaseRun& run) const
    {
        std::vector<std::pair<uint32_t, uint32_t>> ranges;
        std::map<std::tuple<uint32_t, RankOperation::Kind, uint32_t>, std::size_t> known;
        for (const uint32_t operation : run.operations)
        {
            const auto [flow, isNew] =
                known.emplace(FlowOf(m_operations[operation]), ranges.size());
            if (isNew)
            {
                ranges.emplace_back(operation, operation);
            }
            auto& [first, last] = ranges[flow->second];
            first = std::min(first, operation);
            last = std::max(last, operation);
        }
        return ranges;
    }

    const std::vector<RankOperation>& m_operations;
    uint32_t m_rank;
    const JobDryRun& m_times;
    std::vector<bool> m_onRails;             //!< by the program's group
    std::vector<std::string> m_parallelisms; //!< by the program's group
};

/** Writes a program with hints. */
class HintedProgram
{
  public:
    HintedProgram(const RankProgram& program, const std::vector<RunHints>& hints)
        : m_program(program),
          m_hints(hints),
          m_hinted(std::make_shared<RankProgram>()),
          m_stream(program.GetStreams())
    {
    }

    std::shared_ptr<const RankProgram> Write()
    {
        AddHints();
        for (const RankOperation& operation : m_program.GetOperations())
        {
            if (operation.kind == RankOperation::Kind::ITERATION)
            {
                AddHints(); // it comes after all operations before it
            }
            RankOperation copy = operation;
            for (uint32_t& earlier : copy.after)
            {
                earlier = m_numbers[earlier];
            }
            m_numbers.push_back(m_hinted->Add(copy));
        }
        AddHints();
        for (const auto& [number, range] : m_ranges)
        {
            m_hinted->Edit(number).first = m_numbers[range.first];
            m_hinted->Edit(number).last = m_numbers[range.second];
        }
        return m_hinted;
    }

  private:
    /** Adds the next hints, up to the first that comes after an operation that is not added yet. */
    void AddHints()
    {
        for (; m_next < m_hints.size(); ++m_next)
        {
            const RunHints& run = m_hints[m_next];
            const bool isAdded =
                std::all_of(run.after.begin(), run.after.end(), [this](uint32_t operation) {
                    return operation < m_numbers.size();
                });
            if (!isAdded)
            {
                return;
            }
            for (const auto& range : run.ranges)
            {
                const uint32_t hint = m_hinted->Hint(m_stream, CircuitHint::Kind::PREFETCH);
                m_hinted->Edit(hint).due = run.due;
                for (const uint32_t operation : run.after)
                {
                    m_hinted->After(hint, m_numbers[operation]);
                }
                m_ranges.emplace_back(hint, range);
            }
        }
    }

    const RankProgram& m_program;
    const std::vector<RunHints>& m_hints;
    std::shared_ptr<RankProgram> m_hinted;
    uint32_t m_stream;               //!< of the hints
    std::vector<uint32_t> m_numbers; //!< new numbers, by old number
    std::size_t m_next{0};           //!< the next run whose hints are added
    std::vector<std::pair<uint32_t, std::pair<uint32_t, uint32_t>>>
        m_ranges; //!< of hints: old numbers
};

/** @return whether a program gives hints */
bool
HasHints(const RankProgram& program)
{
    const auto& operations = program.GetOperations();
    return std::any_of(operations.begin(), operations.end(), [](const RankOperation& one) {
        return one.kind == RankOperation::Kind::CIRCUITS;
    });
}

} // namespace

JobPrograms
AddCircuitHints(const JobPrograms& job, uint32_t perServer)
{
    const JobDryRun times(job, true);
    const bool hasHints =
        std::any_of(job.ranks.begin(), job.ranks.end(), [](const JobPrograms::Rank& rank) {
            return HasHints(*rank.program);
        });
    if (times.IsStuck() || hasHints)
    {
        return job;
    }
    using Known = std::pair<std::vector<RunHints>, std::shared_ptr<const RankProgram>>;
    std::map<const RankProgram*, std::vector<Known>> known;
    JobPrograms hinted = job;
    for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
    {
        const RankProgram& program = *job.ranks[rank].program;
        const std::vector<RunHints> hints = HintPlan(job, rank, times, perServer).Make();
        std::vector<Known>& ofProgram = known[&program];
        auto same = std::find_if(ofProgram.begin(), ofProgram.end(), [&hints](const Known& one) {
            return one.first == hints;
        });
        if (same == ofProgram.end())
        {
            ofProgram.emplace_back(hints, HintedProgram(program, hints).Write());
            same = ofProgram.end() - 1;
        }
        hinted.ranks[rank].program = same->second;
    }
    return hinted;
}

} // namespace ns3
