/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The requests of shims that have a profile of a program, and of shims whose profile is out of
// date.

#include "../support/photonic-rails-opus-jobs.h"
#include "../support/time-units.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/test.h"

#include <algorithm>

using namespace ns3;

namespace
{

/** The results of a run of a square. */
struct Learned
{
    bool over{false};
    std::string findings;
    uint64_t wrong{0};
    std::vector<std::pair<uint32_t, Picoseconds>> wrongAt; //!< of which rank, and when
    std::vector<std::vector<uint32_t>> requested;          //!< by iteration and rank: calls
    std::vector<std::vector<uint32_t>> guessed;            //!< the same: guesses
    std::vector<std::pair<uint64_t, uint64_t>> bytes;
    std::vector<std::vector<Picoseconds>> begins; //!< of iterations, by rank
    uint32_t failed{0};
    uint64_t dropped{0};

    void Wrong(ServerId server, uint64_t)
    {
        wrongAt.emplace_back(server.Get(), NowPicoseconds());
    }

    /** @param policy which @param program of all ranks; the third group joins 0-3 and
     * 1-2, the fourth is like the first */
    Learned(const std::string& policy, const std::shared_ptr<RankProgram>& program)
    {
        OpusCase one;
        one.servers = 4;
        one.policy = policy;
        OpusBench bench(one);
        const SquareJob job(bench);
        const auto outer = bench.MakeGroup("ep 0", {0, 3});
        const auto inner = bench.MakeGroup("ep 1", {1, 2});
        const auto low = bench.MakeGroup("cp 0", {0, 1});
        const auto high = bench.MakeGroup("cp 1", {2, 3});
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            CollectiveApplication::Groups groups = job.GroupsOf(rank);
            groups.push_back(rank % 3 == 0 ? outer : inner);
            groups.push_back(rank < 2 ? low : high);
            groups.resize(program->GetGroups());
            bench.SetProgram(rank, program, groups);
        }
        for (const Ptr<OpusShimApp>& shim : bench.plane.shims)
        {
            shim->TraceConnectWithoutContext("WrongPrediction",
                                             MakeCallback(&Learned::Wrong, this));
        }
        findings = bench.Run();
        over = bench.IsOver();
        failed = bench.failed.size();
        dropped = bench.audit.GetTotals().framesDropped;
        wrong = bench.plane.GetTimes().wrongPredictions;
        const std::vector<uint32_t> iterations = FindIterations(*program);
        for (std::size_t i = 0; i < iterations.size(); ++i)
        {
            begins.emplace_back();
            requested.emplace_back();
            guessed.emplace_back();
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                begins.back().push_back(bench.BeginOf(rank, iterations[i]));
                // the shim is informed of an iteration 1 us after it has begun
                const Picoseconds from = bench.BeginOf(rank, iterations[i]) + US;
                const Picoseconds to = i + 1 < iterations.size()
                                           ? bench.BeginOf(rank, iterations[i + 1]) + US
                                           : bench.end + US;
                const auto count = [&](bool speculative) {
                    return std::count_if(bench.sent.begin(),
                                         bench.sent.end(),
                                         [&](const SentMessage& message) {
                                             const OpusRequest* request =
                                                 message.message.Find<OpusRequest>();
                                             return request && request->isAhead == speculative &&
                                                    message.message.server == ServerId(rank) &&
                                                    message.when >= from && message.when < to;
                                         });
                };
                requested.back().push_back(count(false));
                guessed.back().push_back(count(true));
            }
        }
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            bytes.push_back(bench.GetBytes(rank));
        }
    }
};

/** A program that stays as it is. */
class ShiftsTestCase : public TestCase
{
  public:
    ShiftsTestCase()
        : TestCase("A rank asks once for each shift of parallelism")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            const bool guesses = policy == "provisioned";
            const Learned four(policy, FourShifts(5, 150 * US));
            Check(four, policy, 4, guesses ? 4 : 0);
            // two gathers in a row, then the other parallelism three times; another gather and a
            // scatter, which go on into the next iteration: two shifts, whatever is called between
            auto program = std::make_shared<RankProgram>();
            for (uint32_t i = 0; i < 5; ++i)
            {
                program->BeginIteration();
                program->Collective(0, DP, CollectiveKind::ALL_GATHER, 1 << 18, "ring");
                program->Compute(0, ToTime(20 * US));
                program->Collective(0, DP, CollectiveKind::ALL_GATHER, 1 << 17, "ring");
                program->Compute(0, ToTime(200 * US));
                for (uint32_t k = 0; k < 3; ++k)
                {
                    program->Collective(0, PP, CollectiveKind::ALL_REDUCE, 1 << 16, "ring");
                    program->Compute(0, ToTime(20 * US));
                }
                program->Compute(0, ToTime(200 * US));
                program->Collective(0, DP, CollectiveKind::ALL_GATHER, 1 << 18, "ring");
                program->Collective(0, DP, CollectiveKind::REDUCE_SCATTER, 1 << 18, "ring");
            }
            Check(Learned(policy, program), policy + ", rows", 2, guesses ? 2 : 0);
        }
    }

    void Check(const Learned& run, const std::string& name, uint32_t requests, uint32_t guesses)
    {
        NS_TEST_EXPECT_MSG_EQ(run.findings, "", name << ": the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(run.over, true, name);
        NS_TEST_EXPECT_MSG_EQ(run.wrong, 0, name << ": nothing was predicted wrongly");
        NS_TEST_EXPECT_MSG_EQ(run.wrongAt.size(), 0, name << ": nor traced");
        // the first is learned from, the second is the first that is predicted, and the last lacks
        // the guess for the one behind it only
        for (std::size_t i = 2; i + 1 < run.requested.size(); ++i)
        {
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                NS_TEST_EXPECT_MSG_EQ(run.requested[i][rank],
                                      requests,
                                      name << ": iteration " << i << ", rank " << rank);
                NS_TEST_EXPECT_MSG_EQ(run.guessed[i][rank],
                                      guesses,
                                      name << ": iteration " << i << ", rank " << rank);
            }
        }
    }
};

/** The change of an iteration. */
struct Alteration
{
    std::string name;
    std::vector<std::pair<uint32_t, CollectiveKind>> calls; //!< group and what
    uint64_t bytes;
    uint32_t wrong;  //!< predictions of each rank that this makes wrong
    uint32_t shifts; //!< that it has itself, one after another
};

/** Programs that change after they have been learned. */
class AlteredTestCase : public TestCase
{
  public:
    AlteredTestCase()
        : TestCase("A program that is altered after it was learned")
    {
    }

  private:
    static void Add(RankProgram& program, const Alteration& one)
    {
        program.BeginIteration();
        for (const auto& [group, kind] : one.calls)
        {
            program.Collective(0, group, kind, one.bytes, "ring");
            program.Compute(0, ToTime(150 * US));
        }
    }

    void DoRun() override
    {
        constexpr CollectiveKind AG = CollectiveKind::ALL_GATHER;
        constexpr CollectiveKind RS = CollectiveKind::REDUCE_SCATTER;
        constexpr CollectiveKind AR = CollectiveKind::ALL_REDUCE;
        constexpr uint32_t EP = 2;
        constexpr uint32_t CP = 3;
        using Calls = std::vector<std::pair<uint32_t, CollectiveKind>>;
        const Calls calls{{DP, AG}, {PP, AR}, {EP, AG}, {DP, RS}, {PP, AR}};
        const Alteration usual{"usual", calls, 1 << 18, 0, 5};
        const std::vector<Alteration> all{
            {"one more",
             {{DP, AG}, {PP, AR}, {PP, AR}, {EP, AG}, {DP, RS}, {PP, AR}},
             1 << 18,
             1,
             5},
            {"one less", {{DP, AG}, {PP, AR}, {EP, AG}, {DP, RS}}, 1 << 18, 1, 3},
            // circuits are the same for any size and kind
            {"larger", calls, 1 << 21, 0, 5},
            {"another kind", {{DP, RS}, {PP, AG}, {EP, RS}, {DP, RS}, {PP, AG}}, 1 << 18, 0, 5},
            {"another order", {{EP, AG}, {DP, AG}, {PP, AR}, {DP, RS}, {PP, AR}}, 1 << 18, 1, 5},
            {"another group", {{DP, AG}, {PP, AR}, {EP, AG}, {CP, RS}, {PP, AR}}, 1 << 18, 1, 5},
            {"one group twice", {{DP, AG}, {PP, AR}, {EP, AG}, {PP, RS}, {PP, AR}}, 1 << 18, 1, 4},
            {"nothing at all", {}, 1 << 18, 1, 0},
        };
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            for (const Alteration& altered : all)
            {
                for (const bool forGood : {true, false})
                {
                    auto program = std::make_shared<RankProgram>();
                    for (uint32_t i = 0; i < 8; ++i)
                    {
                        Add(*program, i == 3 || (forGood && i > 3) ? altered : usual);
                    }
                    Check(Learned(policy, program),
                          policy + ", " + altered.name + (forGood ? " for good" : " once"),
                          forGood ? altered : usual,
                          altered,
                          *program);
                }
            }
        }
    }

    void Check(const Learned& run,
               const std::string& name,
               const Alteration& then,
               const Alteration& altered,
               const RankProgram& program)
    {
        NS_TEST_EXPECT_MSG_EQ(run.findings, "", name << ": the audit is clean");
        NS_TEST_EXPECT_MSG_EQ((run.over && run.failed == 0), true, name << ": every rank is over");
        NS_TEST_EXPECT_MSG_EQ(run.dropped, 0, name << ": no frame is cut");
        uint64_t bytes = 0; // a ring of two: half of a gather or scatter, all of a reduction
        for (const RankOperation& one : program.GetOperations())
        {
            if (one.IsExchange())
            {
                bytes += one.collective == CollectiveKind::ALL_REDUCE ? one.bytes : one.bytes / 2;
            }
        }
        for (const auto& [sent, come] : run.bytes)
        {
            NS_TEST_EXPECT_MSG_EQ(sent, bytes, name << ": all that was to be sent");
            NS_TEST_EXPECT_MSG_EQ(come, bytes, name << ": and to come");
        }
        // one wrong prediction where it is altered; where it is as it was before, one more: the
        // profile of the altered iteration
        const bool isOnce = &then != &altered;
        if (altered.wrong == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(run.wrong, 0, name << ": circuits are the same");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ((run.wrong >= 4 && run.wrong <= (isOnce ? 8 : 4)),
                                  true,
                                  name << ": " << run.wrong << " predictions wrong");
        }
        for (const auto& [rank, when] : run.wrongAt)
        {
            NS_TEST_EXPECT_MSG_GT(when, run.begins[3][rank], name << ": none before");
            NS_TEST_EXPECT_MSG_LT(when,
                                  run.begins[isOnce ? 5 : 4][rank] + 2 * US,
                                  name << ": right again when it is learned anew");
        }
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ(run.requested[6][rank],
                                  then.shifts,
                                  name << ": as many as shifts");
        }
    }
};

/** The suite. */
class OpusPredictionTestSuite : public TestSuite
{
  public:
    OpusPredictionTestSuite()
        : TestSuite("photonic-rails-opus-prediction", TestSuite::Type::UNIT)
    {
        AddTestCase(new ShiftsTestCase);
        AddTestCase(new AlteredTestCase);
    }
};

static OpusPredictionTestSuite g_opusPredictionTestSuite;

} // namespace
