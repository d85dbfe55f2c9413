/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LOCAL_SHIM_H
#define PHOTONIC_RAILS_LOCAL_SHIM_H

#include "link-up-watch.h"

#include "ns3/cabling.h"
#include "ns3/circuit-broker.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-contents.h"
#include "ns3/opus-endpoint.h"

namespace ns3
{

/** The wait of an agent, or of a controller, for the carrier of a NIC port. */
struct CarrierWatch
{
    OpusPeer agent;        //!< or the controller
    RailId rail;           //!< of the port
    uint64_t plan{0};      //!< of the agent; 0: of no plan
    SwitchCircuit circuit; //!< first the port of the switch that has a fiber to the NIC port
    NicPort port;
};

/**
 * @ingroup photonic-rails
 * @brief The interface of a rank's shim to its OpusBroker: the calls that it takes, and its costs.
 *
 * The shim is on another node than the rank: each call is an event there, GetHostLatency() after
 * the rank made it. Calls of one instant are taken when it is over, by rank and place in the rank's
 * program: first releases, then requests.
 */
class LocalShim : public OpusEndpoint
{
  public:
    /** @return the latency from a rank to the shim, and from the shim to a rank */
    virtual Time GetHostLatency() const = 0;
    /** @return the costs that do not depend on a call */
    virtual PathCosts GetCosts() const = 0;

    /** A rank will take part in a group. */
    virtual void Join(RankId rank, CommunicationGroup group) = 0;
    /** A rank begins an iteration. */
    virtual void BeginIteration(RankId rank) = 0;
    /** A rank requests circuits. */
    virtual void Request(CircuitRequest request) = 0;
    /** A rank does not need circuits any more. @param request that was granted or withdrawn */
    virtual void Finish(CircuitRequest request) = 0;
    /** A rank calls an operation, and the call is compared with those of the other ranks. */
    virtual void Called(CallNotice notice) = 0;
    /** A rank gives a circuit hint. */
    virtual void Hint(CircuitHint hint) = 0;
    /**
     * A rank has waited for the link of granted circuits, or the link has come up without a wait.
     * @param request that the circuits are for
     * @param outcome with times of the rank
     */
    virtual void LinkUp(CircuitRequest request, LinkUpWatch::Outcome outcome) = 0;
    /** The NIC port of a watch is up. */
    virtual void PortIsUp(CarrierWatch watch) = 0;
    /** @return whether LinkFailed() gets a rank other circuits */
    virtual bool ReportsOutages() const = 0;
    /**
     * Messages of a rank have failed, on a circuit that it was granted.
     * @param request that the circuits are for
     */
    virtual void LinkFailed(CircuitRequest request, RankCircuit circuit) = 0;
    /** A rank's program is over. */
    virtual void Leave(RankId rank) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LOCAL_SHIM_H */
