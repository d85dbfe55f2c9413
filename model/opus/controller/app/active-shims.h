/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ACTIVE_SHIMS_H
#define PHOTONIC_RAILS_ACTIVE_SHIMS_H

#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/** The name of a shim: its job and its server. */
using ShimName = std::pair<JobId, ServerId>;

/**
 * @ingroup photonic-rails
 * @brief The shims that have registered at a controller and not left, and the time of the last
 * message from each.
 *
 * While there is none, a standby has nothing to take over.
 */
class ActiveShims
{
  public:
    /** Adds a shim. @param now in picoseconds */
    void Register(const ShimName& shim, Picoseconds now);
    /** Notes a message of a shim, which may be active or not. @param now in picoseconds */
    void NoteContact(const ShimName& shim, Picoseconds now);
    /** Removes a shim that has left or is idle. @return whether it was the last one */
    bool Remove(const ShimName& shim);
    /** Removes all shims. */
    void Clear();

    /** @return whether there is none */
    bool IsEmpty() const;
    /**
     * @param now in picoseconds
     * @param limit in picoseconds
     * @return the shims that were silent for the limit or longer; their silence is measured anew
     */
    std::vector<ShimName> TakeSilent(Picoseconds now, Picoseconds limit);

  private:
    std::map<ShimName, Picoseconds> m_lastContact;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ACTIVE_SHIMS_H */
