/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bootstrap-network.h"

#include "ns3/simulator.h"

namespace ns3
{

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

} // namespace

void
BootstrapNetwork::Add(uint32_t node, ChoiceCallback callback)
{
    m_members.push_back({node, callback});
}

void
BootstrapNetwork::Tell(RankId to,
                       Time latency,
                       const FlowKey& flowKey,
                       uint64_t number,
                       std::shared_ptr<const AlgorithmChoice> choice) const
{
    const Member& member = m_members.at(to.Get());
    Simulator::ScheduleWithContext(member.node,
                                   latency,
                                   &Deliver,
                                   member.callback,
                                   flowKey,
                                   number,
                                   choice);
}

void
BootstrapNetwork::Clear()
{
    m_members.clear();
}

} // namespace ns3
