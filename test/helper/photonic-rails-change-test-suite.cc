/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A job whose program changes during the training. Shims have learned other calls, so each of them
// is wrong once, in the first iteration with the change: from the first call that it has not
// foreseen on, a shim predicts nothing for the rest of the iteration, and learns the new calls. It
// costs time, and nothing is lost.

#include "../support/photonic-rails-training-bench.h"

#include "ns3/test.h"
#include "ns3/training-job-helper.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t CHANGED = 3; //!< the first iteration with the change
constexpr uint32_t CHANGE_ITERATIONS = 6;

/** @return a job of eight ranks with policy provisioned */
TrainingCase
MakeChangingCase(uint32_t before)
{
    TrainingCase one = TrainingCase::Small();
    one.policy = "provisioned";
    one.recipe.microBatches = before;
    one.iterations = CHANGE_ITERATIONS;
    return one;
}

/** @return the tallies of all iterations of a run whose audit is clean: it aborts otherwise */
std::vector<JobTally>
RunToTallies(const TrainingCase& one)
{
    const TrainingBench bench(one);
    std::vector<JobTally> tallies;
    for (uint32_t i = 1; i <= bench.run->GetIterations(); ++i)
    {
        tallies.push_back(bench.run->GetIteration(i));
    }
    return tallies;
}

/** @return the messages of iterations @param tallies of a run @param first from 1 @param last */
uint64_t
SumMessages(const std::vector<JobTally>& tallies, uint32_t first, uint32_t last)
{
    uint64_t messages = 0;
    for (uint32_t i = first; i <= last; ++i)
    {
        messages += tallies.at(i - 1).messages;
    }
    return messages;
}

/** Another number of micro-batches. */
class ChangeTestCase : public TestCase
{
  public:
    ChangeTestCase(uint32_t before, uint32_t after)
        : TestCase(std::to_string(before) + " micro-batches, then " + std::to_string(after)),
          m_before(before),
          m_after(after)
    {
    }

  private:
    void DoRun() override
    {
        TrainingCase one = MakeChangingCase(m_before);
        one.adjust = [this](TrainingJobHelper& helper) {
            RecipeChange change;
            change.iteration = CHANGED;
            change.microBatches = m_after;
            helper.SetChange(change);
        };
        const std::vector<JobTally> tallies = RunToTallies(one);
        NS_TEST_ASSERT_MSG_EQ(tallies.size(), CHANGE_ITERATIONS, "all iterations have ended");
        uint64_t wrong = 0;
        for (uint32_t i = 1; i <= CHANGE_ITERATIONS; ++i)
        {
            // fewer calls are noticed when the next iteration begins, more calls at once
            const bool mayBe = i == CHANGED || (m_after < m_before && i == CHANGED + 1);
            const uint64_t here = tallies[i - 1].wrongPredictions;
            NS_TEST_EXPECT_MSG_EQ((mayBe || here == 0), true, "iteration " << i << ": " << here);
            wrong += here;
        }
        NS_TEST_EXPECT_MSG_EQ(wrong, one.plan.GetRanks(), "each rank's profile is wrong once");

        const std::vector<JobTally> before = RunToTallies(MakeChangingCase(m_before));
        const std::vector<JobTally> after = RunToTallies(MakeChangingCase(m_after));
        NS_TEST_EXPECT_MSG_EQ(tallies[1].end, before[1].end, "the iteration before the change");
        NS_TEST_EXPECT_MSG_EQ(tallies.back().end,
                              after.back().end,
                              "in the end, as if it had been so from the beginning");
        NS_TEST_EXPECT_MSG_GT(tallies[CHANGED - 1].end,
                              tallies.back().end,
                              "mispredictions cost time");
        NS_TEST_EXPECT_MSG_EQ(SumMessages(tallies, 1, CHANGE_ITERATIONS),
                              SumMessages(before, 1, CHANGED - 1) +
                                  SumMessages(after, CHANGED, CHANGE_ITERATIONS),
                              "every message of every iteration has come");
    }

    uint32_t m_before;
    uint32_t m_after;
};

/** Another order of stages. */
class OrderTestCase : public TestCase
{
  public:
    OrderTestCase()
        : TestCase("Another order of stages, with each policy: nothing is lost")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::pair<std::string, std::string>> cases{{"provisioned", "gpipe"},
                                                                     {"provisioned", "zb-h1"},
                                                                     {"on-demand", "zb-h1"},
                                                                     {"electrical", "gpipe"}};
        for (const auto& [policy, schedule] : cases)
        {
            TrainingCase one = MakeChangingCase(4);
            one.policy = policy;
            const std::size_t messages = SumMessages(RunToTallies(one), 1, CHANGED - 1);
            one.adjust = [name = schedule](TrainingJobHelper& helper) {
                RecipeChange change;
                change.iteration = CHANGED;
                change.schedule = name;
                helper.SetChange(change);
            };
            const std::vector<JobTally> tallies = RunToTallies(one);
            NS_TEST_ASSERT_MSG_EQ(tallies.size(), CHANGE_ITERATIONS, policy);
            NS_TEST_EXPECT_MSG_EQ(SumMessages(tallies, 1, CHANGED - 1), messages, policy);
            NS_TEST_EXPECT_MSG_EQ(tallies.back().wrongPredictions,
                                  0,
                                  policy << ", " << schedule << ": predicted again");
        }
    }
};

/** The suite. */
class ChangeTestSuite : public TestSuite
{
  public:
    ChangeTestSuite()
        : TestSuite("photonic-rails-change", TestSuite::Type::UNIT)
    {
        AddTestCase(new ChangeTestCase(2, 4));
        AddTestCase(new ChangeTestCase(4, 2));
        AddTestCase(new OrderTestCase);
    }
};

static ChangeTestSuite g_changeTestSuite;

} // namespace
