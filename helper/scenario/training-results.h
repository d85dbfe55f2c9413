/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_RESULTS_H
#define PHOTONIC_RAILS_TRAINING_RESULTS_H

#include "record-options.h"
#include "training-report.h"
#include "training-variant.h"

#include "ns3/communication-phase.h"
#include "ns3/ptr.h"
#include "ns3/result-recorder.h"
#include "ns3/training-run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Records one of several training runs in their database of results, while it goes.
 *
 * The table `runs` has a row for each run from the begin on (List()). The runs may be in processes
 * of their own, side by side.
 *
 * Operations are recorded if TrainingRun records them, which depends on the number of ranks, and so
 * are the phases and windows that follow from them.
 * @code
 * TrainingResults::List("results.sqlite", variants);
 * ... in a process for each variant, after TrainingJobHelper::Install() ...
 * TrainingResults results("results.sqlite", 0, variants[0], *run);
 * Simulator::Run();
 * results.Finish(GetFigures(*run));
 * @endcode
 */
class TrainingResults
{
  public:
    /** Adds the rows of all runs, which wait. @param path of a database */
    static void List(const std::string& path, const std::vector<TrainingVariant>& variants);
    /** A run has ended by an error. @param path of a database @param number of the run */
    static void SetFailed(const std::string& path, uint32_t number, const std::string& error);

    /**
     * A run begins; rows of an earlier attempt are removed.
     * @param path of a database
     * @param number of the run in it
     * @param run that is installed, and lives as long
     * @param injector of its faults; null: there are none
     * @param what is recorded beside what is cheap
     */
    TrainingResults(const std::string& path,
                    uint32_t number,
                    const TrainingVariant& variant,
                    const TrainingRun& run,
                    const Ptr<FaultInjector>& injector = nullptr,
                    const RecordOptions& what = {});

    /** The run is complete. @param figures of the run */
    void Finish(const TrainingFigures& figures);

  private:
    /** Its row says that it runs; rows of an earlier attempt are removed. */
    static void Begin(const std::string& path, uint32_t number);
    /** Adds the job and its ranks. */
    void AddJob();
    /** Adds the iterations. */
    void AddIterations();
    /** Adds phases of ranks or rails, and the windows between them. */
    void AddPhases(const std::vector<CommunicationPhase>& phases);
    /** Adds the NIC ports. */
    void AddPorts();
    /** Adds the row of the run. */
    void AddRun(const TrainingFigures& figures);

    const TrainingRun& m_run;
    TrainingVariant m_variant;
    ResultRecorder m_recorder;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_RESULTS_H */
