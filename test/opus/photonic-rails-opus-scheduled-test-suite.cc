/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Scheduled circuits: by the rank programs themselves, or by a recorded schedule.

#include "../support/photonic-rails-opus-jobs.h"
#include "../support/time-units.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/recorded-schedule.h"
#include "ns3/test.h"

#include <algorithm>
#include <fstream>
#include <tuple>

using namespace ns3;

namespace
{

constexpr Picoseconds WINDOW = 300 * US; //!< of computing between two collectives

/** The circuit hints of a program. */
enum class Care
{
    NONE,
    PREFETCH, //!< sent as soon as the operation before is over
    ACQUIRE,  //!< the same, on another stream, and waited for
};

/** @return six collectives, in turns on dp and pp; and their numbers */
std::shared_ptr<RankProgram>
MakeProgram(Care care, std::vector<uint32_t>& numbers)
{
    auto program = std::make_shared<RankProgram>();
    uint32_t wanted = 0; // the hint for the next
    numbers.clear();
    for (uint32_t k = 0; k < 6; ++k)
    {
        const uint32_t number =
            program->Collective(0, k % 2, CollectiveKind::ALL_REDUCE, 1 << 20, "ring");
        numbers.push_back(number);
        if (k > 0 && care != Care::NONE)
        {
            program->Edit(wanted).first = number;
            program->Edit(wanted).last = number;
        }
        if (care == Care::ACQUIRE && k > 0)
        {
            program->After(number, wanted);
        }
        if (k == 5)
        {
            break;
        }
        if (care != Care::NONE)
        {
            const uint32_t over = program->Hint(0, CircuitHint::Kind::RELEASE);
            program->Edit(over).first = number;
            program->Edit(over).last = number;
            wanted = program->Hint(care == Care::ACQUIRE ? 1 : 0,
                                   care == Care::ACQUIRE ? CircuitHint::Kind::ACQUIRE
                                                         : CircuitHint::Kind::PREFETCH);
            program->After(wanted, over);
        }
        program->Compute(0, ToTime(WINDOW));
    }
    return program;
}

/** Rank programs with exact hints. */
class CoScheduledTestCase : public TestCase
{
  public:
    CoScheduledTestCase()
        : TestCase("Rank programs schedule their circuits")
    {
    }

  private:
    /** The results of a run. */
    struct Outcome
    {
        Picoseconds end{0};
        std::vector<Picoseconds> waited; //!< by operation, the most of all ranks
        std::size_t changes{0};
        uint64_t answers{0};
    };

    Outcome RunWith(const std::string& policy, Care care)
    {
        OpusCase one;
        one.servers = 4;
        one.policy = policy;
        OpusBench bench(one);
        const SquareJob job(bench);
        std::vector<uint32_t> numbers;
        const auto program = MakeProgram(care, numbers);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            bench.SetProgram(rank, program, job.GroupsOf(rank));
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", policy << ": the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, policy << ": all is done");
        Outcome outcome;
        outcome.end = bench.end;
        outcome.changes = bench.changes.size();
        for (const uint32_t number : numbers)
        {
            outcome.waited.push_back(0);
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                const OperationRecord* record = bench.Find(rank, number);
                NS_ABORT_MSG_UNLESS(record, "operation " << number << " is not over");
                outcome.waited.back() =
                    std::max(outcome.waited.back(), record->waited.GetTimeStep());
            }
        }
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.GetBytes(rank).second, 6 << 20, "six of 1 MiB");
        }
        return outcome;
    }

    void DoRun() override
    {
        const Outcome onDemand = RunWith("on-demand", Care::NONE);
        const Outcome careless = RunWith("co-scheduled", Care::NONE);
        const Outcome prefetch = RunWith("co-scheduled", Care::PREFETCH);
        const Outcome acquire = RunWith("co-scheduled", Care::ACQUIRE);
        const Outcome deaf = RunWith("on-demand", Care::ACQUIRE);
        NS_TEST_EXPECT_MSG_EQ(careless.end, onDemand.end, "who says nothing gets what all get");
        NS_TEST_EXPECT_MSG_LT(deaf.end - onDemand.end, 20 * US, "hints do nothing elsewhere");
        for (std::size_t k = 1; k < 6; ++k)
        {
            // two ways to the shim, four on the network, and the reconfiguration
            NS_TEST_EXPECT_MSG_GT(onDemand.waited[k], (2 + 40 + 100) * US, "on demand, " << k);
            // prefetched circuits wait for a round trip to the controller, and some bits
            NS_TEST_EXPECT_MSG_GT(prefetch.waited[k], (2 + 20) * US, "prefetched, " << k);
            NS_TEST_EXPECT_MSG_LT(prefetch.waited[k], (2 + 20 + 20) * US, "prefetched, " << k);
            // acquired circuits are there: the way to the shim and back
            NS_TEST_EXPECT_MSG_EQ(acquire.waited[k], 2 * US, "acquired, " << k);
        }
        // five shifts of which a reconfiguration and a round trip to the agent are hidden at least
        NS_TEST_EXPECT_MSG_GT(onDemand.end - prefetch.end, 5 * 110 * US, "it pays");
        NS_TEST_EXPECT_MSG_GT(prefetch.end - acquire.end, 5 * 20 * US, "and this still more");
        NS_TEST_EXPECT_MSG_EQ(prefetch.changes, onDemand.changes, "the same circuits turn");
        NS_TEST_EXPECT_MSG_EQ(acquire.changes, onDemand.changes, "the same circuits turn");
    }
};

/** A recorded schedule is replayed. */
class RecordedTestCase : public TestCase
{
  public:
    RecordedTestCase()
        : TestCase("Recorded grants give the same circuits at the same times")
    {
    }

  private:
    /** The results of a run. */
    struct Outcome
    {
        std::vector<std::tuple<uint32_t, uint32_t, Picoseconds, Picoseconds>> ends;
        std::vector<std::tuple<uint64_t, Picoseconds, bool, uint32_t, uint32_t>> changes;
        RecordedSchedule plan;
        std::string findings;
        uint32_t failed{0};
        bool over{false};
        std::vector<std::string> reasons;
    };

    static Outcome RunWith(const std::string& policy, bool pipeline)
    {
        OpusCase one;
        one.servers = pipeline ? 6 : 4;
        one.policy = policy;
        one.abort = false;
        OpusBench bench(one);
        if (pipeline)
        {
            PipelineIteration shape;
            std::vector<std::shared_ptr<const CommunicationGroup>> dp;
            for (uint32_t stage = 0; stage < 3; ++stage)
            {
                dp.push_back(bench.MakeGroup("dp", {2 * stage, 2 * stage + 1}));
            }
            const auto even = bench.MakeGroup("pp 0", {0, 2, 4});
            const auto odd = bench.MakeGroup("pp 1", {1, 3, 5});
            for (uint32_t rank = 0; rank < 6; ++rank)
            {
                auto program = std::make_shared<RankProgram>();
                for (uint32_t i = 0; i < 3; ++i)
                {
                    shape.Add(*program, rank / 2);
                }
                bench.SetProgram(rank, program, {dp[rank / 2], rank % 2 == 0 ? even : odd});
            }
        }
        else
        {
            const SquareJob job(bench);
            const auto program = FourShifts(3, 80 * US);
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                bench.SetProgram(rank, program, job.GroupsOf(rank));
            }
        }
        Outcome outcome;
        outcome.findings = bench.Run();
        outcome.over = bench.IsOver();
        outcome.failed = bench.failed.size();
        for (const OperationRecord& record : bench.failed)
        {
            outcome.reasons.push_back(record.why);
        }
        for (const OperationRecord& record : bench.ended)
        {
            outcome.ends.emplace_back(record.rank.Get(),
                                      record.operation,
                                      record.end.GetTimeStep(),
                                      record.waited.GetTimeStep());
        }
        for (const LightChange& change : bench.changes)
        {
            outcome.changes.emplace_back(change.rail,
                                         change.when,
                                         change.up,
                                         change.low.Get(),
                                         change.high.Get());
        }
        // circuits of one plan change in one instant, in any order
        std::sort(outcome.changes.begin(), outcome.changes.end());
        for (const SentMessage& one : bench.sent)
        {
            if (const OpusGrant* grant = one.message.Find<OpusGrant>())
            {
                outcome.plan.Add(grant->phase, grant->circuits);
            }
        }
        return outcome;
    }

    void DoRun() override
    {
        for (const bool pipeline : {false, true})
        {
            const std::string name = pipeline ? "pipeline" : "square";
            const Outcome first = RunWith("on-demand", pipeline);
            NS_TEST_EXPECT_MSG_EQ((first.over && first.findings.empty()), true, name);
            NS_TEST_ASSERT_MSG_EQ(first.plan.GetPhases().empty(), false, name << ": grants");
            const std::string path = CreateTempDirFilename("plan-" + name + ".txt");
            {
                std::ofstream file(path);
                first.plan.Write(file);
            }
            RecordedSchedule read;
            NS_TEST_EXPECT_MSG_EQ(RecordedSchedule::ReadFile(path, read), "", name << ": is read");
            NS_TEST_EXPECT_MSG_EQ((read == first.plan), true, name << ": as it was written");
            const Outcome again = RunWith("recorded:" + path, pipeline);
            NS_TEST_EXPECT_MSG_EQ((again.over && again.findings.empty()),
                                  true,
                                  name << ": replayed");
            NS_TEST_EXPECT_MSG_EQ((again.changes == first.changes), true, name << ": circuits");
            NS_TEST_EXPECT_MSG_EQ((again.ends == first.ends), true, name << ": times");
            NS_TEST_EXPECT_MSG_EQ((again.plan == first.plan), true, name << ": grants");

            // a plan that lacks all pp circuits: its phases are refused, with a message that names
            // it
            RecordedSchedule part;
            for (const auto& [phase, circuits] : first.plan.GetPhases())
            {
                const bool isPipeline = pipeline ? phase.pointToPoint : phase.group.Get() > 1;
                if (!isPipeline)
                {
                    part.Add(phase, circuits);
                }
            }
            {
                std::ofstream file(path);
                part.Write(file);
            }
            const Outcome broken = RunWith("recorded:" + path, pipeline);
            NS_TEST_EXPECT_MSG_EQ(broken.over, false, name << ": it cannot go on");
            NS_TEST_EXPECT_MSG_GT(broken.failed, 0, name << ": and says so");
            const auto named =
                std::count_if(broken.reasons.begin(),
                              broken.reasons.end(),
                              [&name](const std::string& why) {
                                  return why.find("plan-" + name) != std::string::npos;
                              });
            NS_TEST_EXPECT_MSG_GT(named, 1, name << ": both of a pair, by the name of the file");
        }
    }
};

/** The suite. */
class OpusScheduledTestSuite : public TestSuite
{
  public:
    OpusScheduledTestSuite()
        : TestSuite("photonic-rails-opus-scheduled", TestSuite::Type::UNIT)
    {
        AddTestCase(new CoScheduledTestCase);
        AddTestCase(new RecordedTestCase);
    }
};

static OpusScheduledTestSuite g_opusScheduledTestSuite;

} // namespace
