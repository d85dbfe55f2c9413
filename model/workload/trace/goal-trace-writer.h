/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GOAL_TRACE_WRITER_H
#define PHOTONIC_RAILS_GOAL_TRACE_WRITER_H

#include "ns3/job-programs.h"

#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes a job as GOAL text, which LogGOPSim's txt2bin and ATLAHS read.
 *
 * Computing is a calc, in nanoseconds, rounded up, on the cpu of its stream; sends and receives are
 * those of GOAL. What follows an operation `requires` it, also what follows it on its stream. GOAL
 * has no collectives: they are written as the sends and receives of their algorithm on one channel
 * (the named one; else a ring, or what the kind has), after a calc of 0 and before another one.
 *
 * What GOAL has no words for is in comments (GoalDirective), so that ReadGoalTrace() makes the same
 * programs of the text (MakeWholePrograms()), with their collectives:
 *
 * | directive                | meaning                                                         |
 * |--------------------------|-----------------------------------------------------------------|
 * | //! photonic-rails 1     | first line: directives follow, and the nodes are whole programs |
 * | //! group N NAME         | a group of the job                                              |
 * | //! ranks N RANKS        | its ranks, or more of them                                      |
 * | //! groups NUMBERS       | in a rank: its groups, in the order of its program              |
 * | //! matrix M RANKS       | in a rank: a matrix; further lines have its bytes, row by row   |
 * | //! next KEYS            | what the next operation has: ps (its exact time), stream (if it |
 * |                          | is beyond the largest cpu, 255), group, iteration, label        |
 * | //! collective KIND KEYS | a collective: group, bytes, stream, root (a rank), straggler (a |
 * |                          | place), algorithm, matrix, label; its sends and receives follow |
 * | //! end                  | the collective ends                                             |
 *
 * Without the directives, what follows a collective waits for the sends and receives of its own
 * rank; that takes another time than the collective does. Circuit hints can't be written:
 * FindWhyNot().
 * @code
 * std::ofstream file("run.goal");
 * GoalTraceWriter(job).Write([&file](const std::string& piece) { file << piece; });
 * @endcode
 */
class GoalTraceWriter
{
  public:
    /** Gets the text, piece by piece. */
    using Sink = std::function<void(const std::string& piece)>;

    /** @param job that must outlive it */
    explicit GoalTraceWriter(const JobPrograms& job);

    /** @return the reason why the job can't be written; empty if it can */
    std::string FindWhyNot() const;

    /** Writes the text. */
    void Write(const Sink& sink) const;

  private:
    const JobPrograms& m_job;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GOAL_TRACE_WRITER_H */
