/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRAM_TEXT_H
#define PHOTONIC_RAILS_PROGRAM_TEXT_H

#include "ns3/nstime.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class TrainingJob;

/** A line of a rank program as text. */
struct ProgramLine
{
    uint32_t operation{0};
    uint32_t stream{0};
    std::string kind{};        //!< compute, collective, send, receive, iteration, circuits
    std::string collective{};  //!< all-gather, ...; of collectives only
    std::string parallelism{}; //!< tp, cp, ep, dp or pp; of exchanges only
    uint64_t bytes{0};
    Time duration{0}; //!< of computing
    std::string label{};
};

/**
 * @param program of a rank
 * @param parallelisms of its groups, by the number that the program uses
 * @return its operations, in order
 */
std::vector<ProgramLine> ListProgram(const RankProgram& program,
                                     const std::vector<std::string>& parallelisms);

/** @return the program of a rank in an iteration @param job of the rank @param iteration from 1 */
std::vector<ProgramLine> ListIteration(const TrainingJob& job, uint32_t rank, uint32_t iteration);

/**
 * Prints a program as a table; equal lines that follow each other become one, with their count.
 * @param lines of the program
 */
void PrintProgram(std::ostream& os, const std::vector<ProgramLine>& lines);

/**
 * Counts the changes of parallelism in a rank's scale-out calls: with circuits for one parallelism
 * at a time, each change costs a reconfiguration unless it is prepared.
 * @param lines of one iteration
 * @param scaleUp parallelisms that use no rail
 * @return the number of changes inside the iteration
 */
uint32_t CountAlternations(const std::vector<ProgramLine>& lines,
                           const std::vector<std::string>& scaleUp);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRAM_TEXT_H */
