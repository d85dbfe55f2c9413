/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_DRY_RUN_H
#define PHOTONIC_RAILS_JOB_DRY_RUN_H

#include "job-programs.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Goes through a job without any time, to see whether ranks wait for each other for ever:
 * where a send waits until its receive is called, ranks that all send first and then receive do.
 */
class JobDryRun
{
  public:
    /** @param sendsWait whether sends wait for their receivers */
    JobDryRun(const JobPrograms& job, bool sendsWait);

    /** @return whether some operation is never over */
    bool IsStuck() const
    {
        return m_left > 0;
    }

  private:
    /** An operation of a rank. */
    struct Step
    {
        std::vector<uint32_t> before; //!< these
        uint32_t waitsFor{1};         //!< that are not over
        uint32_t meeting{0};          //!< with others, if any: from 1
        bool goesOn{false};           //!< without the others
    };

    /** Operations of several ranks that belong together. */
    struct Meeting
    {
        uint32_t missing{0}; //!< that have not begun
        std::vector<uint32_t> waiting;
    };

    /** Adds the operations of a rank. */
    void Add(const JobPrograms& job, uint32_t rank);
    /** An operation comes after another. */
    void Order(uint32_t earlier, uint32_t later);
    /** A step waits for one less. */
    void Release(uint32_t step);

    bool m_sendsWait;
    std::vector<Step> m_steps; //!< of all ranks
    std::vector<Meeting> m_meetings;
    std::map<std::vector<uint32_t>, uint32_t> m_numbers; //!< of meetings, from 1
    std::vector<uint32_t> m_over;                        //!< steps, and not yet passed on
    std::size_t m_left{0};                               //!< that are not over
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_DRY_RUN_H */
