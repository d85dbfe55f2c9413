/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CALL_PATTERN_H
#define PHOTONIC_RAILS_CALL_PATTERN_H

#include "ns3/circuit-broker.h"
#include "ns3/identifier.h"
#include "ns3/path-costs.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations of a rank's first iteration, in time: how long its NIC was idle before and
 * after an operation, how many of the same group came in a row, and whether others followed.
 *
 * It is recorded in the first iteration only: the costs of operations must not change once shims
 * have profiled the choices that depend on them.
 */
class CallPattern
{
  public:
    /** An iteration begins. */
    void BeginIteration();
    /** The rank requests circuits. */
    void Called(const CircuitRequest& request, Picoseconds now);
    /** The rank does not need the circuits any more. */
    void Ended(const CircuitRequest& request, Picoseconds now);

    /**
     * Adds the pattern of an operation, once the first iteration is over. The window is the one
     * before the run of operations of its group that it is in, windowAfter the one after it.
     * @param question about the operation
     * @param [in,out] costs get windows, reconfigurations back and operations in a row
     */
    void Complete(const CostQuestion& question, PathCosts& costs) const;

  private:
    /** Operations of a group one after another. */
    struct Run
    {
        GroupId group;
        uint32_t operations{0};
        Picoseconds start{0}; //!< call of the first
        Picoseconds end{0};   //!< end of the last one that is over
    };

    /** A group, or a direction of it. */
    using Key = std::pair<uint32_t, bool>;

    uint64_t m_iteration{0}; //!< number of the present one; 0: none has begun
    std::vector<Run> m_runs; //!< of the first iteration
    std::map<Key, std::vector<std::size_t>> m_runsOf; //!< index of the run, by operation
    std::map<Key, uint64_t> m_firsts; //!< number of the first operation in the iteration
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CALL_PATTERN_H */
