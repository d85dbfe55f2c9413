/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RING_VOTES_H
#define PHOTONIC_RAILS_RING_VOTES_H

#include "ns3/opus-contents.h"
#include "ns3/opus-endpoint.h"

#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The shims at a switch that are ready for giant rings, after their controller has fallen
 * silent, and the circuits that they want.
 */
class RingVotes
{
  public:
    /** A shim is ready. @return whether it is the first one of all */
    bool Add(const OpusPeer& shim, const std::vector<SwitchCircuit>& wanted)
    {
        const bool isFirst = m_ready.empty();
        if (m_ready.insert(shim).second)
        {
            m_wanted.insert(m_wanted.end(), wanted.begin(), wanted.end());
        }
        return isFirst;
    }

    /** @return whether any shim is ready: no controller is in charge any more */
    bool HasAny() const
    {
        return !m_ready.empty();
    }

    /** @return whether all of some shims are ready */
    bool HasAll(const std::set<OpusPeer>& shims) const
    {
        for (const OpusPeer& shim : shims)
        {
            if (m_ready.count(shim) == 0)
            {
                return false;
            }
        }
        return HasAny();
    }

    /** @return the circuits of the rings */
    const std::vector<SwitchCircuit>& GetWanted() const
    {
        return m_wanted;
    }

  private:
    std::set<OpusPeer> m_ready;
    std::vector<SwitchCircuit> m_wanted;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RING_VOTES_H */
