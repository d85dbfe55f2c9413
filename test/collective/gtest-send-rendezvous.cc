/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/send-rendezvous.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** One direction between two ranks: sends, receives, and reports on their way. */
class Direction
{
  public:
    Direction(const EagerLimits& limits, const std::vector<uint64_t>& sizes)
        : m_limits(limits),
          m_sizes(sizes)
    {
    }

    /** @return whether the next send went */
    bool Send()
    {
        if (sent == m_sizes.size() || !m_known.MayGo(m_limits, sent, m_sizes[sent]))
        {
            return false;
        }
        // the buffer of a receiver: a send whose receive is not called
        EXPECT_TRUE(sent < called || m_sizes[sent] <= m_limits.bytes) << "send " << sent;
        ++sent;
        EXPECT_LE(sent, called + m_limits.sends);
        return true;
    }

    /** @return whether the next receive was called: the one before it has its data */
    bool Call()
    {
        if (called == m_sizes.size() || (called > 0 && sent < called))
        {
            return false;
        }
        if (SendRendezvous::MustReport(m_limits, called, m_sizes[called]))
        {
            m_words.push_back(SendRendezvous::MakeReport(called));
        }
        ++called;
        return true;
    }

    /** @return whether a report arrived */
    bool DeliverReport()
    {
        if (m_words.empty())
        {
            return false;
        }
        m_known.TakeReport(m_words.front());
        m_words.pop_front();
        return true;
    }

    uint64_t sent{0};
    uint64_t called{0};

  private:
    EagerLimits m_limits;
    std::vector<uint64_t> m_sizes;
    std::deque<uint32_t> m_words;
    SendRendezvous m_known;
};

} // namespace

TEST(SendRendezvous, SmallSendsGoAheadUpToALimit)
{
    const EagerLimits limits;
    SendRendezvous known;
    for (uint64_t number = 0; number < 12; ++number)
    {
        EXPECT_EQ(known.MayGo(limits, number, limits.bytes), number < limits.sends);
        EXPECT_FALSE(known.MayGo(limits, number, limits.bytes + 1));
    }
    known.TakeReport(SendRendezvous::MakeReport(3)); // receives 0 to 3 are called
    EXPECT_TRUE(known.MayGo(limits, 3, 1 << 30));
    EXPECT_FALSE(known.MayGo(limits, 4, 1 << 30));
    EXPECT_TRUE(known.MayGo(limits, 3 + limits.sends, 1));
    EXPECT_FALSE(known.MayGo(limits, 4 + limits.sends, 1));
}

TEST(SendRendezvous, NothingWaitsForEver)
{
    // With all limits, sizes and orders of events: all is sent and received in the end, and no send
    // is further ahead than it may be.
    std::mt19937_64 random(1);
    for (uint32_t draw = 0; draw < 2000; ++draw)
    {
        const EagerLimits limits{random() % 3 * 100, static_cast<uint32_t>(random() % 10)};
        std::vector<uint64_t> sizes(1 + random() % 60);
        for (uint64_t& size : sizes)
        {
            size = random() % 300;
        }
        Direction direction(limits, sizes);
        bool moved = true;
        while (moved)
        {
            moved = false;
            const uint64_t first = random() % 3;
            for (uint64_t i = first; i < first + 3 && !moved; ++i)
            {
                moved = i % 3 == 0   ? direction.Send()
                        : i % 3 == 1 ? direction.Call()
                                     : direction.DeliverReport();
            }
        }
        ASSERT_EQ(direction.sent, sizes.size()) << "draw " << draw;
        ASSERT_EQ(direction.called, sizes.size()) << "draw " << draw;
    }
}

TEST(SendRendezvous, NumbersHaveNoEnd)
{
    // a report has 32 bits
    const EagerLimits limits;
    SendRendezvous known;
    const uint64_t words = uint64_t{1} << 32;
    for (const uint64_t number : {words / 2, words - 3, words - 1, words, words + 4, 2 * words - 2})
    {
        known.TakeReport(SendRendezvous::MakeReport(number));
        EXPECT_TRUE(known.MayGo(limits, number + limits.sends, 1)) << number;
        EXPECT_FALSE(known.MayGo(limits, number + limits.sends + 1, 1)) << number;
    }
}
