/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANDOM_PROGRAMS_H
#define PHOTONIC_RAILS_RANDOM_PROGRAMS_H

#include "ns3/job-programs.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

/**
 * Draws jobs with all that a program can have but circuit hints: computing, collectives of all
 * kinds, sends and receives in groups, on several streams, with dependencies and iterations. All
 * ranks add their operations in one order, so each job comes to its end.
 */
class RandomPrograms
{
  public:
    /** @param number of the job */
    explicit RandomPrograms(uint32_t number);

    /** @return a job @param ranks number of its ranks, 2 or more */
    ns3::JobPrograms Draw(uint32_t ranks);

  private:
    /** @return a number from 0, below a limit */
    uint32_t Below(uint32_t limit);
    /** @return some ranks, in any order */
    std::vector<uint32_t> DrawRanks(uint32_t all);
    /** @return a demand of some ranks */
    std::shared_ptr<const ns3::DemandMatrix> DrawDemand(uint32_t ranks);
    void AddComputing(uint32_t rank);
    void AddCollective();
    void AddMessage();
    /** Adds an operation, with some dependencies. */
    void Add(uint32_t rank, ns3::RankOperation operation);
    /** @return the group's number in the rank's program */
    uint32_t GetNumber(uint32_t rank, uint32_t group);

    std::mt19937 m_dice;
    ns3::JobPrograms m_job;
    std::vector<ns3::RankProgram> m_programs;
    std::shared_ptr<const ns3::DemandMatrix> m_demand; //!< of the last ALL_TO_ALL_V
};

inline RandomPrograms::RandomPrograms(uint32_t number)
    : m_dice(number)
{
}

inline uint32_t
RandomPrograms::Below(uint32_t limit)
{
    return m_dice() % limit; // distributions differ by library
}

inline ns3::JobPrograms
RandomPrograms::Draw(uint32_t ranks)
{
    m_job = ns3::JobPrograms();
    m_job.ranks.resize(ranks);
    m_programs.assign(ranks, ns3::RankProgram());
    const uint32_t groups = 1 + Below(4);
    for (uint32_t group = 0; group < groups; ++group)
    {
        const char* const names[] = {"dp 0", "tp \"1\"", "it's 100 % \\ pp", ""};
        m_job.groups.push_back({names[group], DrawRanks(ranks)});
    }
    const uint32_t operations = 10 + Below(20);
    for (uint32_t operation = 0; operation < operations; ++operation)
    {
        switch (Below(8))
        {
        case 0:
        case 1:
        case 2:
            AddComputing(Below(ranks));
            break;
        case 3:
        case 4:
            AddMessage();
            break;
        case 5:
            if (Below(4) == 0)
            {
                std::for_each(m_programs.begin(), m_programs.end(), [](ns3::RankProgram& program) {
                    program.BeginIteration();
                });
            }
            break;
        default:
            AddCollective();
        }
    }
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_job.ranks[rank].program = std::make_shared<ns3::RankProgram>(std::move(m_programs[rank]));
    }
    return m_job;
}

inline std::vector<uint32_t>
RandomPrograms::DrawRanks(uint32_t all)
{
    std::vector<uint32_t> ranks(all);
    std::iota(ranks.begin(), ranks.end(), 0);
    for (uint32_t place = all - 1; place > 0; --place)
    {
        std::swap(ranks[place], ranks[Below(place + 1)]);
    }
    ranks.resize(2 + Below(all - 1));
    return ranks;
}

inline std::shared_ptr<const ns3::DemandMatrix>
RandomPrograms::DrawDemand(uint32_t ranks)
{
    if (m_demand && m_demand->GetRanks() == ranks && Below(2) == 0)
    {
        return m_demand; // operations share matrices
    }
    const auto demand = std::make_shared<ns3::DemandMatrix>(ranks);
    for (uint32_t from = 0; from < ranks; ++from)
    {
        for (uint32_t to = 0; to < ranks; ++to)
        {
            demand->Set(from, to, from == to ? 0 : 1 + Below(100'000));
        }
    }
    m_demand = demand;
    return demand;
}

inline uint32_t
RandomPrograms::GetNumber(uint32_t rank, uint32_t group)
{
    std::vector<uint32_t>& own = m_job.ranks[rank].groups;
    const auto known = std::find(own.begin(), own.end(), group);
    const uint32_t number = known - own.begin();
    if (known == own.end())
    {
        own.push_back(group);
    }
    return number;
}

inline void
RandomPrograms::Add(uint32_t rank, ns3::RankOperation operation)
{
    const uint32_t soFar = m_programs[rank].GetOperations().size();
    if (soFar > 0 && Below(3) == 0)
    {
        operation.after.push_back(Below(soFar));
    }
    m_programs[rank].Add(operation);
}

inline void
RandomPrograms::AddComputing(uint32_t rank)
{
    ns3::RankOperation operation;
    operation.stream = Below(10) == 0 ? 300 : Below(3);
    const int64_t unit[] = {1, 1000, 1'000'000};
    operation.duration = ns3::PicoSeconds(Below(100'000) * unit[Below(3)] / 10);
    operation.label = Below(2) == 0 ? "forward % 3 \"it's\"" : "";
    Add(rank, operation);
}

inline void
RandomPrograms::AddCollective()
{
    const std::vector<ns3::CollectiveKind> kinds{ns3::CollectiveKind::ALL_REDUCE,
                                                 ns3::CollectiveKind::ALL_GATHER,
                                                 ns3::CollectiveKind::REDUCE_SCATTER,
                                                 ns3::CollectiveKind::BROADCAST,
                                                 ns3::CollectiveKind::REDUCE,
                                                 ns3::CollectiveKind::ALL_TO_ALL,
                                                 ns3::CollectiveKind::ALL_TO_ALL_V,
                                                 ns3::CollectiveKind::BARRIER};
    const uint32_t group = Below(m_job.groups.size());
    const std::vector<uint32_t>& ranks = m_job.groups[group].ranks;
    ns3::RankOperation operation;
    operation.kind = ns3::RankOperation::Kind::COLLECTIVE;
    operation.collective = kinds[Below(kinds.size())];
    operation.stream = Below(4);
    const uint64_t bytes[] = {1, 4096, 100'003, 1'000'000};
    operation.bytes = bytes[Below(4)];
    const bool isRooted = operation.collective == ns3::CollectiveKind::BROADCAST ||
                          operation.collective == ns3::CollectiveKind::REDUCE;
    operation.place = isRooted ? Below(ranks.size()) : 0;
    if (operation.collective == ns3::CollectiveKind::BARRIER)
    {
        operation.bytes = 0;
    }
    else if (operation.collective == ns3::CollectiveKind::ALL_TO_ALL_V)
    {
        operation.bytes = 0;
        operation.demand = DrawDemand(ranks.size());
    }
    else if (Below(2) == 0)
    {
        operation.algorithm = "ring";
    }
    for (const uint32_t rank : ranks)
    {
        operation.group = GetNumber(rank, group);
        Add(rank, operation);
    }
}

inline void
RandomPrograms::AddMessage()
{
    const uint32_t group = Below(m_job.groups.size());
    const std::vector<uint32_t>& ranks = m_job.groups[group].ranks;
    const uint32_t from = Below(ranks.size());
    const uint32_t to = (from + 1 + Below(ranks.size() - 1)) % ranks.size();
    ns3::RankOperation operation;
    operation.stream = Below(3);
    operation.bytes = 1 + Below(200'000);
    operation.kind = ns3::RankOperation::Kind::SEND;
    operation.group = GetNumber(ranks[from], group);
    operation.place = to;
    Add(ranks[from], operation);
    operation.kind = ns3::RankOperation::Kind::RECEIVE;
    operation.stream = Below(3);
    operation.group = GetNumber(ranks[to], group);
    operation.place = from;
    Add(ranks[to], operation);
}

#endif /* PHOTONIC_RAILS_RANDOM_PROGRAMS_H */
