/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIGURE_RUN_H
#define PHOTONIC_RAILS_FIGURE_RUN_H

#include "ns3/communication-window.h"
#include "ns3/fold-option.h"
#include "ns3/model-shape.h"
#include "ns3/rail-net-device.h"
#include "ns3/side-by-side.h"
#include "ns3/training-report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** The windows of a rank in an iteration. */
struct RankWindows
{
    uint64_t all{0};
    uint64_t overMillisecond{0}; //!< longer than 1 ms
    double largest{0};           //!< milliseconds
    double beforeReduction{0};   //!< milliseconds, before the last phase of data parallelism
};

/** @return those of a rank, from the windows of all ranks */
RankWindows CountWindowsOf(const std::vector<CommunicationWindow>& windows, uint32_t rank);

/**
 * @ingroup photonic-rails
 * @brief The results of a training job of a figure, as bytes that one process sends to another.
 */
struct FigureRun
{
    TrainingFigures figures; //!< of a steady iteration
    RankWindows first;       //!< of rank 0, in the first stage
    RankWindows last;        //!< of the last rank, in the last stage
    uint64_t frames{0};      //!< in packet trains
    uint64_t entered{0};     //!< RailNetDevice::Trains::entered
    uint64_t left{0};        //!< likewise
    uint64_t refused{0};     //!< likewise

    /** @return it as bytes, for a process of the same program */
    std::string Pack() const;
    /** @param bytes of Pack() */
    static FigureRun Unpack(const std::string& bytes);
    /** @return the counts of packet trains */
    RailNetDevice::Trains GetTrains() const;
};

/**
 * Checks a job of a figure, and builds nothing. A mistake throws an OptionMistake, or aborts.
 * @param options of photonic-training, with one policy and at most one reconfiguration time
 * @param shape of the model, in place of the option --model
 * @return an estimate of its run time: only ratios matter
 */
double CheckFigureJob(const std::vector<std::string>& options,
                      const std::optional<ModelShape>& shape);

/** Simulates a job of a figure. Arguments are those of CheckFigureJob(). */
FigureRun RunFigureJob(const std::vector<std::string>& options,
                       const std::optional<ModelShape>& shape,
                       const SideBySide::Progress& progress,
                       const FoldOption& fold = FoldOption());

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIGURE_RUN_H */
