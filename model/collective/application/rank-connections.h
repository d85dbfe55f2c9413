/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_CONNECTIONS_H
#define PHOTONIC_RAILS_RANK_CONNECTIONS_H

#include "bootstrap-network.h"
#include "collective-ledger.h"
#include "intra-node-fabric.h"

#include "ns3/circuit-broker.h"
#include "ns3/collective-transport.h"
#include "ns3/identifier.h"
#include "ns3/operation-memo.h"
#include "ns3/ptr.h"
#include "ns3/rail-fold.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The networks and services that the communication library of one rank uses.
 */
struct RankConnections
{
    RankId rank;
    Ptr<Transport> rail;    //!< to ranks of other servers
    Ptr<Transport> scaleUp; //!< to ranks of the same server; null: there is none
    Ptr<Transport> host;    //!< over the network of the hosts; null: there is none
    Ptr<CircuitBroker> broker;
    Ptr<CollectiveLedger> ledger;
    Ptr<BootstrapNetwork> bootstrap;
    Ptr<IntraNodeFabric> intraNode; //!< null: operations go by messages
    Ptr<RailFold> fold;             //!< of the rails of the job; null: each is simulated
    Ptr<OperationMemo> memo;        //!< of the job; null: all operations are simulated

    /** Aborts unless the rank has all that its operations need. */
    void Require() const;

    /** Stops working out operations as one. */
    void LeaveIntraNode();

    /** Disposes the transports of the rank, and drops all connections. */
    void Dispose();
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_CONNECTIONS_H */
