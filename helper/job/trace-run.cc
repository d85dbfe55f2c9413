/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-run.h"

#include "ns3/abort.h"
#include "ns3/collective-algorithm.h"
#include "ns3/job-demand.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** Reconfigurations that a phase may have to wait for, those of other groups included. */
constexpr int64_t RECONFIGURATIONS_IN_THE_WAY = 20;

/** @return a program so many times, each time an iteration */
std::shared_ptr<const RankProgram>
Repeat(const std::shared_ptr<const RankProgram>& once, uint32_t passes)
{
    if (passes == 1)
    {
        return once;
    }
    auto program = std::make_shared<RankProgram>();
    for (uint32_t pass = 0; pass < passes; ++pass)
    {
        const uint32_t first = program->BeginIteration() + 1;
        for (RankOperation operation : once->GetOperations())
        {
            for (uint32_t& earlier : operation.after)
            {
                earlier += first;
            }
            program->Add(operation);
        }
    }
    return program;
}

/** @return how many ranks of each server stand next to each other in a group; 1 if that differs */
uint32_t
FindPerServer(const std::vector<uint32_t>& ranks, uint32_t perServer)
{
    std::map<uint32_t, uint32_t> count; // by server
    for (std::size_t place = 0; place < ranks.size(); ++place)
    {
        const uint32_t server = ranks[place] / perServer;
        const bool isNext = place > 0 && ranks[place - 1] / perServer == server;
        if (!isNext && count[server] > 0)
        {
            return 1;
        }
        ++count[server];
    }
    const uint32_t first = count.begin()->second;
    const auto differs = [first](const auto& one) { return one.second != first; };
    return std::any_of(count.begin(), count.end(), differs) ? 1 : first;
}

/** @return a program whose receives are posted */
std::shared_ptr<const RankProgram>
PostReceives(const RankProgram& program)
{
    auto posted = std::make_shared<RankProgram>();
    const uint32_t streams = program.GetStreams();
    std::vector<uint32_t> numbers; // what other operations come after, by number
    for (RankOperation operation : program.GetOperations())
    {
        for (uint32_t& earlier : operation.after)
        {
            earlier = numbers[earlier];
        }
        if (operation.kind == RankOperation::Kind::RECEIVE)
        {
            RankOperation come;
            come.stream = operation.stream + streams;
            come.label = operation.label;
            come.after.swap(operation.after);
            come.after.push_back(posted->Add(operation));
            operation = come;
        }
        numbers.push_back(posted->Add(operation));
    }
    return posted;
}

/** @return whether all ranks of a group are on one rail @param perServer GPUs of a server */
bool
IsOnOneRail(const std::vector<uint32_t>& ranks, uint32_t perServer)
{
    return std::all_of(ranks.begin(), ranks.end(), [&ranks, perServer](uint32_t rank) {
        return rank % perServer == ranks[0] % perServer;
    });
}

/** @return a program whose collectives have an algorithm @param inGroup in these groups of it */
std::shared_ptr<const RankProgram>
UseAlgorithm(const RankProgram& program, const std::string& name, const std::vector<bool>& inGroup)
{
    auto named = std::make_shared<RankProgram>();
    for (RankOperation operation : program.GetOperations())
    {
        if (operation.kind == RankOperation::Kind::COLLECTIVE && inGroup[operation.group] &&
            CollectiveAlgorithm::Find(operation.collective, name))
        {
            operation.algorithm = name;
        }
        named->Add(operation);
    }
    return named;
}

} // namespace

JobPrograms
PostReceives(const JobPrograms& job)
{
    JobPrograms posted = job;
    std::map<const RankProgram*, std::shared_ptr<const RankProgram>> known;
    for (JobPrograms::Rank& rank : posted.ranks)
    {
        std::shared_ptr<const RankProgram>& program = known[rank.program.get()];
        program = program ? program : PostReceives(*rank.program);
        rank.program = program;
    }
    return posted;
}

JobPrograms
UseAlgorithm(const JobPrograms& job, const std::string& name, uint32_t perServer)
{
    JobPrograms named = job;
    std::map<std::pair<const RankProgram*, std::vector<bool>>, std::shared_ptr<const RankProgram>>
        known;
    for (JobPrograms::Rank& rank : named.ranks)
    {
        std::vector<bool> inGroup;
        for (const uint32_t group : rank.groups)
        {
            inGroup.push_back(IsOnOneRail(job.groups[group].ranks, perServer));
        }
        auto& program = known[{rank.program.get(), inGroup}];
        program = program ? program : UseAlgorithm(*rank.program, name, inGroup);
        rank.program = program;
    }
    return named;
}

TraceRun::TraceRun(const JobPrograms& job, uint32_t passes)
    : m_job(job),
      m_tallies(passes)
{
    NS_ABORT_MSG_IF(passes == 0, "TraceRun: give 1 pass or more, not 0");
    uint64_t operations = 0;
    for (const JobPrograms::Rank& rank : job.ranks)
    {
        operations += rank.program->GetOperations().size();
    }
    m_left.assign(passes, operations);
}

std::string
TraceRun::FindMisfit(uint32_t perServer) const
{
    std::ostringstream why;
    if (m_job.ranks.size() % perServer != 0)
    {
        why << "the trace has " << m_job.ranks.size() << " ranks, which are no whole servers of "
            << perServer << " GPUs";
        return why.str();
    }
    for (uint32_t rank = 0; rank < m_job.ranks.size() && perServer > 1; ++rank)
    {
        for (const RankOperation& one : m_job.ranks[rank].program->GetOperations())
        {
            if (one.kind != RankOperation::Kind::SEND)
            {
                continue;
            }
            const uint32_t to = m_job.groups[m_job.ranks[rank].groups[one.group]].ranks[one.place];
            if (to % perServer != rank % perServer)
            {
                why << "rank " << rank << ", on rail " << rank % perServer << ", sends to rank "
                    << to << ", on rail " << to % perServer
                    << ", and sends go over one rail: choose servers of which that is true";
                return why.str();
            }
        }
    }
    return "";
}

Picoseconds
TraceRun::GetMostComputing() const
{
    Picoseconds most = 0;
    for (const JobPrograms::Rank& rank : m_job.ranks)
    {
        Picoseconds sum = 0;
        for (const RankOperation& operation : rank.program->GetOperations())
        {
            sum += operation.duration;
        }
        most = std::max(most, sum);
    }
    return most;
}

void
TraceRun::SetLimits(OpusHelper& opus, CollectiveHelper& collectives, Time reconfiguration) const
{
    const Picoseconds reconfigurations =
        MultiplySaturating(reconfiguration.GetTimeStep(), RECONFIGURATIONS_IN_THE_WAY);
    const Picoseconds wait = AddSaturating(
        AddSaturating(Seconds(60).GetTimeStep(), MultiplySaturating(reconfigurations, 2)),
        GetMostComputing());
    const TimeValue program(ToTime(AddSaturating(Seconds(20).GetTimeStep(), reconfigurations)));
    opus.SuggestControllerAttribute("ProgramLimit", program);
    opus.SuggestControllerAttribute("VoteLimit", TimeValue(ToTime(wait)));
    opus.SuggestControllerAttribute("PortLimit", TimeValue(ToTime(wait)));
    opus.SuggestControllerAttribute("TrafficLimit", TimeValue(ToTime(wait)));
    opus.SuggestShimAttribute("GiveUpAfter", TimeValue(ToTime(AddSaturating(wait, wait / 2))));
    collectives.SuggestAttribute("StallLimit", TimeValue(ToTime(MultiplySaturating(wait, 2))));
}

void
TraceRun::Install(CollectiveHelper& collectives, const OpusControlPlane& plane, uint32_t perServer)
{
    m_plane = plane;
    CollectiveApplication::Groups all;
    for (const JobPrograms::Group& group : m_job.groups)
    {
        all.push_back(
            collectives.MakeGroup(group.name, group.ranks, FindPerServer(group.ranks, perServer)));
    }
    std::map<const RankProgram*, std::shared_ptr<const RankProgram>> repeated;
    std::vector<RankPart> parts;
    for (uint32_t rank = 0; rank < m_job.ranks.size(); ++rank)
    {
        const JobPrograms::Rank& its = m_job.ranks[rank];
        std::shared_ptr<const RankProgram>& program = repeated[its.program.get()];
        program = program ? program : Repeat(its.program, m_left.size());
        CollectiveApplication::Groups groups;
        for (const uint32_t group : its.groups)
        {
            groups.push_back(all[group]);
        }
        collectives.SetProgram(rank, program, groups);
        collectives.Get(rank)->TraceConnectWithoutContext("OperationEnded",
                                                          MakeCallback(&TraceRun::Ended, this));
        parts.push_back({RankId(rank), program, groups});
    }
    if (m_plane.controller)
    {
        m_plane.Describe(MakeJobDemand(JobId(0), parts, *m_plane.cabling));
    }
}

void
TraceRun::Ended(const OperationRecord& record)
{
    if (record.call.kind == RankOperation::Kind::COMPUTE)
    {
        m_computed += record.end - record.start;
    }
    // where there are several passes, each has one operation more than the trace: its beginning
    const std::size_t operations =
        m_job.ranks[record.rank.Get()].program->GetOperations().size() + 1;
    const std::size_t pass = record.operation / operations;
    if (--m_left[pass] == 0)
    {
        const OpusTimes times = m_plane.controller ? m_plane.GetTimes() : OpusTimes();
        const int64_t ranks = m_job.ranks.size();
        m_tallies[pass] = {record.end, times.exposed, times.hidden, m_computed / ranks};
    }
}

uint32_t
TraceRun::GetPasses() const
{
    return std::count(m_left.begin(), m_left.end(), 0U);
}

TracePass
TraceRun::GetPass(uint32_t pass) const
{
    NS_ABORT_MSG_UNLESS(pass >= 1 && pass <= GetPasses(),
                        "TraceRun: pass " << pass << " is asked for, and " << GetPasses()
                                          << " are over, counted from 1");
    TracePass one = m_tallies[pass - 1];
    if (pass > 1)
    {
        const TracePass& before = m_tallies[pass - 2];
        one.length -= before.length;
        one.exposed -= before.exposed;
        one.hidden -= before.hidden;
        one.computed -= before.computed;
    }
    return one;
}

TracePass
TraceRun::GetAll() const
{
    return GetPasses() == 0 ? TracePass() : m_tallies[GetPasses() - 1];
}

} // namespace ns3
