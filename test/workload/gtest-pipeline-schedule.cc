/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/picoseconds.h"
#include "ns3/pipeline-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

using Kind = PipelineStep::Kind;

/** How long a stage takes for a micro-batch; a whole backward pass takes both parts. */
struct StageTimes
{
    Picoseconds forward;
    Picoseconds input;
    Picoseconds weight;

    Picoseconds Of(Kind kind) const
    {
        switch (kind)
        {
        case Kind::FORWARD:
            return forward;
        case Kind::BACKWARD:
            return input + weight;
        case Kind::BACKWARD_INPUT:
            return input;
        case Kind::BACKWARD_WEIGHT:
            break;
        }
        return weight;
    }

    Picoseconds GetAll() const
    {
        return forward + input + weight;
    }
};

/** @return pipelines of all kinds, up to 9 ranks, 4 stages each and 20 micro-batches */
std::vector<PipelineShape>
ListShapes()
{
    std::vector<PipelineShape> shapes;
    for (uint32_t ranks = 1; ranks <= 9; ++ranks)
    {
        for (uint32_t batches = 1; batches <= 20; ++batches)
        {
            for (const char* schedule : {"gpipe", "1f1b", "zb-h1"})
            {
                shapes.push_back({schedule, ranks, 1, batches});
            }
            for (uint32_t chunks = 1; chunks <= 4 && batches % ranks == 0; ++chunks)
            {
                shapes.push_back({"interleaved", ranks, chunks, batches});
            }
        }
    }
    return shapes;
}

std::string
Describe(const PipelineShape& shape)
{
    return shape.schedule + " of " + std::to_string(shape.ranks) + " ranks, " +
           std::to_string(shape.chunks) + " stages each, " + std::to_string(shape.microBatches) +
           " micro-batches";
}

/** Runs a pipeline in which only computing takes time. @return when all is over; 0: never */
Picoseconds
GetEnd(const PipelineShape& shape, const StageTimes& times)
{
    const uint32_t stages = shape.ranks * shape.chunks;
    std::map<std::tuple<bool, uint32_t, uint32_t>, Picoseconds> there; // forward, stage, batch
    std::vector<std::vector<PipelineStep>> left;
    std::vector<Picoseconds> free(shape.ranks);
    for (uint32_t place = 0; place < shape.ranks; ++place)
    {
        left.push_back(MakePipelineSchedule(shape, place));
        std::reverse(left.back().begin(), left.back().end());
    }
    for (bool goesOn = true; goesOn;)
    {
        goesOn = false;
        for (uint32_t place = 0; place < shape.ranks; ++place)
        {
            while (!left[place].empty())
            {
                const PipelineStep step = left[place].back();
                const bool forward = step.kind == Kind::FORWARD;
                const uint32_t stage = step.chunk * shape.ranks + place;
                const bool ends = forward ? stage == 0 : stage + 1 == stages;
                Picoseconds begin = free[place];
                if (!ends && step.kind != Kind::BACKWARD_WEIGHT)
                {
                    const auto input =
                        there.find({forward, forward ? stage - 1 : stage + 1, step.microBatch});
                    if (input == there.end())
                    {
                        break;
                    }
                    begin = std::max(begin, input->second);
                }
                free[place] = begin + times.Of(step.kind);
                // a whole backward pass sends its gradients when all of it is over
                there.insert({{forward, stage, step.microBatch}, free[place]});
                left[place].pop_back();
                goesOn = true;
            }
        }
    }
    const bool done =
        std::all_of(left.begin(), left.end(), [](const auto& steps) { return steps.empty(); });
    return done ? *std::max_element(free.begin(), free.end()) : 0;
}

/** @return how long a pipeline takes beyond its work: idle time of each rank */
Picoseconds
GetBubble(const PipelineShape& shape, const StageTimes& times)
{
    return GetEnd(shape, times) - shape.microBatches * shape.chunks * times.GetAll();
}

/** @return the most micro-batches, in all stages of a rank, between forward pass and last use */
uint32_t
CountHeld(const PipelineShape& shape, uint32_t place)
{
    uint32_t held = 0;
    uint32_t most = 0;
    for (const PipelineStep& step : MakePipelineSchedule(shape, place))
    {
        held += step.kind == Kind::FORWARD ? 1 : 0;
        most = std::max(most, held);
        held -= step.kind == Kind::BACKWARD || step.kind == Kind::BACKWARD_WEIGHT ? 1 : 0;
    }
    return most;
}

} // namespace

TEST(PipelineSchedule, EachPassIsTakenOnceAndForwardComesFirst)
{
    for (const PipelineShape& shape : ListShapes())
    {
        SCOPED_TRACE(Describe(shape));
        ASSERT_EQ(FindMistake(shape), "");
        for (uint32_t place = 0; place < shape.ranks; ++place)
        {
            const std::vector<PipelineStep> steps = MakePipelineSchedule(shape, place);
            std::set<std::tuple<Kind, uint32_t, uint32_t>> taken;
            const bool split = shape.schedule == "zb-h1";
            for (const PipelineStep& step : steps)
            {
                ASSERT_LT(step.microBatch, shape.microBatches);
                ASSERT_LT(step.chunk, shape.chunks);
                ASSERT_TRUE(taken.insert({step.kind, step.microBatch, step.chunk}).second);
                const bool weight = step.kind == Kind::BACKWARD_WEIGHT;
                if (step.kind != Kind::FORWARD)
                {
                    ASSERT_EQ(split, step.kind != Kind::BACKWARD);
                    const Kind before = weight ? Kind::BACKWARD_INPUT : Kind::FORWARD;
                    ASSERT_EQ(taken.count({before, step.microBatch, step.chunk}), 1U);
                }
            }
            ASSERT_EQ(steps.size(), (split ? 3 : 2) * shape.microBatches * shape.chunks);
        }
    }
}

TEST(PipelineSchedule, HeldMicroBatchesAreBounded)
{
    for (const PipelineShape& shape : ListShapes())
    {
        SCOPED_TRACE(Describe(shape));
        const uint32_t p = shape.ranks;
        const uint32_t all = shape.microBatches * shape.chunks;
        for (uint32_t place = 0; place < p; ++place)
        {
            uint32_t limit = shape.microBatches; // gpipe holds all
            if (shape.schedule == "zb-h1")
            {
                limit = p; // as much as the first rank holds with 1f1b
            }
            else if (shape.schedule != "gpipe")
            {
                limit = shape.chunks == 1 ? p - place
                                          : 2 * (p - 1 - place) + (shape.chunks - 1) * p + 1;
            }
            EXPECT_EQ(CountHeld(shape, place), std::min(limit, all)) << "place " << place;
        }
    }
}

TEST(PipelineSchedule, NoOrderLocksUp)
{
    for (const PipelineShape& shape : ListShapes())
    {
        EXPECT_GT(GetEnd(shape, {3, 4, 5}), 0) << Describe(shape);
    }
}

TEST(PipelineSchedule, BubbleOfGpipeAndOneForwardOneBackward)
{
    // the first passes reach the last rank after p - 1 forward passes, and gradients come back in
    // p - 1 backward passes (Narayanan et al., SC 2021, section 2.2.1)
    for (const StageTimes& times : {StageTimes{10, 10, 10}, {7, 5, 8}, {4, 11, 2}})
    {
        const Picoseconds backward = times.input + times.weight;
        for (const PipelineShape& shape : ListShapes())
        {
            if (shape.schedule == "gpipe" || shape.schedule == "1f1b")
            {
                EXPECT_EQ(GetBubble(shape, times), (shape.ranks - 1) * (times.forward + backward))
                    << Describe(shape);
            }
        }
    }
}

TEST(PipelineSchedule, BubbleOfInterleavedStagesShrinksByTheirNumber)
{
    for (const PipelineShape& shape : ListShapes())
    {
        if (shape.schedule != "interleaved")
        {
            continue;
        }
        const StageTimes ofRank{120, 96, 144};
        const Picoseconds v = shape.chunks;
        const StageTimes ofStage{ofRank.forward / v, ofRank.input / v, ofRank.weight / v};
        EXPECT_EQ(GetBubble(shape, ofStage), (shape.ranks - 1) * ofRank.GetAll() / v)
            << Describe(shape);
    }
}

TEST(PipelineSchedule, BubbleOfSplitBackwardPasses)
{
    // Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, table 2: (p - 1)(TF + TB - TW), a
    // third of 1f1b's if all three are equal. Gradients of parameters fill the gaps between other
    // passes, so they have to be as short as these, and there have to be as many as gaps.
    for (const StageTimes& times :
         {StageTimes{10, 10, 10}, {7, 5, 4}, {5, 9, 5}, {6, 2, 1}, {3, 4, 9}})
    {
        for (const PipelineShape& shape : ListShapes())
        {
            if (shape.schedule != "zb-h1")
            {
                continue;
            }
            PipelineShape whole = shape;
            whole.schedule = "1f1b";
            const Picoseconds bubble = GetBubble(shape, times);
            const Picoseconds longest = GetBubble(whole, times);
            EXPECT_TRUE(shape.ranks == 1 ? bubble == longest : bubble < longest) << Describe(shape);
            if (shape.microBatches >= shape.ranks &&
                times.weight <= std::min(times.forward, times.input))
            {
                EXPECT_EQ(bubble, (shape.ranks - 1) * (times.forward + times.input - times.weight))
                    << Describe(shape);
            }
        }
    }
}

TEST(PipelineSchedule, BothEndsMeanTheSameMessages)
{
    for (const PipelineShape& shape : ListShapes())
    {
        SCOPED_TRACE(Describe(shape));
        const uint32_t stages = shape.ranks * shape.chunks;
        // the data of each step, by its producer and its consumer
        std::map<std::pair<uint32_t, uint32_t>, std::set<PipelineMessage>> needed;
        for (uint32_t place = 0; place < shape.ranks; ++place)
        {
            for (const PipelineStep& step : MakePipelineSchedule(shape, place))
            {
                const bool forward = step.kind == Kind::FORWARD;
                const uint32_t stage = step.chunk * shape.ranks + place;
                if (step.kind != Kind::BACKWARD_WEIGHT && stage != (forward ? 0 : stages - 1))
                {
                    const uint32_t made = forward ? stage - 1 : stage + 1;
                    needed[{made % shape.ranks, place}].insert({forward, made, step.microBatch});
                }
            }
        }
        for (uint32_t from = 0; from < shape.ranks; ++from)
        {
            for (uint32_t to = 0; to < shape.ranks; ++to)
            {
                const auto sent = ListPipelineMessages(shape, from, to);
                // a rank that follows itself has the data that it made
                const auto due = from == to ? std::set<PipelineMessage>() : needed[{from, to}];
                ASSERT_EQ(sent.size(), due.size());
                for (const PipelineMessage& message : sent)
                {
                    ASSERT_EQ(due.count(message), 1U);
                }
            }
        }
    }
}

TEST(PipelineSchedule, MessagesAreInTheOrderInWhichTheyAreMade)
{
    // rank 0 of two that have two stages each: stages 0 and 2 lead to rank 1, and so do the
    // gradients of stage 2
    const PipelineShape shape{"interleaved", 2, 2, 2};
    std::vector<PipelineMessage> made;
    for (const PipelineStep& step : MakePipelineSchedule(shape, 0))
    {
        const uint32_t stage = 2 * step.chunk;
        const bool forward = step.kind == Kind::FORWARD;
        if (forward || stage == 2)
        {
            made.push_back({forward, stage, step.microBatch});
        }
    }
    const auto sent = ListPipelineMessages(shape, 0, 1);
    ASSERT_EQ(sent.size(), 6U);
    ASSERT_EQ(made.size(), 6U);
    for (std::size_t i = 0; i < sent.size(); ++i)
    {
        EXPECT_FALSE(sent[i] < made[i] || made[i] < sent[i]) << i;
    }
}

TEST(PipelineSchedule, MistakesAreNamed)
{
    const auto has = [](const PipelineShape& shape, const std::string& words) {
        return FindMistake(shape).find(words) != std::string::npos;
    };
    EXPECT_TRUE(has({"1F1B", 2, 1, 2}, "give one of gpipe 1f1b interleaved zb-h1"));
    EXPECT_TRUE(has({"1f1b", 0, 1, 2}, "give 1 or more"));
    EXPECT_TRUE(has({"1f1b", 2, 0, 2}, "give 1 or more"));
    EXPECT_TRUE(has({"1f1b", 2, 1, 0}, "give 1 or more"));
    EXPECT_TRUE(has({"gpipe", 2, 2, 2}, "only interleaved"));
    EXPECT_TRUE(has({"interleaved", 4, 2, 6}, "give a multiple of 4"));
    EXPECT_EQ(FindMistake(PipelineShape{"interleaved", 4, 2, 8}), "");
}
