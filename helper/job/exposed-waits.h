/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EXPOSED_WAITS_H
#define PHOTONIC_RAILS_EXPOSED_WAITS_H

#include "ns3/picoseconds.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The times during which ranks waited for circuits.
 *
 * A rank has several streams, so several of its operations may wait at once: that time counts once.
 */
class ExposedWaits
{
  public:
    /** @param ranks number of ranks of the job */
    explicit ExposedWaits(uint32_t ranks);

    /** Adds a wait of a rank, from an instant to another. */
    void Add(uint32_t rank, Picoseconds begin, Picoseconds end);

    /** @return the sum of the waits of all ranks */
    Picoseconds GetSum() const;

  private:
    std::vector<std::vector<std::pair<Picoseconds, Picoseconds>>> m_waits; //!< by rank
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_EXPOSED_WAITS_H */
