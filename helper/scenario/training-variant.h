/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_VARIANT_H
#define PHOTONIC_RAILS_TRAINING_VARIANT_H

#include "run-results.h"

#include "ns3/nstime.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class ScenarioOptions;

/** @return whether a policy reconfigures circuits, so that the reconfiguration time matters */
bool ReconfiguresCircuits(const std::string& policy);

/** A policy of circuits and a reconfiguration time: one of the runs of a comparison. */
struct TrainingVariant
{
    std::string policy;
    std::optional<Time> delay; //!< reconfiguration time; none: it does not matter

    /** @return such as "on-demand 25ms" */
    std::string GetName() const;
    /** @return the same, for a database of results */
    RunLabel GetLabel() const;
};

/** @return the labels of runs, in order */
std::vector<RunLabel> ListLabels(const std::vector<TrainingVariant>& variants);

/**
 * @ingroup photonic-rails
 * @brief The runs of a comparison of policies, as options of a command line.
 *
 * A policy that reconfigures circuits has a run for each reconfiguration time; another policy has
 * one run.
 * @code
 * TrainingVariants variants;
 * variants.Add(scenario.GetOptions());
 * ... the command line is parsed ...
 * variants.Complete("mems");
 * for (const TrainingVariant& one : variants.List()) { ... }
 * @endcode
 */
struct TrainingVariants
{
    std::vector<std::string> policies;
    std::vector<Time> delays; //!< reconfiguration times
    bool quick{false};        //!< few runs

    /** Adds the options `--policy`, `--reconfiguration` and `--quick`. */
    void Add(ScenarioOptions& options);

    /** Chooses policies and times that are not given. @param technology of switches; or empty */
    void Complete(const std::string& technology);

    /** @return the runs, in the order of the policies and then of the times */
    std::vector<TrainingVariant> List() const;
};

/** @return letters of the column of policies in a table: 13, or more for longer names */
int GetPolicyWidth(const std::vector<TrainingVariant>& variants);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_VARIANT_H */
