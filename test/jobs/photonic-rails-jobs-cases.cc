/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-jobs-cases.h"

#include "photonic-rails-jobs-differential.h"
#include "photonic-rails-jobs-draw.h"
#include "photonic-rails-jobs-outcome.h"

#include "ns3/model-shape.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/** Makes a job small. */
void
SetSmall(DrawnJob& drawn)
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

/** @return whether a job that did not end was refused before anything was built */
bool
IsRefused(const std::vector<std::string>& words)
{
    return std::any_of(words.begin(), words.end(), [](const std::string& line) {
        return line.find("can't be trained like that") != std::string::npos;
    });
}

} // namespace

SymmetricJobsCase::SymmetricJobsCase()
    : TestCase("Requests that meet at one picosecond are granted alike, however it is run")
{
}

void
SymmetricJobsCase::Compare(const DrawnJob& drawn)
{
    const std::vector<std::string> lines = JobWitness::RunApart(drawn, {});
    NS_TEST_EXPECT_MSG_NE(lines.front(), JobWitness::ABORTED, drawn.Describe());
    NS_TEST_EXPECT_MSG_EQ(CompareModes(drawn, lines), "", drawn.Describe());
}

void
SymmetricJobsCase::DoRun()
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

JobsCase::JobsCase(uint64_t first, uint64_t count)
    : TestCase("Training jobs " + std::to_string(first) + " to " +
               std::to_string(first + count - 1) + " are the same, however they are run"),
      m_first(first),
      m_count(count)
{
}

void
JobsCase::DoRun()
{
    uint64_t ended = 0;
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const DrawnJob drawn(seed);
        const std::vector<std::string> lines = JobWitness::RunApart(drawn, {});
        const bool hasEnded = lines.front() != JobWitness::ABORTED;
        ended += hasEnded ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ((hasEnded || drawn.HasFaults() || IsRefused(lines)),
                              true,
                              "it ends, or is refused before it begins: " << lines.back() << "\n"
                                                                          << drawn.Describe());
        NS_TEST_EXPECT_MSG_EQ(CompareModes(drawn, lines), "", drawn.Describe());
    }
    // those that can't be trained are equal without a run
    NS_TEST_EXPECT_MSG_GT(2 * ended, m_count, "most of the jobs run to their ends");
}

PlansCase::PlansCase(uint64_t first, uint64_t count)
    : TestCase("Plans " + std::to_string(first) + " to " + std::to_string(first + count - 1) +
               " run, or are refused before they begin"),
      m_first(first),
      m_count(count)
{
}

void
PlansCase::DoRun()
{
    constexpr uint64_t COMPARED = 16; // one of so many is run in other ways, too
    uint64_t ended = 0;
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const DrawnJob drawn(seed, DrawnRange::ANY_PLAN);
        const std::vector<std::string> lines = JobWitness::RunApart(drawn, {});
        const bool hasEnded = lines.front() != JobWitness::ABORTED;
        ended += hasEnded ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ((hasEnded || IsRefused(lines)),
                              true,
                              "it ends, or is refused before it begins: " << lines.back() << "\n"
                                                                          << drawn.Describe());
        if (hasEnded && seed % COMPARED == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(CompareModes(drawn, lines), "", drawn.Describe());
        }
    }
    NS_TEST_EXPECT_MSG_GT(2 * ended, m_count, "most of the plans run to their ends");
}

} // namespace ns3
