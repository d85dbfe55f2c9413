/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-edits.h"

#include "job-layout.h"

#include "ns3/abort.h"
#include "ns3/collective-algorithm.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** @return a program whose receives are posted */
std::shared_ptr<const RankProgram>
PostReceives(const RankProgram& program)
{
    auto posted = std::make_shared<RankProgram>();
    const uint32_t streams = program.GetStreams();
    std::vector<uint32_t> numbers; // number of the operation that others follow, by old number
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

/**
 * @return a program whose collectives have an algorithm
 * @param inGroup only in these groups of the program
 */
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

/** @return a repeated program; each pass is an iteration */
std::shared_ptr<const RankProgram>
Repeat(const RankProgram& once, uint32_t passes)
{
    auto program = std::make_shared<RankProgram>();
    for (uint32_t pass = 0; pass < passes; ++pass)
    {
        const uint32_t first = program->BeginIteration() + 1;
        for (RankOperation operation : once.GetOperations())
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
            inGroup.push_back(AreOnOneRail(job.groups[group].ranks, perServer));
        }
        auto& program = known[{rank.program.get(), inGroup}];
        program = program ? program : UseAlgorithm(*rank.program, name, inGroup);
        rank.program = program;
    }
    return named;
}

JobPrograms
RepeatJob(const JobPrograms& job, uint32_t passes)
{
    NS_ABORT_MSG_IF(passes == 0, "RepeatJob: give 1 pass or more, not 0");
    JobPrograms repeated = job;
    std::map<const RankProgram*, std::shared_ptr<const RankProgram>> known;
    for (JobPrograms::Rank& rank : repeated.ranks)
    {
        if (passes > 1)
        {
            std::shared_ptr<const RankProgram>& program = known[rank.program.get()];
            program = program ? program : Repeat(*rank.program, passes);
            rank.program = program;
        }
    }
    return repeated;
}

} // namespace ns3
