/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-broker.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StandingCircuits");

NS_OBJECT_ENSURE_REGISTERED(CircuitBroker);
NS_OBJECT_ENSURE_REGISTERED(StandingCircuits);

TypeId
CircuitBroker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CircuitBroker").SetParent<Object>().SetGroupName("PhotonicRails");
    return tid;
}

TypeId
StandingCircuits::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StandingCircuits")
                            .SetParent<CircuitBroker>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<StandingCircuits>()
                            .AddAttribute("HostNetwork",
                                          "Whether the network of the hosts carries a stage whose "
                                          "ranks no circuit joins; else it is refused.",
                                          BooleanValue(false),
                                          MakeBooleanAccessor(&StandingCircuits::m_hostNetwork),
                                          MakeBooleanChecker());
    return tid;
}

Relays
Connectivity::GetRelays(RankId, RankId) const
{
    return {};
}

std::vector<SharedRailPath>
Connectivity::GetPaths(RankId, RankId) const
{
    return {};
}

bool
Connectivity::AreIntraNode(RankId, RankId) const
{
    return false;
}

bool
CircuitRequest::NeedsCircuits() const
{
    return pairs && std::any_of(pairs->begin(), pairs->end(), [this](const auto& pair) {
               return pair.first == rank || pair.second == rank;
           });
}

PathCosts
CircuitBroker::GetCosts(const CostQuestion&) const
{
    return PathCosts();
}

bool
CircuitBroker::Stands(const std::vector<std::pair<RankId, RankId>>&) const
{
    return false;
}

bool
CircuitBroker::HasOwnCosts() const
{
    return false;
}

bool
CircuitBroker::CanChange() const
{
    return true;
}

std::size_t
CircuitBroker::CountHops(RankId, RankId) const
{
    return 1;
}

bool
CircuitBroker::AreIntraNode(RankId, RankId) const
{
    return false;
}

bool
CircuitBroker::LinkFailed(const CircuitRequest&, const TransportMessage&)
{
    return false;
}

void
CircuitBroker::Join(RankId, const CommunicationGroup&)
{
}

void
CircuitBroker::BeginIteration(RankId)
{
}

bool
CircuitBroker::ComparesCalls() const
{
    return false;
}

void
CircuitBroker::Called(const CallNotice&, SampleCallback)
{
}

void
CircuitBroker::Leave(RankId)
{
}

void
CircuitBroker::Hint(const CircuitHint& hint, AnswerCallback callback)
{
    if (hint.kind == CircuitHint::Kind::ACQUIRE)
    {
        callback(CircuitAnswer());
    }
}

StandingCircuits::StandingCircuits(std::shared_ptr<const Connectivity> links)
    : m_links(std::move(links))
{
    NS_LOG_FUNCTION(this);
}

std::string
StandingCircuits::GetWhyNot(const std::vector<RankId>&,
                            const std::vector<std::pair<RankId, RankId>>& pairs) const
{
    return m_hostNetwork ? "" : FindGap(pairs);
}

std::string
StandingCircuits::FindGap(const std::vector<std::pair<RankId, RankId>>& pairs) const
{
    NS_ABORT_MSG_UNLESS(
        m_links,
        "StandingCircuits: it has no links; give a Connectivity to its constructor");
    for (const auto& [one, other] : pairs)
    {
        if (m_links->GetLinks(one, other).empty())
        {
            std::ostringstream why;
            why << "no circuit joins rank " << one << " and rank " << other
                << ", and no control plane reprograms the switch";
            return why.str();
        }
    }
    return "";
}

void
StandingCircuits::Request(const CircuitRequest& request, AnswerCallback callback)
{
    NS_LOG_FUNCTION(this << request.rank << request.group << request.operation << request.stage);
    CircuitAnswer answer;
    answer.links = m_links;
    answer.why = FindGap(*request.pairs);
    if (!answer.why.empty())
    {
        answer.network =
            m_hostNetwork ? CircuitAnswer::Network::HOST : CircuitAnswer::Network::NONE;
        NS_LOG_INFO("rank " << request.rank << " gets no circuits for operation "
                            << request.operation << " in group " << request.group << ": "
                            << answer.why);
    }
    callback(answer);
}

void
StandingCircuits::Finished(const CircuitRequest&)
{
}

bool
StandingCircuits::CanChange() const
{
    return !m_links || m_links->CanChange();
}

std::size_t
StandingCircuits::CountHops(RankId one, RankId other) const
{
    const std::vector<SharedRailPath> paths =
        m_links ? m_links->GetPaths(one, other) : std::vector<SharedRailPath>();
    return paths.empty() || !paths.front() ? 1 : paths.front()->links.size();
}

bool
StandingCircuits::AreIntraNode(RankId one, RankId other) const
{
    return m_links && m_links->AreIntraNode(one, other);
}

} // namespace ns3
