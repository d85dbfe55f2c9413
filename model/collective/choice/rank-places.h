/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_PLACES_H
#define PHOTONIC_RAILS_RANK_PLACES_H

#include "ns3/identifier.h"

#include <optional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The rail and the server of each rank, and the fabrics inside servers.
 */
class RankPlaces
{
  public:
    virtual ~RankPlaces() = default;

    /** @return the rail that a rank is on */
    virtual RailId GetRail(RankId rank) const = 0;

    /** @return whether a fabric inside their server joins two ranks */
    virtual bool AreIntraNode(RankId one, RankId other) const = 0;

    /**
     * @return the rank that stands for `here` on the rail of `there`: itself if it is on that rail,
     * or else a rank that the fabric inside its server joins it to; empty if there is none
     */
    virtual std::optional<RankId> FindRelay(RankId here, RankId there) const = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_PLACES_H */
