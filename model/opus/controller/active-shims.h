/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ACTIVE_SHIMS_H
#define PHOTONIC_RAILS_ACTIVE_SHIMS_H

#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/** The shim of a job on a server. */
using ShimName = std::pair<JobId, ServerId>;

/**
 * @ingroup photonic-rails
 * @brief The shims that have registered at a controller and not left, and when the controller last
 * heard of each.
 *
 * While there is none, there is nothing for a standby to take over.
 */
class ActiveShims
{
  public:
    /** A shim registers. @param now in picoseconds */
    void Register(const ShimName& shim, Picoseconds now);
    /** The controller hears of a shim, which may be active or not. @param now in picoseconds */
    void Hear(const ShimName& shim, Picoseconds now);
    /** A shim is not there any more, or has nothing to do. @return whether it was the last one */
    bool Remove(const ShimName& shim);
    /** All shims are forgotten. */
    void Clear();

    /** @return whether there is none */
    bool IsEmpty() const;
    /**
     * @param now in picoseconds
     * @param limit in picoseconds
     * @return the shims that were silent for so long or longer, whose silence begins anew
     */
    std::vector<ShimName> TakeSilent(Picoseconds now, Picoseconds limit);

  private:
    std::map<ShimName, Picoseconds> m_heard;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ACTIVE_SHIMS_H */
