/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_EXPORT_H
#define PHOTONIC_RAILS_JOB_EXPORT_H

#include "ns3/job-programs.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The order of the operations of one rank as dependencies alone, for formats without
 * streams.
 */
class StreamOrder
{
  public:
    /**
     * Takes the next operation of a program.
     * @param number of the operation
     * @return the earlier operations that it follows: its dependencies, and the one before it on
     * its stream; in order, each once
     */
    std::vector<uint32_t> Follow(uint32_t number, const RankOperation& operation);

  private:
    std::map<uint32_t, uint32_t> m_last; //!< by stream
};

/**
 * Searches the operations of a job for one that a format can't carry.
 * @param why gives the reason; empty: none
 * @return the first reason, with rank and operation; empty if there is none
 */
std::string FindFirst(const JobPrograms& job,
                      const std::function<std::string(const RankOperation& operation)>& why);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_EXPORT_H */
