/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sinks that receive frames in batches: however frames are batched, the output is that of single
// frames, which is computed here without a sink's shortcuts.

#include "../support/temporary-path.h"
#include "roce-opcodes.h"

#include "ns3/ethernet-frame.h"
#include "ns3/frame-counter.h"
#include "ns3/frame-csv.h"
#include "ns3/frame-digest.h"
#include "ns3/frame-pcap.h"
#include "ns3/pause-frame.h"
#include "ns3/pcap-file.h"
#include "ns3/run-stepper.h"
#include "ns3/zero-crc.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const Mac48Address LEFT("00:00:00:00:00:0a");
const Mac48Address RIGHT("02:00:00:00:01:0b");

/** The frames that a sink receives in one call. */
struct Frames
{
    bool sent;
    WireFrame head;
    RoceFrame tail;
    RunClock times;

    /** @return the instant that orders a frame of it */
    Picoseconds InstantOf(uint64_t place) const
    {
        return sent ? times.First(place) : times.Last(place);
    }

    void Feed(FrameSink& sink) const
    {
        if (sent)
        {
            sink.TakeSent(head, tail, times);
        }
        else
        {
            sink.TakeReceived(head, tail, times);
        }
    }

    /** @return some of its frames */
    Frames Part(uint64_t from, uint64_t count) const
    {
        if (head.packet)
        {
            return *this;
        }
        Frames part{sent,
                    MakeFrameOfRun(head, tail, times, from),
                    MakeRoceOfRun(head, tail, from + count - 1),
                    times.Part(from, count)};
        part.head.run.count = count;
        part.head.run.wireBytes = head.run.wireBytes;
        part.head.run.lastWireBytes =
            from + count == head.run.count ? head.run.lastWireBytes : head.run.wireBytes;
        return part;
    }

    /** @return one of its frames, as a NIC port reports it */
    Frames Alone(uint64_t place) const
    {
        const WireFrame frame = MakeFrameOfRun(head, tail, times, place);
        return {sent, frame, frame.roce, RunClock(frame.first, frame.last)};
    }
};

RoceFrame
RandomRoce(std::mt19937_64& random)
{
    RoceFrame roce;
    roce.opcode = OPCODES[random() % OPCODES.size()];
    roce.sourceIp = random();
    roce.destinationIp = random();
    roce.sourcePort = random();
    roce.tos = random();
    roce.ttl = random();
    roce.solicited = random() & 1;
    roce.ackRequest = random() & 1;
    roce.becn = random() & 1;
    roce.destinationQp = random() & 0xffffff;
    roce.psn = random() & 0xffffff;
    roce.identification = roce.psn & 0xffff;
    roce.address = random();
    roce.key = random();
    roce.length = random();
    roce.immediate = random();
    roce.syndrome = random();
    roce.msn = random() & 0xffffff;
    roce.payload = roce.IsData() ? random() % 4097 : 0;
    return roce;
}

/** A run of so many frames that begins where a clock stands, and the clock behind it. */
Frames
MakeRun(bool sent, const RoceFrame& roce, uint64_t count, FrameClock& clock)
{
    WireFrame head;
    head.roce = roce;
    head.source = sent ? LEFT : RIGHT;
    head.destination = sent ? RIGHT : LEFT;
    head.wireBytes = roce.GetWireBytes();
    RoceFrame tail = roce;
    if (count > 1)
    {
        tail.opcode = RoceOpcode::WRITE_LAST_WITH_IMMEDIATE;
        tail.psn = (roce.psn + count - 1) & RoceFrame::PSN_MASK;
        tail.identification = tail.psn & 0xffff;
        tail.payload = roce.payload / 3;
        tail.ackRequest = true;
    }
    head.run = {7, 100, count, roce.GetWireBytes(), tail.GetWireBytes()};
    const RunClock times(clock, head.run, sent ? 0 : 4321);
    clock.Skip(head.run.GetWireBytes());
    return {sent, head, tail, times};
}

/** A packet of the host stack, at a place of a clock. */
Frames
MakeHost(bool sent, uint32_t payload, FrameClock& clock)
{
    std::vector<uint8_t> bytes(payload);
    for (uint32_t i = 0; i < payload; ++i)
    {
        bytes[i] = i * 7 + payload;
    }
    Ptr<Packet> packet = Create<Packet>(bytes.data(), payload);
    EthernetFrame::Frame(packet, sent ? LEFT : RIGHT, sent ? RIGHT : LEFT, 0x0800);
    WireFrame frame = EthernetFrame::OnWire(packet, 0);
    const FrameTimes times = clock.Append(frame.wireBytes);
    const Picoseconds way = sent ? 0 : 4321;
    return {sent, frame, frame.roce, RunClock(times.first + way, times.last + way)};
}

/** Runs, single frames and packets, both ways; each way in order. */
std::vector<Frames>
RandomTraffic(std::mt19937_64& random, uint64_t rate)
{
    std::vector<Frames> traffic;
    for (const bool sent : {true, false})
    {
        FrameClock clock(rate);
        clock.Start(1'000'000 + random() % 1'000'000);
        for (int i = 0; i < 30; ++i)
        {
            if (random() % 4 == 0)
            {
                traffic.push_back(MakeHost(sent, 1 + random() % 1500, clock));
                continue;
            }
            RoceFrame roce = RandomRoce(random);
            const uint64_t count = random() % 3 == 0 ? 1 : 2 + random() % 40;
            if (random() % 4 == 0)
            {
                roce.psn = 0xffffff - random() % 10;
                roce.identification = roce.psn & 0xffff;
            }
            traffic.push_back(MakeRun(sent, roce, count, clock));
            if (random() % 3 == 0)
            {
                clock.Start(clock.GetNext() + random() % 3'000'000);
            }
        }
    }
    return traffic;
}

/** @return the frames of some traffic one by one, in canonical order */
std::vector<Frames>
FrameByFrame(const std::vector<Frames>& traffic)
{
    std::vector<Frames> frames;
    for (const Frames& taken : traffic)
    {
        for (uint64_t i = 0; i < taken.times.GetCount(); ++i)
        {
            frames.push_back(taken.Alone(i));
        }
    }
    std::stable_sort(frames.begin(), frames.end(), [](const Frames& a, const Frames& b) {
        const Picoseconds one = a.InstantOf(0);
        const Picoseconds other = b.InstantOf(0);
        return one < other || (one == other && !a.sent && b.sent);
    });
    return frames;
}

/** @return the same traffic, its batches cut at random */
std::vector<Frames>
CutAtRandom(const std::vector<Frames>& traffic, std::mt19937_64& random)
{
    std::vector<Frames> parts;
    for (const Frames& taken : traffic)
    {
        for (uint64_t from = 0; from < taken.times.GetCount();)
        {
            const uint64_t count = 1 + random() % (taken.times.GetCount() - from);
            parts.push_back(taken.Part(from, count));
            from += count;
        }
    }
    return parts;
}

/** Files that are gone when the tests are over. */
struct Files
{
    ~Files()
    {
        for (const std::string& name : names)
        {
            std::remove(name.c_str());
        }
    }

    std::vector<std::string> names;
};

std::string
FileName(const std::string& name)
{
    static Files files;
    files.names.push_back(GetTemporaryPath("frames-" + name));
    return files.names.back();
}

std::string
ReadFile(const std::string& name)
{
    std::ifstream file(name, std::ios::binary);
    EXPECT_TRUE(file.good()) << name;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/** The output of a sink that receives batches, settled at the end. */
template <typename Sink, typename... Arguments>
std::string
FileOf(const std::vector<Frames>& traffic, Arguments... arguments)
{
    const std::string name = FileName("file");
    {
        Sink sink(name, arguments...);
        for (const Frames& taken : traffic)
        {
            taken.Feed(sink);
        }
        sink.Settle(NEVER);
    }
    return ReadFile(name);
}

/** The same, settled time and again: each direction is reported only as far as it must be. */
template <typename Sink>
std::string
FileWhenSettledInPart(const std::vector<Frames>& traffic, std::mt19937_64& random)
{
    const std::string name = FileName("in-part");
    {
        Sink sink(name);
        std::vector<Frames> ways[2];
        for (const Frames& taken : traffic)
        {
            ways[taken.sent].push_back(taken);
        }
        std::size_t done[2] = {0, 0};
        for (Picoseconds before = 0; done[0] < ways[0].size() || done[1] < ways[1].size();
             before += random() % 5'000'000)
        {
            for (int way = 0; way < 2; ++way)
            {
                while (done[way] < ways[way].size() && ways[way][done[way]].InstantOf(0) < before)
                {
                    ways[way][done[way]++].Feed(sink);
                }
            }
            sink.Settle(before);
        }
    }
    return ReadFile(name);
}

/** A capture as ns-3 writes it, frame by frame. */
std::string
PcapOfNs3(const std::vector<Frames>& traffic, bool promiscuous, uint32_t snapLength)
{
    const std::string name = FileName("ns3");
    {
        PcapFile file;
        file.Open(name, std::ios::out);
        file.Init(1, snapLength, 0, false, true);
        for (const Frames& taken : FrameByFrame(traffic))
        {
            const WireFrame& frame = taken.head;
            if (!taken.sent && !promiscuous && frame.destination != LEFT)
            {
                continue;
            }
            std::vector<uint8_t> bytes;
            if (frame.packet)
            {
                bytes.resize(frame.packet->GetSize());
                frame.packet->CopyData(bytes.data(), bytes.size());
            }
            else
            {
                bytes = frame.roce.Serialize(frame.source, frame.destination);
            }
            const uint64_t nanoseconds = taken.InstantOf(0) / 1000;
            file.Write(nanoseconds / 1'000'000'000,
                       nanoseconds % 1'000'000'000,
                       bytes.data(),
                       bytes.size());
        }
        file.Close();
    }
    return ReadFile(name);
}

/** The lines that the documentation of FrameCsv promises, frame by frame. */
std::string
CsvByHand(const std::vector<Frames>& traffic)
{
    std::ostringstream text;
    text << "direction,first_ps,last_ps,kind,psn,wire_bytes,payload,ack_request,source,"
            "destination\n";
    for (const Frames& taken : FrameByFrame(traffic))
    {
        const WireFrame& frame = taken.head;
        text << (taken.sent ? "sent" : "received") << "," << frame.first << "," << frame.last
             << ",";
        text << ToString(KindOf(frame, frame.roce)) << ",";
        if (frame.packet)
        {
            text << "," << frame.wireBytes << "," << frame.packet->GetSize() - 14 << ",,";
        }
        else
        {
            text << frame.roce.psn << "," << frame.roce.GetWireBytes() << "," << frame.roce.payload
                 << "," << frame.roce.ackRequest << ",";
        }
        text << frame.source << "," << frame.destination << "\n";
    }
    return text.str();
}

/** The digests of some traffic, both ways. */
std::pair<FrameDigest::Stream, FrameDigest::Stream>
DigestOf(const std::vector<Frames>& traffic)
{
    FrameDigest digest;
    for (const Frames& taken : traffic)
    {
        taken.Feed(digest);
    }
    return {digest.GetSent(), digest.GetReceived()};
}

} // namespace

TEST(RunStepper, StepsOnTheInstantsOfTheClock)
{
    std::mt19937_64 random(1);
    for (const uint64_t rate : {1ULL,
                                7ULL,
                                100'000'000'000ULL,
                                400'000'000'000ULL,
                                425'000'000'000ULL,
                                999'999'999'989ULL,
                                1'600'000'000'000ULL,
                                18'446'744'073'709'551'557ULL})
    {
        for (int i = 0; i < 200; ++i)
        {
            const bool slow = rate < 10; // 106 days of picoseconds are over soon
            FrameClock clock(rate);
            clock.Start(random() % 1'000'000'000);
            clock.Skip(slow ? random() % 10'000 : random() % 1'000'000'000'000);
            FrameRun run;
            run.wireBytes = 84 + random() % (slow ? 100 : 9000);
            run.lastWireBytes = 84 + random() % (slow ? 100 : 9000);
            run.count = 1 + random() % (slow ? 100 : 1000);
            RunClock times(clock, run, random() % 1'000'000);
            if (i % 3 == 0)
            {
                const uint64_t from = random() % run.count;
                times = times.Part(from, 1 + random() % (run.count - from)).Later(17);
            }
            RunStepper step(times);
            for (uint64_t frame = 0; frame < times.GetCount(); ++frame, step.Next())
            {
                ASSERT_EQ(step.GetLeft(), times.GetCount() - frame);
                ASSERT_EQ(step.GetFirst(), times.First(frame)) << rate << " b/s, " << frame;
                ASSERT_EQ(step.GetLast(), times.Last(frame)) << rate << " b/s, " << frame;
            }
        }
    }
}

TEST(RunStepper, AFrameAlone)
{
    const RunStepper step(RunClock(5, 17));
    EXPECT_EQ(step.GetFirst(), 5);
    EXPECT_EQ(step.GetLast(), 17);
    EXPECT_EQ(step.GetLeft(), 1U);
}

TEST(ZeroCrc, IsThatOfTheZerosThemselves)
{
    std::mt19937_64 random(2);
    for (const uint64_t zeros : {0, 1, 2, 3, 4, 59, 256, 1000, 4096, 4100, 65535, 1'000'000})
    {
        const uint32_t word = random();
        boost::crc_32_type crc;
        crc.process_bytes(&word, sizeof(word));
        const uint32_t before = ~crc.checksum();
        const std::vector<uint8_t> bytes(zeros);
        crc.process_bytes(bytes.data(), bytes.size());
        EXPECT_EQ(~ZeroCrc(zeros).Advance(before), crc.checksum()) << zeros;
    }
}

TEST(RoceRunBytes, AreTheSerializedBytesOfEveryFrameOfARun)
{
    std::mt19937_64 random(3);
    RoceRunBytes::Tables tables;
    const std::vector<uint32_t> payloads{0, 1, 2, 3, 4, 5, 256, 1000, 1023, 4095, 4096};
    for (int i = 0; i < 500; ++i)
    {
        RoceFrame roce = RandomRoce(random);
        roce.payload = roce.IsData() ? payloads[random() % payloads.size()] : 0;
        RoceRunBytes bytes(roce, LEFT, RIGHT);
        bytes.CountOn(tables);
        for (int frame = 0; frame < 20; ++frame)
        {
            const std::vector<uint8_t> expected = roce.Serialize(LEFT, RIGHT);
            ASSERT_EQ(bytes.GetSize(), expected.size());
            for (const uint32_t size : {uint32_t(expected.size()),
                                        uint32_t(random() % expected.size()),
                                        uint32_t(std::min<std::size_t>(64, expected.size()))})
            {
                std::vector<uint8_t> written(expected.size() + 1, 0xaa);
                bytes.CopyTo(reinterpret_cast<char*>(written.data()), size);
                ASSERT_TRUE(std::equal(written.begin(), written.begin() + size, expected.begin()))
                    << "opcode " << int(roce.opcode) << ", payload " << roce.payload;
                ASSERT_EQ(written[size], 0xaa) << "no byte too many";
            }
            // the next one, over the end of the numbers, or any other
            roce.psn = random() % 4 == 0 ? 0xffffff : random() % 4 == 0 ? random() : roce.psn + 1;
            roce.psn &= RoceFrame::PSN_MASK;
            roce.identification = roce.psn & 0xffff;
            bytes.SetPsn(roce.psn);
        }
    }
}

TEST(RoceRunBytes, AFrameMayHaveAnyIdentification)
{
    RoceFrame roce;
    roce.psn = 5;
    roce.identification = 0x718c;
    roce.payload = 4096;
    const std::vector<uint8_t> expected = roce.Serialize(LEFT, RIGHT);
    const RoceRunBytes bytes(roce, LEFT, RIGHT);
    std::vector<uint8_t> written(expected.size());
    bytes.CopyTo(reinterpret_cast<char*>(written.data()), written.size());
    EXPECT_EQ(written, expected);
}

TEST(FrameDigest, DoesNotDependOnBatches)
{
    std::mt19937_64 random(4);
    for (const uint64_t rate : {425'000'000'000ULL, 400'000'000'000ULL, 100'000'000'000ULL})
    {
        const auto traffic = RandomTraffic(random, rate);
        const auto digests = DigestOf(traffic);
        EXPECT_EQ(digests.first.frames + digests.second.frames, FrameByFrame(traffic).size());
        EXPECT_TRUE(DigestOf(FrameByFrame(traffic)) == digests);
        for (int i = 0; i < 20; ++i)
        {
            EXPECT_TRUE(DigestOf(CutAtRandom(traffic, random)) == digests);
        }
    }
}

TEST(FrameDigest, SeesEveryField)
{
    using Change = std::function<void(WireFrame&, RoceFrame&)>;
    const std::vector<std::pair<std::string, Change>> changes{
        {"source", [](WireFrame& f, RoceFrame&) { f.source = Mac48Address("00:00:00:00:00:0c"); }},
        {"destination",
         [](WireFrame& f, RoceFrame&) { f.destination = Mac48Address("02:00:00:00:01:0c"); }},
        {"wireBytes", [](WireFrame& f, RoceFrame&) { ++f.run.lastWireBytes; }},
        {"sourceIp", [](WireFrame&, RoceFrame& r) { ++r.sourceIp; }},
        {"destinationIp", [](WireFrame&, RoceFrame& r) { ++r.destinationIp; }},
        {"sourcePort", [](WireFrame&, RoceFrame& r) { ++r.sourcePort; }},
        {"identification", [](WireFrame&, RoceFrame& r) { ++r.identification; }},
        {"tos", [](WireFrame&, RoceFrame& r) { ++r.tos; }},
        {"ttl", [](WireFrame&, RoceFrame& r) { ++r.ttl; }},
        {"opcode", [](WireFrame&, RoceFrame& r) { r.opcode = RoceOpcode::SEND_LAST; }},
        {"solicited", [](WireFrame&, RoceFrame& r) { r.solicited = !r.solicited; }},
        {"ackRequest", [](WireFrame&, RoceFrame& r) { r.ackRequest = !r.ackRequest; }},
        {"becn", [](WireFrame&, RoceFrame& r) { r.becn = !r.becn; }},
        {"partition", [](WireFrame&, RoceFrame& r) { --r.partition; }},
        {"destinationQp", [](WireFrame&, RoceFrame& r) { ++r.destinationQp; }},
        {"psn", [](WireFrame&, RoceFrame& r) { ++r.psn; }},
        {"psn and identification",
         [](WireFrame&, RoceFrame& r) {
             ++r.psn;
             ++r.identification;
         }},
        {"address", [](WireFrame&, RoceFrame& r) { ++r.address; }},
        {"key", [](WireFrame&, RoceFrame& r) { ++r.key; }},
        {"length", [](WireFrame&, RoceFrame& r) { ++r.length; }},
        {"immediate", [](WireFrame&, RoceFrame& r) { ++r.immediate; }},
        {"syndrome", [](WireFrame&, RoceFrame& r) { ++r.syndrome; }},
        {"msn", [](WireFrame&, RoceFrame& r) { ++r.msn; }},
        {"payload", [](WireFrame&, RoceFrame& r) { ++r.payload; }},
        {"continued", [](WireFrame&, RoceFrame& r) { r.continued = !r.continued; }},
    };
    std::mt19937_64 random(5);
    for (const RoceOpcode opcode : {RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE, RoceOpcode::ACKNOWLEDGE})
    {
        FrameClock clock(425'000'000'000);
        clock.Start(1000);
        RoceFrame roce = RandomRoce(random);
        roce.opcode = opcode;
        roce.psn = 17;
        roce.payload = 99;
        Frames one = MakeRun(true, roce, 1, clock);
        const auto digest = DigestOf({one}).first.value;
        for (const auto& [name, change] : changes)
        {
            Frames other = one;
            change(other.head, other.tail);
            other.head.roce = other.tail;
            // what the frame does not carry does not count
            const bool acknowledge = opcode == RoceOpcode::ACKNOWLEDGE;
            const bool ofWrite =
                name == "address" || name == "key" || name == "length" || name == "immediate";
            const bool ofAcknowledge = name == "syndrome" || name == "msn";
            const bool carried = acknowledge ? !ofWrite : !ofAcknowledge;
            EXPECT_EQ(DigestOf({other}).first.value != digest, carried) << name;
        }
    }
}

TEST(FrameDigest, SeesInstantsOrderDirectionAndPlace)
{
    FrameClock clock(425'000'000'000);
    clock.Start(1000);
    std::mt19937_64 random(6);
    RoceFrame roce = RandomRoce(random);
    roce.opcode = RoceOpcode::WRITE_MIDDLE;
    roce.payload = 4096;
    const Frames run = MakeRun(true, roce, 100, clock);
    const auto digest = DigestOf({run});

    Frames later = run;
    later.times = run.times.Later(1);
    EXPECT_NE(DigestOf({later}).first.value, digest.first.value);

    Frames received = run;
    received.sent = false;
    EXPECT_EQ(DigestOf({received}).second, digest.first);
    EXPECT_EQ(DigestOf({received}).first.frames, 0U);

    const auto frames = FrameByFrame({run});
    for (std::size_t i = 0; i < frames.size(); ++i)
    {
        auto changed = frames;
        const RunClock& times = frames[i].times;
        changed[i].times = RunClock(times.First(0) + 1, times.Last(0));
        EXPECT_NE(DigestOf(changed).first.value, digest.first.value) << "first bit of " << i;
        changed[i].times = RunClock(times.First(0), times.Last(0) - 1);
        EXPECT_NE(DigestOf(changed).first.value, digest.first.value) << "last bit of " << i;
        changed = frames;
        std::swap(changed[i], changed[(i + 1) % frames.size()]);
        EXPECT_NE(DigestOf(changed).first.value, digest.first.value) << "order at " << i;
        changed = frames;
        changed.erase(changed.begin() + i);
        EXPECT_NE(DigestOf(changed).first.value, digest.first.value) << "without " << i;
    }
}

TEST(FrameDigest, SeesEveryByteOfAPacket)
{
    FrameClock clock(1'000'000'000);
    const Frames one = MakeHost(true, 100, clock);
    const auto digest = DigestOf({one}).first.value;
    const uint32_t size = one.head.packet->GetSize();
    std::vector<uint8_t> bytes(size);
    one.head.packet->CopyData(bytes.data(), size);
    for (uint32_t i = 0; i < size; ++i)
    {
        auto changed = bytes;
        changed[i] ^= 0x40;
        Frames other = one;
        other.head.packet = Create<Packet>(changed.data(), size);
        EXPECT_NE(DigestOf({other}).first.value, digest) << "byte " << i;
    }
    Frames longer = one;
    bytes.push_back(0);
    longer.head.packet = Create<Packet>(bytes.data(), size + 1);
    EXPECT_NE(DigestOf({longer}).first.value, digest);
}

TEST(FrameCounter, CountsARunAsItsFrames)
{
    std::mt19937_64 random(7);
    auto traffic = RandomTraffic(random, 400'000'000'000);
    const WireFrame pause = EthernetFrame::OnWire(MakePauseFrame(LEFT, 3, 10), 0);
    traffic.push_back({true, pause, pause.roce, RunClock(1, 2)});
    FrameCounter runs;
    for (const Frames& taken : traffic)
    {
        taken.Feed(runs);
    }
    FrameCounter::Counts sent[FRAME_KINDS];
    FrameCounter::Counts received[FRAME_KINDS];
    FrameCounter::Counts allSent;
    for (const Frames& taken : FrameByFrame(traffic))
    {
        const auto kind = static_cast<std::size_t>(KindOf(taken.head, taken.tail));
        auto& counts = taken.sent ? sent[kind] : received[kind];
        ++counts.frames;
        counts.wireBytes += taken.head.wireBytes;
        counts.payloadBytes +=
            taken.head.packet ? taken.head.packet->GetSize() - 14 : taken.head.roce.payload;
        allSent.frames += taken.sent ? 1 : 0;
        allSent.wireBytes += taken.sent ? taken.head.wireBytes : 0;
    }
    for (std::size_t i = 0; i < FRAME_KINDS; ++i)
    {
        const auto kind = static_cast<FrameKind>(i);
        EXPECT_EQ(runs.GetSent(kind).frames, sent[i].frames) << ToString(kind);
        EXPECT_EQ(runs.GetSent(kind).wireBytes, sent[i].wireBytes) << ToString(kind);
        EXPECT_EQ(runs.GetSent(kind).payloadBytes, sent[i].payloadBytes) << ToString(kind);
        EXPECT_EQ(runs.GetReceived(kind).frames, received[i].frames) << ToString(kind);
        EXPECT_EQ(runs.GetReceived(kind).wireBytes, received[i].wireBytes) << ToString(kind);
        EXPECT_EQ(runs.GetReceived(kind).payloadBytes, received[i].payloadBytes) << ToString(kind);
    }
    EXPECT_EQ(runs.GetSent(FrameKind::PAUSE).frames, 1U);
    EXPECT_EQ(runs.GetSent().frames, allSent.frames);
    EXPECT_EQ(runs.GetSent().wireBytes, allSent.wireBytes);
}

TEST(FrameMerge, ReceivedBeforeSentAndOnlyWhatIsSettled)
{
    // frames of 1000 bytes at 8 Gb/s: one each 1,000,000 ps, of which the gap takes 12,000
    RoceFrame roce;
    roce.opcode = RoceOpcode::WRITE_MIDDLE;
    roce.payload = 1000 - 82;
    WireFrame head;
    head.roce = roce;
    head.run = {1, 0, 4, 1000, 1000};
    RoceFrame tail = roce;
    tail.psn = 3;
    FrameClock clock(8'000'000'000);
    const RunClock sent(clock, head.run);
    // so that their last bits are where the first bits of the others are, from the second on
    const RunClock received(clock, head.run, 12'000);
    std::vector<std::string> written;
    const auto write = [&written](const FrameBatch& batch) {
        written.push_back((batch.IsSent() ? "s" : "r") + std::to_string(batch.GetPsn()));
    };
    FrameMerge<FrameBatch> merge;
    merge.AddSent(head, tail, sent);
    merge.AddReceived(head, tail, received);
    using Written = std::vector<std::string>;
    merge.Settle(0, write);
    EXPECT_EQ(written, (Written{}));
    merge.Settle(1, write);
    EXPECT_EQ(written, (Written{"s0"}));
    merge.Settle(1'000'000, write);
    EXPECT_EQ(written, (Written{"s0"})) << "what is at that instant may not be complete";
    merge.Settle(2'000'001, write);
    EXPECT_EQ(written, (Written{"s0", "r0", "s1", "r1", "s2"}));
    merge.Settle(NEVER, write);
    EXPECT_EQ(written, (Written{"s0", "r0", "s1", "r1", "s2", "r2", "s3", "r3"}));
}

TEST(FrameCsv, ALineAFrame)
{
    // at 8 Gb/s a byte lasts 1000 ps. Around the payload are 82 bytes, the gap of 12 among them.
    RoceFrame roce;
    roce.opcode = RoceOpcode::WRITE_MIDDLE;
    roce.psn = 0xffffff;
    roce.payload = 916;
    FrameClock clock(8'000'000'000);
    const Frames run = MakeRun(true, roce, 2, clock);
    const Frames host = MakeHost(false, 46, clock);
    // the second: a third of the payload, 305 bytes, padded to 308, and an ImmDt of 4: 394 bytes
    const std::string expected =
        "direction,first_ps,last_ps,kind,psn,wire_bytes,payload,ack_request,source,destination\n"
        "sent,0,986000,write-middle,16777215,998,916,0,00:00:00:00:00:0a,02:00:00:00:01:0b\n"
        "sent,998000,1380000,write-last-with-immediate,0,394,305,1,00:00:00:00:00:0a,"
        "02:00:00:00:01:0b\n"
        "received,1396321,1468321,host,,84,46,,02:00:00:00:01:0b,00:00:00:00:00:0a\n";
    EXPECT_EQ(FileOf<FrameCsv>({run, host}), expected);
}

TEST(FrameCsv, DoesNotDependOnBatches)
{
    std::mt19937_64 random(8);
    for (const uint64_t rate : {425'000'000'000ULL, 400'000'000'000ULL})
    {
        const auto traffic = RandomTraffic(random, rate);
        const std::string expected = CsvByHand(traffic);
        EXPECT_EQ(FileOf<FrameCsv>(traffic), expected);
        EXPECT_EQ(FileOf<FrameCsv>(FrameByFrame(traffic)), expected);
        for (int i = 0; i < 5; ++i)
        {
            const auto parts = CutAtRandom(traffic, random);
            EXPECT_EQ(FileOf<FrameCsv>(parts), expected);
            EXPECT_EQ(FileWhenSettledInPart<FrameCsv>(parts, random), expected);
        }
    }
}

TEST(FramePcap, IsByteForByteWhatNs3WritesHoweverBatched)
{
    std::mt19937_64 random(9);
    for (const uint64_t rate : {425'000'000'000ULL, 400'000'000'000ULL})
    {
        const auto traffic = RandomTraffic(random, rate);
        const std::string expected = PcapOfNs3(traffic, true, 65535);
        // not EXPECT_EQ: megabytes of zeros are no message
        EXPECT_TRUE(FileOf<FramePcap>(traffic) == expected);
        EXPECT_TRUE(FileOf<FramePcap>(FrameByFrame(traffic)) == expected);
        for (int i = 0; i < 5; ++i)
        {
            const auto parts = CutAtRandom(traffic, random);
            EXPECT_TRUE(FileOf<FramePcap>(parts) == expected);
            EXPECT_TRUE(FileWhenSettledInPart<FramePcap>(parts, random) == expected);
        }
        for (const uint32_t snapLength : {1, 54, 64, 1000})
        {
            EXPECT_TRUE(FileOf<FramePcap>(traffic, nullptr, snapLength) ==
                        PcapOfNs3(traffic, true, snapLength))
                << snapLength;
        }
    }
}

TEST(FramePcap, AFilterIsOfWhatIsReceived)
{
    std::mt19937_64 random(10);
    auto traffic = RandomTraffic(random, 400'000'000'000);
    for (Frames& taken : traffic)
    {
        if (!taken.sent && random() % 2 == 0)
        {
            taken.head.destination = Mac48Address("00:00:00:00:00:0d");
        }
    }
    const FramePcap::Filter filter = [](const Mac48Address& destination) {
        return destination == LEFT;
    };
    EXPECT_TRUE(FileOf<FramePcap>(traffic, filter) == PcapOfNs3(traffic, false, 65535));
}

TEST(FramePcap, APacketIsWrittenAsItWasHoweverItIsMarkedLater)
{
    FrameClock clock(400'000'000'000);
    const Frames host = MakeHost(true, 100, clock);
    const std::string expected = PcapOfNs3({host}, true, 65535);
    const std::string name = FileName("marked");
    {
        FramePcap pcap(name);
        host.Feed(pcap);
        host.head.packet->RemoveAtEnd(50);
    }
    EXPECT_TRUE(ReadFile(name) == expected);
}

TEST(FramePcap, AFolderThatIsNotThereStopsTheProgram)
{
    EXPECT_DEATH(FramePcap("/no/such/folder/x.pcap"),
                 "cannot write /no/such/folder/x.pcap: there is no folder");
    EXPECT_DEATH(FramePcap("/dev/null", nullptr, 0), "a snap length of 0 bytes");
}
