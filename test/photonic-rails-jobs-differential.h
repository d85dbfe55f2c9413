/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOBS_DIFFERENTIAL_H
#define PHOTONIC_RAILS_JOBS_DIFFERENTIAL_H

#include "photonic-rails-jobs-outcome.h"

#include "ns3/test.h"

/**
 * @file
 * Random training jobs in both fidelities, under other schedulers, and with the events of an
 * instant in another order: nothing that can be seen may differ.
 */

namespace ns3
{

/**
 * @param one what is seen of a run
 * @param other the same of another
 * @param numbered whether numbers of queue pairs count: ranks that use theirs for the first time at
 * one instant get them in the order of events
 * @return the first lines that only one of them has, in words; empty if there are none
 */
inline std::string
FirstDifference(std::vector<std::string> one, std::vector<std::string> other, bool numbered)
{
    for (std::vector<std::string>* lines : {&one, &other})
    {
        const auto isNumbered = [numbered](const std::string& line) {
            return !numbered && line.rfind(JobWitness::NUMBERED, 0) == 0;
        };
        lines->erase(std::remove_if(lines->begin(), lines->end(), isNumbered), lines->end());
    }
    std::vector<std::string> left;
    std::vector<std::string> right;
    std::set_difference(one.begin(),
                        one.end(),
                        other.begin(),
                        other.end(),
                        std::back_inserter(left));
    std::set_difference(other.begin(),
                        other.end(),
                        one.begin(),
                        one.end(),
                        std::back_inserter(right));
    std::ostringstream words;
    if (!left.empty() || !right.empty())
    {
        words << left.size() << " of " << one.size() << " lines are only in the first, "
              << right.size() << " of " << other.size() << " only in the second, such as\n  "
              << (left.empty() ? "-" : left.front()) << "\n  "
              << (right.empty() ? "-" : right.front()) << "\n";
    }
    return words.str();
}

/** @return the ways to run a job that a seed chooses beside the first @param seed it */
inline std::vector<JobMode>
OtherModes(uint64_t seed)
{
    // not HeapScheduler: what it removes is replaced by an event that only moves down the heap,
    // so that later ones may come before it (ns-3.35 to ns-3.48)
    static const char* const schedulers[]{"ns3::ListScheduler",
                                          "ns3::MapScheduler",
                                          "ns3::PriorityQueueScheduler",
                                          "ns3::CalendarScheduler"};
    return {{"PacketEvents", schedulers[seed % 4], 0},
            {"PacketEvents", "ns3::MapScheduler", 2 * seed + 1},
            {"PacketTrains", "ns3::MapScheduler", 2 * seed + 2}};
}

/**
 * @param drawn a job
 * @param lines what is seen of it when it is run the first way
 * @return what differs when it is run in other ways, in words
 */
inline std::string
CompareModes(const DrawnJob& drawn, const std::vector<std::string>& lines)
{
    std::string words;
    for (const JobMode& mode : OtherModes(drawn.seed))
    {
        const std::string difference =
            FirstDifference(lines, JobWitness::RunApart(drawn, mode), mode.salt == 0);
        words += difference.empty() ? "" : "  " + mode.Describe() + ": " + difference;
    }
    return words;
}

/**
 * Jobs that differed when the order of events decided: symmetric ranks whose requests meet at the
 * router of the management network in one picosecond.
 */
class SymmetricJobsCase : public TestCase
{
  public:
    SymmetricJobsCase()
        : TestCase("Requests that meet at one picosecond are granted alike, however it is run")
    {
    }

  private:
    static void SetSmall(DrawnJob& drawn)
    {
        ModelShape& shape = drawn.job.shape;
        shape.layers = 4;
        shape.hidden = 512;
        shape.heads = shape.keyHeads = 8;
        shape.headSize = 64;
        shape.feedForward = shape.vocabulary = 1024;
        drawn.job.plan.scaleUp = 1;
        drawn.job.plan.pp = 2;
        drawn.job.recipe.microBatches = 2;
        drawn.job.recipe.sequence = 512;
        drawn.job.reconfiguration = MilliSeconds(1);
    }

    void Compare(const DrawnJob& drawn)
    {
        const std::vector<std::string> lines = JobWitness::RunApart(drawn, {});
        NS_TEST_EXPECT_MSG_NE(lines.front(), JobWitness::ABORTED, drawn.Describe());
        NS_TEST_EXPECT_MSG_EQ(CompareModes(drawn, lines), "", drawn.Describe());
    }

    void DoRun() override
    {
        DrawnJob rings;
        SetSmall(rings);
        rings.ports = 4;
        rings.job.plan.cp = 4;
        rings.job.plan.dp = 2;
        rings.job.recipe.schedule = "interleaved";
        rings.job.recipe.chunks = 2;
        rings.job.recipe.context = ContextExchange::RING;
        Compare(rings);
        DrawnJob pipeline;
        SetSmall(pipeline);
        pipeline.job.plan.dp = 4;
        Compare(pipeline);
    }
};

/** Compares a number of jobs. */
class JobsCase : public TestCase
{
  public:
    /** @param first seed @param count of jobs */
    JobsCase(uint64_t first, uint64_t count)
        : TestCase("Training jobs " + std::to_string(first) + " to " +
                   std::to_string(first + count - 1) + " are the same, however they are run"),
          m_first(first),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        uint64_t ended = 0;
        for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
        {
            const DrawnJob drawn(seed);
            const std::vector<std::string> lines = JobWitness::RunApart(drawn, {});
            ended += lines.front() != JobWitness::ABORTED ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ(CompareModes(drawn, lines), "", drawn.Describe());
        }
        // those that can't be trained are equal without a run
        NS_TEST_EXPECT_MSG_GT(10 * ended, 7 * m_count, "most of the jobs run to their ends");
    }

    uint64_t m_first;
    uint64_t m_count;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOBS_DIFFERENTIAL_H */
