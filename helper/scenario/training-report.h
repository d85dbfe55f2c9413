/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_REPORT_H
#define PHOTONIC_RAILS_TRAINING_REPORT_H

#include "ns3/job-tally.h"
#include "ns3/json-writer.h"
#include "ns3/parallelism-summary.h"
#include "ns3/program-text.h"
#include "ns3/training-run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The figures of a training run in tables: of a steady iteration by default. */
struct TrainingFigures
{
    double iteration{0};          //!< seconds
    double exposed{0};            //!< seconds of waits for circuits, mean over ranks
    double exposedLinkUp{0};      //!< of exposed, seconds of link-up
    double hidden{0};             //!< seconds of set-ups without a waiting rank, mean over ranks
    double hiddenLinkUp{0};       //!< of hidden, seconds of link-up
    double idle{0};               //!< seconds without computing, mean over GPUs
    uint64_t reconfigurations{0}; //!< of all switches
    uint64_t messages{0};         //!< between GPUs
    uint64_t windows{0};          //!< between phases, of all ranks
    uint64_t longWindows{0};      //!< windows longer than 1 ms
    PathTallies paths{};          //!< operations between GPUs, by TrafficPath
    uint64_t frames{0};           //!< on wires, of the whole run
    uint64_t events{0};           //!< of the whole run
    uint64_t rails{0};            //!< number of rails
    uint64_t followed{0};         //!< operations on rails that followed the first one
    uint64_t notFollowed{0};      //!< operations on those rails with messages of their own
    double cpu{0};                //!< seconds of this process so far
    double megabytes{0};          //!< peak memory of this process
};

/** The figures of one iteration in tables. */
struct IterationFigures
{
    double seconds{0};
    double exposed{0}; //!< seconds of waits for circuits, mean over ranks
    uint64_t reconfigurations{0};
    uint64_t wrongPredictions{0}; //!< of all shims
};

/** @return the figures of a completed run */
TrainingFigures GetFigures(const TrainingRun& run);

/** @return how many rails were simulated, in words */
std::string DescribeFold(const TrainingFigures& figures);

/** @return the figures of all iterations of a completed run */
std::vector<IterationFigures> GetIterationFigures(const TrainingRun& run);

/**
 * Writes a completed run as the members of a JSON object: policy, iteration_s (each), exposed_s and
 * so on; see the manual.
 */
void WriteTrainingRun(JsonWriter& json, const TrainingRun& run, const TrainingFigures& figures);

/**
 * Writes the same without the effort of the simulation: the members that are equal, whatever is
 * folded, memoized, or simulated by several processes.
 */
void WriteTrainingOutcome(JsonWriter& json, const TrainingRun& run, const TrainingFigures& figures);

/** Writes the parallelisms of a job as the array "parallelisms". */
void WriteParallelisms(JsonWriter& json, const std::vector<ParallelismSummary>& rows);

/**
 * Writes a rank's program as the array "rank_program".
 * @param lines of the program
 */
void WriteProgram(JsonWriter& json, const std::vector<ProgramLine>& lines);

/** @return the program of a rank in its last iteration */
std::vector<ProgramLine> ListLastIteration(const TrainingJob& job, uint32_t rank);

/**
 * @return what the router of a job does, in a line: its shares, the tokens that it sends and drops,
 *         and the load of the busiest rank; empty if all experts have equal shares
 */
std::string DescribeRouting(const TrainingJob& job);

/** @return the parallelisms of a job that use no rail */
std::vector<std::string> ListInScaleUp(const TrainingJob& job);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_REPORT_H */
