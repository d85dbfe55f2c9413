/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_RANDOM_PROGRAMS_H
#define PHOTONIC_RAILS_OPUS_RANDOM_PROGRAMS_H

#include "ns3/rank-program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

/**
 * @file
 * The list of operations of a random job, rank by rank.
 */

namespace ns3
{

class RandomJob;

/** The parts of ranks in a random job. */
class RandomPrograms
{
  public:
    /** @param job that is kept as long as this */
    explicit RandomPrograms(const RandomJob& job);

    /** The operations of a rank. */
    struct Part
    {
        std::shared_ptr<RankProgram> program{std::make_shared<RankProgram>()};
        std::map<uint32_t, uint32_t> groups; //!< of the job: their numbers in the program
        std::vector<uint32_t> order;         //!< the groups, in order of these numbers
        std::map<uint32_t, uint32_t> listed; //!< by operation of the program: that of the job
        std::map<uint32_t, uint32_t> last;   //!< by stream: the last operation of the program
        int64_t iteration{-1};
    };

    /** @return by rank */
    const std::vector<Part>& GetParts() const
    {
        return m_parts;
    }

  private:
    /** @return its number in a rank's program @param part of the rank @param group of the job */
    uint32_t GroupOf(Part& part, uint32_t group);

    /** Adds an operation to a program. @param rank whose @param number in the list */
    void Add(uint32_t rank, uint32_t number);

    /** Adds a hint about an operation of the program. */
    void Hint(Part& part, uint32_t stream, CircuitHint::Kind kind, uint32_t operation);

    const RandomJob& m_job;
    std::vector<Part> m_parts;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_RANDOM_PROGRAMS_H */
