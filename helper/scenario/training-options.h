/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_OPTIONS_H
#define PHOTONIC_RAILS_TRAINING_OPTIONS_H

#include "checkpoint-options.h"
#include "fold-option.h"
#include "host-network-option.h"
#include "noise-option.h"
#include "packet-switch-options.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/training-job-helper.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief A training job and its network as options of a command line.
 *
 * Each member is the default of the option of its name. The efficiency is calibrated on one figure,
 * the iteration of 10.178 s of Llama3-8B on 16 A100 (doc/validation.rst).
 * @code
 * TrainingOptions options;
 * options.Add(scenario.GetOptions());
 * return scenario.Run(argc, argv, [&] {
 *     options.Complete(scenario.GetOptions());
 *     TrainingJobHelper helper;
 *     options.SetUp(helper);
 *     ...
 * });
 * @endcode
 */
struct TrainingOptions
{
    std::string model{"Llama3-8B"};
    std::optional<ModelShape> shape; //!< in place of the model of that name
    uint32_t layers{0};
    std::string planBy{"given"}; //!< given or auto
    uint32_t gpus{16};           //!< of an automatic plan
    ParallelismPlan plan;
    TrainingRecipe recipe;
    std::string sharding{"fsdp"};
    std::string recompute{"full"};
    std::string context{"all-gather"};
    std::string reduction{"per-layer"};
    std::string reduceScatter{"auto"};
    std::string gpu{"A100"};
    double efficiency{0.2815};
    double gpuPeak{0};                 //!< TFLOP/s; 0: its data sheet's
    std::string nicRate{"auto"};       //!< of all ports together; auto: its data sheet's
    std::string gpuMemoryRate{"auto"}; //!< auto: its data sheet's
    std::string scaleUpRate{"auto"};   //!< in one direction; auto: its data sheet's
    Time scaleUpLatency{NanoSeconds(500)};
    std::string trace; //!< file of compute times
    std::string skew{"uniform"};
    std::string routing; //!< file of routing counts
    std::string jitter;
    std::string straggler;
    bool stragglerAware{false};
    NoiseOption noise;
    std::string technology{"auto"}; //!< after Complete(): empty if it is auto
    std::string linkUp;
    HostNetworkOption hostNetwork;
    CheckpointOptions checkpoints;
    FoldOption fold;
    std::string doneWhen{"Reconfigured"};
    Time managementLatency{MicroSeconds(10)};
    uint32_t ports{0};
    std::string portRate{"auto"}; //!< after Complete(): empty if it is auto
    Time fiberDelay{NanoSeconds(98)};
    PacketSwitchOptions packetSwitches;
    std::string granularity{"Group"};
    uint32_t iterations{2};
    uint32_t changeAt{0};                     //!< an iteration; 0: none
    std::vector<std::string> changes{"auto"}; //!< at that iteration

    TrainingOptions();

    /** Adds the options. */
    void Add(ScenarioOptions& options);

    /** Derives settings from texts, or refuses them. @param options all options */
    void Complete(ScenarioOptions& options);

    /** @return the change during the training, after Complete() */
    const RecipeChange& GetChange() const
    {
        return m_change;
    }

    /** @return the GPU, with its peak and rates, after Complete() */
    GpuGeneration GetGpu() const;

    /** Sets up a helper, except for policy and reconfiguration time. */
    void SetUp(TrainingJobHelper& helper) const;

  private:
    /** Reads the router of models with experts; refuses mistakes in it. */
    void ReadRouter(const ScenarioOptions& options);
    /** Chooses the degrees of parallelism, unless they are given. */
    void CompletePlan(ScenarioOptions& options);
    /** Parses the straggler; refuses an unknown rank or an invalid factor. */
    void ReadStraggler(const ScenarioOptions& options);
    /** Parses the change during the training. */
    void ReadChange(ScenarioOptions& options);
    /** Parses a part of it. @param part such as "microbatches:8" */
    void ReadChangePart(const ScenarioOptions& options, const std::string& part);

    uint32_t m_straggler{0};
    double m_factor{1};
    RecipeChange m_change;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_OPTIONS_H */
