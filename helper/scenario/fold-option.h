/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FOLD_OPTION_H
#define PHOTONIC_RAILS_FOLD_OPTION_H

#include "ns3/ptr.h"
#include "ns3/training-job-helper.h"
#include "ns3/training-run.h"

#include <functional>
#include <string>

namespace ns3
{

class RunResults;
class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief Whether rails that do the same are simulated once, as the option `--fold` of a command
 * line.
 *
 * With `auto` a run that diverges (RailFold) is void, and the job is simulated once more, each rail
 * by itself. So the results are those of `off` in any case.
 */
struct FoldOption
{
    std::string mode{"auto"};

    /** Adds the option. */
    void Add(ScenarioOptions& options);

    /**
     * Builds a job and runs it.
     * @param installed is called before the run, once more if it is simulated once more
     * @return the run, after Simulator::Run() and before Simulator::Destroy()
     */
    Ptr<TrainingRun> Run(const TrainingJobHelper& helper,
                         const std::function<void(const Ptr<TrainingRun>&)>& installed = {}) const;

    /** The same, recorded in the database of results. @param results without any other job */
    Ptr<TrainingRun> Run(const TrainingJobHelper& helper, const Ptr<RunResults>& results) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FOLD_OPTION_H */
