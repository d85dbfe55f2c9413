/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LOCAL_SHIM_H
#define PHOTONIC_RAILS_LOCAL_SHIM_H

#include "ns3/circuit-broker.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-endpoint.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The shim on a rank's own server, as the rank's OpusBroker knows it: the calls that it
 * takes, and what they cost.
 *
 * It is on another node than the rank: each call is an event there, GetHostLatency() after the rank
 * made it. Calls of one instant are taken when it is over, by rank and place in the rank's program:
 * first what is finished, then what is asked for.
 */
class LocalShim : public OpusEndpoint
{
  public:
    /** @return from a rank to the shim, and back */
    virtual Time GetHostLatency() const = 0;
    /** @return what ranks weigh against each other, but for what depends on a call */
    virtual PathCosts GetCosts() const = 0;

    /** A rank will take part in a group. */
    virtual void Join(RankId rank, CommunicationGroup group) = 0;
    /** A rank begins an iteration. */
    virtual void BeginIteration(RankId rank) = 0;
    /** A rank asks for circuits. */
    virtual void Request(CircuitRequest request) = 0;
    /** A rank needs circuits no more. @param ask for what it had them */
    virtual void Finish(CircuitRequest request) = 0;
    /** A rank schedules circuits. */
    virtual void Hint(CircuitHint hint) = 0;
    /** A rank's program is over. */
    virtual void Leave(RankId rank) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LOCAL_SHIM_H */
