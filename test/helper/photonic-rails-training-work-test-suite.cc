/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The computing and the messages of a training job, by the shape of its model, by measured times,
// and with ranks that are late.

#include "../support/photonic-rails-training-bench.h"
#include "../support/time-units.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/test.h"
#include "ns3/training-job-helper.h"

#include <fstream>
#include <map>
#include <memory>
#include <numeric>

using namespace ns3;

namespace
{

/** @return the computing of a rank in an iteration, by its program */
Picoseconds
SumComputing(const TrainingJob& job, uint32_t rank)
{
    const auto& operations = job.GetProgram(rank)->GetOperations();
    const Picoseconds all = std::accumulate(operations.begin(),
                                            operations.end(),
                                            Picoseconds{0},
                                            [](Picoseconds sum, const RankOperation& operation) {
                                                return sum + operation.duration.GetTimeStep();
                                            });
    return all / job.GetTask().iterations;
}

/** Messages and computing. */
class VolumesTestCase : public TestCase
{
  public:
    VolumesTestCase()
        : TestCase("Bytes on rails and computing are what the model asks for")
    {
    }

  private:
    /** Llama3-8B, by its published shape: hidden 4096, 8 of 32 heads for keys, feed-forward 14336,
     * 128256 tokens; here divided over 4 tensor-parallel ranks, which all have the norms. */
    static constexpr uint64_t HIDDEN = 4096;
    static constexpr uint64_t LAYER =
        (2 * HIDDEN * HIDDEN + 2 * HIDDEN * 1024 + 3 * HIDDEN * 14336) / 4 + 2 * HIDDEN;
    static constexpr uint64_t TOKENS = HIDDEN * 128256 / 4;

    void DoRun() override
    {
        Llama();
        OnWire();
    }

    void Llama()
    {
        TrainingCase one = TrainingCase::Llama();
        one.reconfiguration = MilliSeconds(1);
        one.iterations = 1;
        const TrainingBench bench(one);
        const uint64_t first = 16 * LAYER + TOKENS;
        const uint64_t last = 16 * LAYER + TOKENS + HIDDEN;
        // Arxiv 2507.08119: 957 MB gathered, of which each of two ranks sends its half in bf16
        NS_TEST_EXPECT_MSG_EQ_TOL(first / 1048576.0, 957.4, 0.1, "MiB of an AllGather pass");
        for (uint32_t rank = 0; rank < 16; ++rank)
        {
            // Parameters are freed after a forward pass, and held from a backward pass to the next
            // pass. Stage 0 takes F F B B: it gathers for each but the last. Stage 1 takes F B F B:
            // it gathers for each but the second F.
            std::map<std::string, uint64_t> sent;
            for (const OperationRecord& record : bench.ListRecords(rank, 1))
            {
                const bool collective = record.call.kind == RankOperation::Kind::COLLECTIVE;
                sent[collective ? ToString(record.call.collective) : "point to point"] +=
                    bench.IsOnRails(record) ? record.bytesSent : 0;
            }
            const uint64_t parameters = rank < 8 ? first : last;
            // half of 2 bytes, so many passes; half of 4 bytes, once
            NS_TEST_EXPECT_MSG_EQ(sent["all-gather"] % parameters, 0, rank << ": whole passes");
            NS_TEST_EXPECT_MSG_EQ(sent["all-gather"] / parameters, 3, rank << ": three of them");
            NS_TEST_EXPECT_MSG_EQ(sent["reduce-scatter"], 2 * parameters, rank << ": gradients");
            // 4 sequences of 8192 tokens, of which a tensor-parallel rank has a quarter, in bf16
            NS_TEST_EXPECT_MSG_EQ(sent["point to point"],
                                  2 * (4 * 8192 / 4) * HIDDEN * 2,
                                  rank << ": activations or gradients of two micro-batches");
            // the gradient norm and three others, of 4 bytes: half of each, two times
            NS_TEST_EXPECT_MSG_EQ(sent["all-reduce"], 4 * 4, rank << ": what is summed");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetSteady().bytesForwarded, 0, "peers are on one rail");
        const JobTally steady = bench.run->GetSteady();
        NS_TEST_EXPECT_MSG_EQ_TOL(bench.run->GetIdleSeconds() +
                                      steady.computed.GetTimeStep() / 1e12,
                                  bench.run->GetIterationSeconds(1),
                                  1e-9,
                                  "idle and computing are all");
        Picoseconds computed = 0;
        for (uint32_t rank = 0; rank < 16; ++rank)
        {
            computed += SumComputing(bench.run->GetJob(), rank);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(steady.computed.GetTimeStep(),
                                  computed / 16,
                                  16,
                                  "computing, by programs");
    }

    void OnWire()
    {
        TrainingCase one = TrainingCase::Small();
        const TrainingBench bench(one);
        uint64_t sent = 0;
        uint64_t messages = 0;
        constexpr uint64_t EAGER_LIMIT = 16 << 10;
        for (const OperationRecord& record : bench.records)
        {
            sent += bench.IsOnRails(record) ? record.bytesSent : 0;
            // the receiver of a large send reports that it is ready: an entry of NCCL's list
            const bool reports = record.call.kind == RankOperation::Kind::RECEIVE &&
                                 record.call.bytes > EAGER_LIMIT && bench.IsOnRails(record);
            sent += reports ? 64 : 0;
            messages += record.messagesReceived;
        }
        const FrameCounter::Counts wire = bench.run->GetOnWire();
        NS_TEST_EXPECT_MSG_EQ(wire.payloadBytes, sent, "each byte is on a wire once");
        // a frame with data has at least 82 bytes beside it, an acknowledgement has 86
        NS_TEST_EXPECT_MSG_GT(wire.wireBytes, sent + 82 * wire.frames - 1, "headers");
        NS_TEST_EXPECT_MSG_LT(wire.wireBytes, sent + 103 * wire.frames, "and not more of them");
        uint64_t counted = 0;
        for (uint32_t i = 1; i <= one.iterations; ++i)
        {
            counted += bench.run->GetIteration(i).messages;
        }
        NS_TEST_EXPECT_MSG_EQ(counted, messages, "messages, inside servers too");
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetProgress(), 1, "all is over");
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetIterations(), one.iterations, "all iterations");
    }
};

/** Ranks that are late. */
class LateTestCase : public TestCase
{
  public:
    LateTestCase()
        : TestCase("Jitter follows the seed, and a straggler keeps the others waiting")
    {
    }

  private:
    static std::vector<Picoseconds> RunJitter(uint64_t draw)
    {
        TrainingCase one = TrainingCase::Small();
        one.draw = draw;
        one.adjust = [](TrainingJobHelper& helper) {
            helper.SetJitter("ns3::UniformRandomVariable[Min=1|Max=1.3]");
        };
        const TrainingBench bench(one);
        std::vector<Picoseconds> ends;
        for (const OperationRecord& record : bench.records)
        {
            ends.push_back(record.end.GetTimeStep());
        }
        return ends;
    }

    void DoRun() override
    {
        const std::vector<Picoseconds> once = RunJitter(1);
        NS_TEST_EXPECT_MSG_EQ((once == RunJitter(1)), true, "the same draw");
        NS_TEST_EXPECT_MSG_EQ((once == RunJitter(2)), false, "another draw");
        Straggler();
    }

    void Straggler()
    {
        constexpr uint32_t LATE = 5;              // in stage 1
        constexpr Picoseconds F = 3 * MS;         // of a layer
        constexpr Picoseconds B = 2 * 2 * MS + F; // both gradients, and computed again
        TrainingCase one = TrainingCase::Small(); // two layers a stage, four micro-batches
        const auto times = std::make_shared<KindTimes>();
        times->layer = {ToTime(F), Time(0), MilliSeconds(2), MilliSeconds(2), ToTime(F)};
        one.adjust = [times](TrainingJobHelper& helper) { helper.SetComputeTimes(times); };
        JobTally even;
        {
            const TrainingBench bench(one);
            even = bench.run->GetSteady();
            NS_TEST_EXPECT_MSG_EQ(SumComputing(bench.run->GetJob(), LATE), 4 * 2 * (F + B), "");
        }
        // each micro-batch passes both stages, one after another at each: m + p - 1 steps
        NS_TEST_EXPECT_MSG_GT(even.end.GetTimeStep(), (4 + 1) * 2 * (F + B) - 1, "the pipeline");
        NS_TEST_EXPECT_MSG_EQ_TOL(even.computed.GetTimeStep(), 4 * 2 * (F + B), 16, "computing");
        one.adjust = [times](TrainingJobHelper& helper) {
            helper.SetComputeTimes(times);
            helper.AddStraggler(LATE, 2);
        };
        const TrainingBench bench(one);
        const JobTally late = bench.run->GetSteady();
        // before the late rank begins stage 0 has gone forward once, and it goes back once after it
        constexpr Picoseconds OWN = 4 * 2 * (F + B); // of each rank, if none is late
        NS_TEST_EXPECT_MSG_GT(late.end.GetTimeStep(),
                              2 * F + 2 * OWN + 2 * B - 1,
                              "twice as long there");
        // no path through the job has more of the late rank than all of it
        NS_TEST_EXPECT_MSG_LT(late.end.GetTimeStep(),
                              even.end.GetTimeStep() + OWN + even.end.GetTimeStep() / 100,
                              "and not more");
        // one of eight ranks computes longer; the others do what they did, and wait
        NS_TEST_EXPECT_MSG_EQ_TOL(late.computed.GetTimeStep(),
                                  even.computed.GetTimeStep() + OWN / 8,
                                  16,
                                  "computing");
        NS_TEST_EXPECT_MSG_EQ_TOL(bench.run->GetIdleSeconds(),
                                  (late.end.GetTimeStep() - OWN * 9 / 8) / 1e12,
                                  1e-9,
                                  "others wait");
    }
};

/** Computing times from a file. */
class MeasuredTestCase : public TestCase
{
  public:
    MeasuredTestCase()
        : TestCase("Measured computing times give the iteration that they add up to")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        const std::string name = CreateTempDirFilename("measured.csv");
        std::ofstream(name)
            << "unit,forward_us,attention_us,backward_input_us,backward_weight_us,recompute_us\n"
            << "embedding,100.000001,0,0,25.5,0\n"
            << "layer,2000,500,1500,1000,2000\n"
            << "layer 3,3000,500,1500,1000,3000\n"
            << "head,700,0,300,200,0\n"
            << "optimizer,1234.567891,0,0,0,0\n";
        const MeasuredTimes measured = ReadComputeTimes(name);
        NS_TEST_ASSERT_MSG_EQ(measured.error, "", "the file is fine");
        TrainingCase one = TrainingCase::Small();
        one.adjust = [&measured](TrainingJobHelper& helper) {
            helper.SetComputeTimes(measured.times);
        };
        one.recipe.microBatches = 3;
        Alone(one);
        Pipeline(one);
    }

    /** A single GPU has no other rank to exchange with: it only computes. */
    void Alone(TrainingCase one)
    {
        one.plan = ParallelismPlan();
        one.plan.scaleUp = 1;
        const TrainingBench bench(one);
        const Picoseconds embedding = 125'500'001;
        const Picoseconds layers = (3 * 6500 + 8500) * US;
        const Picoseconds head = 1200 * US;
        const Picoseconds expected = 3 * (embedding + layers + head) + 1'234'567'891;
        for (uint32_t i = 1; i <= one.iterations; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.run->GetIteration(i).end.GetTimeStep(),
                                  expected,
                                  "iteration " << i);
            NS_TEST_EXPECT_MSG_EQ(bench.run->GetIteration(i).computed.GetTimeStep(),
                                  expected,
                                  "all of it");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetIdleSeconds(), 0, "it is never idle");
    }

    /** Two stages, of which the second takes longer: it is never without work but at the ends. */
    void Pipeline(TrainingCase one)
    {
        one.plan = ParallelismPlan();
        one.plan.pp = 2;
        one.plan.scaleUp = 1;
        const TrainingBench bench(one);
        const Picoseconds forward = 100'000'001 + 4000 * US; // of stage 0
        const Picoseconds backward = 25'500'000 + 9000 * US;
        const Picoseconds second = (6500 + 8500 + 1200) * US; // of stage 1, both ways
        const Picoseconds least = forward + 3 * second + backward + 1'234'567'891;
        // 512 tokens of 256 numbers of 2 bytes, there or back for each micro-batch, at 100 Gb/s
        // with one port of two, and the time of requests for circuits: these never reconfigure
        const Picoseconds sending = 512 * 256 * 2 * 8 * 10 + 100 * US;
        const Picoseconds end = bench.run->GetIteration(2).end.GetTimeStep();
        NS_TEST_EXPECT_MSG_GT(end, least, "1F1B");
        NS_TEST_EXPECT_MSG_LT(end, least + 2 * 3 * sending, "and what is sent");
        NS_TEST_EXPECT_MSG_EQ(bench.run->GetIteration(2).reconfigurations, 0, "one parallelism");
    }
};

/** The suite. */
class TrainingWorkTestSuite : public TestSuite
{
  public:
    TrainingWorkTestSuite()
        : TestSuite("photonic-rails-training-work", TestSuite::Type::UNIT)
    {
        AddTestCase(new VolumesTestCase);
        AddTestCase(new LateTestCase);
        AddTestCase(new MeasuredTestCase);
    }
};

static TrainingWorkTestSuite g_trainingWorkTestSuite;

} // namespace
