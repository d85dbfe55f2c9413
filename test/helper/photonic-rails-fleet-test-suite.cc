/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A short year of a cluster: the replay by the rule of FleetReplay, with the times of a
// TransitionTable, beside a RecoveringJob that is simulated from its first to its last iteration.

#include "../support/photonic-rails-training-bench.h"

#include "ns3/fleet-replay.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/recovering-job.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/transition-table.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t WHOLE_ITERATIONS = 54; // the last one has no checkpoint
constexpr uint32_t YEAR_INTERVAL = 4;     // iterations between checkpoints

/** @return jobs of two GPUs a server, that train a tiny model in a pipeline of two servers */
FleetTraining
TinyFleet(const std::string& policy)
{
    FleetTraining training;
    training.shape = MakeTinyShape();
    training.layers = 0;
    training.gpus = 2;
    training.efficiency = 0.0005;
    training.recipe.microBatches = 4;
    training.recipe.sequence = 64;
    training.policy = policy;
    training.reconfiguration = MicroSeconds(100);
    training.launch = MilliSeconds(20);
    training.darkLimit = MilliSeconds(500);
    return training;
}

/** A reaction, and the faults of a job of four servers with spares in the other rack. */
struct ShortYear
{
    std::string policy;
    FleetReaction reaction;
    std::string name; //!< of the reaction
    uint32_t spares;
    std::vector<uint32_t> servers; //!< that fail, one after another
    std::vector<bool> repaired;    //!< whether they are
};

/** A RecoveringJob, from its first to its last iteration. */
struct WholeRun
{
    Time end{0}; //!< of its last iteration
    Time lostWork{0};
    std::size_t failures{0};
    uint64_t trained{0}; //!< iterations that were not lost, times the servers that trained

    WholeRun(const FleetTraining& training, const ShortYear& year, const std::vector<Fault>& faults)
    {
        const Ptr<RecoveringJob> job = CreateObject<RecoveringJob>();
        job->SetAttribute("LaunchTime", TimeValue(training.launch));
        job->SetAttribute("ServersPerRack", UintegerValue(4));
        job->SetRails(training.MakeRails(4 + year.spares));
        job->SetReaction(year.name);
        TrainingJobHelper helper = training.MakeHelper({2, false});
        helper.SetIterations(WHOLE_ITERATIONS);
        helper.SetCheckpoints(YEAR_INTERVAL);
        job->Install(helper, {0, 1, 2, 3});
        for (const Fault& fault : faults)
        {
            job->GetInjector()->Add(fault);
        }
        Simulator::Run();
        job->GetAudit().Require();
        const JobAttempt& last = job->GetAttempts().back();
        end = last.GetTraining()->GetEnd(last.GetTraining()->GetIterations());
        failures = job->GetRecoveries().size();
        uint32_t done = 0;
        for (const RecoveryRecord& record : job->GetRecoveries())
        {
            lostWork += record.lostWork;
            trained += 4 * (record.doneAfter - done); // only the last one shrinks
            done = record.doneAfter;
        }
        trained += last.servers.size() * (WHOLE_ITERATIONS - done);
        job->Dispose();
        Simulator::Destroy();
    }
};

/** A year that is replayed is as one that is simulated from its beginning to its end. */
class ShortYearTest : public TestCase
{
  public:
    explicit ShortYearTest(const ShortYear& year)
        : TestCase("a short year: " + year.name + ", " + year.policy),
          m_year(year)
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        const FleetTraining training = TinyFleet(m_year.policy);
        TransitionTable table(training, 2);
        const FleetIteration calm = table.GetIteration({2, false});
        const Time first = table.GetFirstIteration({2, false});
        // the steady state begins by what the first iteration is longer
        const Time steady = training.launch + first - TimeStep(calm.iteration);
        // agents look at processes each 100 ms: at the same time after a fault as in the table
        const Time polled =
            training.launch + first + TimeStep(calm.checkpoint + calm.iteration / 2);
        std::vector<Fault> faults;
        std::vector<FleetFault> replayed;
        for (std::size_t number = 0; number < m_year.servers.size(); ++number)
        {
            Fault fault;
            fault.kind = FaultKind::GPU_FAILURE;
            // ranks fill a stage of all replicas first, places of a fleet all stages of a replica
            const uint32_t server = m_year.servers[number];
            fault.server = server < 4 ? server % 2 * 2 + server / 2 : server;
            fault.at = polled + MilliSeconds(100) * (1 + 2 * number);
            if (m_year.repaired[number])
            {
                fault.duration = MilliSeconds(250);
            }
            faults.push_back(fault);
            replayed.push_back(
                {(fault.at - steady).GetTimeStep(),
                 fault.duration ? FleetTime((fault.GetEnd() - steady).GetTimeStep()) : FLEET_NEVER,
                 server,
                 fault.kind});
        }
        const WholeRun whole(training, m_year, faults);
        NS_TEST_ASSERT_MSG_EQ(whole.failures, faults.size(), "each fault ends an attempt");
        // a checkpoint, or a stop, meets a frame that is under way; or a reconfiguration
        const Time each =
            m_year.policy == "electrical" ? MicroSeconds(1) : training.reconfiguration;
        const Time bound = each * (WHOLE_ITERATIONS / YEAR_INTERVAL + 2 * faults.size());
        const auto useful = static_cast<int64_t>(whole.trained) * calm.iteration;
        const FleetTally before = Replay(table, replayed, whole.end - bound - steady);
        const FleetTally after = Replay(table, replayed, whole.end + bound - steady);
        NS_TEST_EXPECT_MSG_LT(static_cast<int64_t>(before.useful), useful, "it ends no earlier");
        NS_TEST_EXPECT_MSG_EQ(static_cast<int64_t>(after.useful), useful, "it ends no later");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<int64_t>(after.lostWork / 4),
                                  whole.lostWork.GetTimeStep(),
                                  2 * bound.GetTimeStep(),
                                  "work that the faults cost");
        NS_TEST_EXPECT_MSG_EQ(after.steps, faults.size(), "transitions");
        NS_TEST_EXPECT_MSG_LT(bound, whole.end / 100, "the bound is small");
    }

    FleetTally Replay(TransitionTable& table,
                      const std::vector<FleetFault>& faults,
                      Time horizon) const
    {
        FleetPlan plan;
        plan.servers = 4 + m_year.spares;
        plan.serversPerRack = 4;
        plan.gpus = 2;
        plan.jobs = {4};
        plan.spares = m_year.spares;
        FleetReplay replay(plan, m_year.reaction, YEAR_INTERVAL, table);
        return replay.Run(FleetFaults(faults, plan.servers), horizon.GetTimeStep());
    }

    ShortYear m_year;
};

/** A transition has the times of its parts. */
class TransitionPartsTest : public TestCase
{
  public:
    TransitionPartsTest()
        : TestCase("transitions have the times of their parts")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        FleetTraining training = TinyFleet("on-demand");
        TransitionTable table(training, 2);
        const FleetTransition lost =
            table.GetTransition({FleetStep::SPLICE, 2, 0, FaultKind::SERVER_LOSS});
        const FleetTransition dark =
            table.GetTransition({FleetStep::SPLICE, 2, 1, FaultKind::FIBER_CUT});
        const FleetTransition many =
            table.GetTransition({FleetStep::SPLICE, 9, 0, FaultKind::SERVER_LOSS});
        const FleetTransition grown =
            table.GetTransition({FleetStep::GROW, 1, 0, FaultKind::SERVER_LOSS});
        const FleetTransition shrunk =
            table.GetTransition({FleetStep::SHRINK, 2, 0, FaultKind::SERVER_LOSS});
        NS_TEST_EXPECT_MSG_EQ(table.GetTransitions().size(), 4, "9 replicas count as 2");
        NS_TEST_EXPECT_MSG_EQ(many.up, lost.up, "and take the time of 2");
        NS_TEST_EXPECT_MSG_EQ_TOL(grown.up,
                                  lost.up,
                                  training.reconfiguration.GetTimeStep(),
                                  "servers of a replica are copied side by side");
        NS_TEST_EXPECT_MSG_EQ(lost.keepsIterations, false, "shards are in the checkpoint only");
        for (const FleetTransition& one : {lost, dark, grown, shrunk})
        {
            NS_TEST_EXPECT_MSG_GT(one.up, training.launch.GetTimeStep(), "programs start");
            NS_TEST_EXPECT_MSG_GT(one.reconfigurations, 0, "on circuits");
        }
        // a heartbeat is missed 300 ms after the last one, which is up to 100 ms old; signs are
        // gathered for 50 ms
        const int64_t ms = MilliSeconds(1).GetTimeStep();
        NS_TEST_EXPECT_MSG_GT(lost.down, 250 * ms, "no heartbeat");
        NS_TEST_EXPECT_MSG_LT(lost.down, 360 * ms, "no heartbeat");
        NS_TEST_EXPECT_MSG_GT(dark.down, 550 * ms, "DarkLimit, and gathering");
        NS_TEST_EXPECT_MSG_LT(grown.down, 2 * ms, "nothing is to be found");

        training.sharding = ParameterSharding::NONE;
        TransitionTable whole(training, 2);
        const FleetTransition kept =
            whole.GetTransition({FleetStep::SPLICE, 2, 0, FaultKind::SERVER_LOSS});
        NS_TEST_EXPECT_MSG_EQ(kept.keepsIterations, true, "the other replica has all state");
        const FleetTransition alone =
            whole.GetTransition({FleetStep::SPLICE, 1, 0, FaultKind::SERVER_LOSS});
        NS_TEST_EXPECT_MSG_EQ(alone.keepsIterations, false, "there is no other replica");

        training.launch = training.launch + MilliSeconds(5);
        TransitionTable later(training, 2);
        NS_TEST_EXPECT_MSG_EQ(
            later.GetTransition({FleetStep::SPLICE, 2, 0, FaultKind::SERVER_LOSS}).up,
            kept.up + 5 * ms,
            "programs that take longer");
    }
};

class FleetTestSuite : public TestSuite
{
  public:
    FleetTestSuite()
        : TestSuite("photonic-rails-fleet", TestSuite::Type::UNIT)
    {
        const std::vector<ShortYear> years{
            // 0 is replaced by 4, 1 by 5, and 4 by 0, which was repaired
            {"electrical", FleetReaction::SPLICE, "splice", 2, {0, 1, 4}, {true, true, false}},
            {"on-demand", FleetReaction::SPLICE, "splice", 2, {0, 1, 4}, {true, true, false}},
            {"on-demand", FleetReaction::MOVE, "move", 4, {0, 4}, {true, false}},
            {"on-demand", FleetReaction::SHRINK, "shrink", 0, {1}, {false}}};
        for (const ShortYear& year : years)
        {
            AddTestCase(new ShortYearTest(year));
        }
        AddTestCase(new TransitionPartsTest);
    }
};

FleetTestSuite g_fleetTestSuite; //!< the suite

} // namespace
