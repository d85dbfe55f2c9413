/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-run.h"

#include "ns3/abort.h"
#include "ns3/effort-estimate.h"
#include "ns3/fidelity-option.h"
#include "ns3/scenario-options.h"
#include "ns3/simulator.h"
#include "ns3/training-job-helper.h"
#include "ns3/training-options.h"
#include "ns3/training-variant.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace ns3
{

namespace
{

static_assert(std::is_trivially_copyable_v<FigureRun>, "it is sent as bytes");

/** A job of a figure, from its options. */
struct FigureJob
{
    FigureJob(const std::vector<std::string>& words, const std::optional<ModelShape>& shape)
    {
        ScenarioOptions options("reproduce");
        job.Add(options);
        TrainingVariants variants;
        variants.Add(options);
        options.Parse(words);
        job.shape = shape;
        job.Complete(options);
        variants.Complete(job.technology);
        const std::vector<TrainingVariant> all = variants.List();
        NS_ABORT_MSG_UNLESS(all.size() == 1,
                            "a job of a figure has one policy and one reconfiguration time, not "
                                << all.size() << " runs");
        variant = all.front();
    }

    /** @return the builder of the job and its network */
    TrainingJobHelper MakeHelper() const
    {
        TrainingJobHelper helper;
        job.SetUp(helper);
        helper.SetPolicy(variant.policy);
        if (!ReconfiguresCircuits(variant.policy))
        {
            helper.SetIterations(1); // nothing is to be learned, and all stands from the start
        }
        if (variant.delay)
        {
            helper.SetReconfigurationTime(*variant.delay);
        }
        return helper;
    }

    TrainingOptions job;
    TrainingVariant variant;
};

} // namespace

RankWindows
CountWindowsOf(const std::vector<CommunicationWindow>& windows, uint32_t rank)
{
    RankWindows counted;
    for (const CommunicationWindow& window : windows)
    {
        if (window.rank != RankId(rank))
        {
            continue;
        }
        const double milliseconds = window.length.GetSeconds() * 1e3;
        counted.largest = counted.all == 0 ? milliseconds : std::max(counted.largest, milliseconds);
        ++counted.all;
        counted.overMillisecond += milliseconds > 1 ? 1 : 0;
        if (window.to == "dp")
        {
            counted.beforeReduction = milliseconds; // the last one stays
        }
    }
    return counted;
}

std::string
FigureRun::Pack() const
{
    return std::string(reinterpret_cast<const char*>(this), sizeof(FigureRun));
}

FigureRun
FigureRun::Unpack(const std::string& bytes)
{
    FigureRun run;
    NS_ABORT_MSG_UNLESS(bytes.size() == sizeof(run), "a result has " << bytes.size() << " bytes");
    std::memcpy(static_cast<void*>(&run), bytes.data(), sizeof(run));
    return run;
}

RailNetDevice::Trains
FigureRun::GetTrains() const
{
    RailNetDevice::Trains trains;
    trains.frames = frames;
    trains.entered = entered;
    trains.left = left;
    trains.refused = refused;
    return trains;
}

double
CheckFigureJob(const std::vector<std::string>& options, const std::optional<ModelShape>& shape)
{
    const FigureJob job(options, shape);
    return EstimateTrainingEffort(TrainingJob(job.MakeHelper().MakeTask()), job.variant);
}

FigureRun
RunFigureJob(const std::vector<std::string>& options,
             const std::optional<ModelShape>& shape,
             const SideBySide::Progress& progress,
             const FoldOption& fold)
{
    const FigureJob job(options, shape);
    const auto installed = [&progress](const Ptr<TrainingRun>& run) { run->SetProgress(progress); };
    const Ptr<TrainingRun> run = fold.Run(job.MakeHelper(), installed);
    run->Require();
    FigureRun result;
    result.figures = GetFigures(*run);
    const std::vector<CommunicationWindow> windows = run->GetWindows();
    result.first = CountWindowsOf(windows, 0);
    result.last = CountWindowsOf(windows, run->GetJob().GetLayout().GetRanks() - 1);
    const RailNetDevice::Trains trains = GetTrainsOf(run->ListCounted());
    result.frames = trains.frames;
    result.entered = trains.entered;
    result.left = trains.left;
    result.refused = trains.refused;
    Simulator::Destroy();
    return result;
}

} // namespace ns3
