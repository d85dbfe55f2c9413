/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A change of the pipeline during the training: programs before it are those of the one recipe, and
// from it on those of the other.

#include "../support/training-job-bench.h"

#include "ns3/recipe-change.h"

#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

using ChangedCall = std::tuple<GroupRole, std::string, uint64_t, std::string>;

/** @return the calls of a rank in an iteration, comparable */
std::vector<ChangedCall>
ListIterationCalls(const TrainingJob& job, uint32_t rank, uint32_t iteration)
{
    std::vector<ChangedCall> calls;
    for (const TrainingCall& call : ListCalls(job, rank, iteration))
    {
        calls.emplace_back(call.role, call.what, call.bytes, call.label);
    }
    return calls;
}

/** @return a job of two stages and two data-parallel ranks, of five iterations */
TrainingTask
MakeTaskOfFive()
{
    TrainingTask task = MakeSmallTask();
    task.plan.dp = 2;
    task.plan.pp = 2;
    task.plan.scaleUp = 1;
    task.recipe.microBatches = 4;
    task.iterations = 5;
    return task;
}

} // namespace

TEST(RecipeChange, EachIterationIsThatOfItsRecipe)
{
    for (const bool several : {false, true})
    {
        for (const char* schedule : {"gpipe", "zb-h1"})
        {
            TrainingTask task = MakeTaskOfFive();
            task.change.iteration = 3;
            task.change.schedule = schedule;
            if (several)
            {
                task.change.microBatches = 6;
            }
            TrainingTask before = MakeTaskOfFive();
            TrainingTask after = before;
            after.recipe.schedule = schedule;
            after.recipe.microBatches = several ? 6 : 4;
            const TrainingJob job(task);
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                for (uint32_t i = 0; i < 5; ++i)
                {
                    EXPECT_EQ(ListIterationCalls(job, rank, i),
                              ListIterationCalls(TrainingJob(i < 2 ? before : after), rank, i))
                        << schedule << ", rank " << rank << ", iteration " << i + 1;
                }
                if (several)
                {
                    EXPECT_NE(ListIterationCalls(job, rank, 1), ListIterationCalls(job, rank, 2));
                }
            }
        }
    }
}

TEST(RecipeChange, ChangesWhatItNamesAndNothingElse)
{
    TrainingRecipe recipe;
    recipe.microBatches = 2;
    RecipeChange change;
    EXPECT_EQ(change.GetRecipe(recipe, 9).microBatches, 2U) << "there is none";
    EXPECT_EQ(FindMistake(change, recipe, 1), "");
    change.iteration = 4;
    change.microBatches = 8;
    EXPECT_EQ(change.GetRecipe(recipe, 3).microBatches, 2U);
    EXPECT_EQ(change.GetRecipe(recipe, 4).microBatches, 8U);
    EXPECT_EQ(change.GetRecipe(recipe, 5).schedule, recipe.schedule);
    EXPECT_EQ(change.ToText(recipe), "2 -> 8 micro-batches");
    change.schedule = "gpipe";
    EXPECT_EQ(change.ToText(recipe), "2 -> 8 micro-batches, schedule 1f1b -> gpipe");
    EXPECT_EQ(FindMistake(change, recipe, 4), "");
}

TEST(RecipeChange, MistakesNameTheValueTheLimitAndTheRemedy)
{
    const auto has = [](const RecipeChange& change, const std::string& words) {
        const std::string mistake = FindMistake(change, TrainingRecipe(), 3);
        EXPECT_NE(mistake.find(words), std::string::npos) << mistake;
    };
    RecipeChange change;
    change.iteration = 1;
    has(change, "iteration 1: nothing is learned before the first iteration; give 2 or more");
    change.iteration = 4;
    has(change, "iteration 4: there are 3 iterations; give an earlier one");
    change.iteration = 2;
    has(change, "changes nothing; give another number of micro-batches than 2");
    change.microBatches = 0;
    has(change, "microBatches is 0; it has to be from 1 to");
    change.microBatches.reset();
    change.schedule = "zigzag";
    has(change, "known: gpipe, 1f1b");
    TrainingTask task = MakeTaskOfFive();
    task.shape.layers = 8;
    task.change.iteration = 2;
    task.change.schedule = "interleaved";
    task.change.microBatches = 5; // no multiple of two ranks
    EXPECT_NE(FindMistake(task), "");
}
