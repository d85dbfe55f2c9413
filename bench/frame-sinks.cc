/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The cost of sinks: CPU time a frame, for data frames of 4096 bytes in runs of 64 and of 4096 and
// one by one. Files are /dev/null, so that the disk is not measured. Median and best of several
// runs.

#include "empty-event.h"
#include "measure.h"

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** Only steps through the instants of the frames. */
class Stepper : public FrameSink
{
  public:
    void TakeSent(const WireFrame&, const RoceFrame&, const RunClock& times) override
    {
        RunStepper step(times);
        Picoseconds sum = 0;
        for (uint64_t left = step.GetLeft(); left > 0; --left, step.Next())
        {
            sum ^= step.GetFirst() ^ step.GetLast();
        }
        m_sum ^= sum;
    }

    void TakeReceived(const WireFrame&, const RoceFrame&, const RunClock&) override
    {
    }

    void Settle(Picoseconds) override
    {
    }

  private:
    volatile Picoseconds m_sum{0}; //!< so that it is computed
};

/** Passes frames to a sink. Returns the time of one frame. */
double
Feed(FrameSink& sink, uint64_t frames, uint64_t run)
{
    WireFrame head;
    head.source = Mac48Address("00:00:00:00:00:01");
    head.destination = Mac48Address("00:00:00:00:00:02");
    head.roce.opcode = RoceOpcode::WRITE_MIDDLE;
    head.roce.payload = 4096;
    head.roce.destinationQp = 2;
    head.wireBytes = head.roce.GetWireBytes();
    head.run = {1, 0, run, head.wireBytes, head.wireBytes};
    FrameClock clock(425'000'000'000);
    const double before = CpuTime();
    for (uint64_t sent = 0; sent < frames; sent += run)
    {
        RoceFrame tail = head.roce;
        tail.psn = (head.roce.psn + run - 1) & RoceFrame::PSN_MASK;
        tail.identification = tail.psn & 0xffff;
        sink.TakeSent(head, tail, RunClock(clock, head.run));
        clock.Skip(head.run.GetWireBytes());
        sink.Settle(clock.GetNext());
        head.roce.psn = (tail.psn + 1) & RoceFrame::PSN_MASK;
        head.roce.identification = head.roce.psn & 0xffff;
        head.run.first += run;
    }
    sink.Settle(NEVER);
    return (CpuTime() - before) / frames;
}

/** Reports on one kind of sink. */
void
Measure(uint32_t runs,
        const std::string& what,
        uint64_t frames,
        const std::function<std::unique_ptr<FrameSink>()>& make)
{
    for (const uint64_t run : {1, 64, 4096})
    {
        std::vector<double> figures;
        Feed(*make(), frames, run); // warms caches
        for (uint32_t i = 0; i < runs; ++i)
        {
            figures.push_back(Feed(*make(), frames, run));
        }
        Report(what + ", runs of " + std::to_string(run), "ns a frame", figures);
    }
}

/**
 * The cost of a capture by packets: the bytes of a frame made into a Packet and copied to a file.
 */
double
SendThroughNs3(uint64_t frames)
{
    PcapFile file;
    file.Open("/dev/null", std::ios::out);
    file.Init(1, PcapFile::SNAPLEN_DEFAULT, 0, false, true);
    RoceFrame roce;
    roce.opcode = RoceOpcode::WRITE_MIDDLE;
    roce.payload = 4096;
    const double before = CpuTime();
    for (uint64_t i = 0; i < frames; ++i)
    {
        roce.psn = i & RoceFrame::PSN_MASK;
        roce.identification = roce.psn & 0xffff;
        const std::vector<uint8_t> bytes =
            roce.Serialize(Mac48Address("00:00:00:00:00:01"), Mac48Address("00:00:00:00:00:02"));
        Ptr<const Packet> packet = Create<Packet>(bytes.data(), bytes.size());
        file.Write(i / 1'000'000'000, i % 1'000'000'000, packet);
    }
    return (CpuTime() - before) / frames;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t runs = 7;
    CommandLine cmd(__FILE__);
    cmd.AddValue("runs", "How many runs each figure is of", runs);
    cmd.Parse(argc, argv);
    UsePicoseconds();

    ReportTitle("sinks");
    ReportEmptyEvent(runs);
    const uint64_t many = 1 << 21;
    const uint64_t fewer = 1 << 18;
    Measure(runs, "instants alone", many, [] { return std::make_unique<Stepper>(); });
    Measure(runs, "counter", many, [] { return std::make_unique<FrameCounter>(); });
    Measure(runs, "digest", many, [] { return std::make_unique<FrameDigest>(); });
    Measure(runs, "CSV", fewer, [] { return std::make_unique<FrameCsv>("/dev/null"); });
    Measure(runs, "pcap, 64 bytes of a frame", fewer, [] {
        return std::make_unique<FramePcap>("/dev/null", nullptr, 64);
    });
    Measure(runs, "pcap, whole frames", fewer, [] {
        return std::make_unique<FramePcap>("/dev/null");
    });
    std::vector<double> packets;
    for (uint32_t i = 0; i < runs; ++i)
    {
        packets.push_back(SendThroughNs3(1 << 14));
    }
    Report("beside it: ns-3's PcapFile, a Packet a frame", "ns a frame", packets);
    return 0;
}
