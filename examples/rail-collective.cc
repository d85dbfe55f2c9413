/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A collective operation on a rail, size by size: the table that users of nccl-tests know.
//
//     rank 0 ---+                          one GPU a server, all on one rail, --ports NIC ports
//     each rank 1 ---+  switch in the middle
//      ...      |  electrical: a packet switch with a way from each to each
//     rank n ---+  optical: circuits that stay, a ring: half of the ports to the next rank, half to
//                  the one before; or with --reconfiguration=TIME circuits set up for each
//                  stage of the operation by a control plane that knows everything at once
//
// Every rank calls the operation at 0 s, the last one --straggler-delay later. The time is that
// from the last call to the end of the last rank: all its messages acknowledged, all for it there.
// "algbw" is size / time; "busbw" is that times what the operation needs of a wire at least, as
// nccl-tests defines it (for all-reduce 2 (n - 1) / n): compare it with what a GPU's ports carry.
//
// What to look at: a ring fills its wires once shards are many messages long; algorithms of few
// rounds win where sizes are small. On circuits that stay only rings can run: another algorithm
// runs its fallback, which the table says, or is refused with --fallback=false. All-to-all over a
// ring is forwarded by those between; with --algorithm=matchings --reconfiguration=10us circuits
// turn instead.
//
// --timeline=FILE draws the last size: what ranks did, and which circuits there were, when.
//
// Try: ./rails run rail-collective
//      ./rails run rail-collective --algorithm=halving-doubling --rail-kind=electrical
//      ./rails run rail-collective --collective=all-to-all --ranks=4 --max=64M
//      ./rails run rail-collective --ranks=8 --straggler-delay=20ms --rail-kind=electrical

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** What the command line can set. */
struct Options
{
    std::string collective{"all-reduce"};
    std::string algorithm;
    uint32_t ranks{8};
    uint32_t ports{2};
    DataRate portRate{"200Gbps"};
    std::string railKind{"optical"};
    std::string reconfigurationWords;
    uint64_t messageSize{1 << 20};
    uint32_t mtu{4096};
    Time stragglerDelay{0};
    bool fallback{true};
    uint64_t least{1 << 20};
    uint64_t most{1 << 30};
    uint32_t factor{2};

    // what follows from these
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    Time reconfiguration{0}; //!< of a circuit, if circuits reconfigure
    std::vector<uint64_t> sizes;

    /** Adds the options. @param scenario gets them */
    void Add(Scenario& scenario);
    /** Works out what follows. @param scenario refuses what can't be */
    void Complete(const Scenario& scenario);

  private:
    /** Looks for the collective and its algorithm. */
    void CompleteNames(const Scenario& scenario);
    /** Looks at the switch in the middle and what is around it. */
    void CompleteRail(const Scenario& scenario);
    /** Lists the sizes. */
    void CompleteSizes(const Scenario& scenario);
    /** Refuses delays that ranks would take for a deadlock. */
    void CheckWaits(const Scenario& scenario) const;
    /** Refuses what takes days, or longer than a picosecond clock can count. */
    void CheckEffort(const Scenario& scenario) const;
};

void
Options::Add(Scenario& scenario)
{
    std::vector<std::string> kinds;
    for (const CollectiveKind one : GetCollectiveKinds())
    {
        kinds.emplace_back(ToString(one));
    }
    const uint64_t largest = 1ULL << 40;
    scenario.Add("collective", "What the ranks do", collective).OneOf(kinds, "collective");
    scenario.Add("algorithm", "How, by name; empty: what is fastest", algorithm);
    scenario.Add("ranks", "GPUs, each on a server of its own", ranks).Between(2, 512);
    scenario.Add("ports", "NIC ports of a GPU", ports).Between(1, 16);
    scenario.Add("port-rate", "Rate of a port, such as 200Gbps", portRate);
    scenario.Add("rail-kind", "The switch in the middle", railKind)
        .OneOf({"optical", "electrical"}, "kind of rail");
    scenario.Add("reconfiguration",
                 "Optical: reconfiguration time, such as 10us; empty: circuits stay",
                 reconfigurationWords);
    scenario.Add("message-size", "Bytes of a message at most, such as 1M", messageSize)
        .Between(1, largest);
    scenario.Add("mtu", "Payload of a frame: 256, 512, 1024, 2048 or 4096", mtu);
    scenario.Add("straggler-delay", "How much later the last rank calls", stragglerDelay);
    scenario.Add("fallback",
                 "Whether another algorithm may run where circuits are missing",
                 fallback);
    scenario.Add("min", "The first size, such as 1M", least).Between(1, largest);
    scenario.Add("max", "Sizes up to this one", most).Between(1, largest);
    scenario.Add("factor", "From a size to the next", factor).Between(2, 1 << 20);
    scenario.AddTimeline();
}

void
Options::Complete(const Scenario& scenario)
{
    CompleteNames(scenario);
    CompleteRail(scenario);
    CompleteSizes(scenario);
    CheckWaits(scenario);
    CheckEffort(scenario);
}

void
Options::CompleteNames(const Scenario& scenario)
{
    kind = *FindCollectiveKind(collective);
    scenario.Require(kind != CollectiveKind::ALL_TO_ALL_V,
                     "collective",
                     "it needs a demand matrix: write a script");
    if (!algorithm.empty())
    {
        std::vector<std::string> names;
        for (const CollectiveAlgorithm* one : CollectiveAlgorithm::GetAll(kind))
        {
            names.push_back(one->name);
        }
        const auto known = FindKnownName(algorithm, names, "algorithm for " + collective);
        scenario.Require(known.why.empty(), "algorithm", known.why);
        algorithm = known.name;
    }
    scenario.Require(kind != CollectiveKind::SEND_RECV || ranks == 2,
                     "ranks",
                     "give 2 for send-recv");
}

void
Options::CompleteRail(const Scenario& scenario)
{
    scenario.Require(mtu >= 256 && mtu <= 4096 && (mtu & (mtu - 1)) == 0,
                     "mtu",
                     "RoCEv2 knows 256, 512, 1024, 2048 and 4096");
    if (!reconfigurationWords.empty())
    {
        scenario.Require(railKind == "optical",
                         "reconfiguration",
                         "an electrical rail has no circuits");
        const OptionValue<Time> time = ParseTime(reconfigurationWords);
        scenario.Require(time.why.empty(), "reconfiguration", time.why);
        reconfiguration = time.value;
    }
    else if (railKind == "optical" && ranks > 2)
    {
        scenario.Require(ports % 2 == 0,
                         "ports",
                         "a ring of circuits takes an even number of ports");
    }
}

void
Options::CompleteSizes(const Scenario& scenario)
{
    scenario.Require(least <= most, "min", "it is more than --max=" + std::to_string(most));
    if (kind == CollectiveKind::BARRIER)
    {
        sizes.push_back(0);
        return;
    }
    for (uint64_t size = least; size <= most; size *= factor)
    {
        sizes.push_back(size);
    }
}

void
Options::CheckWaits(const Scenario& scenario) const
{
    TypeId::AttributeInformation stall;
    CollectiveApplication::GetTypeId().LookupAttributeByName("StallLimit", &stall);
    const Time limit = DynamicCast<const TimeValue>(stall.initialValue)->Get();
    scenario.Require(reconfiguration <= Seconds(3000), "reconfiguration", "give 3000s or less");
    const Time wait = reconfiguration + stragglerDelay;
    const std::string longer =
        reconfiguration > stragglerDelay ? "reconfiguration" : "straggler-delay";
    scenario.Require(wait.IsZero() || wait < limit,
                     longer,
                     "ranks that wait so long give up (ns3::CollectiveApplication::StallLimit is " +
                         ToOption(limit) + ")");
}

void
Options::CheckEffort(const Scenario& scenario) const
{
    const double mostFrames = 1e10;  // an hour or two, if each has events
    const double mostMessages = 1e8; // of one size: they are in memory
    const double longest = 1e6;      // seconds
    const double around = 100;       // bytes of headers, at most
    const double times = 2;          // no algorithm on wires of its own sends more often
    const double payload = std::min<uint64_t>(mtu, messageSize);
    double frames = 0;
    for (const uint64_t size : sizes)
    {
        frames += ranks * (times * size / payload + ranks);
    }
    const double largest = times * sizes.back();
    const bool areEvents = railKind == "electrical" || GetFidelity() == "events";
    scenario.Require(!areEvents || frames <= mostFrames,
                     "max",
                     "that is more than 10000000000 frames, of which each has events; give smaller "
                     "sizes or fewer ranks");
    scenario.Require(ranks * largest / messageSize <= mostMessages,
                     "message-size",
                     "that is more than 100000000 messages at a time; give larger ones, smaller "
                     "sizes or fewer ranks");
    // at worst one port carries what all ranks send
    const double bytes = ranks * (largest + (largest / payload + ranks) * around);
    scenario.Require(8 * bytes / portRate.GetBitRate() <= longest,
                     "max",
                     "that may take more than 1000000 s at --port-rate=" + ToOption(portRate));
}

/** What became of one size. */
struct Row
{
    uint64_t size{0};
    Picoseconds lastCall{0};
    Picoseconds lastEnd{0};
    OperationRecord record; //!< of one of the ranks
    uint64_t messages{0};   //!< that the busiest rank sent
    uint64_t bytes{0};      //!< the same
    uint64_t frames{0};
    RailNetDevice::Trains trains;

    void Started(const OperationRecord& one)
    {
        if (one.call.kind == RankOperation::Kind::COMPUTE)
        {
            return;
        }
        lastCall = std::max(lastCall, one.start);
    }

    void Ended(const OperationRecord& one)
    {
        if (one.call.kind == RankOperation::Kind::COMPUTE)
        {
            return;
        }
        lastEnd = std::max(lastEnd, one.end);
        record = one;
        messages = std::max(messages, one.messagesSent);
        bytes = std::max(bytes, one.bytesSent);
    }

    double GetSeconds() const
    {
        return (lastEnd - lastCall) / 1e12;
    }

    /** @return size / time, in GB/s */
    double GetAlgorithmBandwidth() const
    {
        return lastEnd == lastCall ? 0 : size / GetSeconds() / 1e9;
    }
};

/** What nccl-tests multiplies algorithm bandwidth by. */
double
BusFactor(CollectiveKind kind, double n)
{
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return 2 * (n - 1) / n;
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
    case CollectiveKind::ALL_TO_ALL:
        return (n - 1) / n;
    default:
        return 1;
    }
}

/** Gives each rank its program: the last one comes late. */
void
SetPrograms(CollectiveHelper& collectives, const Options& options, uint64_t size)
{
    std::vector<uint32_t> ranks(options.ranks);
    for (uint32_t r = 0; r < options.ranks; ++r)
    {
        ranks[r] = r;
    }
    const auto group = collectives.MakeGroup("all", ranks);
    for (uint32_t r = 0; r < options.ranks; ++r)
    {
        auto program = std::make_shared<RankProgram>();
        if (r + 1 == options.ranks && options.stragglerDelay.IsStrictlyPositive())
        {
            program->Compute(0, options.stragglerDelay.GetTimeStep(), "late");
        }
        const uint32_t call = program->Collective(0, 0, options.kind, size, options.algorithm);
        program->Edit(call).straggler = options.ranks - 1;
        collectives.SetProgram(r, program, {group});
    }
}

/** Half of the ports to the next rank, half to the one before. */
void
JoinRing(const Rail& rail, uint32_t ranks, uint32_t ports)
{
    for (uint32_t r = 0; r < ranks && (ranks > 2 || r == 0); ++r)
    {
        for (uint32_t p = 0; p<ports; p += ranks> 2 ? 2 : 1)
        {
            rail.GetOpticalSwitch()->Connect(rail.GetSwitchPort(r, ranks > 2 ? p + 1 : p),
                                             rail.GetSwitchPort((r + 1) % ranks, p));
        }
    }
}

/** An operation of one size, from 0 s on. */
class Operation
{
  public:
    /** Sets all up. @param options what @param size of the operation */
    Operation(const Options& options, uint64_t size);

    /** Runs until a first rank has found out whether all can do it. */
    void Rehearse() const;
    /** Draws it. @param timeline where */
    void Draw(TimelineRecorder& timeline) const;
    /** @return what became of it */
    Row Run();

  private:
    /** Makes the rail. */
    void InstallRail(const Options& options);
    /** Has ranks do their programs. */
    void InstallRanks(const Options& options, uint64_t size);

    NodeContainer m_gpus;
    Rail m_rail;
    ApplicationContainer m_applications;
    Row m_row;
    RailAudit m_audit;
};

Operation::Operation(const Options& options, uint64_t size)
    : m_gpus(options.ranks)
{
    m_row.size = size;
    InstallRail(options);
    InstallRanks(options, size);
    m_audit.Add(m_rail);
    m_audit.Add(m_applications);
}

void
Operation::InstallRail(const Options& options)
{
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    RailHelper& rails =
        options.railKind == "optical" ? static_cast<RailHelper&>(photonic) : electrical;
    rails.SetPorts(options.ports, options.portRate);
    photonic.SetSwitchAttribute("Radix", UintegerValue(options.ranks * options.ports));
    electrical.SetRadix(0); // one switch, with as many ports as it takes
    if (!options.reconfigurationWords.empty())
    {
        photonic.SetReconfigurationTime(options.reconfiguration);
    }
    m_rail = rails.Install(m_gpus);
    RdmaHelper rdma;
    rdma.SetAttribute("Mtu", UintegerValue(options.mtu));
    rdma.Install(m_gpus);
}

void
Operation::InstallRanks(const Options& options, uint64_t size)
{
    CollectiveHelper collectives;
    collectives.SetAttribute("MessageSize", UintegerValue(options.messageSize));
    collectives.SetAttribute("Fallback", BooleanValue(options.fallback));
    if (!options.reconfigurationWords.empty())
    {
        const auto links = std::make_shared<const RailLinks>(std::vector<Rail>{m_rail});
        collectives.SetBroker(CreateObject<InstantCircuits>(links));
    }
    else if (options.railKind == "optical")
    {
        JoinRing(m_rail, options.ranks, options.ports);
    }
    m_applications = collectives.Install(m_rail);
    for (uint32_t r = 0; r < options.ranks; ++r)
    {
        m_applications.Get(r)->TraceConnectWithoutContext("OperationStarted",
                                                          MakeCallback(&Row::Started, &m_row));
        m_applications.Get(r)->TraceConnectWithoutContext("OperationEnded",
                                                          MakeCallback(&Row::Ended, &m_row));
    }
    SetPrograms(collectives, options, size);
}

void
Operation::Rehearse() const
{
    const auto stop = +[](const OperationRecord&) { Simulator::Stop(); };
    m_applications.Get(0)->TraceConnectWithoutContext("OperationStarted", MakeCallback(stop));
    Simulator::Run();
}

void
Operation::Draw(TimelineRecorder& timeline) const
{
    timeline.Add(m_applications);
    timeline.Add(m_rail);
}

Row
Operation::Run()
{
    Scenario::Simulate();
    m_audit.Require();
    m_row.frames = m_audit.GetTotals().framesSent;
    m_row.trains = GetTrainsOf(m_rail);
    Simulator::Destroy();
    return m_row;
}

void
PrintHead(const Options& options)
{
    std::cout << options.collective << " of " << options.ranks << " ranks, " << options.railKind
              << " rail, " << options.ports << " ports of " << options.portRate.GetBitRate() / 1e9
              << " Gb/s a GPU" << std::endl
              << std::endl
              << "        size         count        time    algbw    busbw  algorithm" << std::endl
              << "         (B)      (floats)        (us)   (GB/s)   (GB/s)" << std::endl;
}

void
PrintRow(const Options& options, const Row& row)
{
    const double algorithm = row.GetAlgorithmBandwidth();
    std::cout << std::fixed << std::setw(12) << row.size << std::setw(14) << row.size / 4
              << std::setprecision(2) << std::setw(12) << row.GetSeconds() * 1e6 << std::setw(9)
              << algorithm << std::setw(9) << algorithm * BusFactor(options.kind, options.ranks)
              << "  " << row.record.algorithm
              << (row.record.fellBack ? " (fallback: " + row.record.why + ")" : "") << std::endl;
}

void
WriteRow(JsonWriter& json, const Options& options, const Row& row)
{
    json.Field("collective", options.collective);
    json.Field("algorithm", row.record.algorithm);
    json.Field("fallback", row.record.fellBack);
    json.Field("ranks", options.ranks);
    json.Field("bytes", row.size);
    json.Field("time_s", row.GetSeconds());
    json.Field("time_ps", row.lastEnd - row.lastCall);
    json.Field("since_first_call_s", row.lastEnd / 1e12);
    json.Field("algbw_gbytes_s", row.GetAlgorithmBandwidth());
    json.Field("busbw_gbytes_s",
               row.GetAlgorithmBandwidth() * BusFactor(options.kind, options.ranks));
    json.Field("rounds", row.record.rounds);
    json.Field("messages_per_rank", row.messages);
    json.Field("bytes_per_rank", row.bytes);
    json.Field("frames", row.frames);
}

/** Runs one size after the other. */
void
RunAll(Scenario& scenario, const Options& options)
{
    RailNetDevice::Trains trains;
    for (const uint64_t size : options.sizes)
    {
        Scenario::Say(std::to_string(size) + " bytes of " + std::to_string(options.ranks) +
                      " ranks");
        Operation operation(options, size);
        if (size == options.sizes.back()) // each begins at 0 s: they would lie on each other
        {
            operation.Draw(scenario.GetTimeline());
        }
        const Row row = operation.Run();
        if (scenario.PrintsTables())
        {
            PrintRow(options, row);
        }
        scenario.AddRow("rows", [&](JsonWriter& json) { WriteRow(json, options, row); });
        trains.Add(row.trains);
    }
    scenario.Write([&trains](JsonWriter& json) { WriteFidelity(json, trains); });
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario);
    return scenario.Run(argc, argv, [&] {
        options.Complete(scenario);
        Scenario::Rehearse([&options] {
            auto largest = std::make_unique<Operation>(options, options.sizes.back());
            largest->Rehearse();
            return largest;
        });
        scenario.Begin();
        if (scenario.PrintsTables())
        {
            PrintHead(options);
        }
        RunAll(scenario, options);
    });
}
