/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "control-plane-chart.h"

#include "ns3/callback.h"
#include "ns3/opus-encoding.h"
#include "ns3/opus-words.h"
#include "ns3/simulator.h"

#include <sstream>

namespace ns3
{

namespace
{

/** @return the subject of a message: "group 0 #2..3, in advance" */
std::string
DescribeSubject(const OpusMessage& message)
{
    std::ostringstream words;
    if (const OpusProgram* program = message.Find<OpusProgram>())
    {
        words << "down " << program->down.size() << ", up " << program->up.size();
        return words.str();
    }
    const OpusRecord record = OpusEncoding::MakeRecord(message); // the fields of all types
    if (record.ranks.empty())
    {
        return "";
    }
    words << (record.phase.pointToPoint ? "send " : "group ");
    if (record.phase.pointToPoint)
    {
        words << record.phase.from << ">" << record.phase.to;
    }
    else
    {
        words << record.phase.group;
    }
    words << " #" << record.phase.operation;
    if (record.until != record.phase.operation && record.until != UINT64_MAX &&
        !message.Is<OpusRefuse>())
    {
        words << ".." << record.until;
    }
    words << (record.flag ? ", in advance" : "");
    return words.str();
}

} // namespace

void
ControlPlaneChart::Listen(const OpusControlPlane& plane)
{
    m_cabling = plane.cabling;
    std::vector<Ptr<OpusEndpoint>> all(plane.shims.begin(), plane.shims.end());
    for (std::size_t server = 0; server < plane.shims.size(); ++server)
    {
        m_names.push_back("server " + std::to_string(server));
    }
    all.push_back(plane.controller);
    m_names.emplace_back("controller");
    if (plane.standby)
    {
        all.push_back(plane.standby);
        m_names.emplace_back("standby");
    }
    all.insert(all.end(), plane.agents.begin(), plane.agents.end());
    for (std::size_t place = 0; place < all.size(); ++place)
    {
        m_places[{plane.network.GetAddress(all[place]->GetNode()), OPUS_PORT}] = place;
        all[place]->TraceConnectWithoutContext(
            "MessageSent",
            MakeCallback(&ControlPlaneChart::HandleSent, this).Bind(uint64_t{place}));
    }
}

void
ControlPlaneChart::HandleSent(uint64_t from, const OpusMessage& message, const OpusPeer& peer)
{
    m_sent.push_back({Simulator::Now(), from, m_places.at(peer), message});
}

bool
ControlPlaneChart::IsEmpty() const
{
    return m_sent.empty();
}

bool
ControlPlaneChart::IsAbout(const OpusMessage& message, RailId rail) const
{
    if (message.Is<OpusProgram>() || message.Is<OpusDone>() || message.Is<OpusAlarm>())
    {
        return message.rail == rail;
    }
    const std::vector<RankId>& ranks = message.GetRanks();
    return ranks.empty() || m_cabling->GetRail(ranks[0]) == rail;
}

SequenceChart
ControlPlaneChart::Draw(RailId rail, Time begin, Time end) const
{
    std::vector<std::string> names = m_names;
    names.push_back("rail " + std::to_string(rail.Get()));
    const std::size_t agent = m_names.size() + rail.Get();
    SequenceChart chart(names);
    for (const Sent& sent : m_sent)
    {
        const auto isShown = [&](std::size_t place) {
            return place < m_names.size() || place == agent;
        };
        const auto column = [&](std::size_t place) {
            return place == agent ? m_names.size() : place;
        };
        if (sent.time >= begin && sent.time <= end && IsAbout(sent.message, rail) &&
            !sent.message.Is<OpusHeartbeat>() && isShown(sent.from) && isShown(sent.to))
        {
            chart.Add(sent.time,
                      column(sent.from),
                      column(sent.to),
                      ToString(sent.message.GetType()),
                      DescribeSubject(sent.message));
        }
    }
    return chart;
}

} // namespace ns3
