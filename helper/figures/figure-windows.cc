/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

#include "ns3/program-text.h"
#include "ns3/training-job-helper.h"
#include "ns3/training-report.h"

namespace ns3
{

namespace
{

/** @return the windows of an iteration, by the rule of phases, at rank 0 of Llama3.1-405B */
double
CountWindows405(uint32_t microBatches)
{
    TrainingJobHelper helper;
    helper.SetModel("Llama3.1-405B");
    ParallelismPlan plan;
    plan.tp = plan.scaleUp = 8;
    plan.dp = 8;
    plan.pp = 16;
    helper.SetParallelismPlan(plan);
    TrainingRecipe recipe;
    recipe.microBatches = microBatches;
    helper.SetRecipe(recipe);
    helper.SetGpu("H100", 0.4); // a count has no time
    const TrainingJob job(helper.MakeTask());
    return CountAlternations(ListLastIteration(job, 0), ListInScaleUp(job));
}

/** Adds a value of the job. */
void
AddMeasure(Figure& figure,
           const std::string& row,
           const std::string& column,
           const std::string& published,
           const std::function<double(const FigureRun&)>& measure)
{
    FigurePoint point{row, column, published};
    point.options = {"--policy=electrical"};
    point.measure = measure;
    figure.points.push_back(point);
}

} // namespace

Figure
MakeWindows()
{
    Figure figure;
    figure.title = "Windows between phases: Llama3-8B on 16 A100, and Llama3.1-405B on 1,024 GPUs";
    figure.source = FigureSources::RAILS;
    figure.rows = "quantity";
    figure.unit = "as the rows say";
    figure.calibrated = "nothing here: the efficiency is that of emulation-16";
    figure.effort = "twenty seconds";
    figure.decimals = 1;
    figure.assumptions = {"405B: TP 8, DP 8, PP 16, FSDP; the paper's formula is not in our copy"};
    using Run = const FigureRun&;
    AddMeasure(figure, "longer-than-1-ms-%", "first-stage", "> 75", [](Run run) {
        return 100.0 * run.first.overMillisecond / run.first.all;
    });
    AddMeasure(figure, "longer-than-1-ms-%", "last-stage", "> 75", [](Run run) {
        return 100.0 * run.last.overMillisecond / run.last.all;
    });
    AddMeasure(figure, "before-ReduceScatter-ms", "first-stage", "1000", [](Run run) {
        return run.first.beforeReduction;
    });
    AddMeasure(figure, "before-ReduceScatter-ms", "last-stage", "", [](Run run) {
        return run.last.beforeReduction;
    });
    AddMeasure(figure, "the-largest-ms", "first-stage", "1000", [](Run run) {
        return run.first.largest;
    });
    AddMeasure(figure, "the-largest-ms", "last-stage", "", [](Run run) {
        return run.last.largest;
    });
    for (const uint32_t microBatches : {32, 64})
    {
        FigurePoint point{"405B-windows-of-" + std::to_string(microBatches) + "-micro-batches",
                          "first-stage",
                          "127"};
        point.compute = [microBatches] { return CountWindows405(microBatches); };
        figure.points.push_back(point);
    }
    return figure;
}

} // namespace ns3
