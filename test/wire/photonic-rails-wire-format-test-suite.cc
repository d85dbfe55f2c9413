/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The frames on the wire, as Wireshark's dissectors see them: every kind of frame down to the
// InfiniBand layer, none malformed. Needs the program tshark; without it, a case prints that and
// tests nothing.

#include "../support/photonic-rails-rail-bench.h"

#include "ns3/pcap-file-wrapper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-helper.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

using namespace ns3;

namespace
{

/** One frame as tshark sees it: the requested fields, by name. */
using Dissection = std::vector<std::map<std::string, std::string>>;

/** @return whether there is a tshark; prints a line if there is none */
bool
HaveTshark()
{
    if (std::system("tshark --version >/dev/null 2>&1") == 0)
    {
        return true;
    }
    std::cerr << "SKIPPED: there is no tshark (Debian's package of that name)" << std::endl;
    return false;
}

/** Runs tshark on a capture. */
Dissection
Dissect(const std::string& file, std::vector<std::string> fields)
{
    fields.insert(fields.begin(), {"frame.protocols", "_ws.malformed"});
    // Wireshark guesses that the payload of any SEND is RPC over RDMA, and calls those of a few
    // bytes malformed: this test ends at the InfiniBand layer
    std::string command =
        "tshark -r '" + file + "' --disable-protocol rpcordma -T fields -E separator='|'";
    for (const std::string& field : fields)
    {
        command += " -e " + field;
    }
    command += " 2>/dev/null";
    Dissection frames;
    FILE* pipe = popen(command.c_str(), "r");
    char line[4096];
    while (pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr)
    {
        std::istringstream in(line);
        std::map<std::string, std::string> frame;
        for (const std::string& field : fields)
        {
            std::getline(in, frame[field], '|');
        }
        if (!frame.empty())
        {
            std::string& last = frame[fields.back()];
            last.erase(last.find_last_not_of("\r\n") + 1);
        }
        frames.push_back(frame);
    }
    if (pipe != nullptr)
    {
        pclose(pipe);
    }
    return frames;
}

/** @return a number as tshark prints it */
unsigned long
NumberOf(const std::string& text)
{
    return text.empty() ? ~0UL : std::stoul(text, nullptr, 0);
}

} // namespace

/** Each kind of frame by itself, with values in every field. */
class EveryKindTest : public TestCase
{
  public:
    EveryKindTest()
        : TestCase("every kind of frame is dissected to the InfiniBand layer, none malformed")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        if (!HaveTshark())
        {
            return;
        }
        std::vector<RoceFrame> frames;
        for (const int opcode : {0, 1, 2, 4, 6, 7, 8, 9, 0x0a, 0x0b, 0x11, 0x81})
        {
            RoceFrame frame;
            frame.opcode = static_cast<RoceOpcode>(opcode);
            frame.sourceIp = 0x0a000001;
            frame.destinationIp = 0x0a000002;
            frame.sourcePort = 0xc123;
            frame.destinationQp = 0x123456;
            frame.psn = 0xfedcba;
            frame.payload = frame.IsData() ? 61 : 0;
            frame.ackRequest = frame.IsLast();
            frame.address = 0x1122334455667788;
            frame.key = 0x99aabbcc;
            frame.length = 61;
            frame.immediate = 0xdeadbeef;
            frame.msn = 0x010203;
            frame.becn = opcode == 0x81;
            for (const int syndrome : {0x1f, 0x60, 0x2a})
            {
                frame.syndrome = syndrome;
                frames.push_back(frame);
                if (!frame.HasAeth())
                {
                    break;
                }
            }
        }
        const std::string name = CreateTempDirFilename("every-kind.pcap");
        {
            Ptr<PcapFileWrapper> file = CreateObject<PcapFileWrapper>();
            file->Open(name, std::ios::out);
            file->Init(1); // Ethernet
            for (const RoceFrame& frame : frames)
            {
                const auto bytes = frame.Serialize(Mac48Address("02:00:00:00:00:01"),
                                                   Mac48Address("02:00:00:00:00:02"));
                file->Write(Seconds(1), bytes.data(), bytes.size());
            }
        }
        const Dissection seen = Dissect(name,
                                        {"infiniband.bth.opcode",
                                         "infiniband.bth.destqp",
                                         "infiniband.bth.psn",
                                         "infiniband.bth.a",
                                         "infiniband.reth.va",
                                         "infiniband.reth.r_key",
                                         "infiniband.immdt",
                                         "infiniband.aeth.syndrome",
                                         "infiniband.aeth.msn",
                                         "udp.srcport"});
        NS_TEST_ASSERT_MSG_EQ(seen.size(), frames.size(), "tshark read them all");
        for (std::size_t i = 0; i < seen.size() && i < frames.size(); ++i)
        {
            auto one = seen[i];
            const RoceFrame& frame = frames[i];
            NS_TEST_EXPECT_MSG_EQ(one["_ws.malformed"], "", "frame " << i);
            NS_TEST_EXPECT_MSG_NE(one["frame.protocols"].find("infiniband"),
                                  std::string::npos,
                                  one["frame.protocols"]);
            NS_TEST_EXPECT_MSG_EQ(NumberOf(one["infiniband.bth.opcode"]),
                                  static_cast<unsigned long>(frame.opcode),
                                  "opcode");
            NS_TEST_EXPECT_MSG_EQ(NumberOf(one["infiniband.bth.destqp"]), 0x123456, "queue pair");
            NS_TEST_EXPECT_MSG_EQ(NumberOf(one["infiniband.bth.psn"]), 0xfedcba, "PSN");
            NS_TEST_EXPECT_MSG_EQ(NumberOf(one["udp.srcport"]), 0xc123, "entropy");
            if (frame.HasReth())
            {
                NS_TEST_EXPECT_MSG_EQ(NumberOf(one["infiniband.reth.va"]),
                                      0x1122334455667788,
                                      "address");
                NS_TEST_EXPECT_MSG_EQ(NumberOf(one["infiniband.reth.r_key"]), 0x99aabbcc, "key");
            }
            if (frame.HasAeth())
            {
                NS_TEST_EXPECT_MSG_EQ(NumberOf(one["infiniband.aeth.syndrome"]),
                                      frame.syndrome,
                                      "syndrome");
                NS_TEST_EXPECT_MSG_EQ(NumberOf(one["infiniband.aeth.msn"]), 0x010203, "MSN");
            }
        }
    }
};

/** Real traffic, captured by the helper: messages of each verb, losses, pauses. */
class TrafficTest : public TestCase
{
  public:
    TrafficTest()
        : TestCase("a capture of real traffic is dissected, frame by frame")
    {
    }

  private:
    void DoRun() override
    {
        if (!HaveTshark())
        {
            return;
        }
        const std::string prefix = CreateTempDirFilename("traffic");
        uint64_t frames = 0;
        {
            PhotonicRailHelper capture;
            RailBench bench(2, 100'000'000'000, 50'000);
            bench.Join(0, 1);
            RdmaHelper helper;
            helper.SetAttribute("Mtu", UintegerValue(1024));
            helper.SetAttribute("TimeoutExponent", UintegerValue(2));
            helper.Install(NodeContainer(bench.rail.GetGpu(0), bench.rail.GetGpu(1)));
            bench.rail.GetFiber(0)->SetAttribute("FrameLossRate", DoubleValue(0.05));
            bench.rail.GetFiber(0)->AssignStreams(1);
            const auto ends = RdmaEngine::Connect(bench.rail.GetGpu(0), bench.rail.GetGpu(1));
            capture.EnablePcap(prefix, bench.rail.GetNics(), true);
            bench.At(1000, [&] {
                for (const RdmaVerb verb :
                     {RdmaVerb::WRITE, RdmaVerb::WRITE_WITH_IMMEDIATE, RdmaVerb::SEND})
                {
                    for (const uint64_t bytes : {0, 1, 1024, 1025, 50'000})
                    {
                        ends.first->Post(verb, bytes, 42);
                    }
                }
                bench.Nic(1)->SendPause(3, 10);
            });
            bench.Run();
            const RailNetDevice::Counters& nic = bench.Nic(0)->GetCounters();
            frames = nic.sent + nic.received;
        }
        const Dissection seen =
            Dissect(prefix + "-0-0.pcap", {"infiniband.aeth.syndrome", "macc.opcode"});
        NS_TEST_ASSERT_MSG_EQ(seen.size(), frames, "each frame that the NIC sent or received");
        std::size_t naks = 0;
        std::size_t pauses = 0;
        for (auto one : seen)
        {
            NS_TEST_EXPECT_MSG_EQ(one["_ws.malformed"], "", one["frame.protocols"]);
            if (one["macc.opcode"].empty())
            {
                NS_TEST_EXPECT_MSG_NE(one["frame.protocols"].find("infiniband"),
                                      std::string::npos,
                                      one["frame.protocols"]);
            }
            naks += NumberOf(one["infiniband.aeth.syndrome"]) == 0x60;
            pauses += NumberOf(one["macc.opcode"]) == 0x0101;
        }
        NS_TEST_EXPECT_MSG_GT(naks, 0, "losses made NAKs");
        NS_TEST_EXPECT_MSG_EQ(pauses, 1, "the pause frame");
    }
};

/** The suite of the wire format. */
class WireFormatTestSuite : public TestSuite
{
  public:
    WireFormatTestSuite()
        : TestSuite("photonic-rails-wire-format", TestSuite::Type::UNIT)
    {
        AddTestCase(new EveryKindTest);
        AddTestCase(new TrafficTest);
    }
};

static WireFormatTestSuite g_wireFormatTestSuite;
