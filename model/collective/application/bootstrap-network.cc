/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bootstrap-network.h"

#include "collective-application.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{

BootstrapNetwork::BootstrapNetwork() = default;
BootstrapNetwork::~BootstrapNetwork() = default;

void
BootstrapNetwork::Add(Ptr<CollectiveApplication> application)
{
    m_applications.push_back(application);
}

void
BootstrapNetwork::Tell(RankId to,
                       Time latency,
                       const FlowKey& flowKey,
                       uint64_t number,
                       std::shared_ptr<const AlgorithmChoice> choice) const
{
    const Ptr<CollectiveApplication> application = m_applications.at(to.Get());
    Simulator::ScheduleWithContext(application->GetNode()->GetId(),
                                   latency,
                                   &CollectiveApplication::HandleChoice,
                                   application,
                                   flowKey,
                                   number,
                                   choice);
}

void
BootstrapNetwork::Clear()
{
    m_applications.clear();
}

} // namespace ns3
