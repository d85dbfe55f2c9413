/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Selective repeat: the number of timeouts, the frames that are repeated, and when the last bit is
// in. All follows from the sizes of frames and the delay of the wire, beside the figures of
// go-back-N.

#include "../support/toy-wire.h"

#include "ns3/selective-repeat.h"
#include "ns3/static-window.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 100'000'000'000;
constexpr Picoseconds BYTE = 80;          // at that rate
constexpr Picoseconds DELAY = 100'000;    // one way
constexpr uint32_t MTU = 1024;            //
constexpr Picoseconds SLOT = 1106 * BYTE; // a frame: 82 bytes around its payload
constexpr Picoseconds RETH = 16 * BYTE;   // more in the first frame of a message
constexpr Picoseconds GAP = 12 * BYTE;    // behind the last bit of every frame
constexpr Picoseconds ANSWER = 74 * BYTE; // from its first bit to its last: 86 with the gap

/** @return when the last of so many frames is in, if they are sent without a break from 0 on */
Picoseconds
InAfter(uint64_t frames)
{
    return RETH + frames * SLOT - GAP + DELAY;
}

/** One message over a wire that loses frames by PSN and by how often they were sent. */
class LossyMessage
{
  public:
    /**
     * @param frames of the message
     * @param settings of the queue pair
     * @param lose whether a frame is lost: its PSN, and how often it was sent before
     */
    LossyMessage(uint64_t frames,
                 QueuePairSettings settings,
                 std::function<bool(uint32_t psn, uint32_t before)> lose)
        : pair(1, RATE, DELAY, false)
    {
        settings.mtu = MTU;
        id = pair.Join(settings);
        pair.a.lose = [this, lose](const WireFrame& frame) {
            return lose(frame.roce.psn, m_sent[frame.roce.psn]++);
        };
        RdmaMessage message;
        message.bytes = frames * MTU;
        pair.a.port.Post(id, message);
        hangs = !pair.time.Run();
    }

    const QueuePairSender::Counters& Sender() const
    {
        return pair.a.port.GetSender(id).GetCounters();
    }

    const QueuePairReceiver::Counters& Receiver() const
    {
        return pair.b.port.GetReceiver(id).GetCounters();
    }

    /** @return when the message was in, NEVER if it is not*/
    Picoseconds ArrivedAt() const
    {
        return pair.b.arrivedAt.empty() ? NEVER : pair.b.arrivedAt[0];
    }

    /** @return the PSNs in the order in which they went on the wire */
    std::vector<uint32_t> Order() const
    {
        std::vector<uint32_t> order;
        for (const ToyEnd::Sent& one : pair.a.sent)
        {
            order.push_back(std::get<2>(one));
        }
        return order;
    }

    ToyPair pair;
    uint32_t id{0};
    bool hangs{false};

  private:
    std::map<uint32_t, uint32_t> m_sent;
};

/** @return frames begun when an answer to a frame is in, that frame and those before it included */
uint64_t
BegunAtAnswerTo(uint64_t frame)
{
    const Picoseconds in = InAfter(frame + 1) + ANSWER + DELAY;
    // the frame that begins at or before that instant was chosen before it
    return (in - RETH) / SLOT + 1;
}

QueuePairSettings
Selective(uint32_t ackEvery)
{
    QueuePairSettings settings;
    settings.selectiveRepeat = true;
    settings.ackEvery = ackEvery;
    return settings;
}

} // namespace

TEST(SelectiveRepeat, ALostTailTakesOneTimeout)
{
    // 31 frames at the end of 40 are lost; the nine before them are acknowledged
    for (const bool selective : {true, false})
    {
        QueuePairSettings settings = Selective(3);
        settings.selectiveRepeat = selective;
        const LossyMessage run(40, settings, [](uint32_t psn, uint32_t before) {
            return psn >= 9 && before == 0;
        });
        ASSERT_FALSE(run.hangs);
        EXPECT_EQ(run.Sender().timeouts, 1U);
        EXPECT_EQ(run.Sender().retransmitted, 31U);
        // the timer runs from the last bit of the oldest frame with a request, which is the third
        // lost; meanwhile the rest has gone, and the timeout is a picosecond behind the deadline
        const Picoseconds timeout =
            RETH + 12 * SLOT - GAP + (Picoseconds{4'096'000} << settings.timeoutExponent) + 1;
        const Picoseconds arrived = timeout + 31 * SLOT - GAP + DELAY;
        EXPECT_EQ(run.ArrivedAt(), arrived);
        ASSERT_EQ(run.pair.a.settled.size(), 1U);
        EXPECT_EQ(run.pair.a.settled[0].second, arrived + ANSWER + DELAY);
    }
}

TEST(SelectiveRepeat, AGapIsRepeatedWholeAndNothingElse)
{
    // 20 of 200 frames are lost: they take the time of 20 frames and no round trip beyond
    const LossyMessage run(200, Selective(64), [](uint32_t psn, uint32_t before) {
        return psn >= 10 && psn < 30 && before == 0;
    });
    ASSERT_FALSE(run.hangs);
    EXPECT_EQ(run.Sender().timeouts, 0U);
    EXPECT_EQ(run.Sender().retransmitted, 20U);
    EXPECT_EQ(run.ArrivedAt(), InAfter(220));
    // the first frame behind the gap is reported, and so are those that follow until the gap goes
    const uint64_t begun = BegunAtAnswerTo(30);
    EXPECT_EQ(run.Sender().naks, begun - 30);
    std::vector<uint32_t> order;
    for (uint32_t psn = 0; psn < begun; ++psn)
    {
        order.push_back(psn);
    }
    for (uint32_t psn = 10; psn < 30; ++psn)
    {
        order.push_back(psn);
    }
    for (uint32_t psn = begun; psn < 200; ++psn)
    {
        order.push_back(psn);
    }
    EXPECT_EQ(run.Order(), order);
    EXPECT_EQ(run.Receiver().duplicates, 0U);
}

TEST(SelectiveRepeat, SeveralGapsOfOneRoundTripAreRepeatedInIt)
{
    const std::set<uint32_t> lost{10, 11, 12, 14, 16, 17, 40};
    const LossyMessage run(200, Selective(64), [&](uint32_t psn, uint32_t before) {
        return lost.count(psn) > 0 && before == 0;
    });
    ASSERT_FALSE(run.hangs);
    EXPECT_EQ(run.Sender().timeouts, 0U);
    EXPECT_EQ(run.Sender().retransmitted, lost.size());
    EXPECT_EQ(run.ArrivedAt(), InAfter(200 + lost.size()));
    EXPECT_EQ(run.Receiver().duplicates, 0U);
}

TEST(SelectiveRepeat, ARepeatedFrameThatIsLostGoesAgainWithoutATimeout)
{
    // the first, one in the middle, the last, or all of those that are repeated are lost again
    for (const std::set<uint32_t>& again :
         {std::set<uint32_t>{10}, {12}, {14}, {10, 11, 12, 13, 14}})
    {
        const LossyMessage run(200, Selective(64), [&](uint32_t psn, uint32_t before) {
            return psn >= 10 && psn < 15 && before < 1 + again.count(psn);
        });
        ASSERT_FALSE(run.hangs);
        EXPECT_EQ(run.Sender().timeouts, 0U);
        EXPECT_EQ(run.Sender().retransmitted, 5 + again.size());
        EXPECT_EQ(run.ArrivedAt(), InAfter(200 + 5 + again.size()));
        EXPECT_EQ(run.Receiver().duplicates, 0U);
    }
}

TEST(SelectiveRepeat, ATimeoutRepeatsOnlyWhatIsNotKnownToBeThere)
{
    // one frame near the end is lost, and so is its repetition, behind which nothing comes: the
    // four frames behind it are reported, and are not repeated
    const LossyMessage run(40, Selective(64), [](uint32_t psn, uint32_t before) {
        return psn == 35 && before < 2;
    });
    ASSERT_FALSE(run.hangs);
    EXPECT_EQ(run.Sender().timeouts, 1U);
    EXPECT_EQ(run.Sender().retransmitted, 2U);
    EXPECT_EQ(run.Sender().naks, 4U);
    // the repetition begins at the frame boundary behind the report of frame 36, and requests an
    // acknowledgement
    const Picoseconds repeated = RETH + std::max<uint64_t>(BegunAtAnswerTo(36), 40) * SLOT;
    const Picoseconds reported = InAfter(37) + ANSWER + DELAY;
    ASSERT_LT(reported, repeated);
    const Picoseconds timeout = repeated + SLOT - GAP + (Picoseconds{4'096'000} << 14) + 1;
    EXPECT_EQ(run.ArrivedAt(), timeout + SLOT - GAP + DELAY);
}

TEST(SelectiveRepeat, ReportsThatWaitForTheWireAreNotMerged)
{
    // the way back is busy with a frame of 4194 bytes when frames 1 to 5 of 338 bytes come in, and
    // frame 0 was lost: five reports wait and go one by one, in less time than it takes to come
    QueuePairSettings settings = Selective(64);
    settings.mtu = 256;
    ToyPair pair(1, RATE, 10'000, false);
    const uint32_t id = pair.Join(settings);
    QueuePairSettings large = settings;
    large.mtu = 4096;
    const uint32_t other = pair.Join(large);
    uint64_t sent = 0;
    pair.a.lose = [&](const WireFrame& frame) { return frame.roce.IsData() && sent++ == 0; };
    RdmaMessage message;
    message.bytes = 256 * 6;
    pair.a.port.Post(id, message);
    message.bytes = 4096;
    pair.b.port.Post(other, message);
    ASSERT_TRUE(pair.time.Run());
    EXPECT_EQ(pair.b.port.GetReceiver(id).GetCounters().naks, 5U);
    EXPECT_EQ(pair.a.port.GetSender(id).GetCounters().naks, 5U);
    EXPECT_EQ(pair.a.port.GetSender(id).GetCounters().acks, 1U);
    EXPECT_EQ(pair.a.port.GetSender(id).GetCounters().retransmitted, 1U);
}

TEST(SelectiveRepeat, TheOrderOfEqualEventsDoesNotMatter)
{
    // losses both ways, timers near the round trip, round instants: in many random orders
    std::mt19937_64 random(7);
    uint64_t timeouts = 0;
    uint64_t naks = 0;
    for (int scenario = 0; scenario < 60; ++scenario)
    {
        QueuePairSettings settings = Selective(1 + random() % 5);
        settings.mtu = 1024;
        settings.timeoutExponent = random() % 3;
        settings.retryLimit = 50;
        const uint64_t every = 3 + random() % 30;
        const Picoseconds delay = random() % 4 * 500'000 + random() % 2 * 44'240;
        const uint64_t window = random() % 2 == 0 ? 8192 : 1 << 20;
        std::vector<ToyEnd::Sent> first;
        for (uint64_t order = 0; order < 20; ++order)
        {
            ToyPair pair(order, RATE, delay, false);
            for (int q = 0; q < 2; ++q)
            {
                pair.Join(settings, [&] { return std::make_unique<StaticWindow>(window); });
            }
            uint64_t ordinal[2] = {0, 0};
            pair.a.lose = [&](const WireFrame&) { return ordinal[0]++ * 7 % every == 2; };
            pair.b.lose = [&](const WireFrame&) { return ordinal[1]++ * 5 % every == 1; };
            for (uint32_t id = 2; id < 4; ++id)
            {
                for (const Picoseconds at : {0, 1'000'000, 1'106'000})
                {
                    RdmaMessage message;
                    message.bytes = 30'000;
                    pair.time.At(at, [&pair, id, message] { pair.a.port.Post(id, message); });
                    pair.time.At(at, [&pair, id, message] { pair.b.port.Post(id, message); });
                }
            }
            ASSERT_TRUE(pair.time.Run());
            ASSERT_EQ(pair.a.settled.size() + pair.b.settled.size(), 12U);
            std::vector<ToyEnd::Sent> all = pair.a.sent;
            all.insert(all.end(), pair.b.sent.begin(), pair.b.sent.end());
            if (order == 0)
            {
                first = all;
                timeouts += pair.a.port.GetSender(2).GetCounters().timeouts;
                naks += pair.a.port.GetSender(2).GetCounters().naks;
            }
            ASSERT_EQ(all, first) << "scenario " << scenario << ", order " << order;
        }
    }
    EXPECT_GT(timeouts, 0U);
    EXPECT_GT(naks, 0U);
}

TEST(SelectiveRepeat, AReportOfTheInstantInWhichTheFrameGoesAgainIsOfTheCopyBefore)
{
    // 0 to 9 were sent, 9 is kept, the rest is lost; 0 to 4 went again, and 5 begins to at 500
    const auto begin = [] {
        SelectiveRepeat sender;
        sender.Keep(9, 100);
        for (uint64_t frame = 0; frame < 5; ++frame)
        {
            sender.SendAgain(frame, 10, 200 + 50 * static_cast<Picoseconds>(frame));
        }
        return sender;
    };
    SelectiveRepeat reportFirst = begin();
    reportFirst.Keep(5, 500);
    reportFirst.SendAgain(5, 10, 540);
    SelectiveRepeat frameFirst = begin();
    frameFirst.SendAgain(5, 10, 540);
    frameFirst.Keep(5, 500);
    for (SelectiveRepeat* const sender : {&reportFirst, &frameFirst})
    {
        EXPECT_EQ(sender->GetFirstLost(), 6U) << "0 to 4 are on their way";
        EXPECT_TRUE(sender->IsKept(5));
        sender->SendAgain(6, 10, 600);
        sender->Keep(4, 700); // so those that went again before 4 are lost
        EXPECT_EQ(sender->GetFirstLost(), 0U);
        sender->Keep(6, 800);
        EXPECT_TRUE(sender->IsKept(6));
    }
    // a report of the new copy does count
    SelectiveRepeat later = begin();
    later.SendAgain(5, 10, 540);
    later.Keep(5, 541);
    EXPECT_EQ(later.GetFirstLost(), 0U);
}
