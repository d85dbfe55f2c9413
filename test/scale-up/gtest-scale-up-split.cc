/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A fabric whose members are on two processes delivers at the instants of one process.

#include "ns3/scale-up-ports.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t SPLIT_MEMBERS = 4;
constexpr Picoseconds SPLIT_LATENCY = 1000;

/** A message that is to be sent. */
struct SplitSend
{
    Picoseconds at;
    ScaleUpPost post;
};

/** The instants of deliveries, by message. */
using SplitDeliveries = std::map<uint64_t, Picoseconds>;

/** The ports of some members, and what is to come. */
class SplitSide
{
  public:
    /** @param rate of ports @param here members whose events it has */
    SplitSide(uint64_t rate, const std::set<uint32_t>& here)
        : m_ports(rate, SPLIT_LATENCY),
          m_here(here)
    {
        for (uint32_t member = 0; member < SPLIT_MEMBERS; ++member)
        {
            const MemberId added = m_ports.AddMember();
            if (m_here.count(member) == 0)
            {
                m_ports.SetElsewhere(added);
            }
        }
    }

    /** Sends what this side has to send at an instant, and makes its calls. */
    void Handle(Picoseconds now, const std::vector<SplitSend>& sends, SplitDeliveries& deliveries)
    {
        for (const SplitSend& one : sends)
        {
            if (one.at == now && m_here.count(one.post.from.Get()) > 0)
            {
                m_ports.Send(one.post, now);
            }
        }
        TakeCalls();
        const auto [begin, end] = m_calls.equal_range(now);
        std::vector<MemberId> called;
        std::for_each(begin, end, [&called](const auto& call) { called.push_back(call.second); });
        for (const MemberId member : called)
        {
            EXPECT_EQ(m_here.count(member.Get()), 1U) << "a call of a member that is elsewhere";
            for (const ScaleUpPassage& passage : m_ports.Receive(member, now))
            {
                deliveries[passage.message] = passage.delivered;
            }
            TakeCalls();
        }
    }

    /** @return what has left for another side; each is there a picosecond before its first bit */
    std::vector<ScaleUpDeparture> TakeDepartures()
    {
        return m_ports.TakeDepartures();
    }

    /** @return the instant of the first bit */
    Picoseconds GetReaching(const ScaleUpDeparture& departure) const
    {
        return m_ports.GetClock().Round(departure.reaches);
    }

    /** Takes a departure of another side. */
    void Add(const ScaleUpDeparture& departure)
    {
        m_ports.AddDeparted(departure);
        TakeCalls();
    }

    /** @return the first instant after another at which it has a call */
    Picoseconds GetNext(Picoseconds after) const
    {
        const auto next = m_calls.upper_bound(after);
        return next == m_calls.end() ? NEVER : next->first;
    }

  private:
    void TakeCalls()
    {
        for (const ScaleUpCall& call : m_ports.TakeCalls())
        {
            m_calls.emplace(call.when, call.member);
        }
    }

    ScaleUpPorts m_ports;
    std::set<uint32_t> m_here;
    std::multimap<Picoseconds, MemberId> m_calls;
};

/** @return all deliveries of sends, by sides that exchange what leaves them */
SplitDeliveries
Deliver(uint64_t rate,
        const std::vector<SplitSend>& sends,
        const std::vector<std::set<uint32_t>>& parts)
{
    std::vector<SplitSide> sides;
    for (const std::set<uint32_t>& part : parts)
    {
        sides.emplace_back(rate, part);
    }
    SplitDeliveries deliveries;
    std::multimap<Picoseconds, ScaleUpDeparture> crossing; // by the instant at which it is there
    Picoseconds now = -1;
    while (true)
    {
        Picoseconds next = NEVER;
        for (const SplitSend& one : sends)
        {
            next = one.at > now ? std::min(next, one.at) : next;
        }
        for (const SplitSide& side : sides)
        {
            next = std::min(next, side.GetNext(now));
        }
        const auto coming = crossing.upper_bound(now);
        next = coming == crossing.end() ? next : std::min(next, coming->first);
        if (next == NEVER)
        {
            return deliveries;
        }
        now = next;
        const auto [begin, end] = crossing.equal_range(now);
        for (auto one = begin; one != end; ++one)
        {
            for (std::size_t s = 0; s < sides.size(); ++s)
            {
                if (parts[s].count(one->second.post.to.Get()) > 0)
                {
                    sides[s].Add(one->second);
                }
            }
        }
        for (SplitSide& side : sides)
        {
            side.Handle(now, sends, deliveries);
            for (const ScaleUpDeparture& departure : side.TakeDepartures())
            {
                const Picoseconds there = side.GetReaching(departure) - 1;
                // the lookahead: it leaves a picosecond after it was sent
                EXPECT_GE(there - now, SPLIT_LATENCY - 2);
                crossing.emplace(there, departure);
            }
        }
    }
}

} // namespace

TEST(ScaleUpSplit, RandomMessagesAreDeliveredAsInOneFabric)
{
    std::mt19937 random(1);
    const auto draw = [&random](uint32_t most) {
        return std::uniform_int_distribution<uint32_t>(0, most)(random);
    };
    for (uint32_t trial = 0; trial < 300; ++trial)
    {
        // rates of which a byte takes no whole number of picoseconds, too
        const uint64_t rate =
            std::vector<uint64_t>{3'600'000'000'000, 7'000'000'000, 999'999'937}[trial % 3];
        std::vector<SplitSend> sends;
        for (uint64_t message = 0; message < 40; ++message)
        {
            const uint32_t from = draw(SPLIT_MEMBERS - 1);
            const uint32_t to = (from + 1 + draw(SPLIT_MEMBERS - 2)) % SPLIT_MEMBERS;
            // few instants and sizes, so that much coincides
            sends.push_back({Picoseconds{draw(5)} * 700,
                             {message,
                              MemberId(from),
                              MemberId(to),
                              uint64_t{draw(3)} * 257,
                              {draw(2), 0, 0}}});
        }
        const SplitDeliveries one = Deliver(rate, sends, {{0, 1, 2, 3}});
        ASSERT_EQ(one.size(), sends.size());
        EXPECT_EQ(Deliver(rate, sends, {{0, 1}, {2, 3}}), one) << "trial " << trial;
        EXPECT_EQ(Deliver(rate, sends, {{0}, {1, 2}, {3}}), one) << "trial " << trial;
    }
}

} // namespace ns3
