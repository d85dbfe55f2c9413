/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rails that do the same are simulated once: the results are those of a run that simulates each
// rail, and the other rails put no frames of what they follow on their wires.

#include "../support/photonic-rails-training-bench.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/electrical-rail-switch.h"
#include "ns3/fold-option.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-net-device.h"
#include "ns3/result-database.h"
#include "ns3/result-schema.h"
#include "ns3/run-results.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"
#include "ns3/wire-frame.h"

#include <functional>
#include <iomanip>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

using namespace ns3;

namespace
{

/** Has rails folded or not, and operations follow that could be memoized otherwise, or not. */
void
SetFold(TrainingJobHelper& helper, bool folds, bool memoizes)
{
    helper.SetFold(folds);
    helper.GetCollectives().SetAttribute("MemoizeOperations", BooleanValue(memoizes));
}

/** @return Tiny on servers of two GPUs: data parallelism over two rails, and a pipeline or none */
TrainingCase
MakeCase(bool folds, uint32_t stages = 1, bool memoizes = false)
{
    TrainingCase one = TrainingCase::Small();
    one.plan.pp = stages;
    one.plan.dp = 4;
    one.adjust = [folds, memoizes](TrainingJobHelper& helper) { SetFold(helper, folds, memoizes); };
    return one;
}

/** @return all that a run reports of operations and iterations, as lines */
std::string
Describe(const TrainingBench& bench)
{
    std::ostringstream lines;
    for (const OperationRecord& r : bench.records)
    {
        lines << r.rank << " " << r.operation << " " << r.start << " " << r.end << " " << r.waited
              << " " << r.messagesSent << " " << r.bytesSent << " " << r.messagesReceived << " "
              << r.bytesReceived << "\n";
    }
    const JobTally all = bench.run->GetAll();
    const RailAudit::Totals totals = bench.run->GetAudit().GetTotals();
    lines << all.end << " " << all.exposed << " " << all.messages << " " << all.controlMessages
          << " " << totals.framesSent << " " << totals.framesReceived << " "
          << totals.messagesPosted << " " << totals.bytesArrived << " "
          << bench.run->GetOnWire().wireBytes << "\n";
    return lines.str();
}

/** @return what builds a folded job, which a TrainingBench would not end if it diverges */
TrainingJobHelper
MakeFolded(const TrainingCase& one)
{
    UsePicoseconds();
    TrainingJobHelper helper;
    helper.SetModel(one.shape);
    helper.SetParallelismPlan(one.plan);
    helper.SetRecipe(one.recipe);
    helper.SetGpu("A100", one.efficiency);
    helper.SetPolicy(one.policy);
    helper.SetReconfigurationTime(one.reconfiguration);
    SetFold(helper, true, false);
    return helper;
}

/** @return the frames that the NICs of a rail have put on their wires */
uint64_t
CountSent(const Rail& rail)
{
    uint64_t sent = 0;
    for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
    {
        for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
        {
            sent += rail.GetNic(gpu, port)->GetCounters().sent;
        }
    }
    return sent;
}

} // namespace

/** Results are equal, and the frames of operations that followed are simulated once. */
class FoldedResultsCase : public TestCase
{
  public:
    FoldedResultsCase()
        : TestCase("A folded run has the results of one that simulates each rail")
    {
    }

  private:
    void DoRun() override
    {
        std::string apart;
        uint64_t frames = 0;
        {
            const TrainingBench bench(MakeCase(false));
            apart = Describe(bench);
            NS_TEST_EXPECT_MSG_EQ(bench.run->HasFolded(), false, "it is off by default");
            frames = CountSent(bench.run->rails[1]);
            NS_TEST_EXPECT_MSG_EQ(CountSent(bench.run->rails[0]), frames, "rails do the same");
        }
        const TrainingBench bench(MakeCase(true));
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetWhyNotFolded(), "", "nothing makes rails differ");
        NS_TEST_ASSERT_MSG_EQ(bench.run->HasFolded(), true, "rails are folded");
        NS_TEST_EXPECT_MSG_EQ(Describe(bench), apart, "with equal results");
        const RailFold::Counters& counters = bench.run->GetFold()->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.followed + counters.own,
                              counters.led,
                              "each operation of the leader is one of the other rail");
        NS_TEST_EXPECT_MSG_GT(counters.followed, counters.own, "most of them follow");
        NS_TEST_EXPECT_MSG_EQ(CountSent(bench.run->rails[0]), frames, "the leader sends all");
        NS_TEST_EXPECT_MSG_LT(CountSent(bench.run->rails[1]), frames, "the other rail less");
    }
};

/** Operations on circuits that can be memoized do not follow; others do. */
class MemoizedCase : public TestCase
{
  public:
    MemoizedCase()
        : TestCase("What can be memoized follows no other rail, where that works")
    {
    }

  private:
    /** @return the operations that follow @param fidelity how circuits are simulated */
    uint64_t CountFollowed(const std::string& policy, const std::string& fidelity)
    {
        TrainingCase one = MakeCase(false, 1, true);
        one.policy = policy;
        one.fidelity = fidelity;
        const std::string apart = Describe(TrainingBench(one));
        one = MakeCase(true, 1, true);
        one.policy = policy;
        one.fidelity = fidelity;
        const TrainingBench bench(one);
        NS_TEST_EXPECT_MSG_EQ(bench.run->HasFolded(), true, "rails are folded");
        NS_TEST_EXPECT_MSG_EQ(Describe(bench), apart, "with equal results");
        const RailFold::Counters& counters = bench.run->GetFold()->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.followed + counters.own, counters.led, "each is counted");
        return counters.followed;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountFollowed("on-demand", "PacketTrains"), 0, "they are memoized");
        NS_TEST_EXPECT_MSG_GT(CountFollowed("on-demand", "PacketEvents"),
                              0,
                              "by packet events not");
        NS_TEST_EXPECT_MSG_GT(CountFollowed("electrical", "PacketTrains"),
                              0,
                              "nor on packet switches");
    }
};

/** Without a control plane all operations follow, also those that overlap. */
class InStepCase : public TestCase
{
  public:
    explicit InStepCase(const std::string& fidelity)
        : TestCase("On packet switches a pipeline and data parallelism follow: " + fidelity),
          m_fidelity(fidelity)
    {
    }

  private:
    void DoRun() override
    {
        TrainingCase one = MakeCase(false, 2);
        one.policy = "electrical";
        one.fidelity = m_fidelity;
        const std::string apart = Describe(TrainingBench(one));
        TrainingCase folded = MakeCase(true, 2);
        folded.policy = "electrical";
        folded.fidelity = m_fidelity;
        const TrainingBench bench(folded);
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetWhyNotFolded(), "", "nothing makes rails differ");
        NS_TEST_ASSERT_MSG_EQ(bench.run->HasFolded(), true, "rails are folded");
        NS_TEST_EXPECT_MSG_EQ(Describe(bench), apart, "with equal results");
        const RailFold::Counters& counters = bench.run->GetFold()->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.followed, counters.led, "all operations follow");
        NS_TEST_EXPECT_MSG_EQ(CountSent(bench.run->rails[1]), 0, "the other rail sends nothing");
    }

    std::string m_fidelity;
};

/** What makes rails differ has each of them simulated, and a reason. */
class NotFoldedCase : public TestCase
{
  public:
    NotFoldedCase()
        : TestCase("Rails that differ are not folded")
    {
    }

  private:
    /** Checks that a change of the job makes rails differ. */
    void Differs(const std::string& what, const std::function<void(TrainingJobHelper&)>& change)
    {
        TrainingCase one = MakeCase(true);
        one.adjust = [change](TrainingJobHelper& helper) {
            helper.SetFold(true);
            change(helper);
        };
        const TrainingBench bench(one);
        NS_TEST_EXPECT_MSG_EQ(bench.run->HasFolded(), false, what);
        NS_TEST_EXPECT_MSG_NE(bench.run->GetWhyNotFolded(), "", what);
    }

    void DoRun() override
    {
        Differs("compute times are random", [](TrainingJobHelper& helper) {
            helper.SetJitter("ns3::UniformRandomVariable[Min=1|Max=1.01]");
        });
        Differs("a rank is slower", [](TrainingJobHelper& helper) { helper.AddStraggler(3, 1.5); });
        Differs("control messages are lost at random",
                [](TrainingJobHelper& helper) { helper.SetManagementLoss(0.001); });
        Differs("ports work after the grant", [](TrainingJobHelper& helper) {
            helper.SetLinkUpTime("ns3::ConstantRandomVariable[Constant=0.0001]");
        });
        Differs("circuits change by time",
                [](TrainingJobHelper& helper) { helper.SetPolicy("rotor:300us"); });
        TrainingCase observed = MakeCase(true);
        observed.messages = true; // connects a trace of each engine
        const TrainingBench bench(observed);
        NS_TEST_EXPECT_MSG_EQ(bench.run->HasFolded(), false, "messages are observed");
    }
};

/** A run that diverges reports it, before it has an effect. */
class DivergenceCase : public TestCase
{
  public:
    DivergenceCase()
        : TestCase("Frames of a rail that follows are observed in the middle: the run has diverged")
    {
    }

  private:
    void Frame(const WireFrame&)
    {
    }

    void Observe()
    {
        m_run->rails[1].GetNic(0)->TraceConnectWithoutContext(
            "FrameSent",
            MakeCallback(&DivergenceCase::Frame, this));
    }

    void Diverged(const std::string& why)
    {
        m_why = why;
        Simulator::Stop();
    }

    void DoRun() override
    {
        m_run = MakeFolded(MakeCase(true)).Install();
        m_run->GetFold()->SetDivergedCallback([this](const std::string& why) { Diverged(why); });
        Simulator::Schedule(MicroSeconds(500), &DivergenceCase::Observe, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_NE(m_why, "", "the operation can't follow");
        NS_TEST_EXPECT_MSG_EQ(m_run->GetFold()->GetDivergence(), m_why, "and the run is void");
        m_run = nullptr;
        Simulator::Destroy();
    }

    Ptr<TrainingRun> m_run;
    std::string m_why;
};

/** Marks are drawn by each switch for itself: rails whose leader has drawn any are not the same. */
class RandomMarksCase : public TestCase
{
  public:
    RandomMarksCase()
        : TestCase("A switch draws marks: the run has diverged")
    {
    }

  private:
    void Diverged(const std::string& why)
    {
        m_why = why;
        Simulator::Stop();
    }

    void DoRun() override
    {
        Config::SetDefault("ns3::ElectricalRailSwitch::EcnKmin", UintegerValue(1));
        Config::SetDefault("ns3::ElectricalRailSwitch::EcnKmax", UintegerValue(100'000'000));
        TrainingCase one = MakeCase(true, 2);
        one.policy = "electrical";
        const Ptr<TrainingRun> run = MakeFolded(one).Install();
        NS_TEST_ASSERT_MSG_NE(run->GetFold(), nullptr, "nothing makes rails differ at first");
        run->GetFold()->SetDivergedCallback([this](const std::string& why) { Diverged(why); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_NE(m_why.find("marks"), std::string::npos, "a draw is found: " << m_why);
        Simulator::Destroy();
        Config::Reset();
    }

    std::string m_why;
};

/** What was recorded of a run that diverged is not in the database, which is as without folding. */
class RecordedDivergenceCase : public TestCase
{
  public:
    RecordedDivergenceCase()
        : TestCase("A run that diverges leaves nothing in the database")
    {
    }

  private:
    /** @return the rows of all tables of a run, but for what the computer needed for it */
    std::string Record(const TrainingJobHelper& helper, const std::string& mode)
    {
        const std::string file = CreateTempDirFilename(mode + ".sqlite");
        ResultDatabase::Create(file);
        const auto results = Create<RunResults>(file, 0, RunLabel{"once"});
        FoldOption fold;
        fold.mode = mode;
        results->Finish(GetFigures(*fold.Run(helper, results)));
        Simulator::Destroy();
        std::ostringstream rows;
        ResultDatabase database(file);
        for (const ResultTable& table : GetResultTables())
        {
            if (table.IsView() || !table.IsOfRun())
            {
                continue;
            }
            std::string columns;
            for (const ResultColumn& column : table.columns)
            {
                if (column.name != "cpu_s" && column.name != "max_rss_mb")
                {
                    columns += (columns.empty() ? "" : ",") + column.name;
                }
            }
            rows << table.name << "\n";
            database.Select("SELECT " + columns + " FROM " + table.name, [&rows](const auto& row) {
                for (const ResultValue& value : row)
                {
                    std::visit([&rows](const auto& v) { Print(rows, v); }, value);
                }
                rows << "\n";
            });
        }
        return rows.str();
    }

    static void Print(std::ostream& out, std::monostate)
    {
        out << "NULL ";
    }

    template <typename Value>
    static void Print(std::ostream& out, const Value& value)
    {
        out << std::setprecision(17) << value << " ";
    }

    void DoRun() override
    {
        if (!ResultDatabase::FindFault().empty())
        {
            return; // this build has none
        }
        Config::SetDefault("ns3::ElectricalRailSwitch::EcnKmin", UintegerValue(1));
        Config::SetDefault("ns3::ElectricalRailSwitch::EcnKmax", UintegerValue(100'000'000));
        TrainingCase one = MakeCase(true, 2);
        one.policy = "electrical";
        const TrainingJobHelper helper = MakeFolded(one);
        const std::string apart = Record(helper, "off");
        NS_TEST_EXPECT_MSG_NE(apart.find("operations\n0 "), std::string::npos, "there are rows");
        NS_TEST_EXPECT_MSG_EQ(Record(helper, "auto"), apart, "those of one attempt");
        Config::Reset();
    }
};

/** Switches that draw equally mark the same frames: their rails are folded, congested or not. */
class CommonMarksCase : public TestCase
{
  public:
    CommonMarksCase()
        : TestCase("Switches of all rails draw marks equally: the rails are folded")
    {
    }

  private:
    /** @return the frames that the ports of a rail's switch have marked */
    static uint64_t CountMarked(const Rail& rail)
    {
        const auto middle = rail.GetSwitchNode()->GetObject<ElectricalRailSwitch>();
        uint64_t marked = 0;
        for (uint32_t port = 0; port < rail.GetGpus() * rail.GetPortsPerGpu(); ++port)
        {
            marked += middle->GetCounters(PortId(port)).marked;
        }
        return marked;
    }

    static TrainingCase MakeMarking(bool folds)
    {
        TrainingCase one = MakeCase(folds, 2);
        one.recipe.microBatches = 8;
        one.recipe.schedule = "interleaved";
        one.recipe.chunks = 2;
        one.policy = "electrical";
        one.adjust = [folds](TrainingJobHelper& helper) {
            SetFold(helper, folds, false);
            helper.SetCommonMarks(true);
            Config::SetDefault("ns3::ElectricalRailSwitch::EcnKmin", UintegerValue(1));
            Config::SetDefault("ns3::ElectricalRailSwitch::EcnKmax", UintegerValue(4'500));
            Config::SetDefault("ns3::ElectricalRailSwitch::EcnPmax", DoubleValue(1));
        };
        return one;
    }

    void DoRun() override
    {
        std::string apart;
        uint64_t marked = 0;
        {
            const TrainingBench bench(MakeMarking(false));
            apart = Describe(bench);
            marked = CountMarked(bench.run->rails[0]);
            NS_TEST_EXPECT_MSG_GT(marked, 0, "there is congestion");
            NS_TEST_EXPECT_MSG_EQ(CountMarked(bench.run->rails[1]), marked, "equal on all rails");
        }
        const TrainingBench bench(MakeMarking(true));
        NS_TEST_ASSERT_MSG_EQ(bench.run->HasFolded(), true, bench.run->GetWhyNotFolded());
        NS_TEST_EXPECT_MSG_EQ(Describe(bench), apart, "with equal results");
        NS_TEST_EXPECT_MSG_EQ(CountMarked(bench.run->rails[0]), marked, "and equal marks");
        const RailFold::Counters& counters = bench.run->GetFold()->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.followed, counters.led, "all operations follow");
    }
};

class FoldTestSuite : public TestSuite
{
  public:
    FoldTestSuite()
        : TestSuite("photonic-rails-fold", TestSuite::Type::UNIT)
    {
        AddTestCase(new FoldedResultsCase);
        AddTestCase(new MemoizedCase);
        AddTestCase(new InStepCase("PacketTrains"));
        AddTestCase(new InStepCase("PacketEvents"));
        AddTestCase(new NotFoldedCase);
        AddTestCase(new DivergenceCase);
        AddTestCase(new RandomMarksCase);
        AddTestCase(new RecordedDivergenceCase);
        AddTestCase(new CommonMarksCase);
    }
};

static FoldTestSuite g_foldTestSuite;
