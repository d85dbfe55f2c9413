/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_FALLBACK_H
#define PHOTONIC_RAILS_SHIM_FALLBACK_H

#include "shim-settings.h"

#include "ns3/giant-rings.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A shim without a controller: its way to giant rings, which the agents of its rails set up.
 *
 *     OFF --a call waits too long, or an agent's FALLBACK--> LEAVING: circuits are withdrawn
 *     LEAVING --no rank holds circuits--> READY: a FALLBACK to the agents of its rails
 *     READY --all these agents have set up the rings--> UP: it grants all requests itself
 *
 * It never goes back to a controller. An agent sets up the rings of its rail when all shims at its
 * ports are ready, so no circuit with traffic is taken down.
 */
class ShimFallback
{
  public:
    /** @param settings of the shim; they must outlive it */
    explicit ShimFallback(const ShimSettings& settings);

    /** A rank of the shim has called. */
    void AddRank(RankId rank);

    /** Leaves the controller. @return whether it had not left it before */
    bool Begin();
    /** @return whether it has left the controller */
    bool IsOn() const;
    /** @return whether it grants requests itself */
    bool IsUp() const;
    /**
     * @param isIdle whether no rank holds circuits
     * @return whether the agents are to be notified now; true once
     */
    bool TakeReady(bool isIdle);
    /** @return the circuits that it wants, by rail: those of rings whose first port is of a rank */
    std::map<RailId, std::vector<SwitchCircuit>> GetWanted() const;
    /**
     * The rings of a rail are up.
     * @param dark circuits of the rail that get no light
     * @return whether those of all rails of its ranks are up now
     */
    bool TakeUp(RailId rail, const std::vector<SwitchCircuit>& dark);
    /** @return the grant of a request */
    OpusGrant MakeGrant(const OpusRequest& request) const;

  private:
    /** The state. */
    enum class State : uint8_t
    {
        OFF,
        LEAVING,
        READY,
        UP,
    };

    const ShimSettings& m_settings;
    State m_state{State::OFF};
    std::set<RankId> m_ranks; //!< of the server that the shim serves
    std::set<RailId> m_rails; //!< whose rings are up
    RingGaps m_gaps;          //!< of them
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_FALLBACK_H */
