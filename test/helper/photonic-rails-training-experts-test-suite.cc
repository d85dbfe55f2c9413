/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Training jobs whose experts are not equally popular: the bytes on rails, and what shims make of
// demand that changes.

#include "../support/photonic-rails-training-bench.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** @return the demand of a rank's operation to others, or to it from others */
uint64_t
SumDemand(const DemandMatrix& demand, uint32_t place, bool isSender)
{
    uint64_t bytes = 0;
    for (uint32_t other = 0; other < demand.GetRanks(); ++other)
    {
        bytes += isSender ? demand.Get(place, other) : demand.Get(other, place);
    }
    return bytes;
}

/** Bytes on rails. */
class RoutedBytesTestCase : public TestCase
{
  public:
    RoutedBytesTestCase()
        : TestCase("Ranks get the bytes of the demand, on both kinds of rails")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string policy : {"electrical", "on-demand", "provisioned"})
        {
            for (const std::string skew : {"zipf:1.5", "dirichlet:0.2:3"})
            {
                TrainingCase one = TrainingCase::Experts();
                one.policy = policy;
                one.recipe.router.skew = ParseExpertSkew(skew).value;
                one.recipe.router.capacityFactor = policy == "on-demand" ? 1.5 : 0;
                const TrainingBench bench(one);
                CheckRecords(bench, policy + ", " + skew + ": ");
            }
        }
    }

    void CheckRecords(const TrainingBench& bench, const std::string& name)
    {
        uint64_t net = 0; // bytes for other ranks, without what ranks forward
        uint32_t exchanges = 0;
        for (const OperationRecord& record : bench.records)
        {
            const DemandMatrix* demand = record.call.demand.get();
            if (!demand)
            {
                continue;
            }
            ++exchanges;
            const uint32_t place = record.rank.Get(); // one group has all ranks
            const uint64_t row = SumDemand(*demand, place, true);
            const uint64_t column = SumDemand(*demand, place, false);
            net += row;
            // a rank that forwards sends all that it forwards
            NS_TEST_ASSERT_MSG_EQ(record.bytesReceived + row,
                                  record.bytesSent + column,
                                  name << record.algorithm);
            if (record.algorithm != "ring")
            {
                NS_TEST_ASSERT_MSG_EQ(record.bytesSent, row, name << record.algorithm);
            }
        }
        // 2 layers, 2 micro-batches, 4 ranks, there and back, forward, again and backward
        NS_TEST_EXPECT_MSG_EQ(exchanges, 3 * 2 * 2 * 4 * 2 * 3, name << "exchanges");
        const ExpertVisits visits = bench.run->GetJob().CountVisits();
        NS_TEST_EXPECT_MSG_EQ(net, visits.sent * 256 * 2 * 2 * 3, name << "each visit is sent");
        NS_TEST_EXPECT_MSG_EQ(visits.routed,
                              visits.sent + visits.local + visits.dropped,
                              name << "no token is lost");
    }
};

/** Predictions. */
class RoutedPredictionsTestCase : public TestCase
{
  public:
    RoutedPredictionsTestCase()
        : TestCase("Demand that changes makes predictions wrong: they are counted, and do no harm")
    {
    }

  private:
    /** Steps in which the experts of some ranks have all tokens, by rank. */
    using Steps = std::vector<std::vector<uint32_t>>;

    static std::shared_ptr<const RoutingCounts> MakeCounts(const Steps& steps)
    {
        std::vector<RoutingCounts::Tokens> tokens;
        for (const std::vector<uint32_t>& ranks : steps)
        {
            tokens.emplace_back(8);
            for (const uint32_t rank : ranks)
            {
                tokens.back()[2 * rank] = 10;
                tokens.back()[2 * rank + 1] = 20;
            }
        }
        return std::make_shared<const RoutingCounts>(
            std::map<uint32_t, std::vector<RoutingCounts::Tokens>>{{0, tokens}, {1, tokens}});
    }

    /** @return the mispredictions of a run, in all iterations */
    uint64_t CountWrong(const Steps& steps, const std::string& policy)
    {
        TrainingCase one = TrainingCase::Experts();
        one.policy = policy;
        one.iterations = 4;
        one.recipe.router.counts = MakeCounts(steps);
        const TrainingBench bench(one); // which requires that the run is whole
        uint64_t sent = 0;
        for (const OperationRecord& record : bench.records)
        {
            sent +=
                record.call.demand ? SumDemand(*record.call.demand, record.rank.Get(), true) : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(sent,
                              bench.run->GetJob().CountVisits().sent * 256 * 2 * 2 * 3,
                              "the same bytes, whatever was predicted");
        return bench.run->GetAll().wrongPredictions;
    }

    void DoRun() override
    {
        const Steps same{{0, 1}};
        const Steps changing{{0, 1}, {2, 3}};
        // each of four ranks learns in the first iteration, and is wrong once in each other one; on
        // demand shims foresee for how many operations circuits are shared
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            NS_TEST_EXPECT_MSG_EQ(CountWrong(same, policy), 0, policy << ": all are alike");
            NS_TEST_EXPECT_MSG_EQ(CountWrong(changing, policy), 4 * 3, policy << ": one a rank");
        }
        NS_TEST_EXPECT_MSG_EQ(CountWrong(changing, "electrical"), 0, "nothing is predicted");
    }
};

/** The suite. */
class TrainingExpertsTestSuite : public TestSuite
{
  public:
    TrainingExpertsTestSuite()
        : TestSuite("photonic-rails-training-experts", TestSuite::Type::UNIT)
    {
        AddTestCase(new RoutedBytesTestCase);
        AddTestCase(new RoutedPredictionsTestCase);
    }
};

static TrainingExpertsTestSuite g_trainingExpertsTestSuite;

} // namespace
