/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Capture files of a NIC port, pcap, CSV and ASCII traces, and digests.

#include "../support/photonic-rails-addresses.h"
#include "../support/photonic-rails-host-bench.h"
#include "../support/time-units.h"

#include "ns3/double.h"
#include "ns3/mac48-address.h"
#include "ns3/pcap-file.h"
#include "ns3/rail-capture.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>

using namespace ns3;

namespace
{

constexpr Picoseconds FIBER = 50'000;
constexpr uint64_t RATE = 425'000'000'000; // no frame lasts a whole number of picoseconds

/** One frame of a capture file. */
struct Record
{
    uint64_t nanoseconds;
    uint32_t length;
    std::vector<uint8_t> bytes;
};

/** Reads a capture file of Ethernet frames with nanosecond timestamps; empty if it is none. */
std::vector<Record>
ReadCapture(const std::string& name)
{
    std::vector<Record> records;
    PcapFile file;
    file.Open(name, std::ios::in);
    if (file.Fail() || !file.IsNanoSecMode() || file.GetDataLinkType() != 1)
    {
        return records;
    }
    while (true)
    {
        std::vector<uint8_t> bytes(10'000);
        uint32_t seconds;
        uint32_t nanoseconds;
        uint32_t included;
        uint32_t length;
        uint32_t read;
        file.Read(bytes.data(), bytes.size(), seconds, nanoseconds, included, length, read);
        if (file.Fail() || file.Eof())
        {
            return records;
        }
        bytes.resize(read);
        records.push_back({seconds * 1'000'000'000ULL + nanoseconds, length, bytes});
    }
}

/** @return six bytes of a MAC address */
std::vector<uint8_t>
BytesOf(const Address& address)
{
    std::vector<uint8_t> bytes(6);
    Mac48Address::ConvertFrom(address).CopyTo(bytes.data());
    return bytes;
}

/** A capture of echoes: instants, lengths, senders and receivers. */
class PcapTest : public TestCase
{
  public:
    PcapTest()
        : TestCase("pcap: every frame, sent by its first bit and received by its last, in ns")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t payload : {10, 1000})
        {
            Check(payload);
        }
    }

    void Check(uint32_t payload)
    {
        const std::string prefix = CreateTempDirFilename("echo-" + std::to_string(payload));
        const Picoseconds start = 5 * US + 999; // truncated, not rounded
        const uint32_t echoes = 3;
        std::vector<uint8_t> macs[2];
        Picoseconds oneWay;
        {
            HostBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            if (payload == 10)
            {
                bench.helper.EnablePcapAll(prefix); // NICs only, whatever else the nodes have
            }
            else
            {
                bench.helper.EnablePcap(prefix, bench.rail.GetNics());
            }
            HostBench::Answer(bench.nodes.Get(1));
            std::vector<Picoseconds> back;
            HostBench::Ping(bench.nodes.Get(0),
                            bench.addresses.GetAddress(1),
                            payload,
                            start,
                            back,
                            echoes,
                            US);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(back.size(), echoes, "the echoes come back");
            oneWay = bench.Unidirectional(HostBench::UdpDatagram(payload));
            macs[0] = BytesOf(bench.rail.GetNic(0)->GetAddress());
            macs[1] = BytesOf(bench.rail.GetNic(1)->GetAddress());
        }
        // the devices and their files are gone, so the files are whole
        const uint32_t length = 14 + std::max(46U, HostBench::UdpDatagram(payload));
        for (uint32_t host = 0; host < 2; ++host)
        {
            const auto records = ReadCapture(prefix + "-" + std::to_string(host) + "-0.pcap");
            NS_TEST_EXPECT_MSG_EQ(records.size(), 2 * echoes, "requests and answers");
            for (uint32_t i = 0; i < records.size(); ++i)
            {
                // host 0 sends and has the answer two ways later; host 1 answers at once, so that
                // the first bit of the answer is at the instant of the last bit of the request
                const Picoseconds at =
                    start + i / 2 * US + (host == 0 ? i % 2 * 2 * oneWay : oneWay);
                const Record& record = records[i];
                NS_TEST_EXPECT_MSG_EQ(record.nanoseconds, uint64_t(at / 1000), "when, " << i);
                NS_TEST_EXPECT_MSG_EQ(record.length, length, "header to padding");
                NS_TEST_EXPECT_MSG_EQ(record.bytes.size(), length, "all of it is in the file");
                // destination, source, IPv4; version 4 with a header of 20 bytes
                std::vector<uint8_t> expected = macs[i % 2 == 0];
                expected.insert(expected.end(), macs[i % 2].begin(), macs[i % 2].end());
                expected.insert(expected.end(), {0x08, 0x00, 0x45});
                std::vector<uint8_t> head = record.bytes;
                head.resize(expected.size());
                NS_TEST_EXPECT_MSG_EQ((head == expected), true, "from whom to whom, " << i);
            }
        }
    }
};

/** A frame with another destination is in a promiscuous capture only. */
class PromiscuousPcapTest : public TestCase
{
  public:
    PromiscuousPcapTest()
        : TestCase("pcap: frames for others are captured by who asks for them")
    {
    }

  private:
    void DoRun() override
    {
        const std::string own = CreateTempDirFilename("own.pcap");
        const std::string all = CreateTempDirFilename("all.pcap");
        Picoseconds oneWay;
        {
            HostBench bench(3, RATE, FIBER);
            bench.Join(0, 2);
            bench.helper.EnablePcap(own, bench.rail.GetNic(2), false, true);
            bench.helper.EnablePcap(all, bench.rail.GetNic(2), true, true);
            HostBench::At(US, [&bench] { bench.SendUdp(0, 1, 100); });
            Simulator::Run();
            oneWay = bench.Unidirectional(HostBench::UdpDatagram(100));
        }
        NS_TEST_EXPECT_MSG_EQ(ReadCapture(own).size(), 0, "it was not for host 2");
        const auto records = ReadCapture(all);
        NS_TEST_EXPECT_MSG_EQ(records.size(), 1, "but it came there");
        for (const Record& record : records)
        {
            NS_TEST_EXPECT_MSG_EQ(record.nanoseconds, uint64_t((US + oneWay) / 1000), "then");
        }
    }
};

/** The frames that a port's trace sources report. */
struct Journal
{
    /** A frame, as it is to be captured. */
    struct Entry
    {
        Picoseconds at;
        bool sent;
        std::vector<uint8_t> bytes;
    };

    std::vector<Entry> entries;

    void Sent(const WireFrame& frame)
    {
        Add(frame.first, true, frame);
    }

    void Received(const WireFrame& frame)
    {
        Add(frame.last, false, frame);
    }

    void Add(Picoseconds at, bool sent, const WireFrame& frame)
    {
        const Ptr<const Packet> packet = frame.MakePacket();
        entries.push_back({at, sent, std::vector<uint8_t>(packet->GetSize())});
        packet->CopyData(entries.back().bytes.data(), packet->GetSize());
    }
};

/** Messages both ways, with losses, and a sink of each kind. */
class SinkTest : public TestCase
{
  public:
    SinkTest()
        : TestCase("sinks tell what trace sources tell, in order of instants")
    {
    }

  private:
    /** The files and counters that a run leaves behind. */
    struct Result
    {
        std::shared_ptr<FrameDigest> digests[2];
        RailNetDevice::Counters counters;
        std::vector<Journal::Entry> journal;
    };

    void DoRun() override
    {
        if (!AddressesBeginAnew())
        {
            return; // frames carry addresses, so that no two runs are alike
        }
        const std::string name = CreateTempDirFilename("sinks");
        const Result alone = Exchange(name, 1, false);
        const std::string pcap = TextOf(name + ".pcap");
        const std::string csv = TextOf(name + ".csv");
        const Result traced = Exchange(name, 1, true);
        NS_TEST_EXPECT_MSG_EQ((TextOf(name + ".pcap") == pcap), true, "whoever listens");
        NS_TEST_EXPECT_MSG_EQ((TextOf(name + ".csv") == csv), true, "whoever listens");

        Compare(ReadCapture(name + ".pcap"), traced.journal);
        const auto lines = static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n'));
        NS_TEST_EXPECT_MSG_EQ(lines, 1 + traced.journal.size(), "a line a frame, and a heading");

        const FrameDigest& digest = *alone.digests[0];
        NS_TEST_EXPECT_MSG_EQ(digest.GetSent().frames, alone.counters.sent, "of port 0");
        NS_TEST_EXPECT_MSG_EQ(digest.GetReceived().frames, alone.counters.received, "of port 0");
        const Result other = Exchange(name, 2, false);
        for (int host = 0; host < 2; ++host)
        {
            const FrameDigest& one = *alone.digests[host];
            const FrameDigest& same = *traced.digests[host];
            const FrameDigest& another = *other.digests[host];
            NS_TEST_EXPECT_MSG_EQ((one.GetSent() == same.GetSent()), true, host);
            NS_TEST_EXPECT_MSG_EQ((one.GetReceived() == same.GetReceived()), true, host);
            NS_TEST_EXPECT_MSG_EQ((one.GetSent() == another.GetSent()), false, "other losses");
        }
    }

    /** Runs it. */
    Result Exchange(const std::string& name, int64_t losses, bool traced)
    {
        Result result;
        HostBench bench(2, RATE, FIBER);
        bench.Join(0, 1);
        RdmaHelper rdma;
        rdma.SetAttribute("TimeoutExponent", UintegerValue(2));
        rdma.Install(bench.nodes);
        bench.rail.GetFiber(0)->SetAttribute("FrameLossRate", DoubleValue(0.02));
        bench.rail.GetFiber(0)->AssignStreams(losses);
        HostBench::Answer(bench.nodes.Get(1));
        std::vector<Picoseconds> back;
        HostBench::Ping(bench.nodes.Get(0), bench.addresses.GetAddress(1), 100, US, back, 5, US);
        const auto ends = RdmaEngine::Connect(bench.nodes.Get(0), bench.nodes.Get(1));

        Ptr<RailNetDevice> nic = bench.rail.GetNic(0);
        CaptureToPcap(nic, name + ".pcap", false, true);
        CaptureToCsv(nic, name + ".csv");
        for (uint32_t host = 0; host < 2; ++host)
        {
            result.digests[host] = CaptureDigest(bench.rail.GetNic(host));
        }
        NS_TEST_EXPECT_MSG_EQ(nic->IsObserved(), false, "a sink needs no event for every frame");
        Journal journal;
        if (traced)
        {
            nic->TraceConnectWithoutContext("FrameSent", MakeCallback(&Journal::Sent, &journal));
            nic->TraceConnectWithoutContext("FrameReceived",
                                            MakeCallback(&Journal::Received, &journal));
        }
        HostBench::At(US, [&ends] {
            ends.first->Post(RdmaVerb::WRITE_WITH_IMMEDIATE, 1'000'001, 7);
            ends.second->Post(RdmaVerb::SEND, 500'000);
        });
        Simulator::Run();
        result.counters = nic->GetCounters();
        result.journal = journal.entries;
        return result;
    }

    /** The records of a capture are the journal's entries in canonical order. */
    void Compare(const std::vector<Record>& records, std::vector<Journal::Entry> entries)
    {
        std::stable_sort(entries.begin(),
                         entries.end(),
                         [](const Journal::Entry& a, const Journal::Entry& b) {
                             return a.at < b.at || (a.at == b.at && !a.sent && b.sent);
                         });
        NS_TEST_ASSERT_MSG_EQ(records.size(), entries.size(), "each frame has a record");
        for (std::size_t i = 0; i < records.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(records[i].nanoseconds, uint64_t(entries[i].at / 1000), i);
            NS_TEST_EXPECT_MSG_EQ(records[i].length, entries[i].bytes.size(), i);
            NS_TEST_EXPECT_MSG_EQ((records[i].bytes == entries[i].bytes), true, "record " << i);
        }
    }

    /** @return the content of a file */
    static std::string TextOf(const std::string& name)
    {
        std::ifstream file(name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
};

/** A capture that keeps the headers only. */
class SnapLengthTest : public TestCase
{
  public:
    SnapLengthTest()
        : TestCase("pcap: the first bytes of frames, if no more are asked for")
    {
    }

  private:
    void DoRun() override
    {
        const std::string name = CreateTempDirFilename("heads.pcap");
        {
            HostBench bench(2, RATE, FIBER);
            bench.Join(0, 1);
            bench.Listen(1);
            CaptureToPcap(bench.rail.GetNic(0), name, false, true, 42);
            HostBench::At(US, [&bench] { bench.SendUdp(0, 1, 1000); });
            Simulator::Run();
        }
        const auto records = ReadCapture(name);
        NS_TEST_ASSERT_MSG_EQ(records.size(), 1, "the datagram");
        NS_TEST_EXPECT_MSG_EQ(records[0].bytes.size(), 42, "Ethernet, IPv4 and UDP headers");
        NS_TEST_EXPECT_MSG_EQ(records[0].length, 14 + HostBench::UdpDatagram(1000), "it had more");
    }
};

/** A sink that is taken away. */
class RemoveSinkTest : public TestCase
{
  public:
    RemoveSinkTest()
        : TestCase("a sink that is taken away was told of all up to then")
    {
    }

  private:
    void DoRun() override
    {
        HostBench bench(2, RATE, FIBER);
        bench.Join(0, 1);
        Ptr<RailNetDevice> nic = bench.rail.GetNic(0);
        bench.Listen(1);
        const auto digest = CaptureDigest(nic);
        for (int i = 1; i <= 4; ++i)
        {
            HostBench::At(i * US, [&bench] { bench.SendUdp(0, 1, 100); });
        }
        HostBench::At(2 * US + US / 2, [&] { nic->RemoveSink(digest); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(digest->GetSent().frames, 2, "the later ones are not its business");
        NS_TEST_EXPECT_MSG_EQ(nic->GetCounters().sent, 4, "but were sent");
    }
};

/** ASCII traces: frames that were queued, sent, received, dropped. */
class AsciiTest : public TestCase
{
  public:
    AsciiTest()
        : TestCase("ascii: + queued, - sent, r received, d dropped")
    {
    }

  private:
    void DoRun() override
    {
        const std::string prefix = CreateTempDirFilename("hosts");
        const std::string together = CreateTempDirFilename("together.tr");
        {
            HostBench bench(3, RATE, FIBER);
            bench.Join(0, 1);
            bench.Listen(1);
            bench.helper.EnableAscii(prefix, bench.rail.GetNics());
            bench.helper.EnableAsciiAll(AsciiTraceHelper().CreateFileStream(together));
            // five arrive at host 1, three reach host 2, which is the wrong destination
            for (uint32_t i = 0; i < 8; ++i)
            {
                const Picoseconds when = (i < 5 ? 1 : 100) * US + i * US;
                HostBench::At(when, [&bench] { bench.SendUdp(0, 1, 100, 3); });
            }
            HostBench::At(20 * US, [&bench] {
                bench.ocs->Apply(
                    CircuitPlan().Disconnect(PortId(0), PortId(1)).Connect(PortId(0), PortId(2)));
            });
            Simulator::Run();
        }
        using Counts = std::map<char, uint32_t>;
        const Counts expected[] = {{{'+', 8}, {'-', 8}}, {{'r', 5}}, {{'d', 3}}};
        for (uint32_t h = 0; h < 3; ++h)
        {
            const Counts counts = Count(prefix + "-" + std::to_string(h) + "-0.tr");
            NS_TEST_EXPECT_MSG_EQ((counts == expected[h]), true, "the lines of host " << h);
        }
        const Counts all{{'+', 8}, {'-', 8}, {'r', 5}, {'d', 3}};
        NS_TEST_EXPECT_MSG_EQ((Count(together) == all), true, "the same in one file");
        // without the headers all lines would be alike
        NS_TEST_EXPECT_MSG_EQ(m_headers, 2 * (8 + 8 + 5 + 3), "every line shows the UDP header");
    }

    /** @return how many lines begin with each character */
    std::map<char, uint32_t> Count(const std::string& name)
    {
        std::map<char, uint32_t> counts;
        std::ifstream file(name);
        for (std::string line; std::getline(file, line);)
        {
            ++counts[line[0]];
            m_headers += line.find("ns3::UdpHeader") != std::string::npos ? 1 : 0;
        }
        return counts;
    }

    uint32_t m_headers{0}; //!< lines that show one
};

/** The frames that a NIC drops in the dark. */
class AsciiDarkTest : public TestCase
{
  public:
    AsciiDarkTest()
        : TestCase("ascii: what a NIC drops in the dark shows as d")
    {
    }

  private:
    void DoRun() override
    {
        const std::string name = CreateTempDirFilename("dark.tr");
        {
            HostBench bench(2, RATE, FIBER, [](PhotonicRailHelper& helper) {
                helper.SetNicAttribute("NoCarrierAction", StringValue("Drop"));
            });
            bench.helper.EnableAscii(AsciiTraceHelper().CreateFileStream(name),
                                     bench.rail.GetNic(0));
            HostBench::At(US, [&bench] { bench.SendUdp(0, 1, 100); });
            Simulator::Run();
            const uint32_t dropped = bench.nicDrops[{0, FrameDropReason::NO_CARRIER}];
            NS_TEST_EXPECT_MSG_EQ(dropped, 1, "there is no circuit");
        }
        std::ifstream file(name);
        std::string line;
        std::getline(file, line);
        NS_TEST_EXPECT_MSG_EQ(line.substr(0, 1), "d", "the drop has a line");
    }
};

/** The suite. */
class CaptureTestSuite : public TestSuite
{
  public:
    CaptureTestSuite()
        : TestSuite("photonic-rails-capture", TestSuite::Type::UNIT)
    {
        // first, because packets can be made printable only before there are any
        AddTestCase(new AsciiTest);
        AddTestCase(new AsciiDarkTest);
        AddTestCase(new PcapTest);
        AddTestCase(new PromiscuousPcapTest);
        AddTestCase(new SnapLengthTest);
        AddTestCase(new SinkTest);
        AddTestCase(new RemoveSinkTest);
    }
};

CaptureTestSuite g_captureTestSuite;

} // namespace
