/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-job.h"

#include "ns3/abort.h"

#include <numeric>
#include <utility>

namespace ns3
{

CollectiveJob::CollectiveJob(std::shared_ptr<const RailLinks> links, Ptr<OperationMemo> memo)
    : m_links(std::move(links)),
      m_memo(memo)
{
}

void
CollectiveJob::Add(Ptr<CollectiveApplication> application,
                   Ptr<MultiHopTransport> rail,
                   Ptr<ForwardingTransport> forwarder)
{
    m_applications.Add(application);
    m_rails.push_back(rail);
    if (forwarder)
    {
        m_forwarders.push_back(forwarder);
    }
}

std::shared_ptr<const CommunicationGroup>
CollectiveJob::MakeGroup(const std::string& name,
                         const std::vector<uint32_t>& ranks,
                         uint32_t perServer)
{
    std::vector<RankId> ids;
    for (const uint32_t rank : ranks)
    {
        NS_ABORT_MSG_UNLESS(rank < m_applications.GetN(),
                            "CollectiveJob: group \"" << name << "\" names rank " << rank
                                                      << ", and there are " << m_applications.GetN()
                                                      << ", counted from 0");
        ids.emplace_back(rank);
    }
    return std::make_shared<const CommunicationGroup>(GroupId(m_groups++), name, ids, perServer);
}

std::shared_ptr<const CommunicationGroup>
CollectiveJob::MakeGroup(const std::string& name)
{
    std::vector<uint32_t> ranks(m_applications.GetN());
    std::iota(ranks.begin(), ranks.end(), 0);
    uint32_t perServer = 1;
    while (perServer < ranks.size() && m_links->AreIntraNode(RankId(0), RankId(perServer)))
    {
        ++perServer;
    }
    return MakeGroup(name, ranks, perServer);
}

void
CollectiveJob::SetProgram(uint32_t rank,
                          std::shared_ptr<const RankProgram> program,
                          const CollectiveApplication::Groups& groups) const
{
    Get(rank)->SetProgram(std::move(program), groups);
}

void
CollectiveJob::Call(const std::shared_ptr<const CommunicationGroup>& group,
                    CollectiveKind kind,
                    uint64_t bytes,
                    const std::string& algorithm) const
{
    auto program = std::make_shared<RankProgram>();
    program->Collective(0, 0, kind, bytes, algorithm);
    for (const RankId rank : group->GetRanks())
    {
        SetProgram(rank.Get(), program, {group});
    }
}

void
CollectiveJob::TraceConnect(const std::string& source, const CallbackBase& callback) const
{
    for (uint32_t rank = 0; rank < m_applications.GetN(); ++rank)
    {
        const bool isKnown = m_applications.Get(rank)->TraceConnectWithoutContext(source, callback);
        NS_ABORT_MSG_UNLESS(isKnown,
                            "CollectiveJob: ns3::CollectiveApplication has no trace source "
                                << source << "; see --PrintAttributes or the manual");
    }
}

void
CollectiveJob::TraceForwarded(const CallbackBase& callback) const
{
    for (const Ptr<ForwardingTransport>& forwarder : m_forwarders)
    {
        forwarder->TraceConnectWithoutContext("MessageForwarded", callback);
    }
}

const ApplicationContainer&
CollectiveJob::GetApplications() const
{
    return m_applications;
}

Ptr<CollectiveApplication>
CollectiveJob::Get(uint32_t rank) const
{
    NS_ABORT_MSG_UNLESS(rank < m_applications.GetN(),
                        "CollectiveJob: there is no rank " << rank << "; Install() made "
                                                           << m_applications.GetN());
    return DynamicCast<CollectiveApplication>(m_applications.Get(rank));
}

uint64_t
CollectiveJob::GetForwardedBytes() const
{
    uint64_t bytes = 0;
    for (const Ptr<ForwardingTransport>& forwarder : m_forwarders)
    {
        bytes += forwarder->GetForwardedBytes();
    }
    return bytes;
}

uint64_t
CollectiveJob::GetMultiHopBytes() const
{
    uint64_t bytes = 0;
    for (const Ptr<MultiHopTransport>& rail : m_rails)
    {
        bytes += rail->GetForwardedBytes();
    }
    return bytes;
}

const OperationMemo::Counters&
CollectiveJob::GetMemoCounters() const
{
    return m_memo->GetCounters();
}

std::shared_ptr<const RailLinks>
CollectiveJob::GetLinks() const
{
    return m_links;
}

} // namespace ns3
