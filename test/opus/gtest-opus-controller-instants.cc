/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The messages of one instant: they are taken as a whole, in whatever order their events run.

#include "opus-controller-bench.h"

#include "ns3/opus-encoding.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/**
 * @return the messages that a controller sends at the end of an instant with some messages, at
 * least one
 */
Bench::Outbox
TakeTogether(Bench& bench, const std::vector<OpusMessage>& messages)
{
    for (std::size_t i = 0; i + 1 < messages.size(); ++i)
    {
        bench.Core().Collect(messages[i]);
    }
    return bench.Core().Take(messages.back(), bench.now);
}

/** @return outgoing messages as they are sent */
std::vector<std::vector<uint8_t>>
Encode(const Bench::Outbox& outbox)
{
    std::vector<std::vector<uint8_t>> encoded;
    for (const OutgoingMessage& outgoing : outbox)
    {
        encoded.push_back(OpusEncoding::Encode(outgoing.message));
    }
    return encoded;
}

/** @return the requests of both ends of sends */
std::vector<OpusMessage>
RequestsOf(const Bench& bench, const std::vector<OpusPhase>& sends)
{
    std::vector<OpusMessage> requests;
    for (const OpusPhase& send : sends)
    {
        for (const RankId rank : {send.from, send.to})
        {
            requests.push_back(
                bench.Of<OpusRequest>(rank.Get(),
                                      send,
                                      bench.Between(send.from.Get(), send.to.Get())));
        }
    }
    return requests;
}

/** Sends between servers, whose messages come in two orders to two controllers. */
class TwoOrders
{
  public:
    explicit TwoOrders(uint32_t seed)
        : m_random(seed),
          m_one(SERVERS + 1, 1, 1 + seed % 3),
          m_other(SERVERS + 1, 1, 1 + seed % 3)
    {
    }

    void Run()
    {
        for (uint32_t step = 0; step < 40 && !testing::Test::HasFailure(); ++step)
        {
            for (uint32_t number = 0; number < m_random() % 6; ++number)
            {
                Request();
            }
            m_one.now = m_other.now = step;
            // the messages of a peer keep their order
            std::stable_sort(m_due.begin(), m_due.end(), [](const auto& a, const auto& b) {
                return GetPeer(a) < GetPeer(b);
            });
            const std::vector<OpusMessage> instant = DrawInstant();
            if (instant.empty())
            {
                continue;
            }
            const Bench::Outbox outbox = TakeTogether(m_one, instant);
            EXPECT_EQ(Encode(outbox), Encode(TakeTogether(m_other, Shuffle(instant))));
            EXPECT_EQ(m_one.Core().Describe(), m_other.Core().Describe());
            Follow(outbox);
        }
    }

  private:
    static constexpr uint32_t SERVERS = 7; // of job 0

    using Peer = std::tuple<bool, uint32_t>;

    static Peer GetPeer(const OpusMessage& message)
    {
        const bool isAgent = message.Is<OpusDone>();
        return {isAgent, isAgent ? message.rail.Get() : message.server.Get()};
    }

    void Request()
    {
        const uint32_t from = m_random() % SERVERS;
        const uint32_t to = (from + 1 + m_random() % (SERVERS - 1)) % SERVERS;
        const OpusPhase send = Bench::Send(from, to, m_operations[{from, to}]++);
        for (const OpusMessage& request : RequestsOf(m_one, {send}))
        {
            m_due.push_back(request);
        }
    }

    /** @return some of what is due: of each peer, the first messages */
    std::vector<OpusMessage> DrawInstant()
    {
        std::vector<OpusMessage> instant;
        std::vector<OpusMessage> later;
        std::map<Peer, bool> isLate;
        for (const OpusMessage& message : m_due)
        {
            bool& late = isLate[GetPeer(message)];
            late = late || m_random() % 3 == 0;
            (late ? later : instant).push_back(message);
        }
        m_due = later;
        return instant;
    }

    /** @return the same messages in another order, but for those of one peer */
    std::vector<OpusMessage> Shuffle(const std::vector<OpusMessage>& messages)
    {
        std::map<Peer, std::vector<OpusMessage>> byPeer;
        std::vector<Peer> order;
        for (const OpusMessage& message : messages)
        {
            byPeer[GetPeer(message)].push_back(message);
            order.push_back(GetPeer(message));
        }
        std::shuffle(order.begin(), order.end(), m_random);
        std::map<Peer, std::size_t> next;
        std::vector<OpusMessage> shuffled;
        for (const Peer& peer : order)
        {
            shuffled.push_back(byPeer[peer][next[peer]++]);
        }
        return shuffled;
    }

    /** Agents will answer, and ranks release the circuits of their grants. */
    void Follow(const Bench::Outbox& outbox)
    {
        for (const OutgoingMessage& outgoing : outbox)
        {
            const OpusMessage& sent = outgoing.message;
            OpusMessage answer{0, sent.server, sent.rail, {}};
            if (const OpusProgram* program = sent.Find<OpusProgram>())
            {
                answer.content = OpusDone{program->plan, program->phase};
            }
            else
            {
                ASSERT_EQ(sent.GetType(), OpusMessage::Type::GRANT);
                const OpusGrant& grant = sent.Get<OpusGrant>();
                answer.content =
                    OpusRelease{grant.phase, grant.ranks, grant.number, false, grant.until};
            }
            m_due.push_back(answer);
        }
    }

    std::mt19937 m_random;
    Bench m_one;
    Bench m_other;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_operations;
    std::vector<OpusMessage> m_due;
};

} // namespace

TEST(OpusControllerInstants, VotesThatAreCompleteAtOneInstantStandInTheOrderOfTheirPhases)
{
    // all want the one port of server 0
    const std::vector<OpusPhase> sends{Bench::Send(0, 3), Bench::Send(0, 1), Bench::Send(2, 0)};
    std::vector<std::size_t> order{0, 1, 2, 3, 4, 5};
    do
    {
        Bench bench(5, 1, 1);
        const std::vector<OpusMessage> requests = RequestsOf(bench, sends);
        std::vector<OpusMessage> instant;
        for (const std::size_t i : order)
        {
            instant.push_back(requests[i]);
        }
        const Bench::Outbox outbox = TakeTogether(bench, instant);
        ASSERT_EQ(outbox.size(), 1U);
        EXPECT_TRUE(*outbox[0].message.FindPhase() == Bench::Send(0, 1))
            << "0 to 1 is before 0 to 3";
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(OpusControllerInstants, NothingIsSentBeforeAnInstantIsOver)
{
    Bench bench(3, 1, 1);
    const std::vector<OpusMessage> requests = RequestsOf(bench, {Bench::Send(0, 1)});
    bench.Core().Collect(requests[0]);
    bench.Core().Collect(requests[1]);
    EXPECT_TRUE(bench.Core().GetPhases().empty());
    EXPECT_EQ(Bench::Count(bench.Core().TimePassed(0), OpusMessage::Type::PROGRAM), 1U);
    EXPECT_EQ(bench.Core().GetInputs(), 3U);
}

TEST(OpusControllerInstants, TheOrderOfMessagesOfAnInstantChangesNothing)
{
    for (uint32_t seed = 0; seed < 100 && !testing::Test::HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        TwoOrders(seed).Run();
    }
}

TEST(OpusControllerInstants, AVoteAtTheLimitIsInTime)
{
    ControllerSettings settings;
    settings.limits.votes = 1000;
    Bench bench(3, 1, 1, settings);
    bench.Request(0, Bench::Send(0, 1), bench.Between(0, 1));
    ASSERT_EQ(bench.Core().GetNextDeadline(), 1000);
    bench.now = 1000;
    const Bench::Outbox outbox = bench.Request(1, Bench::Send(0, 1), bench.Between(0, 1));
    EXPECT_EQ(Bench::Count(outbox, OpusMessage::Type::PROGRAM), 1U);
    EXPECT_EQ(Bench::Count(outbox, OpusMessage::Type::REFUSE), 0U);
}

TEST(OpusControllerInstants, AllThatIsDecidedAtOneInstantIsOnePlanARail)
{
    // a chain of sends with one port a rank: every second one, and then the others
    constexpr uint32_t PAIRS = 9;
    Bench bench(PAIRS + 2, 1, 1);
    std::vector<OpusPhase> sends;
    for (uint32_t i = 0; i < PAIRS; ++i)
    {
        sends.push_back(Bench::Send(i, i + 1));
    }
    std::vector<OpusMessage> requests = RequestsOf(bench, sends);
    std::reverse(requests.begin(), requests.end());
    const auto first = Bench::Select<OpusProgram>(TakeTogether(bench, requests));
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0].up.size(), (PAIRS + 1) / 2) << "0-1, 2-3, ...";
    EXPECT_TRUE(first[0].phase == sends[0]) << "it is named after the first";
    const auto grants = Bench::Select<OpusGrant>(bench.Answer(first[0]));
    EXPECT_EQ(grants.size(), PAIRS + 1) << "both ends of each";
    std::vector<OpusMessage> releases;
    for (const auto& grant : grants)
    {
        releases.push_back(
            {0,
             grant.server,
             RailId(),
             OpusRelease{grant.phase, grant.ranks, grant.number, false, grant.until}});
    }
    const auto second = Bench::Select<OpusProgram>(TakeTogether(bench, releases));
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(second[0].up.size(), PAIRS / 2) << "1-2, 3-4, ...";
    EXPECT_EQ(Bench::Count(bench.Answer(second[0]), OpusMessage::Type::GRANT), PAIRS - 1);
    EXPECT_EQ(bench.Core().GetCounters().programs, 2U);
    EXPECT_EQ(bench.Core().GetCounters().reconfigurations, PAIRS) << "of phases";
}

TEST(OpusControllerInstants, ADarkCircuitConcernsThePhaseThatNeedsIt)
{
    Bench bench(5, 1, 1);
    const std::vector<OpusPhase> sends{Bench::Send(0, 1), Bench::Send(2, 3)};
    const auto outbox = TakeTogether(bench, RequestsOf(bench, sends));
    ASSERT_EQ(outbox.size(), 1U);
    FlatMessage<OpusAlarm> alarm;
    alarm.plan = outbox[0].message.Get<OpusProgram>().plan;
    alarm.isPartial = true; // it was carried out but for one circuit
    alarm.reason = "port 2 is stuck";
    alarm.dark = {{PortId(2), PortId(3)}};
    const auto answers = bench.Core().Take(alarm, 0);
    for (const auto& grant : Bench::Select<OpusGrant>(answers))
    {
        EXPECT_TRUE(grant.phase == sends[0]);
    }
    for (const auto& refusal : Bench::Select<OpusRefuse>(answers))
    {
        EXPECT_TRUE(refusal.phase == sends[1]);
    }
    EXPECT_EQ(answers.size(), 4U) << "both ends of either";
}

TEST(OpusControllerInstants, APlanThatIsRefusedAsAWholeIsTriedPhaseByPhase)
{
    Bench bench(5, 1, 1);
    const std::vector<OpusPhase> sends{Bench::Send(0, 1), Bench::Send(2, 3)};
    const auto outbox = TakeTogether(bench, RequestsOf(bench, sends));
    ASSERT_EQ(outbox.size(), 1U);
    const auto again =
        Bench::Select<OpusProgram>(bench.Answer(outbox[0].message, "port 2 is stuck"));
    ASSERT_EQ(again.size(), 2U);
    EXPECT_TRUE(again[0].phase == sends[0]);
    EXPECT_TRUE(again[1].phase == sends[1]);
    EXPECT_EQ(Bench::Count(bench.Answer(again[1], "port 2 is stuck"), OpusMessage::Type::REFUSE),
              2U);
    EXPECT_EQ(Bench::Count(bench.Answer(again[0]), OpusMessage::Type::GRANT), 2U);
}

TEST(OpusControllerInstants, APlanThatIsNotAnsweredRefusesAllThatItIsFor)
{
    ControllerSettings settings;
    settings.limits.program = 1000;
    Bench bench(5, 1, 1, settings);
    const auto outbox =
        TakeTogether(bench, RequestsOf(bench, {Bench::Send(0, 1), Bench::Send(2, 3)}));
    ASSERT_EQ(outbox.size(), 1U);
    bench.now = bench.Core().GetNextDeadline();
    EXPECT_EQ(bench.now, 1000);
    EXPECT_EQ(Bench::Count(bench.Core().TimePassed(bench.now), OpusMessage::Type::REFUSE), 4U);
    EXPECT_TRUE(bench.Answer(outbox[0].message).empty()) << "too late, but the ports are known now";
    EXPECT_EQ(bench.Core().GetLedger().GetCircuits()[0].GetCircuits().size(), 2U);
}
