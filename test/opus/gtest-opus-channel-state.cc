/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One end of a flow sends and the other receives, with no simulator: the network between them loses
// datagrams, doubles them and lets them overtake each other.

#include "../support/time-units.h"
#include "opus-flat-message.h"

#include "ns3/opus-incoming.h"
#include "ns3/opus-outgoing.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/** A sender, a receiver, and a network that loses datagrams. */
class ChannelState
{
  public:
    ChannelState(uint32_t seed, double loss, Picoseconds mostDelay, uint32_t attempts)
        : m_random(seed),
          m_loss(loss),
          m_mostDelay(mostDelay),
          m_outgoing(MS, attempts, 100)
    {
    }

    /** Sends a message, now; or with those that are sent before time passes, if that is due. */
    void Send(uint64_t plan, uint32_t reasonBytes, bool isBundled = false)
    {
        FlatMessage<OpusAlarm> message;
        message.plan = plan;
        message.reason.resize(reasonBytes, static_cast<char>(plan));
        m_outgoing.Put(message);
        if (!isBundled)
        {
            Pump();
        }
    }

    /** Handles all events up to an instant. */
    void RunUntil(Picoseconds end)
    {
        Pump();
        for (;;)
        {
            const Picoseconds arrival = m_flying.empty() ? NEVER : m_flying.begin()->first;
            const Picoseconds due = m_outgoing.GetNext();
            const Picoseconds next = std::min(arrival, due);
            if (next > end || next == NEVER)
            {
                m_now = end == NEVER ? m_now : end;
                return;
            }
            m_now = next;
            if (arrival <= due)
            {
                const Flying flying = m_flying.begin()->second;
                m_flying.erase(m_flying.begin());
                Arrive(flying);
            }
            else
            {
                for (const OpusMessage& message : m_outgoing.GiveUp(m_now))
                {
                    failed.push_back(message.Get<OpusAlarm>().plan);
                    if (sendsAgain)
                    {
                        m_outgoing.Put(message);
                    }
                }
            }
            Pump();
        }
    }

    /** @return whether nothing is left to wait for */
    bool IsEmpty() const
    {
        return m_outgoing.IsEmpty();
    }

    void SetLoss(double loss)
    {
        m_loss = loss;
    }

    Picoseconds Now() const
    {
        return m_now;
    }

    std::vector<uint64_t> received;
    std::vector<uint64_t> acknowledged;
    std::vector<uint64_t> failed;
    uint32_t duplicates{0};
    uint32_t sent{0};       //!< datagrams with a piece
    bool sendsAgain{false}; //!< messages that are given up

  private:
    struct Flying
    {
        OpusDatagram head;
        std::vector<uint8_t> piece;
    };

    void Fly(const Flying& flying)
    {
        const auto chance = [this] { return m_random() % 1000 / 1000.0; };
        for (int copies = chance() < 0.1 ? 2 : 1; copies > 0; --copies)
        {
            if (chance() >= m_loss)
            {
                m_flying.emplace(m_now + 1 + m_random() % m_mostDelay, flying);
            }
        }
    }

    void Pump()
    {
        for (const OpusOutgoing::Datagram& datagram : m_outgoing.TakeDue(m_now))
        {
            ++sent;
            const auto& octets = datagram.bundle->octets;
            Flying flying;
            flying.head.sequence = datagram.sequence;
            flying.head.behind = m_outgoing.GetBehind(datagram.sequence);
            flying.head.copy = datagram.copies.size() % OpusDatagram::COPIES;
            flying.head.bundleBytes = octets.size();
            flying.head.offset = datagram.offset;
            flying.head.pieceBytes = datagram.bytes;
            flying.piece.assign(octets.begin() + datagram.offset,
                                octets.begin() + datagram.offset + datagram.bytes);
            ASSERT_LT(flying.head.behind, OpusHeader::WINDOW);
            Fly(flying);
        }
    }

    void Arrive(const Flying& flying)
    {
        if (flying.head.sequence == 0)
        {
            ASSERT_TRUE(m_outgoing.CanBe(flying.head));
            for (const OpusMessage& message : m_outgoing.TakeHead(flying.head, m_now))
            {
                acknowledged.push_back(message.Get<OpusAlarm>().plan);
            }
            return;
        }
        const OpusIncoming::Outcome outcome = m_incoming.Take(flying.head, flying.piece);
        ASSERT_TRUE(outcome.refusals.empty());
        duplicates += outcome.duplicate ? 1 : 0;
        for (const OpusMessage& message : outcome.messages)
        {
            const OpusAlarm& alarm = message.Get<OpusAlarm>();
            for (char octet : alarm.reason)
            {
                ASSERT_EQ(octet, static_cast<char>(alarm.plan));
            }
            received.push_back(alarm.plan);
        }
        Flying answer;
        m_incoming.Acknowledge(answer.head);
        Fly(answer);
    }

    std::mt19937_64 m_random;
    double m_loss;
    Picoseconds m_mostDelay;
    Picoseconds m_now{0};
    OpusOutgoing m_outgoing;
    OpusIncoming m_incoming;
    std::multimap<Picoseconds, Flying> m_flying;
};

std::vector<uint64_t>
UpTo(uint64_t end)
{
    std::vector<uint64_t> numbers;
    for (uint64_t i = 0; i < end; ++i)
    {
        numbers.push_back(i);
    }
    return numbers;
}

} // namespace

TEST(OpusChannelState, OnceAndInOrderHoweverBadTheNetwork)
{
    for (uint32_t seed = 1; seed <= 100; ++seed)
    {
        std::mt19937 random(seed);
        const double loss = seed % 4 * 0.1;
        // up to twice the retransmission interval: many are sent again that were not lost
        ChannelState exchange(seed, loss, seed % 3 == 0 ? 2 * MS : 300 * US, 20);
        const uint64_t count = 1 + random() % 200;
        for (uint64_t i = 0; i < count; ++i)
        {
            const bool isBundled = seed % 2 == 0 && random() % 3 > 0;
            exchange.Send(i, random() % 5 == 0 ? random() % 10'000 : random() % 50, isBundled);
            if (!isBundled)
            {
                exchange.RunUntil(exchange.Now() + random() % (200 * US));
            }
        }
        exchange.RunUntil(NEVER);
        EXPECT_TRUE(exchange.IsEmpty());
        EXPECT_EQ(exchange.received, UpTo(count)) << "seed " << seed;
        EXPECT_EQ(exchange.acknowledged, UpTo(count)) << "seed " << seed;
        EXPECT_TRUE(exchange.failed.empty()) << "seed " << seed;
    }
}

TEST(OpusChannelState, WithFewAttemptsEachIsEitherAcknowledgedOrGivenUp)
{
    uint32_t failures = 0;
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        std::mt19937 random(seed);
        ChannelState exchange(seed, 0.5, 900 * US, 2);
        const uint64_t count = 1 + random() % 100;
        for (uint64_t i = 0; i < count; ++i)
        {
            const bool isBundled = seed % 2 == 0 && random() % 3 > 0;
            exchange.Send(i, random() % 5 == 0 ? random() % 500 : 0, isBundled);
            if (!isBundled)
            {
                exchange.RunUntil(exchange.Now() + random() % (500 * US));
            }
        }
        exchange.RunUntil(NEVER);
        ASSERT_TRUE(exchange.IsEmpty());
        std::set<uint64_t> ended(exchange.acknowledged.begin(), exchange.acknowledged.end());
        ended.insert(exchange.failed.begin(), exchange.failed.end());
        ASSERT_EQ(ended.size(), count) << "seed " << seed;
        ASSERT_EQ(exchange.acknowledged.size() + exchange.failed.size(), count) << "seed " << seed;
        // in order and none twice, and all that was acknowledged is among them
        const std::set<uint64_t> received(exchange.received.begin(), exchange.received.end());
        ASSERT_EQ(received.size(), exchange.received.size()) << "seed " << seed;
        ASSERT_TRUE(std::is_sorted(exchange.received.begin(), exchange.received.end()))
            << "seed " << seed;
        for (uint64_t plan : exchange.acknowledged)
        {
            ASSERT_EQ(received.count(plan), 1U) << "seed " << seed << ", message " << plan;
        }
        failures += exchange.failed.size();
    }
    EXPECT_GT(failures, 100U);
}

TEST(OpusChannelState, ASilentPeerIsGivenUpAtTheDerivedInstant)
{
    ChannelState exchange(1, 1, US, 4);
    for (uint64_t i = 0; i < 100; ++i) // 64 have room
    {
        exchange.Send(i, 0);
    }
    // 1 + 2 + 4 + 8 ms
    exchange.RunUntil(15 * MS - 1);
    EXPECT_TRUE(exchange.failed.empty());
    EXPECT_EQ(exchange.sent, 64U * 4);
    exchange.RunUntil(15 * MS);
    EXPECT_EQ(exchange.failed, UpTo(100));
    EXPECT_TRUE(exchange.IsEmpty());
    // the peer is back: failed messages do not come, new ones do
    exchange.SetLoss(0);
    exchange.Send(100, 0);
    exchange.RunUntil(NEVER);
    EXPECT_EQ(exchange.received, std::vector<uint64_t>{100});
    EXPECT_EQ(exchange.acknowledged, std::vector<uint64_t>{100});
}

TEST(OpusChannelState, APeerThatIsBackNeedNotWaitForTheLongInterval)
{
    ChannelState exchange(1, 1, US, 10);
    exchange.Send(0, 0);
    exchange.RunUntil(300 * MS); // sent again at 255 ms, then due at 511 ms
    exchange.SetLoss(0);
    exchange.Send(
        1,
        0); // overtakes, is held, and its acknowledgement shows that the peer is reachable
    exchange.RunUntil(301 * MS);
    EXPECT_EQ(exchange.received, UpTo(2));
    EXPECT_EQ(exchange.acknowledged, UpTo(2));
}

TEST(OpusChannelState, WhatThePeerHoldsIsNotSentAgain)
{
    OpusOutgoing outgoing(MS, 10, 200);
    for (int i = 0; i < 3; ++i)
    {
        outgoing.Put(OpusMessage());
        EXPECT_EQ(outgoing.TakeDue(0).size(), 1U);
    }
    OpusDatagram head; // 1 is missing, 2 is there
    head.held = 1;
    EXPECT_TRUE(outgoing.TakeHead(head, 500 * US).empty());
    const std::vector<OpusOutgoing::Datagram> again = outgoing.TakeDue(MS);
    ASSERT_EQ(again.size(), 2U);
    EXPECT_EQ(again[0].sequence, 1U);
    EXPECT_EQ(again[1].sequence, 3U);
}

TEST(OpusChannelState, WhatFollowsAMessageThatIsGivenUpIsGivenUpWithIt)
{
    OpusOutgoing outgoing(MS, 1, 200);
    FlatMessage<OpusDone> message;
    outgoing.Put(message);
    outgoing.TakeDue(0);
    for (message.plan = 1; message.plan < 100; ++message.plan) // not all have room
    {
        outgoing.Put(message);
        outgoing.TakeDue(500 * US);
    }
    OpusDatagram head;
    head.held = 1; // the second is there, and waits for the first
    outgoing.TakeHead(head, 600 * US);
    EXPECT_EQ(outgoing.GetNext(), MS);
    const std::vector<OpusMessage> given = outgoing.GiveUp(MS);
    ASSERT_EQ(given.size(), 100U);
    for (uint64_t i = 0; i < given.size(); ++i)
    {
        EXPECT_EQ(given[i].Get<OpusDone>().plan, i);
    }
    EXPECT_TRUE(outgoing.IsEmpty());
    EXPECT_EQ(outgoing.GetNext(), NEVER);
}

TEST(OpusChannelState, WhatIsSentAfterwardsInformsThePeerNotToWait)
{
    OpusOutgoing outgoing(MS, 1, 200);
    outgoing.Put(OpusMessage());
    outgoing.TakeDue(0);
    FlatMessage<OpusDone> second;
    second.plan = 1;
    outgoing.Put(second);
    outgoing.TakeDue(100 * US);
    OpusDatagram head;
    head.held = 1;
    outgoing.TakeHead(head, 200 * US); // the first is lost, and nothing else is
    second.plan = 2;
    outgoing.Put(second);
    outgoing.TakeDue(300 * US);
    EXPECT_EQ(outgoing.GiveUp(MS).size(), 3U);
    // in the next number: it informs the peer that those before it are given up
    outgoing.Put(second);
    const std::vector<OpusOutgoing::Datagram> due = outgoing.TakeDue(MS);
    ASSERT_EQ(due.size(), 1U);
    EXPECT_EQ(due[0].sequence, 4U);
    EXPECT_EQ(outgoing.GetBehind(4), 0U);
}

TEST(OpusChannelState, WhatIsGivenUpAndSentAgainArrivesInOrder)
{
    uint32_t failures = 0;
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        std::mt19937 random(seed);
        ChannelState exchange(seed, 0.4, 900 * US, 2);
        exchange.sendsAgain = true;
        const uint64_t count = 1 + random() % 100;
        for (uint64_t i = 0; i < count; ++i)
        {
            const bool isBundled = seed % 2 == 0 && random() % 3 > 0;
            exchange.Send(i, random() % 5 == 0 ? random() % 500 : 0, isBundled);
            if (!isBundled)
            {
                exchange.RunUntil(exchange.Now() + random() % (500 * US));
            }
        }
        exchange.RunUntil(NEVER);
        ASSERT_TRUE(exchange.IsEmpty());
        // some come again, since the peer may have received messages that were given up; none
        // before an earlier one
        std::vector<uint64_t> firsts;
        for (const uint64_t plan : exchange.received)
        {
            if (plan == firsts.size())
            {
                firsts.push_back(plan);
            }
            ASSERT_LT(plan, firsts.size()) << "seed " << seed;
        }
        ASSERT_EQ(firsts, UpTo(count)) << "seed " << seed;
        failures += exchange.failed.size();
    }
    EXPECT_GT(failures, 100U);
}

TEST(OpusChannelState, TheTimeoutFollowsTheRoundTrip)
{
    OpusOutgoing outgoing(MS, 10, 200);
    const auto exchange = [&](Picoseconds sent, Picoseconds answered, uint64_t sequence) {
        outgoing.Put(OpusMessage());
        EXPECT_EQ(outgoing.TakeDue(sent).size(), 1U);
        const Picoseconds due = outgoing.GetNext();
        OpusDatagram head;
        head.acknowledged = sequence;
        head.echo = 1;
        outgoing.TakeHead(head, answered);
        return due - sent;
    };
    EXPECT_EQ(exchange(0, 900 * US, 1), MS) << "nothing is measured";
    EXPECT_EQ(exchange(10 * MS, 10 * MS + 900 * US, 2), (900 + 4 * 450) * US);
    // RTTVAR = (3 * 450 + 0) / 4
    EXPECT_EQ(exchange(20 * MS, 20 * MS + 900 * US, 3), 900 * US + 4 * 337'500'000);
}

TEST(OpusChannelState, ARoundTripBeginsWithTheCopyThatIsAnswered)
{
    for (const uint8_t echo : {0, 1, 2, 3})
    {
        OpusOutgoing outgoing(MS, 10, 200);
        outgoing.Put(OpusMessage());
        for (const Picoseconds sent : {0 * MS, 1 * MS, 3 * MS})
        {
            ASSERT_EQ(outgoing.TakeDue(sent).size(), 1U) << "at intervals that double";
        }
        OpusDatagram head;
        head.acknowledged = 1;
        head.echo = echo;
        outgoing.TakeHead(head, 6 * MS);
        outgoing.Put(OpusMessage());
        outgoing.TakeDue(10 * MS);
        // a first measurement R gives R + 4 R / 2
        const Picoseconds roundTrips[] = {0, 6 * MS, 5 * MS, 3 * MS};
        EXPECT_EQ(outgoing.GetNext() - 10 * MS, echo == 0 ? MS : 3 * roundTrips[echo])
            << "echo " << +echo;
    }
}

TEST(OpusChannelState, WhatWaitedAtThePeerMeasuresNothing)
{
    OpusIncoming incoming;
    const std::vector<uint8_t> octets = OpusEncoding::Encode(OpusMessage());
    const auto take = [&](uint64_t sequence, uint8_t copy) {
        OpusDatagram head;
        head.sequence = sequence;
        head.behind = sequence - 1;
        head.copy = copy;
        head.bundleBytes = octets.size();
        head.pieceBytes = octets.size();
        incoming.Take(head, octets);
        OpusDatagram answer;
        incoming.Acknowledge(answer);
        return answer;
    };
    EXPECT_EQ(take(1, 1).echo, 1);
    EXPECT_EQ(take(1, 2).echo, 2) << "the acknowledgement of the first copy was lost";
    EXPECT_EQ(take(3, 1).echo, 0) << "2 is missing";
    const OpusDatagram both = take(2, 4);
    EXPECT_EQ(both.acknowledged, 3U);
    EXPECT_EQ(both.echo, 0) << "3 has waited for 2";
    EXPECT_EQ(take(4, 1).echo, 1);
    OpusDatagram later;
    incoming.Acknowledge(later);
    EXPECT_EQ(later.acknowledged, 4U);
    EXPECT_EQ(later.echo, 0) << "it was said already";
}

TEST(OpusChannelState, PiecesThatDoNotFitTogetherAreRefused)
{
    OpusIncoming incoming;
    const std::vector<uint8_t> octets = OpusEncoding::Encode(OpusMessage());
    const uint32_t size = octets.size();
    uint64_t sequence = 0;
    const auto take = [&](uint32_t offset, uint16_t bytes, uint32_t whole) {
        OpusDatagram head;
        head.sequence = ++sequence;
        head.bundleBytes = whole;
        head.offset = offset;
        head.pieceBytes = bytes;
        return incoming.Take(head, {octets.begin() + offset, octets.begin() + offset + bytes});
    };
    const std::vector<OpusRefusal> contradiction{OpusRefusal::CONTRADICTION};
    EXPECT_EQ(take(10, 5, size).refusals, contradiction); // nothing before it
    EXPECT_TRUE(take(0, 10, size).refusals.empty());
    EXPECT_EQ(take(11, 5, size).refusals, contradiction); // a hole
    EXPECT_TRUE(take(0, 10, size).refusals.empty());
    EXPECT_EQ(take(10, 5, size + 1).refusals, contradiction); // of another length
    EXPECT_TRUE(take(0, 10, size).refusals.empty());
    const OpusIncoming::Outcome fresh = take(0, size, size); // another begins
    EXPECT_EQ(fresh.refusals, contradiction);
    EXPECT_EQ(fresh.messages.size(), 1U);
    const OpusIncoming::Outcome cut = take(0, 50, 50); // whole, but no message
    EXPECT_EQ(cut.refusals, std::vector<OpusRefusal>{OpusRefusal::TRUNCATED});
}

namespace
{

/** @return messages with numbers from 0, one behind the other */
std::vector<uint8_t>
MakeBundle(const std::vector<uint32_t>& reasons)
{
    std::vector<uint8_t> octets;
    for (uint64_t plan = 0; plan < reasons.size(); ++plan)
    {
        FlatMessage<OpusAlarm> message;
        message.plan = plan;
        message.reason.resize(reasons[plan], 'r');
        const std::vector<uint8_t> one = OpusEncoding::Encode(message);
        octets.insert(octets.end(), one.begin(), one.end());
    }
    return octets;
}

/** A receiver that takes a bundle piece by piece. */
class BundleReceiver
{
  public:
    explicit BundleReceiver(const std::vector<uint8_t>& octets)
        : m_octets(octets)
    {
    }

    /** @return the result of the next bytes */
    OpusIncoming::Outcome Take(uint32_t bytes)
    {
        OpusDatagram head;
        head.sequence = ++m_sequence;
        head.bundleBytes = m_octets.size();
        head.offset = m_at;
        head.pieceBytes = bytes;
        const auto begin = m_octets.begin() + m_at;
        m_at += bytes;
        return m_incoming.Take(head, {begin, begin + bytes});
    }

    uint32_t GetRest() const
    {
        return m_octets.size() - m_at;
    }

  private:
    std::vector<uint8_t> m_octets;
    OpusIncoming m_incoming;
    uint64_t m_sequence{0};
    uint32_t m_at{0};
};

} // namespace

TEST(OpusChannelState, MessagesOfOneInstantShareDatagrams)
{
    OpusOutgoing outgoing(MS, 10, 1000);
    for (const uint32_t count : {1U, 8U, 9U, 100U})
    {
        std::vector<uint32_t> reasons(count, 0);
        for (uint64_t plan = 0; plan < count; ++plan)
        {
            FlatMessage<OpusAlarm> message;
            message.plan = plan;
            outgoing.Put(message);
        }
        EXPECT_FALSE(outgoing.IsEmpty());
        std::vector<uint8_t> octets;
        const std::vector<OpusOutgoing::Datagram> due = outgoing.TakeDue(0);
        ASSERT_EQ(due.size(), (count * OpusEncoding::FIXED_BYTES + 999) / 1000);
        for (const OpusOutgoing::Datagram& datagram : due)
        {
            EXPECT_EQ(datagram.offset, octets.size());
            const auto begin = datagram.bundle->octets.begin() + datagram.offset;
            octets.insert(octets.end(), begin, begin + datagram.bytes);
        }
        EXPECT_EQ(octets, MakeBundle(reasons));
        OpusDatagram head;
        head.acknowledged = due.back().sequence;
        EXPECT_EQ(outgoing.TakeHead(head, US).size(), count);
        EXPECT_TRUE(outgoing.IsEmpty());
    }
}

TEST(OpusChannelState, AMessageIsAcknowledgedWithItsLastByte)
{
    OpusOutgoing outgoing(MS, 1, 200); // messages of 124 bytes end at 124, 248, 372, and so on
    FlatMessage<OpusDone> message;
    for (message.plan = 0; message.plan < 10; ++message.plan)
    {
        outgoing.Put(message);
    }
    EXPECT_EQ(outgoing.TakeDue(0).size(), 7U);
    const auto acknowledge = [&](uint64_t sequence) {
        OpusDatagram head;
        head.acknowledged = sequence;
        std::vector<uint64_t> plans;
        for (const OpusMessage& one : outgoing.TakeHead(head, 10 * US))
        {
            plans.push_back(one.Get<OpusDone>().plan);
        }
        return plans;
    };
    EXPECT_EQ(acknowledge(1), (std::vector<uint64_t>{0}));
    EXPECT_EQ(acknowledge(3), (std::vector<uint64_t>{1, 2, 3}));
    // the fifth message is here in part: it fails, with those behind it, one of another bundle too
    outgoing.Put(message);
    std::vector<uint64_t> failed;
    for (const OpusMessage& one : outgoing.GiveUp(MS))
    {
        failed.push_back(one.Get<OpusDone>().plan);
    }
    EXPECT_EQ(failed, (std::vector<uint64_t>{4, 5, 6, 7, 8, 9, 10}));
    EXPECT_TRUE(outgoing.IsEmpty());
    EXPECT_TRUE(outgoing.TakeDue(MS).empty());
}

TEST(OpusChannelState, ABundleHasAtMostTheBytesOfAMessage)
{
    OpusOutgoing outgoing(MS, 10, 65'000);
    FlatMessage<OpusAlarm> large;
    large.reason.resize(65'000, 'r');
    const uint32_t each = OpusEncoding::Encode(large).size();
    const uint32_t room = OpusEncoding::MOST_BYTES / each;
    for (uint32_t i = 0; i < room + 1; ++i)
    {
        outgoing.Put(large);
    }
    uint64_t sequence = 0;
    uint32_t messages = 0;
    for (Picoseconds now = 0; !outgoing.IsEmpty(); now += US)
    {
        for (const OpusOutgoing::Datagram& datagram : outgoing.TakeDue(now))
        {
            ASSERT_LE(datagram.bundle->octets.size(), OpusEncoding::MOST_BYTES);
            ASSERT_EQ(datagram.bundle->parts.size() == 1, datagram.bundle->octets.size() == each);
            sequence = datagram.sequence;
        }
        OpusDatagram head;
        head.acknowledged = sequence;
        messages += outgoing.TakeHead(head, now).size();
    }
    EXPECT_EQ(messages, room + 1);
}

TEST(OpusChannelState, AMessageDoesNotWaitForTheRestOfItsBundle)
{
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round)
    {
        std::vector<uint32_t> reasons(1 + random() % 12);
        std::vector<uint32_t> ends;
        uint32_t end = 0;
        for (uint32_t& reason : reasons)
        {
            reason = random() % 3 == 0 ? random() % 3000 : 0;
            end += OpusEncoding::FIXED_BYTES + reason;
            ends.push_back(end);
        }
        BundleReceiver receiver(MakeBundle(reasons));
        uint32_t at = 0;
        uint64_t next = 0;
        while (receiver.GetRest() > 0)
        {
            const uint32_t bytes = std::min<uint32_t>(receiver.GetRest(), 1 + random() % 1430);
            const OpusIncoming::Outcome outcome = receiver.Take(bytes);
            at += bytes;
            ASSERT_TRUE(outcome.refusals.empty());
            for (const OpusMessage& message : outcome.messages)
            {
                ASSERT_EQ(message.Get<OpusAlarm>().plan, next);
                ASSERT_EQ(message.Get<OpusAlarm>().reason.size(), reasons[next]);
                ++next;
            }
            const auto complete = std::upper_bound(ends.begin(), ends.end(), at);
            ASSERT_EQ(next, static_cast<uint64_t>(complete - ends.begin())) << "and no later";
        }
    }
}

TEST(OpusChannelState, AMessageOfUnknownTypeHasOnlyItselfRefused)
{
    std::vector<uint8_t> octets = MakeBundle({5, 7, 0});
    octets[OpusEncoding::FIXED_BYTES + 5] = 255;
    BundleReceiver whole(octets);
    const OpusIncoming::Outcome outcome = whole.Take(octets.size());
    EXPECT_EQ(outcome.refusals, std::vector<OpusRefusal>{OpusRefusal::UNKNOWN_TYPE});
    ASSERT_EQ(outcome.messages.size(), 2U);
    EXPECT_EQ(outcome.messages[1].Get<OpusAlarm>().plan, 2U);

    // the end of the bundle is that of a message that is too short, and the next bundle is whole
    octets = MakeBundle({0, 0});
    octets.pop_back();
    OpusIncoming incoming;
    OpusDatagram head;
    head.sequence = 1;
    head.bundleBytes = octets.size();
    head.pieceBytes = octets.size();
    const OpusIncoming::Outcome cut = incoming.Take(head, octets);
    EXPECT_EQ(cut.messages.size(), 1U);
    EXPECT_EQ(cut.refusals, std::vector<OpusRefusal>{OpusRefusal::TRUNCATED});
    octets = MakeBundle({0, 0});
    head.sequence = 2;
    head.bundleBytes = octets.size();
    head.pieceBytes = octets.size();
    EXPECT_EQ(incoming.Take(head, octets).messages.size(), 2U);
}

TEST(OpusChannelState, ABundleOfRandomBytesIsRefusedToItsEnd)
{
    std::mt19937 random(1);
    uint32_t refused = 0;
    for (int round = 0; round < 2000; ++round)
    {
        std::vector<uint8_t> octets = MakeBundle({3, 0, 20, 1});
        for (uint32_t changes = 1 + random() % 5; changes > 0; --changes)
        {
            octets[random() % octets.size()] = random();
        }
        BundleReceiver receiver(octets);
        while (receiver.GetRest() > 0)
        {
            refused += receiver.Take(std::min<uint32_t>(receiver.GetRest(), 1 + random() % 400))
                           .refusals.size();
        }
    }
    EXPECT_GT(refused, 1000U);
}
