/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_DRY_RUN_H
#define PHOTONIC_RAILS_JOB_DRY_RUN_H

#include "job-programs.h"

#include "ns3/picoseconds.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Executes a job whose messages take no time, to detect a deadlock of its ranks, and to know
 * when they would call their operations: if sends wait for their receives, ranks that all send
 * first and then receive are in deadlock.
 */
class JobDryRun
{
  public:
    /** @param sendsWait whether sends wait for their receivers */
    JobDryRun(const JobPrograms& job, bool sendsWait);

    /** @return whether an operation never ends */
    bool IsStuck() const
    {
        return m_left > 0;
    }

    /**
     * @param rank of the job
     * @param operation of its program, by number
     * @return the time at which it begins, if computing alone takes time, in picoseconds; of
     *         operations that begin
     */
    Picoseconds GetBegin(uint32_t rank, uint32_t operation) const
    {
        return m_steps[m_firstOf[rank] + operation].begin;
    }

    /** @return the time at which an operation ends, likewise */
    Picoseconds GetEnd(uint32_t rank, uint32_t operation) const
    {
        return m_steps[m_firstOf[rank] + operation].end;
    }

  private:
    /** An operation of a rank. */
    struct Step
    {
        Picoseconds begin{0};
        Picoseconds end{0};
        Picoseconds duration{0};
        std::vector<uint32_t> before; //!< operations that depend on this one
        uint32_t waitsFor{1};         //!< operations that it waits for
        uint32_t meeting{0};          //!< meeting with other ranks, from 1; 0: none
        bool goesOn{false};           //!< it does not wait for the others
    };

    /** The operations of several ranks that form one exchange. */
    struct Meeting
    {
        uint32_t missing{0};  //!< operations that have not begun
        Picoseconds begin{0}; //!< of the last one
        std::vector<uint32_t> waiting;
    };

    /** Adds the operations of a rank. */
    void Add(const JobPrograms& job, uint32_t rank);
    /** Adds a dependency of an operation on another. */
    void Order(uint32_t earlier, uint32_t later);
    /** Removes one dependency of a step. @param when that dependency is over */
    void Release(uint32_t step, Picoseconds when);
    /** Ends a step. */
    void End(uint32_t step, Picoseconds when);

    bool m_sendsWait;
    std::vector<Step> m_steps;       //!< of all ranks
    std::vector<uint32_t> m_firstOf; //!< by rank: its first step
    std::vector<Meeting> m_meetings;
    std::map<std::vector<uint32_t>, uint32_t> m_numbers; //!< numbers of meetings, from 1
    std::vector<uint32_t> m_over; //!< ended steps whose dependents are not released yet
    std::size_t m_left{0};        //!< number of steps that have not ended
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_DRY_RUN_H */
