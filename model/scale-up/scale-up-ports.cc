/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scale-up-ports.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

ScaleUpPorts::ScaleUpPorts(uint64_t bitsPerSecond, Picoseconds latency)
    : m_clock(bitsPerSecond),
      m_latency(latency)
{
    NS_ABORT_MSG_IF(latency < 1,
                    "ScaleUpPorts: a latency of " << latency << " ps; give at least 1 ps");
}

MemberId
ScaleUpPorts::AddMember()
{
    m_ports.emplace_back();
    return MemberId(m_ports.size() - 1);
}

uint32_t
ScaleUpPorts::GetMembers() const
{
    return m_ports.size();
}

const ScaleUpClock&
ScaleUpPorts::GetClock() const
{
    return m_clock;
}

Picoseconds
ScaleUpPorts::GetLatency() const
{
    return m_latency;
}

void
ScaleUpPorts::Send(const ScaleUpPost& post, Picoseconds now)
{
    NS_ASSERT_MSG(post.from != post.to, "member " << post.from << " sends to itself");
    Port& sender = m_ports[post.from.Get()];
    if (!sender.posts.empty() && sender.posted < now)
    {
        LeaveUntil(now);
    }
    if (sender.posts.empty())
    {
        // none of this instant reaches a port before the first one would
        const Fraction first = std::max(sender.busy.out, m_clock.FromPicoseconds(now));
        sender.posted = now;
        sender.called = m_clock.Round(first + m_clock.FromPicoseconds(m_latency));
        if (!m_ports[post.to.Get()].isElsewhere)
        {
            m_calls.push_back({post.to, sender.called});
        }
        m_posting.push_back(post.from.Get());
    }
    sender.posts.push_back(post);
    if (m_ports[post.to.Get()].isElsewhere)
    {
        m_calls.push_back({post.from, now + 1}); // when the instant is over, it departs
    }
}

void
ScaleUpPorts::Leave(Port& sender)
{
    const MemberId called = sender.posts.front().to;
    const auto before = [](const ScaleUpPost& a, const ScaleUpPost& b) {
        return a.order < b.order;
    };
    std::stable_sort(sender.posts.begin(), sender.posts.end(), before);
    for (const ScaleUpPost& post : sender.posts)
    {
        const Fraction first = std::max(sender.busy.out, m_clock.FromPicoseconds(sender.posted));
        sender.busy.out = first + m_clock.GetSpan(post.bytes);
        const Fraction reaches = first + m_clock.FromPicoseconds(m_latency);
        if (m_ports[post.to.Get()].isElsewhere)
        {
            m_departures.push_back({post, m_sequence++, reaches});
            continue;
        }
        m_ports[post.to.Get()].waiting.emplace(Turn{reaches, post.from.Get(), m_sequence++},
                                               Waiting{post.message, post.bytes});
        const Picoseconds when = m_clock.Round(reaches);
        if (post.to != called || when != sender.called)
        {
            m_calls.push_back({post.to, when});
        }
    }
    sender.posts.clear();
}

void
ScaleUpPorts::LeaveUntil(Picoseconds now)
{
    const auto isOver = [&](uint32_t member) {
        const bool over = m_ports[member].posted < now;
        if (over)
        {
            Leave(m_ports[member]);
        }
        return over;
    };
    m_posting.erase(std::remove_if(m_posting.begin(), m_posting.end(), isOver), m_posting.end());
}

std::vector<ScaleUpCall>
ScaleUpPorts::TakeCalls()
{
    return std::exchange(m_calls, {});
}

ScaleUpBusy
ScaleUpPorts::GetBusy(MemberId member) const
{
    return m_ports[member.Get()].busy;
}

void
ScaleUpPorts::SetBusy(MemberId member, const ScaleUpBusy& busy)
{
    m_ports[member.Get()].busy = busy;
}

void
ScaleUpPorts::AddUnderWay(const ScaleUpPost& post, Fraction reaches)
{
    m_ports[post.to.Get()].waiting.emplace(Turn{reaches, post.from.Get(), m_sequence++},
                                           Waiting{post.message, post.bytes});
    m_calls.push_back({post.to, m_clock.Round(reaches)});
}

void
ScaleUpPorts::SetElsewhere(MemberId member)
{
    m_ports[member.Get()].isElsewhere = true;
}

std::vector<ScaleUpDeparture>
ScaleUpPorts::TakeDepartures()
{
    return std::exchange(m_departures, {});
}

void
ScaleUpPorts::AddDeparted(const ScaleUpDeparture& departure)
{
    const ScaleUpPost& post = departure.post;
    m_ports[post.to.Get()].waiting.emplace(
        Turn{departure.reaches, post.from.Get(), departure.sequence},
        Waiting{post.message, post.bytes});
    m_calls.push_back({post.to, m_clock.Round(departure.reaches)});
}

std::vector<ScaleUpPassage>
ScaleUpPorts::Receive(MemberId to, Picoseconds now)
{
    LeaveUntil(now);
    Port& receiver = m_ports[to.Get()];
    std::vector<ScaleUpPassage> passages;
    // all that is here by now was sent a latency ago, so no other can come between
    while (!receiver.waiting.empty())
    {
        const auto next = receiver.waiting.begin();
        const Fraction reached = std::get<0>(next->first);
        if (reached > m_clock.FromPicoseconds(now))
        {
            break;
        }
        receiver.busy.in =
            std::max(receiver.busy.in, reached) + m_clock.GetSpan(next->second.bytes);
        passages.push_back({next->second.message, m_clock.Round(receiver.busy.in)});
        receiver.waiting.erase(next);
    }
    return passages;
}

} // namespace ns3
