/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOBS_OUTCOME_H
#define PHOTONIC_RAILS_JOBS_OUTCOME_H

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * All observations of a training job: operations, messages, windows, control messages with their
 * instants, counters at the end. Each is a line; two runs are equal if their lines are.
 */

namespace ns3
{

struct DrawnJob;

/** How a job is run. */
struct JobMode
{
    std::string fidelity{"PacketTrains"};
    std::string scheduler{"ns3::MapScheduler"};
    uint64_t salt{0};     //!< not 0: events of an instant come in an order of its choice
    bool asOne{true};     //!< whether operations inside servers may be worked out as one
    bool folds{false};    //!< rails that do the same are simulated once; messages are not observed
    bool memoizes{false}; //!< operations take after earlier ones; messages are not observed

    /** @return it as text */
    std::string Describe() const;
};

/** Runs a job, and records its events. */
class JobWitness
{
  public:
    /**
     * Runs a job in a process of its own, since it may abort.
     * @param drawn the job
     * @param mode how it is run
     * @return the lines, sorted; the last lines of one that aborted
     */
    static std::vector<std::string> RunApart(const DrawnJob& drawn, const JobMode& mode);

    /** The beginning of the lines of a run that aborted. */
    static constexpr const char* ABORTED = "aborted";
    /**
     * The beginning of lines with numbers of queue pairs: they are given when pairs are first used.
     */
    static constexpr const char* NUMBERED = "queue pair";
    /** The beginning of lines with messages of queue pairs. */
    static constexpr const char* MESSAGE = "message";
    /** The beginning of the line with the operations that followed those of another rail. */
    static constexpr const char* FOLDED = "folded";
    /** The beginning of the line with the operations that took after earlier ones. */
    static constexpr const char* MEMOIZED = "memoized";
    /** The beginning of lines with counts of NIC ports and queue pairs. */
    static constexpr const char* COUNTED = "counted";
    /** @return whether a run with folds diverged: users' runs are then simulated without */
    static bool HasDiverged(const std::vector<std::string>& lines);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOBS_OUTCOME_H */
