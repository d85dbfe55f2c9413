/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-connections.h"

#include "ns3/abort.h"

namespace ns3
{

void
RankConnections::Require() const
{
    NS_ABORT_MSG_UNLESS(broker && ledger && rail,
                        "CollectiveApplication: rank "
                            << rank
                            << " lacks a rail, broker or ledger; install it by CollectiveHelper");
    NS_ABORT_MSG_UNLESS(bootstrap || !broker->HasOwnCosts(),
                        "CollectiveApplication: rank "
                            << rank
                            << " lacks a bootstrap network, and its costs are its own; install it "
                               "by CollectiveHelper");
}

void
RankConnections::Dispose()
{
    for (Ptr<Transport>* transport : {&rail, &scaleUp, &host})
    {
        if (*transport)
        {
            (*transport)->Dispose();
        }
        *transport = nullptr;
    }
    broker = nullptr;
    ledger = nullptr;
    if (bootstrap)
    {
        bootstrap->Clear(); // it refers to all applications, and they refer to it
    }
    bootstrap = nullptr;
    fold = nullptr;
    if (memo)
    {
        memo->Clear(); // operations refer to what is disposed
    }
    memo = nullptr;
    LeaveIntraNode();
}

void
RankConnections::LeaveIntraNode()
{
    if (intraNode)
    {
        intraNode->Leave(rank);
    }
    intraNode = nullptr;
}

} // namespace ns3
