/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jobs that are exported as GOAL and as Chakra: the replay has the times of the job itself, to the
// picosecond, for every operation of every rank.

#include "../support/random-programs.h"

#include "ns3/chakra-trace-reader.h"
#include "ns3/chakra-trace-writer.h"
#include "ns3/collective-application.h"
#include "ns3/goal-trace-reader.h"
#include "ns3/goal-trace-writer.h"
#include "ns3/job-helper.h"
#include "ns3/operation-record.h"
#include "ns3/optional-headers.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/trace-programs.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

using namespace ns3;

namespace
{

constexpr uint32_t GPUS_PER_SERVER = 2;

/** The times of the operations of a run, by rank and number: begun, ended. */
using Times = std::map<std::pair<uint32_t, uint32_t>, std::pair<int64_t, int64_t>>;

/** @return the job as its GOAL text has it */
JobPrograms
ThroughGoal(const JobPrograms& job)
{
    std::string text;
    GoalTraceWriter(job).Write([&text](const std::string& piece) { text += piece; });
    std::istringstream in(text);
    TraceCollection collection;
    TraceResult error = ReadGoalTrace(in, "given", collection);
    JobPrograms read;
    error = error ? error : MakeTracePrograms(collection, read);
    NS_ABORT_MSG_IF(error, error->ToString());
    return read;
}

/** @return the job as its Chakra files have it */
JobPrograms
ThroughChakra(const JobPrograms& job)
{
    TraceCollection collection;
    collection.Ranks(job.ranks.size());
    TraceResult error;
    for (uint32_t rank = 0; !error && rank < job.ranks.size(); ++rank)
    {
        std::string bytes;
        ChakraTraceWriter(job).Write(rank, [&bytes](const std::string& piece) { bytes += piece; });
        std::istringstream in(bytes);
        error = ReadChakraTrace(in, "given", rank, collection);
    }
    JobPrograms read;
    error = error ? error : MakeTracePrograms(collection, read);
    NS_ABORT_MSG_IF(error, error->ToString());
    return read;
}

/** A job, and its exports. */
class ExportTestCase : public TestCase
{
  public:
    ExportTestCase(const std::string& policy, uint32_t first, uint32_t count)
        : TestCase("Exported jobs have the times of the jobs, policy " + policy),
          m_policy(policy),
          m_first(first),
          m_count(count)
    {
    }

  private:
    /** @return the times of all operations, and the end */
    Times Run(const JobPrograms& job)
    {
        JobHelper helper;
        helper.SetGpusPerServer(GPUS_PER_SERVER);
        helper.SetScaleUp(true);
        helper.SetElectrical(m_policy == "electrical");
        helper.SetReconfigurationTime(MicroSeconds(50));
        helper.GetOpus().SetPolicy(m_policy);
        Ptr<JobRun> run = helper.Install(job);
        m_times.clear();
        for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
        {
            run->applications.Get(rank)->TraceConnectWithoutContext(
                "OperationEnded",
                MakeCallback(&ExportTestCase::Ended, this));
        }
        Simulator::Run();
        run->Require();
        m_times[{UINT32_MAX, 0}] = {0, Simulator::Now().GetTimeStep()};
        run = nullptr;
        Simulator::Destroy();
        return std::move(m_times);
    }

    void Ended(const OperationRecord& record)
    {
        m_times[{record.rank.Get(), record.operation}] = {record.start.GetTimeStep(),
                                                          record.end.GetTimeStep()};
    }

    void Compare(uint32_t number, const Times& expected, const JobPrograms& exported)
    {
        const Times times = Run(exported);
        NS_TEST_EXPECT_MSG_EQ(times.size(), expected.size(), "job " << number);
        for (const auto& [which, its] : expected)
        {
            const auto found = times.find(which);
            const bool isSame = found != times.end() && found->second == its;
            NS_TEST_EXPECT_MSG_EQ(isSame,
                                  true,
                                  "job " << number << ", rank " << which.first << ", operation "
                                         << which.second << ": " << its.first << " to "
                                         << its.second << " ps");
        }
    }

    void DoRun() override
    {
        UsePicoseconds();
        for (uint32_t number = m_first; number < m_first + m_count; ++number)
        {
            const JobPrograms job = RandomPrograms(number).Draw(4 + 2 * (number % 3));
            const Times expected = Run(job);
            Compare(number, expected, ThroughGoal(job));
#if defined(PHOTONIC_RAILS_HAS_PROTOZERO) && defined(PHOTONIC_RAILS_HAS_NLOHMANN_JSON)
            Compare(number, expected, ThroughChakra(job));
#endif
        }
    }

    std::string m_policy;
    uint32_t m_first;
    uint32_t m_count;
    Times m_times;
};

/** The suite. */
class ExportTestSuite : public TestSuite
{
  public:
    ExportTestSuite()
        : TestSuite("photonic-rails-export", TestSuite::Type::UNIT)
    {
        AddTestCase(new ExportTestCase("electrical", 1, 20));
        AddTestCase(new ExportTestCase("on-demand", 1, 40));
        AddTestCase(new ExportTestCase("provisioned", 41, 20));
    }
};

ExportTestSuite g_exportTestSuite;

} // namespace
