/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The shortest whole training job: Llama3-8B on 16 GPUs, whose rails are optical switches that take
// 25 ms to reconfigure. Change the model, the plan, the switch or the policy, and run it again.
//
// Try: ./rails run one-training-job
//      ./rails run one-training-job --policy=electrical     (packet switches)

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    std::string policy = "provisioned";
    scenario.Add("policy", "Whose circuits", policy).OneOf(GetPolicyAliases()).MayHaveArgument();
    FoldOption fold;
    fold.Add(scenario.GetOptions());
    return scenario.Run(argc, argv, [&] {
        ParallelismPlan plan; // ranks fill servers: tensor parallelism stays inside
        plan.tp = plan.scaleUp = 4;
        plan.dp = 2; // FSDP: parameters are gathered, gradients scattered over rails
        plan.pp = 2; // two stages send each other activations and gradients over rails
        TrainingRecipe recipe;
        recipe.microBatchSize = 4;
        const Time reconfiguration = MilliSeconds(25); // of the switches

        TrainingJobHelper helper;
        helper.SetModel("Llama3-8B");
        helper.SetParallelismPlan(plan);
        helper.SetRecipe(recipe);
        helper.SetGpu("A100", 0.2815); // of its peak
        helper.SetPolicy(policy);
        helper.SetReconfigurationTime(reconfiguration);
        helper.SetIterations(2); // shims learn in the first
        scenario.Begin();
        const auto results = scenario.BeginRun({policy, policy, reconfiguration}); // for --output
        const Ptr<TrainingRun> run = fold.Run(helper, results); // Install(), Simulator::Run()

        const JobTally second = run->GetIteration(2);
        if (scenario.PrintsTables())
        {
            std::cout << "an iteration takes " << second.end.GetSeconds() << " s; a rank waits "
                      << second.exposed.ToDouble(Time::MS) << " ms of it for circuits, after "
                      << second.reconfigurations << " reconfigurations" << std::endl;
        }
        scenario.AddFigure("iteration", "s", second.end.GetSeconds());
        scenario.Write([&](JsonWriter& json) {
            WriteTrainingRun(json, *run, GetFigures(*run));
            WriteFidelity(json, run->rails.front());
        });
        results->Finish(GetFigures(*run));
        Simulator::Destroy();
    });
}
