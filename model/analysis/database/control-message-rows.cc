/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "control-message-rows.h"

#include "ns3/ocs-agent.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-shim-app.h"
#include "ns3/simulator.h"

#include <tuple>
#include <vector>

namespace ns3
{

ControlMessageRows::Facts
ControlMessageRows::Facts::Of(const OpusMessage& message)
{
    Facts facts;
    facts.type = message.GetType();
    facts.server = message.server;
    if (message.Is<OpusProgram>() || message.Is<OpusDone>() || message.Is<OpusAlarm>())
    {
        facts.rail = message.rail;
    }
    if (const OpusPhase* const phase = message.FindPhase())
    {
        facts.phase = phase->AsTuple();
    }
    const std::vector<RankId>& ranks = message.GetRanks();
    facts.ranks = ranks.size();
    facts.firstRank = ranks.empty() ? RankId() : ranks.front();
    return facts;
}

bool
ControlMessageRows::Facts::operator<(const Facts& other) const
{
    return std::tie(type, server, rail, phase, ranks, firstRank) < std::tie(other.type,
                                                                            other.server,
                                                                            other.rail,
                                                                            other.phase,
                                                                            other.ranks,
                                                                            other.firstRank);
}

ControlMessageRows::End::End(ControlMessageRows& rows, const std::string& name)
    : m_rows(&rows),
      m_name(name)
{
}

void
ControlMessageRows::End::Sent(const OpusMessage& message, const OpusPeer&)
{
    m_rows->m_flights.emplace(Facts::Of(message), Flight{&m_name, Simulator::Now()});
}

void
ControlMessageRows::End::Received(const OpusMessage& message, const OpusPeer&)
{
    const Facts facts = Facts::Of(message);
    if (const std::optional<Flight> flight = m_rows->TakeFlight(facts))
    {
        m_rows->Write(facts, *flight, m_name, Simulator::Now());
    }
}

void
ControlMessageRows::End::Failed(const OpusMessage& message, const OpusPeer&, const std::string&)
{
    const Facts facts = Facts::Of(message);
    if (const std::optional<Flight> flight = m_rows->TakeFlight(facts))
    {
        m_rows->Write(facts, *flight, "", std::nullopt);
    }
}

ControlMessageRows::ControlMessageRows(std::shared_ptr<ResultWriter> writer, uint32_t job)
    : ResultSource(std::move(writer), "control_messages"),
      m_job(job)
{
}

Ptr<ControlMessageRows>
ControlMessageRows::Record(const OpusControlPlane& plane,
                           const std::shared_ptr<ResultWriter>& writer,
                           uint32_t job)
{
    const auto source = Create<ControlMessageRows>(writer, job);
    if (!plane.controller)
    {
        return source;
    }
    source->ListenTo(plane.controller, "controller");
    if (plane.standby)
    {
        source->ListenTo(plane.standby, "standby");
    }
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        source->ListenTo(shim, "server " + std::to_string(shim->GetServer().Get()) + " shim");
    }
    for (std::size_t rail = 0; rail < plane.agents.size(); ++rail)
    {
        source->ListenTo(plane.agents[rail], "rail " + std::to_string(rail) + " agent");
    }
    return source;
}

void
ControlMessageRows::ListenTo(const Ptr<OpusEndpoint>& endpoint, const std::string& name)
{
    m_names.push_back(name);
    const auto end = Create<End>(*this, m_names.back());
    Listen(*endpoint, "MessageSent", MakeCallback(&End::Sent, end));
    Listen(*endpoint, "MessageReceived", MakeCallback(&End::Received, end));
    Listen(*endpoint, "MessageFailed", MakeCallback(&End::Failed, end));
}

std::optional<ControlMessageRows::Flight>
ControlMessageRows::TakeFlight(const Facts& facts)
{
    const auto first = m_flights.lower_bound(facts);
    if (first == m_flights.end() || facts < first->first)
    {
        return std::nullopt;
    }
    const Flight flight = first->second;
    m_flights.erase(first);
    return flight;
}

void
ControlMessageRows::Write(const Facts& facts,
                          const Flight& flight,
                          const std::string& receiver,
                          const std::optional<Time>& there)
{
    const auto ofPhase = [&facts](const auto& part) {
        return facts.phase ? std::make_optional(part(*facts.phase)) : std::nullopt;
    };
    Add(ToString(facts.type),
        *flight.sender,
        receiver,
        flight.sent,
        there,
        facts.rail,
        facts.ranks,
        ofPhase([this](const auto& phase) { return m_job + std::get<0>(phase); }),
        ofPhase([](const auto& phase) { return std::get<1>(phase); }),
        ofPhase([](const auto& phase) { return std::get<5>(phase); }),
        ofPhase([](const auto& phase) { return std::get<6>(phase); }));
}

void
ControlMessageRows::Close()
{
    for (const auto& [facts, flight] : m_flights)
    {
        Write(facts, flight, "", std::nullopt);
    }
    m_flights.clear();
}

} // namespace ns3
