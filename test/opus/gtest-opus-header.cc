/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Messages of the control plane as bytes: every record comes back as it was, and no bytes at all
// do harm.

#include "ns3/opus-header.h"
#include "ns3/packet.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

typedef std::vector<uint8_t> Octets;

/** Draws records. */
class Draw
{
  public:
    explicit Draw(uint32_t seed)
        : m_random(seed)
    {
    }

    /** @return small numbers, and those at the ends of the range */
    template <typename Number = uint32_t>
    Number Any()
    {
        const Number numbers[] = {0,
                                  1,
                                  static_cast<Number>(~Number{0}),
                                  static_cast<Number>(m_random() % 100),
                                  static_cast<Number>(m_random())};
        return numbers[m_random() % 5];
    }

    uint32_t Below(uint32_t end)
    {
        return m_random() % end;
    }

    OpusRecord Record()
    {
        OpusRecord record;
        record.type = static_cast<OpusMessageType>(1 + Below(12));
        record.term = Any();
        record.server = ServerId(Any());
        record.rail = RailId(Any());
        record.phase.job = JobId(Any());
        record.phase.group = GroupId(Any());
        record.phase.pointToPoint = Below(2) == 1;
        record.phase.from = RankId(Any());
        record.phase.to = RankId(Any());
        record.phase.operation = Any<uint64_t>();
        record.phase.stage = Any();
        record.flag = Below(2) == 1;
        record.bytes = Any<uint64_t>();
        record.number = Any<uint64_t>();
        record.until = Any<uint64_t>();
        record.links = Any();
        record.whole = Any();
        record.digest = Any<uint64_t>();
        record.others = Any<uint64_t>();
        record.reconfiguration = Any<uint64_t>();
        for (uint32_t n = Count(); n > 0; --n)
        {
            record.ranks.emplace_back(Any());
        }
        for (uint32_t n = Count(); n > 0; --n)
        {
            record.pairs.emplace_back(Any(), Any());
        }
        for (uint32_t n = Count(); n > 0; --n)
        {
            record.circuits.push_back({RankId(Any()), Any(), RankId(Any()), Any()});
        }
        for (uint32_t n = Count(); n > 0; --n)
        {
            record.up.push_back({PortId(Any()), PortId(Any())});
        }
        for (uint32_t n = Count(); n > 0; --n)
        {
            record.down.push_back({PortId(Any()), PortId(Any())});
        }
        for (uint32_t n = Count(); n > 0; --n)
        {
            record.reason.push_back(static_cast<char>(Any()));
        }
        for (uint32_t n = Count(); n > 0; --n)
        {
            record.entry.push_back(Any<uint8_t>());
        }
        return record;
    }

  private:
    /** @return how long a list is: often empty */
    uint32_t Count()
    {
        return Below(2) == 0 ? 0 : Below(12);
    }

    std::mt19937_64 m_random;
};

/** All of a record by other means than its encoding. */
std::string
Text(const OpusRecord& record)
{
    std::ostringstream text;
    text << ToString(record.type) << " " << record.term << " " << record.server << " "
         << record.rail << " " << record.phase.job << " " << record.phase.group << " "
         << record.phase.pointToPoint << " " << record.phase.from << " " << record.phase.to << " "
         << record.phase.operation << " " << record.phase.stage << " " << record.flag << " "
         << record.bytes << " " << record.number << " " << record.until << " " << record.links
         << " " << record.whole << " " << record.digest << " " << record.others << " "
         << record.reconfiguration << " ranks";
    for (RankId rank : record.ranks)
    {
        text << " " << rank;
    }
    text << " pairs";
    for (const auto& [one, other] : record.pairs)
    {
        text << " " << one << "-" << other;
    }
    text << " circuits";
    for (const RankCircuit& circuit : record.circuits)
    {
        text << " " << circuit.one << ":" << circuit.onePort << "-" << circuit.other << ":"
             << circuit.otherPort;
    }
    for (const auto* list : {&record.up, &record.down})
    {
        text << " switch";
        for (const SwitchCircuit& circuit : *list)
        {
            text << " " << circuit.one << "-" << circuit.other;
        }
    }
    text << " " << record.reason.size() << " " << record.reason << " entry";
    for (uint8_t octet : record.entry)
    {
        text << " " << static_cast<int>(octet);
    }
    return text.str();
}

/** Parses what must not be a record, into one that must stay as it was. */
OpusRefusal
Refused(const Octets& octets)
{
    OpusRecord record;
    record.reason = "as it was";
    const OpusRefusal refusal = OpusRecord::Parse(octets, record);
    EXPECT_NE(refusal, OpusRefusal::NONE);
    EXPECT_EQ(record.reason, "as it was");
    return refusal;
}

/** A whole datagram: a head and the piece that it describes. */
Octets
Datagram(const OpusDatagram& head, const Octets& piece)
{
    const Ptr<Packet> packet = Create<Packet>(piece.data(), piece.size());
    packet->AddHeader(OpusHeader(head));
    Octets octets(packet->GetSize());
    packet->CopyData(octets.data(), octets.size());
    return octets;
}

OpusDatagram
HeadOf(uint16_t bytes)
{
    OpusDatagram head;
    head.sequence = 0x0102030405060708;
    head.behind = 9;
    head.copy = 3;
    head.echo = 12;
    head.acknowledged = 0x1112131415161718;
    head.held = 0x2122232425262728;
    head.bundleBytes = 0x00343536;
    head.offset = 0x00040506;
    head.pieceBytes = bytes;
    return head;
}

/** The result of both ways to read a datagram, which is the same. */
OpusRefusal
ReadDatagram(const Octets& octets, OpusDatagram& head)
{
    const OpusRefusal refusal = OpusHeader::Parse(octets, head);
    const Ptr<Packet> packet = Create<Packet>(octets.data(), octets.size());
    OpusHeader header;
    packet->PeekHeader(header); // one that is refused has 0 bytes, which metadata can't represent
    EXPECT_EQ(header.GetRefusal(), refusal);
    std::ostringstream printed;
    header.Print(printed);
    EXPECT_EQ(printed.str().substr(0, 4), "OPUS");
    return refusal;
}

} // namespace

TEST(OpusRecord, ThousandsOfMessagesComeBackAsTheyWere)
{
    Draw draw(1);
    for (int i = 0; i < 5000; ++i)
    {
        const OpusRecord record = draw.Record();
        const Octets octets = OpusRecord::Encode(record);
        OpusRecord read = draw.Record(); // whatever was there before
        ASSERT_EQ(OpusRecord::Parse(octets, read), OpusRefusal::NONE);
        ASSERT_EQ(Text(read), Text(record));
        ASSERT_EQ(OpusRecord::Encode(read), octets);
    }
}

TEST(OpusRecord, IsTheTableOfItsComment)
{
    OpusRecord record;
    record.type = OpusMessageType::PROGRAM;
    record.flag = true;
    record.term = 0x01020304;
    record.server = ServerId(0x05060708);
    record.rail = RailId(0x090a0b0c);
    record.phase.job = JobId(0x0d0e0f10);
    record.phase.group = GroupId(0x11121314);
    record.phase.pointToPoint = true;
    record.phase.from = RankId(0x15161718);
    record.phase.to = RankId(0x191a1b1c);
    record.phase.stage = 0x1d1e1f20;
    record.phase.operation = 0x2122232425262728;
    record.bytes = 0x292a2b2c2d2e2f30;
    record.number = 0x3132333435363738;
    record.until = 0x393a3b3c3d3e3f40;
    record.links = 0x41424344;
    record.whole = 0x45464748;
    record.digest = 0x494a4b4c4d4e4f50;
    record.others = 0x5152535455565758;
    record.reconfiguration = 0x595a5b5c5d5e5f60;
    record.up.push_back({PortId(1), PortId(2)});
    record.reason = "no";
    record.entry = {9};
    Octets expected{6, 3, 0, 2};
    for (uint8_t octet = 1; octet <= 0x60; ++octet)
    {
        expected.push_back(octet);
    }
    for (uint8_t count : {0, 0, 0, 1, 0, 1})
    {
        expected.insert(expected.end(), {0, 0, 0, count});
    }
    ASSERT_EQ(expected.size(), OpusRecord::FIXED_BYTES);
    expected.insert(expected.end(), {0, 0, 0, 1, 0, 0, 0, 2, 'n', 'o', 9});
    EXPECT_EQ(OpusRecord::Encode(record), expected);
}

TEST(OpusRecord, EveryTruncationIsRefused)
{
    Draw draw(2);
    for (int i = 0; i < 50; ++i)
    {
        const Octets octets = OpusRecord::Encode(draw.Record());
        for (std::size_t size = 0; size < octets.size(); ++size)
        {
            ASSERT_EQ(Refused(Octets(octets.begin(), octets.begin() + size)),
                      size < OpusRecord::FIXED_BYTES ? OpusRefusal::TRUNCATED
                                                     : OpusRefusal::BAD_COUNTS);
        }
        Octets longer = octets;
        longer.push_back(0);
        ASSERT_EQ(Refused(longer), OpusRefusal::TRAILING);
    }
}

TEST(OpusRecord, EveryChangeOfAByteIsAnotherMessageOrRefused)
{
    Draw draw(3);
    for (int i = 0; i < 20; ++i)
    {
        const Octets octets = OpusRecord::Encode(draw.Record());
        for (std::size_t at = 0; at < octets.size(); ++at)
        {
            for (int change = 1; change < 256; change += at < OpusRecord::FIXED_BYTES ? 1 : 37)
            {
                Octets changed = octets;
                changed[at] ^= change;
                OpusRecord read;
                if (OpusRecord::Parse(changed, read) == OpusRefusal::NONE)
                {
                    ASSERT_EQ(OpusRecord::Encode(read), changed);
                }
            }
        }
    }
}

TEST(OpusRecord, UnknownTypesAndFlags)
{
    Octets octets = OpusRecord::Encode(OpusRecord());
    for (int type = 0; type < 256; ++type)
    {
        octets[0] = type;
        OpusRecord read;
        EXPECT_EQ(OpusRecord::Parse(octets, read),
                  type >= 1 && type <= 22 ? OpusRefusal::NONE : OpusRefusal::UNKNOWN_TYPE);
    }
    octets[0] = 1;
    for (int flags = 4; flags < 256; ++flags)
    {
        octets[1] = flags;
        EXPECT_EQ(Refused(octets), OpusRefusal::UNKNOWN_FLAGS);
    }
}

TEST(OpusRecord, CountsAreNotBelievedBeforeTheyAreChecked)
{
    // each list as long as 32 bits can express, which would be up to 64 GiB
    for (uint32_t list = 0; list < 6; ++list)
    {
        Octets octets = OpusRecord::Encode(OpusRecord());
        for (uint32_t i = 0; i < 4; ++i)
        {
            octets[OpusRecord::FIXED_BYTES - 24 + 4 * list + i] = 0xff;
        }
        EXPECT_EQ(Refused(octets), OpusRefusal::BAD_COUNTS);
    }
}

TEST(OpusRecord, BytesAtRandom)
{
    std::mt19937 random(4);
    for (int i = 0; i < 20'000; ++i)
    {
        Octets octets(random() % 200);
        for (uint8_t& octet : octets)
        {
            octet =
                random() % 3 == 0 ? random() : random() % 3; // so that counts are small at times
        }
        OpusRecord read;
        if (OpusRecord::Parse(octets, read) == OpusRefusal::NONE)
        {
            ASSERT_EQ(OpusRecord::Encode(read), octets);
        }
        OpusDatagram head;
        ASSERT_EQ(ReadDatagram(octets, head), OpusRefusal::NOT_OPUS);
        for (std::size_t at = 0; at < std::min<std::size_t>(octets.size(), 5); ++at)
        {
            octets[at] = "OPUS\1"[at];
        }
        ReadDatagram(octets, head);
    }
}

TEST(OpusRecord, WhatIsTooLargeIsRefusedWhereItIsSent)
{
    OpusRecord record;
    record.entry.resize(OpusRecord::MOST_BYTES - OpusRecord::FIXED_BYTES);
    EXPECT_EQ(OpusRecord::Encode(record).size(), OpusRecord::MOST_BYTES);
    record.entry.push_back(0);
    EXPECT_DEATH(OpusRecord::Encode(record), "16777217 bytes.*can have 16777216");
    record.entry.clear();
    record.reason.resize(65535);
    EXPECT_EQ(OpusRecord::Encode(record).size(), OpusRecord::FIXED_BYTES + 65535);
    record.reason.push_back('x');
    EXPECT_DEATH(OpusRecord::Encode(record), "reason of 65536 bytes");
}

TEST(OpusHeader, IsTheTableOfItsComment)
{
    const Octets expected{'O',  'P',  'U',  'S',  3,    1,    9,    0x3c, // behind, copy and echo
                          1,    2,    3,    4,    5,    6,    7,    8,    // sequence
                          0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, // acknowledged
                          0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, // held
                          0,    0x34, 0x35, 0x36, 0,    4,    5,    6,    // total and offset
                          0,    3,    'a',  'b',  'c'};
    const Octets octets = Datagram(HeadOf(3), {'a', 'b', 'c'});
    EXPECT_EQ(octets, expected);
    OpusDatagram head;
    ASSERT_EQ(ReadDatagram(octets, head), OpusRefusal::NONE);
    EXPECT_EQ(Datagram(head, {'a', 'b', 'c'}), octets);
}

TEST(OpusHeader, EveryTruncationIsRefused)
{
    const Octets octets = Datagram(HeadOf(20), Octets(20, 7));
    for (std::size_t size = 0; size < octets.size(); ++size)
    {
        OpusDatagram head;
        EXPECT_EQ(ReadDatagram(Octets(octets.begin(), octets.begin() + size), head),
                  size < 4 ? OpusRefusal::NOT_OPUS : OpusRefusal::TRUNCATED);
        EXPECT_EQ(head.sequence, 0U); // left alone
    }
    Octets longer = octets;
    longer.push_back(0);
    OpusDatagram head;
    EXPECT_EQ(ReadDatagram(longer, head), OpusRefusal::TRAILING);
}

TEST(OpusHeader, EveryChangeOfAByteIsAnotherDatagramOrRefused)
{
    const Octets piece(20, 7);
    OpusDatagram bare;
    bare.acknowledged = 5;
    for (const Octets& octets : {Datagram(HeadOf(20), piece), Datagram(bare, {})})
    {
        std::set<OpusRefusal> seen;
        for (std::size_t at = 0; at < OpusHeader::SIZE; ++at)
        {
            for (int change = 1; change < 256; ++change)
            {
                Octets changed = octets;
                changed[at] ^= change;
                OpusDatagram head;
                const OpusRefusal refusal = ReadDatagram(changed, head);
                seen.insert(refusal);
                if (refusal == OpusRefusal::NONE)
                {
                    ASSERT_EQ(Datagram(head, head.pieceBytes > 0 ? piece : Octets()), changed);
                }
            }
        }
        EXPECT_EQ(seen.count(OpusRefusal::NOT_OPUS), 1U);
        EXPECT_EQ(seen.count(OpusRefusal::UNKNOWN_FLAGS), 1U);
        EXPECT_EQ(seen.count(OpusRefusal::CONTRADICTION), 1U);
    }
}

TEST(OpusHeader, UnknownVersions)
{
    Octets octets = Datagram(HeadOf(1), {1});
    for (int version = 0; version < 256; ++version)
    {
        octets[4] = version;
        OpusDatagram head;
        const OpusRefusal expected =
            version == OpusHeader::VERSION ? OpusRefusal::NONE : OpusRefusal::UNKNOWN_VERSION;
        EXPECT_EQ(ReadDatagram(octets, head), expected);
    }
    OpusDatagram head;
    EXPECT_EQ(ReadDatagram({'O', 'P', 'U', 'S', 1}, head), OpusRefusal::UNKNOWN_VERSION);
}

TEST(OpusHeader, NumbersThatCannotBeTrue)
{
    const auto refusal = [](void (*change)(OpusDatagram&)) {
        OpusDatagram head = HeadOf(20);
        change(head);
        OpusDatagram read;
        return ReadDatagram(Datagram(head, Octets(head.pieceBytes)), read);
    };
    const OpusRefusal none = OpusRefusal::NONE;
    const OpusRefusal contradiction = OpusRefusal::CONTRADICTION;
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.behind = 63; }), none);
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.behind = 64; }), contradiction);
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.sequence = 10; }), none);
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.sequence = 9; }), contradiction);
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.bundleBytes = 16 << 20; }), none);
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.bundleBytes = (16 << 20) + 1; }),
              contradiction);
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.offset = head.bundleBytes - 20; }), none);
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.offset = head.bundleBytes - 19; }),
              contradiction);
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.offset = 0xffffffff; }), contradiction);
    EXPECT_EQ(refusal([](OpusDatagram& head) { head.pieceBytes = 0; }), contradiction);
}
