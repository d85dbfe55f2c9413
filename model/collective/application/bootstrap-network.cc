/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bootstrap-network.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("BootstrapNetwork");

namespace
{

/** Runs at the node of the rank that gets the choice. */
void
Deliver(BootstrapNetwork::ChoiceCallback callback,
        FlowKey flowKey,
        uint64_t number,
        std::shared_ptr<const AlgorithmChoice> choice)
{
    callback(flowKey, number, choice);
}

/** Runs at the node of the rank that gets the call. */
void
DeliverCall(BootstrapNetwork::CallCallback callback, GroupId group, RankCall call)
{
    callback(group, call);
}

/** Aborts if a rank is in another process. */
void
RequireHere(RankId rank, uint32_t node)
{
    NS_ABORT_MSG_UNLESS(SimulationProcesses::IsHere(NodeList::GetNode(node)),
                        "BootstrapNetwork: rank "
                            << rank
                            << " is on another process, and gets choices of algorithms from its "
                               "group; have groups of several rails on one process, or give "
                               "their algorithm by name");
}

} // namespace

void
BootstrapNetwork::Add(uint32_t node, ChoiceCallback callback, CallCallback calls)
{
    NS_LOG_FUNCTION(this << node);
    m_members.push_back({node, callback, calls});
}

void
BootstrapNetwork::Send(RankId to,
                       Time latency,
                       const FlowKey& flowKey,
                       uint64_t number,
                       std::shared_ptr<const AlgorithmChoice> choice) const
{
    NS_LOG_FUNCTION(this << to << latency << number);
    NS_LOG_INFO("rank " << to << " is sent the choice of operation " << number << " in group "
                        << flowKey.group << ": " << choice->algorithm);
    const Member& member = m_members.at(to.Get());
    RequireHere(to, member.node);
    Simulator::ScheduleWithContext(member.node,
                                   latency,
                                   &Deliver,
                                   member.callback,
                                   flowKey,
                                   number,
                                   choice);
}

void
BootstrapNetwork::SendCall(RankId to, Time latency, GroupId group, const RankCall& call) const
{
    NS_LOG_FUNCTION(this << to << latency << group << call.operation);
    const Member& member = m_members.at(to.Get());
    RequireHere(to, member.node);
    Simulator::ScheduleWithContext(member.node, latency, &DeliverCall, member.calls, group, call);
}

void
BootstrapNetwork::Clear()
{
    NS_LOG_FUNCTION(this);
    m_members.clear();
}

} // namespace ns3
