/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The time that ranks wait for the reconfiguration of circuits, and the time that is hidden from
// them.

#include "../support/photonic-rails-opus-jobs.h"
#include "../support/time-units.h"

#include "ns3/controller-core.h"
#include "ns3/controller-note.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shim-core.h"
#include "ns3/shim-statistics.h"
#include "ns3/test.h"

#include <cstdlib>
#include <random>

using namespace ns3;

namespace
{

/** Two ranks, one parallelism and another, a window between them. */
struct WindowRun
{
    std::string findings;
    std::vector<ShimNote> notes;          //!< of the shift in the last iteration but one, by rank
    std::vector<OperationRecord> records; //!< the same
    Picoseconds request{0};               //!< bits of the outgoing messages of that shift
    Picoseconds grant{0};
    Picoseconds reconfiguration{0}; //!< from PROGRAM to DONE

    /**
     * @param policy which
     * @param window between the end of the first collective and the call of the second, of rank 0;
     *        rank 1's is 50 us longer
     */
    WindowRun(const std::string& policy, Picoseconds window)
    {
        OpusCase one;
        one.servers = 3;
        one.policy = policy;
        OpusBench bench(one);
        // rank 0 and rank 1 take part in both, and 2 in the first: so all circuits reconfigure
        const auto dp = bench.MakeGroup("dp 0", {0, 1, 2});
        const auto pp = bench.MakeGroup("pp 0", {0, 1});
        RankProgram programs[3];
        std::vector<uint32_t> shifts;
        for (uint32_t rank = 0; rank < 3; ++rank)
        {
            for (uint32_t i = 0; i < 4; ++i)
            {
                programs[rank].BeginIteration();
                programs[rank].Collective(0, DP, CollectiveKind::ALL_GATHER, 3 << 17, "ring");
                if (rank < 2)
                {
                    programs[rank].Compute(0, ToTime(window + rank * 50 * US));
                    const uint32_t call = programs[rank].Collective(0,
                                                                    PP,
                                                                    CollectiveKind::ALL_GATHER,
                                                                    1 << 18,
                                                                    "ring");
                    programs[rank].Compute(0, ToTime(500 * US));
                    shifts.resize(i + 1, call);
                }
            }
            CollectiveApplication::Groups groups{dp};
            if (rank < 2)
            {
                groups.push_back(pp);
            }
            bench.SetProgram(rank, std::make_shared<RankProgram>(programs[rank]), groups);
        }
        findings = bench.Run();
        for (const uint32_t rank : {0, 1})
        {
            notes.push_back(*bench.FindAnswer(rank, "pp", 2));
            records.push_back(*bench.Find(rank, shifts[2]));
        }
        for (const SentMessage& one : bench.sent)
        {
            const OpusPhase* phase = one.message.FindPhase();
            if (phase && *phase == notes[0].phase)
            {
                Picoseconds& bits = one.message.Is<OpusRequest>() ? request : grant;
                const bool counts = one.message.Is<OpusRequest>() || one.message.Is<OpusGrant>();
                bits = counts ? OpusBench::BitsOf(one.message) : bits;
            }
        }
        for (std::size_t i = 0; i < bench.decisions.size(); ++i)
        {
            const ControllerNote& note = bench.decisions[i];
            if (note.kind == ControllerNote::Kind::RECONFIGURED && note.phase == notes[0].phase)
            {
                reconfiguration = note.dark.GetTimeStep();
            }
        }
    }
};

/** The formulas. */
class WindowTestCase : public TestCase
{
  public:
    WindowTestCase()
        : TestCase("A window hides what fits in it, to the picosecond")
    {
    }

  private:
    static constexpr Picoseconds LATENCY = 10 * US;
    //! a request and a grant are each taken when the instant of their arrival is over
    static constexpr Picoseconds TAKEN = 2;

    void DoRun() override
    {
        // On demand: the last request is 10 us and its bits on two links away, then the switch
        // reconfigures, then each is sent its grant; rank 1's stands behind rank 0's on the
        // controller's link.
        const WindowRun onDemand("on-demand", 1'000 * US);
        NS_TEST_EXPECT_MSG_EQ(onDemand.findings, "", "the audit is clean");
        NS_TEST_EXPECT_MSG_GT(onDemand.reconfiguration,
                              120 * US,
                              "there and back, and the mirrors");
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            const ShimNote& note = onDemand.notes[rank];
            NS_TEST_EXPECT_MSG_EQ(note.exposed.GetTimeStep(),
                                  2 * LATENCY + 2 * onDemand.request + onDemand.reconfiguration +
                                      (2 + rank) * onDemand.grant + TAKEN,
                                  "on demand, rank " << rank);
            NS_TEST_EXPECT_MSG_EQ(note.hidden.GetTimeStep(), 0, "nothing of it is hidden");
            NS_TEST_EXPECT_MSG_EQ(note.reconfiguration.GetTimeStep(),
                                  onDemand.reconfiguration,
                                  "as the controller measured");
        }
        // 50 us, but for ns by which the first collective is over earlier for one of them
        const Picoseconds apart =
            (onDemand.notes[1].requested - onDemand.notes[0].requested).GetTimeStep();
        NS_TEST_EXPECT_MSG_LT(std::abs(apart - 50 * US), US / 10, "some ns");
        NS_TEST_EXPECT_MSG_EQ(onDemand.notes[0].others.GetTimeStep(),
                              apart,
                              "rank 0 is so much earlier");
        NS_TEST_EXPECT_MSG_EQ(onDemand.notes[1].others.GetTimeStep(), 0, "rank 1 waits for nobody");

        // Provisioned, with a window longer than all that: the round trip of the grant is left.
        for (const Picoseconds window : {300 * US, 1'000 * US, 1'000 * US + 1})
        {
            const WindowRun run("provisioned", window);
            NS_TEST_EXPECT_MSG_EQ(run.findings, "", "the audit is clean");
            for (uint32_t rank = 0; rank < 2; ++rank)
            {
                const ShimNote& note = run.notes[rank];
                // the server whose request decides is answered first
                const Picoseconds known =
                    2 * LATENCY + 2 * run.request + (3 - rank) * run.grant + TAKEN;
                NS_TEST_EXPECT_MSG_EQ(note.exposed.GetTimeStep(),
                                      known,
                                      "provisioned, rank " << rank);
                NS_TEST_EXPECT_MSG_EQ(note.hidden.GetTimeStep(),
                                      run.reconfiguration - known,
                                      "the rest is hidden");
                const Picoseconds apart =
                    (run.notes[1].requested - run.notes[0].requested).GetTimeStep();
                NS_TEST_EXPECT_MSG_EQ(note.others.GetTimeStep(),
                                      (rank == 0 ? apart : 0),
                                      "as before");
                // the way to the shim and back is the rank's, and no wait for circuits
                NS_TEST_EXPECT_MSG_EQ(run.records[rank].waited.GetTimeStep(),
                                      (note.exposed + note.others).GetTimeStep() + 2 * US,
                                      "what the rank saw");
            }
        }

        // With a shorter window W: reconfiguration began when the guess was there. The guess leaves
        // with the outgoing messages that release the circuits before, one at each server and
        // behind it, which is some us of bits at 1 Gb/s; so W less these is gained, of rank 1, for
        // which all wait.
        for (const Picoseconds window : {0 * US, 20 * US, 40 * US})
        {
            const WindowRun run("provisioned", window);
            const Picoseconds gained =
                (onDemand.notes[1].exposed - run.notes[1].exposed).GetTimeStep();
            NS_TEST_EXPECT_MSG_GT(gained, window + 50 * US - 10 * US, "W of rank 1");
            NS_TEST_EXPECT_MSG_LT(gained, window + 50 * US + 1, "and not more");
        }
    }
};

/** A random small program of ranks in a square: the same for all ranks. */
std::shared_ptr<RankProgram>
DrawProgram(std::mt19937& draw)
{
    const auto pick = [&draw](uint32_t below) { return draw() % below; };

    struct Step
    {
        uint32_t group;
        CollectiveKind kind;
        uint64_t bytes;
        Picoseconds compute;
    };

    const CollectiveKind kinds[] = {CollectiveKind::ALL_GATHER,
                                    CollectiveKind::REDUCE_SCATTER,
                                    CollectiveKind::ALL_REDUCE};
    std::vector<Step> steps(2 + pick(5));
    for (Step& step : steps)
    {
        step.group = pick(2);
        step.kind = kinds[pick(3)];
        step.bytes = uint64_t{1} << (12 + pick(10));
        step.compute = pick(3) == 0 ? 0 : pick(300) * US + pick(1'000'000);
    }
    auto program = std::make_shared<RankProgram>();
    for (uint32_t i = 0; i < 4; ++i)
    {
        program->BeginIteration();
        for (const Step& step : steps)
        {
            program->Collective(0, step.group, step.kind, step.bytes, "ring");
            if (step.compute > 0)
            {
                program->Compute(0, ToTime(step.compute));
            }
        }
    }
    return program;
}

/** Early requests never cost anything, and sums agree. */
class RandomProgramsTestCase : public TestCase
{
  public:
    RandomProgramsTestCase()
        : TestCase("Random programs: provisioned is never slower, and what is exposed adds up")
    {
    }

  private:
    /**
     * @return the end of the job @param shifts receives the number of circuits that were
     * reconfigured
     */
    Picoseconds RunOne(const std::string& policy,
                       const std::shared_ptr<RankProgram>& program,
                       uint32_t seed,
                       uint64_t& shifts,
                       Picoseconds& exposed)
    {
        OpusCase one;
        one.servers = 4;
        one.policy = policy;
        OpusBench bench(one);
        const SquareJob job(bench);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            CollectiveApplication::Groups groups = job.GroupsOf(rank);
            groups.resize(program->GetGroups());
            bench.SetProgram(rank, program, groups);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "seed " << seed << ", " << policy);
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, "seed " << seed << ", " << policy);
        NS_TEST_EXPECT_MSG_EQ(bench.plane.GetTimes().wrongPredictions, 0, "seed " << seed);
        // the waits of ranks without a grant are for others, for circuits, and 2 us of each request
        // on the way to the shim and back
        Picoseconds waited = 0;
        for (const OperationRecord& record : bench.ended)
        {
            waited += record.waited.GetTimeStep();
        }
        Picoseconds others = 0;
        for (const ShimNote& note : bench.answers)
        {
            others += note.others.GetTimeStep() + 2 * US;
        }
        exposed = 0;
        for (const Ptr<OpusShimApp>& shim : bench.plane.shims)
        {
            for (const auto& [parallelism, times] : shim->GetCore().GetCounters().parallelisms)
            {
                exposed += times.summedWaits.GetTimeStep();
            }
        }
        NS_TEST_EXPECT_MSG_EQ(exposed, waited - others, "seed " << seed << ", " << policy);
        shifts = bench.plane.controller->GetCore().GetCounters().reconfigurations;
        return bench.end;
    }

    void DoRun() override
    {
        uint32_t faster = 0;
        for (uint32_t seed = 1; seed <= 25; ++seed)
        {
            std::mt19937 draw(seed);
            const auto program = DrawProgram(draw);
            uint64_t shifts[2];
            Picoseconds exposed[2];
            const Picoseconds onDemand = RunOne("on-demand", program, seed, shifts[0], exposed[0]);
            const Picoseconds provisioned =
                RunOne("provisioned", program, seed, shifts[1], exposed[1]);
            NS_TEST_EXPECT_MSG_LT(provisioned, onDemand + 1, "seed " << seed << ": not slower");
            NS_TEST_EXPECT_MSG_LT(exposed[1], exposed[0] + 1, "seed " << seed << ": nor exposed");
            // both groups may be reconfigured for one iteration more, which never comes
            NS_TEST_EXPECT_MSG_EQ((shifts[1] == shifts[0] || shifts[1] == shifts[0] + 2),
                                  true,
                                  "seed " << seed << ": as much is turned, " << shifts[1] << " and "
                                          << shifts[0]);
            faster += provisioned < onDemand ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(faster, 12, "most have windows");
    }
};

/** The suite. */
class OpusExposedTestSuite : public TestSuite
{
  public:
    OpusExposedTestSuite()
        : TestSuite("photonic-rails-opus-exposed", TestSuite::Type::UNIT)
    {
        AddTestCase(new WindowTestCase);
        AddTestCase(new RandomProgramsTestCase);
    }
};

static OpusExposedTestSuite g_opusExposedTestSuite;

} // namespace
