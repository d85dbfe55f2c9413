/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A training job that fails and goes on: each step takes the time that its parts take.

#include "photonic-rails-recovery-bench.h"
#include "photonic-rails-recovery-cases.h"

#include "ns3/checkpoint-plan.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

using namespace ns3;

namespace
{

constexpr int64_t US = 1'000'000; // in picoseconds
constexpr int64_t MS = 1'000 * US;

/** An instant is over a picosecond later; messages pass a few such ends. */
constexpr int64_t FEW = 6;

// of RecoveryCase: networks, agents, monitor
constexpr int64_t LATENCY = 10 * US; // of the network of heartbeats
constexpr int64_t BYTE = 8'000;      // at 1 Gb/s
constexpr int64_t HOST = US;         // from a rank to its agent
constexpr int64_t FRAME_BYTES = 30;  // UDP 8, IPv4 20, PPP 2
constexpr int64_t FIXED_BYTES = 20;  // of a heartbeat or an order
constexpr int64_t REPORT_BYTES = 24;
constexpr int64_t POLL = 700 * US;
constexpr int64_t GATHER = MS;
constexpr int64_t DECISION = 10 * US;
constexpr int64_t MISSING = 3 * MS;
constexpr int64_t LAUNCH = MS;

/** @return the time of a datagram, over two links @param bytes of it */
int64_t
SpanOf(int64_t bytes)
{
    return LATENCY + 2 * (bytes + FRAME_BYTES) * BYTE;
}

/** @return a fault */
RecoveryFault
FaultAt(int64_t at, uint32_t server, RecoveryFault::What what)
{
    RecoveryFault fault;
    fault.at = PicoSeconds(at); // before the resolution is picoseconds
    fault.server = server;
    fault.what = what;
    return fault;
}

/** A case of a small job that fails once. */
class RecoveryTestCase : public TestCase
{
  public:
    RecoveryTestCase(const std::string& name, const RecoveryCase& setting)
        : TestCase(name),
          m_setting(setting)
    {
    }

  protected:
    /** Looks at the job after the run. */
    virtual void Look(RecoveringJob& job) = 0;

    /** Expects times that differ by a few ends of instants. */
    void ExpectAlmost(Time time, int64_t expected, const char* what)
    {
        NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(time.GetTimeStep() - expected),
                                    FEW,
                                    what << ": " << time.GetTimeStep() << ", expected "
                                         << expected);
    }

    /** @return the bytes of state of each rank of a server */
    static uint64_t GetState(const RecoveringJob& job, uint32_t server)
    {
        return CheckpointPlan(job.GetAttempts().front().GetTraining()->GetJob().GetTask())
            .GetBytes(server);
    }

    RecoveryCase m_setting;

  private:
    void DoRun() override
    {
        m_setting.Run([this](RecoveringJob& job) {
            NS_TEST_EXPECT_MSG_EQ(job.GetAudit().Check().size(), 0, "nothing is lost");
            NS_TEST_EXPECT_MSG_GT(job.GetRecoveries().size(),
                                  0,
                                  "it fails once, of " << job.GetElapsed().As(Time::US));
            if (!job.GetRecoveries().empty())
            {
                Look(job);
            }
        });
    }
};

/** A GPU fails: all steps until a spare is in its server's place. */
class SpliceTestCase : public RecoveryTestCase
{
  public:
    explicit SpliceTestCase(const RecoveryCase& setting)
        : RecoveryTestCase("A spare takes the place of a server, step by step, " + setting.policy,
                           setting)
    {
    }

  private:
    void Look(RecoveringJob& job) override
    {
        NS_TEST_ASSERT_MSG_EQ(ToString(job.GetState()), std::string("done"), job.GetWhyFailed());
        const RecoveryRecord& r = job.GetRecoveries().front();
        const int64_t fault = m_setting.faults[0].at.GetTimeStep();
        NS_TEST_ASSERT_MSG_EQ(r.failed.value_or(Time(0)).GetTimeStep(), fault, "the fault");
        const int64_t found = (fault + HOST + POLL - 1) / POLL * POLL; // the next check
        ExpectAlmost(r.signs[0].report.since, found, "the agent finds the end of the process");
        ExpectAlmost(r.firstSign,
                     found + SpanOf(FIXED_BYTES + REPORT_BYTES),
                     "the monitor has the report");
        ExpectAlmost(r.diagnosed - r.firstSign, GATHER, "the diagnosis");
        NS_TEST_EXPECT_MSG_EQ(r.diagnosis.servers.count(1), 1, r.diagnosis.words);
        NS_TEST_EXPECT_MSG_EQ((r.decided - r.diagnosed).GetTimeStep(), DECISION, "the decision");
        // four orders leave one behind the other; ranks are ended
        const int64_t order = 3 * (FIXED_BYTES + FRAME_BYTES) * BYTE + SpanOf(FIXED_BYTES);
        ExpectAlmost(r.stopped - r.decided, order + 2 * HOST + SpanOf(FIXED_BYTES), "the stop");
        const int64_t down = (r.takenDown - r.stopped).GetTimeStep();
        NS_TEST_EXPECT_MSG_LT_OR_EQ(down,
                                    2 * m_setting.reconfiguration.GetTimeStep() + 200 * US,
                                    "circuits go down in the time of a plan or two");
        // the state of one server, on each rail over both ports of the GPU that has it
        NS_TEST_EXPECT_MSG_EQ(r.state.moves.size(), 1, "one server lacks state");
        if (r.state.moves.empty())
        {
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(r.state.moves[0].to, 4, "the spare");
        NS_TEST_EXPECT_MSG_EQ(r.state.moves[0].bytes, GetState(job, 1), "all that a rank has");
        const int64_t wire = GetState(job, 1) * 8'000 / (2 * 100); // at 2 x 100 Gb/s
        const int64_t copying = (r.copied - r.takenDown).GetTimeStep();
        NS_TEST_EXPECT_MSG_GT(copying, wire, "no sooner than light");
        NS_TEST_EXPECT_MSG_LT(copying,
                              wire * 11 / 10 + 3 * m_setting.reconfiguration.GetTimeStep() +
                                  2 * m_setting.linkUp.GetTimeStep() + 400 * US,
                              "headers, acknowledgements, circuits up and down");
        NS_TEST_EXPECT_MSG_EQ((r.started - r.copied).GetTimeStep(), LAUNCH, "the launch");
        CheckWork(job, r);
    }

    void CheckWork(RecoveringJob& job, const RecoveryRecord& r)
    {
        const Ptr<TrainingRun> first = job.GetAttempts().front().GetTraining();
        const JobAttempt& last = job.GetAttempts().back();
        NS_TEST_EXPECT_MSG_EQ((last.servers == std::vector<uint32_t>{0, 4, 2, 3}),
                              true,
                              "the spare has the place of the lost server");
        NS_TEST_EXPECT_MSG_EQ(r.doneBefore, first->GetIterations(), "iterations before");
        NS_TEST_EXPECT_MSG_EQ(r.doneAfter, r.doneBefore / 2 * 2, "the last checkpoint");
        NS_TEST_EXPECT_MSG_EQ(r.lostWork, *r.failed - first->GetEnd(r.doneAfter), "lost work");
        NS_TEST_EXPECT_MSG_EQ(job.GetIterations(), m_setting.iterations, "all are trained");
        NS_TEST_EXPECT_MSG_EQ(r.firstIteration, last.GetTraining()->GetEnd(1), "the first one");
        const double useful = job.GetUsefulTime().GetSeconds() / job.GetElapsed().GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(job.GetGoodput(), useful, 1e-9, "goodput");
    }
};

/** A server is lost: its heartbeats are missing. */
class ServerLossTestCase : public RecoveryTestCase
{
  public:
    explicit ServerLossTestCase(const RecoveryCase& setting)
        : RecoveryTestCase("A server that is lost is silent", setting)
    {
    }

  private:
    void Look(RecoveringJob& job) override
    {
        const RecoveryRecord& r = job.GetRecoveries().front();
        const int64_t beat = m_setting.faults[0].at.GetTimeStep() / MS * MS; // the last one
        NS_TEST_ASSERT_MSG_EQ((r.signs[0].report.sign == FailureSign::NO_HEARTBEAT),
                              true,
                              r.signs[0].report);
        const int64_t queue = 2 * (FIXED_BYTES + FRAME_BYTES) * BYTE; // those of servers 0 and 1
        ExpectAlmost(r.firstSign,
                     beat + queue + SpanOf(FIXED_BYTES) + MISSING,
                     "three heartbeats are missing");
        NS_TEST_EXPECT_MSG_EQ(r.diagnosis.servers.count(2), 1, r.diagnosis.words);
        NS_TEST_EXPECT_MSG_EQ(ToString(job.GetState()), std::string("done"), job.GetWhyFailed());
    }
};

/** Both fibers of a GPU are cut: only queue pairs notice. */
class CutTestCase : public RecoveryTestCase
{
  public:
    explicit CutTestCase(const RecoveryCase& setting)
        : RecoveryTestCase("A GPU that is cut off is found from pairs that gave up, " +
                               setting.policy,
                           setting)
    {
    }

  private:
    void Look(RecoveringJob& job) override
    {
        const RecoveryRecord& r = job.GetRecoveries().back(); // a tie may come before it
        NS_TEST_EXPECT_MSG_EQ(r.diagnosis.gpus.count(GpuPlace{1, 0}), 1, r.diagnosis.words);
        NS_TEST_EXPECT_MSG_EQ(job.GetAttempts().back().servers.size(), 4, "servers");
        NS_TEST_EXPECT_MSG_EQ(ToString(job.GetState()), std::string("done"), job.GetWhyFailed());
        // 262.144 us, once and three times again; or 20 ms without light
        NS_TEST_EXPECT_MSG_GT(r.firstSign.GetTimeStep(),
                              m_setting.faults[0].at.GetTimeStep() + 4 * 262 * US,
                              "no sooner than the retry limit");
    }
};

/** What other reactions do with the servers and the state. */
class ReactionTestCase : public RecoveryTestCase
{
  public:
    ReactionTestCase(const RecoveryCase& setting,
                     const std::vector<uint32_t>& servers,
                     uint32_t moves)
        : RecoveryTestCase("The reaction " + setting.reaction + " has servers and state as it says",
                           setting),
          m_servers(servers),
          m_moves(moves)
    {
    }

  private:
    void Look(RecoveringJob& job) override
    {
        NS_TEST_ASSERT_MSG_EQ(ToString(job.GetState()), std::string("done"), job.GetWhyFailed());
        const RecoveryRecord& r = job.GetRecoveries().front();
        NS_TEST_EXPECT_MSG_EQ((job.GetAttempts().back().servers == m_servers),
                              true,
                              r.recovery.why);
        NS_TEST_EXPECT_MSG_EQ(r.state.moves.size(), m_moves, "servers that lack state");
        NS_TEST_EXPECT_MSG_EQ(job.GetIterations(), m_setting.iterations, "all are trained");
    }

    std::vector<uint32_t> m_servers;
    uint32_t m_moves;
};

/** The record of a failure begins with the fault, whichever server the signs point to. */
class FaultInstantTestCase : public RecoveryTestCase
{
  public:
    FaultInstantTestCase(const std::string& what, const RecoveryCase& setting)
        : RecoveryTestCase("The records know the fault of a " + what, setting)
    {
    }

  private:
    void Look(RecoveringJob& job) override
    {
        const RecoveryRecord& r = job.GetRecoveries().front();
        NS_TEST_EXPECT_MSG_EQ(r.GetBegin(), m_setting.faults[0].at, "the fault itself");
        NS_TEST_EXPECT_MSG_GT(r.firstSign, r.GetBegin(), "which is found later");
    }
};

/** A job that does not go on ends, with the reason. */
class EndTestCase : public RecoveryTestCase
{
  public:
    EndTestCase(const RecoveryCase& setting, const std::string& why)
        : RecoveryTestCase("A job that does not go on ends: " + why, setting),
          m_why(why)
    {
    }

  private:
    void Look(RecoveringJob& job) override
    {
        NS_TEST_EXPECT_MSG_EQ(ToString(job.GetState()), std::string("failed"), "it ends");
        NS_TEST_EXPECT_MSG_EQ(job.GetWhyFailed(), m_why, "the reason");
    }

    std::string m_why;
};

/** Checkpoints over the network of the hosts: beside training, and at its rate. */
class HostCheckpointTestCase : public TestCase
{
  public:
    HostCheckpointTestCase()
        : TestCase("Checkpoints over the network of the hosts cost no time of training")
    {
    }

  private:
    static constexpr uint64_t RATE = 10'000'000'000;
    static constexpr int64_t BYTE_TIME = 8 * 100; // of a byte at that rate, in picoseconds
    static constexpr uint32_t GPUS = 2;

    /** What came of a job. */
    struct Result
    {
        std::vector<Time> ends; //!< of iterations
        std::map<uint32_t, CheckpointEnds> checkpoints;
        std::vector<RecoveryRecord> failures;
        uint32_t iterations{0};
        uint64_t state{0}; //!< of a rank
    };

    Result Run(const RecoveryCase& one)
    {
        Result result;
        one.Run([&](RecoveringJob& job) {
            NS_TEST_EXPECT_MSG_EQ(job.GetAudit().Check().size(), 0, "nothing is lost");
            const JobAttempt& first = job.GetAttempts().front();
            const Ptr<TrainingRun> run = first.GetTraining();
            for (uint32_t i = 1; i <= run->GetIterations(); ++i)
            {
                result.ends.push_back(run->GetEnd(i));
            }
            result.checkpoints = first.checkpoints;
            result.failures = {job.GetRecoveries().begin(), job.GetRecoveries().end()};
            result.iterations = job.GetIterations();
            const CheckpointPlan plan(run->GetJob().GetTask());
            for (uint32_t server = 0; server < plan.GetServers(); ++server)
            {
                result.state = std::max(result.state, plan.GetBytes(server));
            }
        });
        return result;
    }

    void DoRun() override
    {
        RecoveryCase none = RecoveryCase::Small();
        none.iterations = 12;
        none.checkpoints = 0;
        RecoveryCase hosts = none;
        hosts.checkpoints = 2;
        hosts.network = CheckpointNetwork::HOSTS;
        hosts.hostRate = RATE;
        const Result without = Run(none);
        const Result with = Run(hosts);
        for (uint32_t i = 1; i < none.iterations; ++i) // ranks of one have another group to join
        {
            NS_TEST_EXPECT_MSG_EQ(with.ends[i] - with.ends[0],
                                  without.ends[i] - without.ends[0],
                                  "training is as ever");
        }
        NS_TEST_ASSERT_MSG_EQ(with.checkpoints.size(), none.iterations / 2, "every second one");
        Time free(0); // when the checkpoint before is over
        for (const auto& [iteration, ends] : with.checkpoints)
        {
            NS_TEST_EXPECT_MSG_EQ(ends.ranks, 8, "all ranks have made checkpoint " << iteration);
            // all ranks of a server send on its link, once the iteration and the last copy are over
            const int64_t wire = GPUS * with.state * BYTE_TIME;
            const int64_t begin = std::max(with.ends[iteration - 1], free).GetTimeStep();
            const int64_t took = ends.last.GetTimeStep() - begin;
            NS_TEST_EXPECT_MSG_GT(took, wire - MS, "the bytes take their time"); // ranks differ
            NS_TEST_EXPECT_MSG_LT(took, wire * 12 / 10 + MS, "TCP uses most of the link");
            free = ends.last;
        }
        CheckFailure(hosts, with, false);
        CheckFailure(hosts, with, true);
    }

    /** A GPU fails just after the first checkpoint, or just after the second is complete. */
    void CheckFailure(RecoveryCase hosts, const Result& calm, bool isAfter)
    {
        const Time at = calm.checkpoints.at(isAfter ? 4 : 2).last + MicroSeconds(1);
        hosts.faults = {FaultAt(at.GetTimeStep(), 1, RecoveryFault::What::GPU)};
        const Result failed = Run(hosts);
        NS_TEST_ASSERT_MSG_EQ(failed.failures.size(), 1, "it fails once");
        NS_TEST_EXPECT_MSG_EQ(failed.iterations, hosts.iterations, "all are trained");
        NS_TEST_EXPECT_MSG_EQ(failed.failures[0].doneAfter,
                              (isAfter ? 4U : 2U),
                              "the last complete checkpoint");
        NS_TEST_ASSERT_MSG_EQ(failed.failures[0].state.moves.size(), 1, "the spare lacks state");
        const Time copying = failed.failures[0].copied - failed.failures[0].takenDown;
        const int64_t wire = GPUS * failed.failures[0].state.moves[0].bytes * BYTE_TIME;
        NS_TEST_EXPECT_MSG_GT(copying.GetTimeStep(), wire, "state goes over the hosts' link");
        NS_TEST_EXPECT_MSG_LT(copying.GetTimeStep(), wire * 12 / 10 + MS, "at its rate");
    }
};

/** The suite. */
class RecoveryTestSuite : public TestSuite
{
  public:
    RecoveryTestSuite()
        : TestSuite("photonic-rails-recovery", TestSuite::Type::UNIT)
    {
        RecoveryCase gpu = RecoveryCase::Small();
        gpu.faults = {FaultAt(15 * MS + 300 * US, 1, RecoveryFault::What::GPU)};
        for (const char* policy : {"on-demand", "provisioned"})
        {
            gpu.policy = policy;
            AddTestCase(new SpliceTestCase(gpu));
        }
        RecoveryCase electrical = gpu; // it takes a third of the time
        electrical.policy = "electrical";
        electrical.faults = {FaultAt(5 * MS + 300 * US, 1, RecoveryFault::What::GPU)};
        AddTestCase(new SpliceTestCase(electrical));
        gpu.policy = "on-demand";
        gpu.linkUp = MicroSeconds(300);
        AddTestCase(new SpliceTestCase(gpu));
        gpu.linkUp = Time(0);

        RecoveryCase server = gpu;
        server.faults = {FaultAt(15 * MS + 300 * US, 2, RecoveryFault::What::SERVER)};
        AddTestCase(new ServerLossTestCase(server));
        RecoveryCase cut = gpu;
        cut.faults = {FaultAt(5 * MS + 300 * US, 1, RecoveryFault::What::FIBERS)};
        for (const char* policy : {"on-demand", "electrical"})
        {
            cut.policy = policy;
            AddTestCase(new CutTestCase(cut));
        }

        RecoveryCase move = gpu;
        move.reaction = "move";
        move.spares = 4;
        move.serversPerRack = 4;
        AddTestCase(new ReactionTestCase(move, {4, 5, 6, 7}, 4));
        RecoveryCase detour = gpu;
        detour.reaction = "detour";
        AddTestCase(new ReactionTestCase(detour, {0, 4, 2, 3}, 1));
        RecoveryCase shrink = gpu;
        shrink.reaction = "shrink"; // servers 0 and 2 are the other replica: half of each shard
        AddTestCase(new ReactionTestCase(shrink, {0, 2}, 2));
        shrink.plan.sharding = ParameterSharding::NONE; // and has all state
        AddTestCase(new ReactionTestCase(shrink, {0, 2}, 0));
        RecoveryCase replica = gpu;
        replica.plan.sharding = ParameterSharding::NONE;
        replica.checkpoints = 0; // the other replica of the stage has the state
        replica.faults = {FaultAt(6 * MS + 300 * US, 1, RecoveryFault::What::GPU)};
        AddTestCase(new ReactionTestCase(replica, {0, 4, 2, 3}, 1));

        RecoveryCase stop = gpu;
        stop.reaction = "stop";
        RecoveryCase nic = stop;
        nic.faults = {FaultAt(5 * MS + 300 * US, 1, RecoveryFault::What::NIC)};
        AddTestCase(new FaultInstantTestCase("NIC", nic));
        RecoveryCase dark = stop;
        dark.faults = {FaultAt(5 * MS + 300 * US, 1, RecoveryFault::What::SWITCH)};
        AddTestCase(new FaultInstantTestCase("switch", dark));
        AddTestCase(new EndTestCase(stop, "the job is not to go on after a failure"));
        RecoveryCase none = gpu;
        none.spares = 0;
        AddTestCase(new EndTestCase(none, "1 server is lost, and there are 0 spares for it"));
        AddTestCase(new HostCheckpointTestCase());
        AddTestCase(new RandomRecoveryCase(1, RECOVERY_SEEDS));
    }
};

RecoveryTestSuite g_recoveryTestSuite;

} // namespace
