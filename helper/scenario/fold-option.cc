/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fold-option.h"

#include "run-results.h"
#include "scenario-options.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

void
FoldOption::Add(ScenarioOptions& options)
{
    options
        .Add("fold",
             "Whether rails that do the same are simulated once, as far as they do, with equal "
             "results",
             mode)
        .OneOf({"auto", "off"}, "mode");
}

Ptr<TrainingRun>
FoldOption::Run(const TrainingJobHelper& helper,
                const std::function<void(const Ptr<TrainingRun>&)>& installed) const
{
    TrainingJobHelper its = helper;
    its.SetFold(mode == "auto");
    std::string divergence;
    while (true)
    {
        const Ptr<TrainingRun> run = its.Install();
        if (!divergence.empty())
        {
            run->Fold(divergence);
        }
        if (run->GetFold())
        {
            run->GetFold()->SetDivergedCallback([&divergence](const std::string& why) {
                divergence = why;
                Simulator::Stop();
            });
        }
        if (installed)
        {
            installed(run);
        }
        Simulator::Run();
        if (!run->GetFold() || divergence.empty())
        {
            return run;
        }
        its.SetFold(false);
        Simulator::Destroy();
    }
}

Ptr<TrainingRun>
FoldOption::Run(const TrainingJobHelper& helper, const Ptr<RunResults>& results) const
{
    bool isFirst = true;
    return Run(helper, [&](const Ptr<TrainingRun>& run) {
        if (!std::exchange(isFirst, false))
        {
            results->Restart();
        }
        results->AddJob(run);
    });
}

} // namespace ns3
