/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Each type of message uses fields of the record of its own, comes back as it was, and leaves the
// other fields at 0.

#include "ns3/opus-encoding.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

typedef std::vector<uint8_t> Octets;

OpusPhase
MakePhase()
{
    OpusPhase phase;
    phase.job = JobId(1);
    phase.group = GroupId(2);
    phase.pointToPoint = true;
    phase.from = RankId(3);
    phase.to = RankId(4);
    phase.operation = 5;
    phase.stage = 6;
    return phase;
}

/** @return a message of each type, in which no member has its default */
std::vector<OpusMessage>
MakeAll()
{
    const OpusPhase phase = MakePhase();
    const std::vector<RankId> ranks{RankId(7), RankId(8)};
    const std::vector<std::pair<RankId, RankId>> pairs{{RankId(7), RankId(9)}};
    const std::vector<RankCircuit> circuits{{RankId(7), 1, RankId(9), 2}};
    const std::vector<SwitchCircuit> some{{PortId(1), PortId(2)}};
    const std::vector<SwitchCircuit> others{{PortId(3), PortId(4)}, {PortId(5), PortId(6)}};
    const std::vector<OpusMessage::Content> contents{
        OpusHeartbeat{JobId(1), true},
        OpusRegisterGroup{JobId(1), GroupId(2), ranks, 10, 11, "dp 0"},
        OpusRequest{phase, ranks, pairs, 10, 11, true, 12, 13, 14, 15},
        OpusGrant{phase, ranks, 12, true, 13, circuits, 16, 17, 22, true, pairs},
        OpusRefuse{phase, ranks, "no", false},
        OpusRelease{phase, ranks, 12, true, 13},
        OpusRecall{phase, ranks, 12, true, 13},
        OpusLeave{JobId(1)},
        OpusHold{phase, ranks, circuits, pairs, 10, 11, true, 12, 13, true},
        OpusTerm{JobId(1)},
        OpusProgram{18, phase, some, others},
        OpusDone{18, phase, 23},
        OpusAlarm{18, phase, "dark", true, others},
        OpusClaim{true},
        OpusAccept{true, some},
        OpusJoin{},
        OpusWatch{18, some, JobId(1)},
        OpusCarrier{18, others, JobId(1)},
        OpusFallback{true, some, others},
        OpusCalled{phase, ranks, 10, 24, 25, true},
        OpusLateness{phase, ranks, 24, 26, 27},
        OpusOutage{phase, ranks, 12, circuits}};
    std::vector<OpusMessage> messages;
    for (const OpusMessage::Content& content : contents)
    {
        messages.push_back({19, ServerId(20), RailId(21), content});
    }
    return messages;
}

/** @return the bytes of lists and text that the members of a message take */
std::size_t
CountListBytes(const OpusMessage& message)
{
    switch (message.GetType())
    {
    case OpusMessageType::REGISTER_GROUP:
        return 2 * 4 + std::string("dp 0").size();
    case OpusMessageType::REQUEST:
        return 2 * 4 + 8;
    case OpusMessageType::GRANT:
        return 2 * 4 + 16 + 8;
    case OpusMessageType::REFUSE:
        return 2 * 4 + std::string("no").size();
    case OpusMessageType::RELEASE:
    case OpusMessageType::RECALL:
    case OpusMessageType::CALLED:
    case OpusMessageType::LATENESS:
        return 2 * 4;
    case OpusMessageType::HOLD:
        return 2 * 4 + 16 + 8;
    case OpusMessageType::OUTAGE:
        return 2 * 4 + 16;
    case OpusMessageType::PROGRAM:
        return 8 + 2 * 8;
    case OpusMessageType::ALARM:
        return std::string("dark").size() + 2 * 8;
    case OpusMessageType::ACCEPT:
    case OpusMessageType::WATCH:
        return 8;
    case OpusMessageType::CARRIER:
        return 2 * 8;
    case OpusMessageType::FALLBACK:
        return 8 + 2 * 8;
    default:
        return 0;
    }
}

} // namespace

TEST(OpusEncoding, EachTypeComesBackAsItWas)
{
    std::set<OpusMessageType> types;
    for (const OpusMessage& message : MakeAll())
    {
        SCOPED_TRACE(ToString(message.GetType()));
        EXPECT_TRUE(types.insert(message.GetType()).second);
        const Octets octets = OpusEncoding::Encode(message);
        EXPECT_EQ(octets.size(), OpusEncoding::FIXED_BYTES + CountListBytes(message));
        EXPECT_EQ(octets[0], static_cast<uint8_t>(message.GetType()));
        OpusMessage read;
        ASSERT_EQ(OpusEncoding::Parse(octets, read), OpusRefusal::NONE);
        EXPECT_EQ(read.GetType(), message.GetType());
        EXPECT_EQ(read.term, 19U);
        EXPECT_EQ(read.server, ServerId(20));
        EXPECT_EQ(read.rail, RailId(21));
        EXPECT_EQ(read.GetJob(), message.GetJob());
        EXPECT_EQ(read.GetRanks(), message.GetRanks());
        // what was lost would be a default now, which no member of the message has
        EXPECT_EQ(OpusEncoding::Encode(read), octets);
    }
    EXPECT_EQ(types.size(), 22U) << "all types";
}

TEST(OpusEncoding, FieldsThatATypeDoesNotUseAreIgnored)
{
    for (const OpusMessage& message : MakeAll())
    {
        SCOPED_TRACE(ToString(message.GetType()));
        OpusRecord record = OpusEncoding::MakeRecord(message);
        record.entry = {1, 2, 3};
        OpusMessage read;
        ASSERT_EQ(OpusEncoding::Parse(OpusRecord::Encode(record), read), OpusRefusal::NONE);
        EXPECT_EQ(OpusEncoding::Encode(read), OpusEncoding::Encode(message));
    }
}

TEST(OpusEncoding, RefusesWhatIsNoRecordAndNothingElse)
{
    std::mt19937 random(1);
    for (const OpusMessage& message : MakeAll())
    {
        const Octets octets = OpusEncoding::Encode(message);
        for (int i = 0; i < 2000; ++i)
        {
            Octets changed = octets;
            changed[random() % (random() % 2 == 0 ? 2 : changed.size())] = random() % 20;
            OpusRecord record;
            OpusMessage read;
            const OpusRefusal refusal = OpusEncoding::Parse(changed, read);
            ASSERT_EQ(refusal, OpusRecord::Parse(changed, record));
            if (refusal == OpusRefusal::NONE)
            {
                ASSERT_EQ(read.GetType(), record.type);
                const Octets again = OpusEncoding::Encode(read);
                ASSERT_EQ(OpusEncoding::Parse(again, read), OpusRefusal::NONE);
                ASSERT_EQ(OpusEncoding::Encode(read), again);
            }
        }
    }
}

TEST(OpusEncoding, AnEmptyMessageOfEachTypeIsAMessage)
{
    Octets octets = OpusEncoding::Encode(OpusMessage());
    for (uint8_t type = 1; type <= 22; ++type)
    {
        octets[0] = type;
        OpusMessage read;
        ASSERT_EQ(OpusEncoding::Parse(octets, read), OpusRefusal::NONE);
        EXPECT_EQ(read.GetType(), static_cast<OpusMessageType>(type));
        EXPECT_EQ(OpusEncoding::Encode(read), octets);
    }
    octets[0] = 23;
    OpusMessage read;
    read.term = 9;
    EXPECT_EQ(OpusEncoding::Parse(octets, read), OpusRefusal::UNKNOWN_TYPE);
    EXPECT_EQ(read.term, 9U) << "as it was";
}

TEST(OpusEncoding, ARefusalIsMarkedIfItIsNotFinal)
{
    OpusMessage message;
    for (const bool isFinal : {false, true})
    {
        message.content = OpusRefuse{{}, {}, "", isFinal};
        EXPECT_EQ(OpusEncoding::Encode(message)[1], isFinal ? 0 : 1);
    }
}

TEST(OpusMessage, PhaseJobAndRanksOfAContent)
{
    for (const OpusMessage& message : MakeAll())
    {
        SCOPED_TRACE(ToString(message.GetType()));
        const bool isOfNoJob = message.Is<OpusClaim>() || message.Is<OpusAccept>() ||
                               message.Is<OpusJoin>() || message.Is<OpusFallback>();
        EXPECT_EQ(message.GetJob(), JobId(isOfNoJob ? 0 : 1));
        if (const OpusPhase* phase = message.FindPhase())
        {
            EXPECT_TRUE(*phase == MakePhase());
        }
    }
    EXPECT_EQ(OpusMessage().FindPhase(), nullptr);
    EXPECT_TRUE(OpusMessage().GetRanks().empty());
    EXPECT_EQ(OpusMessage().GetType(), OpusMessageType::HEARTBEAT);
}
