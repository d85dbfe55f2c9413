/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A collective operation on a rail, size by size: the table that users of nccl-tests know.
//
//     rank 0 ---+                          one GPU a server, all on one rail, --ports NIC ports
//     each rank 1 ---+  box in the middle
//      ...      |  electrical: a packet switch with a way from each to each
//     rank n ---+  optical: circuits that stay, a ring: half of the ports to the next rank, half to
//                  the one before; or with --reconfiguration=TIME circuits that are turned for each
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
#include <sstream>
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
    std::string reconfiguration;
    std::string messageSize{"1M"};
    uint32_t mtu{4096};
    Time stragglerDelay{0};
    bool fallback{true};
    std::string least{"1M"};
    std::string most{"1G"};
    uint32_t factor{2};

    // what follows from these
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t messageBytes{0};
    std::vector<uint64_t> sizes;

    /** Adds the options to a command line. */
    void Add(CommandLine& cmd);
    /** Works out what follows. @return what is wrong; empty if nothing is */
    std::string Complete();
};

void
Options::Add(CommandLine& cmd)
{
    std::string kinds;
    for (const CollectiveKind one : GetCollectiveKinds())
    {
        kinds += (kinds.empty() ? "" : ", ") + std::string(ToString(one));
    }
    cmd.AddValue("collective", "What the ranks do: " + kinds, collective);
    cmd.AddValue("algorithm", "How, by name; empty: what is fastest", algorithm);
    cmd.AddValue("ranks", "GPUs, each on a server of its own", ranks);
    cmd.AddValue("ports", "NIC ports of a GPU", ports);
    cmd.AddValue("port-rate", "Rate of a port, such as 200Gbps", portRate);
    cmd.AddValue("rail-kind", "The box in the middle: optical or electrical", railKind);
    cmd.AddValue("reconfiguration",
                 "Optical: how long a circuit takes to turn, such as 10us; empty: none turns",
                 reconfiguration);
    cmd.AddValue("message-size", "Bytes of a message at most, such as 1M", messageSize);
    cmd.AddValue("mtu", "Payload of a frame: 256, 512, 1024, 2048 or 4096", mtu);
    cmd.AddValue("straggler-delay", "How much later the last rank calls", stragglerDelay);
    cmd.AddValue("fallback",
                 "Whether another algorithm may run where circuits are missing",
                 fallback);
    cmd.AddValue("min", "The first size, such as 1M", least);
    cmd.AddValue("max", "Sizes up to this one", most);
    cmd.AddValue("factor", "From a size to the next", factor);
}

std::string
Options::Complete()
{
    std::ostringstream why;
    const auto found = FindCollectiveKind(collective);
    const auto first = ParseByteSize(least);
    const auto last = ParseByteSize(most);
    const auto message = ParseByteSize(messageSize);
    if (!found)
    {
        why << "--collective=" << collective << ": --help lists those there are";
    }
    else if (*found == CollectiveKind::ALL_TO_ALL_V)
    {
        why << "--collective=all-to-all-v needs a demand matrix: write a script";
    }
    else if (!algorithm.empty() && CollectiveAlgorithm::Find(*found, algorithm) == nullptr)
    {
        why << "--algorithm=" << algorithm << ": for " << collective << " there are";
        for (const CollectiveAlgorithm* one : CollectiveAlgorithm::GetAll(*found))
        {
            why << " " << one->name;
        }
    }
    else if (ranks < 2 || ranks > 512 || (*found == CollectiveKind::SEND_RECV && ranks != 2))
    {
        why << "--ranks=" << ranks << ": give 2 to 512, and 2 for send-recv";
    }
    else if (ports < 1 || ports > 16)
    {
        why << "--ports=" << ports << ": give 1 to 16";
    }
    else if (railKind != "optical" && railKind != "electrical")
    {
        why << "--rail-kind=" << railKind << ": give optical or electrical";
    }
    else if (railKind == "electrical" && !reconfiguration.empty())
    {
        why << "--reconfiguration=" << reconfiguration << ": an electrical rail has no circuits";
    }
    else if (railKind == "optical" && reconfiguration.empty() && ranks > 2 && ports % 2 != 0)
    {
        why << "--ports=" << ports << ": a ring of circuits takes an even number of ports";
    }
    else if (!message || *message == 0)
    {
        why << "--message-size=" << messageSize << ": give bytes, such as 1M";
    }
    else if (!first || !last || *first == 0 || *first > *last || factor < 2)
    {
        why << "--min=" << least << " --max=" << most << " --factor=" << factor
            << ": give sizes such as 1M, the first the smaller, and a factor of 2 or more";
    }
    if (!why.str().empty())
    {
        return why.str();
    }
    kind = *found;
    messageBytes = *message;
    for (uint64_t size = *first; size <= *last && size >= *first; size *= factor)
    {
        sizes.push_back(kind == CollectiveKind::BARRIER ? 0 : size);
    }
    sizes.resize(kind == CollectiveKind::BARRIER ? 1 : sizes.size());
    return "";
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

Row
RunOne(const Options& options, uint64_t size, TimelineRecorder& timeline)
{
    NodeContainer gpus(options.ranks);
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    RailHelper& rails =
        options.railKind == "optical" ? static_cast<RailHelper&>(photonic) : electrical;
    rails.SetPorts(options.ports, options.portRate);
    photonic.SetSwitchAttribute("Radix", UintegerValue(options.ranks * options.ports));
    electrical.SetRadix(0); // one switch, with as many ports as it takes
    if (!options.reconfiguration.empty())
    {
        photonic.SetReconfigurationTime(Time(options.reconfiguration));
    }
    const Rail rail = rails.Install(gpus);
    RdmaHelper rdma;
    rdma.SetAttribute("Mtu", UintegerValue(options.mtu));
    rdma.Install(gpus);

    CollectiveHelper collectives;
    collectives.SetAttribute("MessageSize", UintegerValue(options.messageBytes));
    collectives.SetAttribute("Fallback", BooleanValue(options.fallback));
    if (!options.reconfiguration.empty())
    {
        const auto links = std::make_shared<const RailLinks>(std::vector<Rail>{rail});
        collectives.SetBroker(CreateObject<InstantCircuits>(links));
    }
    else if (options.railKind == "optical")
    {
        JoinRing(rail, options.ranks, options.ports);
    }
    const ApplicationContainer applications = collectives.Install(rail);
    Row row;
    row.size = size;
    for (uint32_t r = 0; r < options.ranks; ++r)
    {
        applications.Get(r)->TraceConnectWithoutContext("OperationStarted",
                                                        MakeCallback(&Row::Started, &row));
        applications.Get(r)->TraceConnectWithoutContext("OperationEnded",
                                                        MakeCallback(&Row::Ended, &row));
    }
    SetPrograms(collectives, options, size);
    if (size == options.sizes.back()) // each size begins at 0 s: they would lie on each other
    {
        timeline.Add(applications);
        timeline.Add(rail);
    }
    RailAudit audit;
    audit.Add(rail);
    audit.Add(applications);
    Simulator::Run();
    audit.Require();
    row.frames = audit.GetTotals().framesSent;
    row.trains = GetTrainsOf(rail);
    Simulator::Destroy();
    return row;
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
    json.BeginObject();
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
    json.EndObject();
}

} // namespace

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    Options options;
    ScenarioOutput output;
    TimelineRecorder timeline;
    CommandLine cmd(__FILE__);
    options.Add(cmd);
    AddFidelityOption(cmd);
    output.AddOptions(cmd);
    timeline.AddOptions(cmd);
    cmd.Parse(argc, argv);
    const std::string mistake = options.Complete();
    if (!mistake.empty())
    {
        std::cerr << "rail-collective: " << mistake << std::endl;
        return 2;
    }
    output.Check();
    timeline.Check();

    std::vector<Row> rows;
    if (output.IsTerminalForPeople())
    {
        PrintHead(options);
    }
    for (const uint64_t size : options.sizes)
    {
        rows.push_back(RunOne(options, size, timeline));
        if (output.IsTerminalForPeople())
        {
            PrintRow(options, rows.back());
        }
    }
    output.Write([&](JsonWriter& json) {
        RailNetDevice::Trains trains;
        json.BeginArray("rows");
        for (const Row& row : rows)
        {
            WriteRow(json, options, row);
            trains.frames += row.trains.frames;
            trains.boarded += row.trains.boarded;
            trains.left += row.trains.left;
            trains.refused += row.trains.refused;
        }
        json.EndArray();
        WriteFidelity(json, trains);
    });
    return 0;
}
