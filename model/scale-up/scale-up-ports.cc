/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scale-up-ports.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t PICOSECOND_BITS_A_BYTE = 8'000'000'000'000; // 8 bits, 10^12 ps a second

} // namespace

ScaleUpPorts::ScaleUpPorts(uint64_t bitsPerSecond, Picoseconds latency)
    : m_rate(bitsPerSecond),
      m_latency(latency)
{
    NS_ABORT_MSG_IF(bitsPerSecond == 0,
                    "ScaleUpPorts: a rate of 0 b/s sends nothing; give at least 1 b/s");
    NS_ABORT_MSG_IF(latency < 1,
                    "ScaleUpPorts: a latency of " << latency << " ps; give at least 1 ps");
    const uint64_t common = std::gcd(PICOSECOND_BITS_A_BYTE, bitsPerSecond);
    m_byte = PICOSECOND_BITS_A_BYTE / common;
    m_picosecond = bitsPerSecond / common;
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

uint64_t
ScaleUpPorts::GetRate() const
{
    return m_rate;
}

Picoseconds
ScaleUpPorts::GetLatency() const
{
    return m_latency;
}

Picoseconds
ScaleUpPorts::Round(Fraction instant) const
{
    const Fraction rounded = (instant + m_picosecond - 1) / m_picosecond;
    NS_ABORT_MSG_IF(rounded >= NEVER,
                    "ScaleUpPorts: at " << m_rate
                                        << " b/s a message would take longer than the 106 days "
                                           "that are counted; send less, or faster");
    return static_cast<Picoseconds>(rounded);
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
        const Fraction first = std::max(sender.outFree, now * m_picosecond);
        sender.posted = now;
        sender.called = Round(first + m_latency * m_picosecond);
        m_calls.push_back({post.to, sender.called});
        m_posting.push_back(post.from.Get());
    }
    sender.posts.push_back(post);
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
        const Fraction first = std::max(sender.outFree, sender.posted * m_picosecond);
        sender.outFree = first + post.bytes * m_byte;
        const Fraction reaches = first + m_latency * m_picosecond;
        m_ports[post.to.Get()].waiting.emplace(Turn{reaches, post.from.Get(), m_sequence++},
                                               Waiting{post.message, post.bytes});
        const Picoseconds when = Round(reaches);
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
        if (reached > now * m_picosecond)
        {
            break;
        }
        receiver.inFree = std::max(receiver.inFree, reached) + next->second.bytes * m_byte;
        passages.push_back({next->second.message, Round(receiver.inFree)});
        receiver.waiting.erase(next);
    }
    return passages;
}

} // namespace ns3
