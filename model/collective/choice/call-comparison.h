/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CALL_COMPARISON_H
#define PHOTONIC_RAILS_CALL_COMPARISON_H

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <optional>

namespace ns3
{

/** A rank's call of an operation for which it matters whether a rank is late. */
struct RankCall
{
    RankId rank;
    uint32_t ranks{0};     //!< number of ranks that call the operation
    uint64_t operation{0}; //!< its number in the group
    uint32_t slot{0};      //!< its number among those of the group in the iteration
    Picoseconds at{0};     //!< the instant of the call
};

/** The lateness of the rank that called an operation last. */
struct LatenessSample
{
    RankId rank;
    Picoseconds lateness{0}; //!< from the last call of another rank to its own; 0: two were last

    /** @return whether both are equal */
    bool operator==(const LatenessSample& other) const
    {
        return rank == other.rank && lateness == other.lateness;
    }
};

/**
 * @ingroup photonic-rails
 * @brief Compares the calls of the operations of a group: which rank called last, and how much
 * later than all others.
 *
 * Of each slot it has the calls of the latest operation only. So an operation that not all ranks
 * report has no sample, and is dropped when a rank calls the next one of the slot.
 *
 * Plain C++: no simulator. The order of reports does not matter.
 * @code
 * CallComparison comparison;
 * for (const RankCall& call : calls)
 * {
 *     const std::optional<LatenessSample> sample = comparison.Take(call); // with the last call
 * }
 * @endcode
 */
class CallComparison
{
  public:
    /**
     * Takes the report of a call.
     * @return the sample, if all ranks have called the operation now
     */
    std::optional<LatenessSample> Take(const RankCall& call);

  private:
    /** The latest operation of a slot. */
    struct Calls
    {
        uint64_t operation{0};
        std::map<RankId, Picoseconds> at; //!< by rank; empty when all have called
    };

    std::map<uint32_t, Calls> m_slots;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CALL_COMPARISON_H */
