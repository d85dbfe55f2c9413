/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-options.h"

#include "fidelity-option.h"
#include "scenario-options.h"

#include "ns3/collective-algorithm.h"
#include "ns3/collective-application.h"
#include "ns3/known-names.h"
#include "ns3/message-frames.h"
#include "ns3/option-value.h"

#include <algorithm>

namespace ns3
{

void
CollectiveOptions::Add(ScenarioOptions& options)
{
    std::vector<std::string> kinds;
    for (const CollectiveKind one : GetCollectiveKinds())
    {
        kinds.emplace_back(ToString(one));
    }
    const uint64_t largest = 1ULL << 40;
    options.Add("collective", "What the ranks do", collective).OneOf(kinds, "collective");
    options.Add("algorithm", "How, by name; auto: what is fastest", algorithm);
    options.Add("ranks", "GPUs", ranks).Between(2, 512);
    options.Add("scale-up-size", "GPUs of a server, each on a rail of its own", scaleUpSize)
        .Between(1, 72);
    options.Add("ports", "NIC ports of a GPU", ports).Between(1, 16);
    options.Add("port-rate", "Rate of a port, such as 200Gbps", portRate);
    options
        .Add("channels",
             "Equal parts of the buffer that go side by side; 0: as many as ports, and as rings on "
             "all rails take",
             channels)
        .Between(0, 1024);
    options.Add("rail-kind", "The switch in the middle", railKind)
        .OneOf({"optical", "electrical"}, "kind of rail");
    options.Add("reconfiguration",
                "Optical: reconfiguration time, such as 10us; none: circuits stay",
                reconfigurationWords);
    noise.Add(options);
    options.Add("message-size", "Bytes of a message at most, such as 1M", messageSize)
        .Between(1, largest);
    options.Add("mtu", "Payload of a frame: 256, 512, 1024, 2048 or 4096", mtu);
    options.Add("straggler-delay", "How much later the last rank calls", stragglerDelay);
    options.Add("fallback",
                "Whether another algorithm may run where circuits are missing",
                fallback);
    options.Add("multi-hop",
                "Whether ranks forward along circuits that stay, so that any algorithm runs on a "
                "ring",
                multiHop);
    options.Add("matrix",
                "All collectives and algorithms, with 1, 2 and 4 ports, on each kind of rail, of "
                "--min bytes",
                matrix);
    times.Add(options);
    options.Add("min", "The first size, such as 1M", least).Between(1, largest);
    options.Add("max", "Sizes up to this one", most).Between(1, largest);
    options.Add("factor", "From a size to the next", factor).Between(2, 1 << 20);
}

void
CollectiveOptions::Complete(ScenarioOptions& options)
{
    times.Complete(options);
    CompleteMatrix(options);
    CheckServers(options);
    CompleteNames(options);
    CompleteRail(options);
    CompleteSizes(options);
    CheckWaits(options);
    CheckEffort(options);
}

void
CollectiveOptions::CompleteMatrix(const ScenarioOptions& options)
{
    if (!matrix)
    {
        return;
    }
    for (const char* one : {"collective",
                            "algorithm",
                            "ports",
                            "rail-kind",
                            "scale-up-size",
                            "fallback",
                            "multi-hop",
                            "max",
                            "factor"})
    {
        options.Require(!options.IsGiven(one), one, "--matrix has a value of its own for it");
    }
    const uint32_t mostRanks = 32; // all-to-all by direct sends has a queue pair for each two
    options.Require(ranks <= mostRanks,
                    "ranks",
                    "with --matrix give " + std::to_string(mostRanks) + " or fewer");
    most = least;
    if (!Reconfigures())
    {
        reconfigurationWords = "10us";
    }
}

void
CollectiveOptions::CompleteNames(const ScenarioOptions& options)
{
    kind = *FindCollectiveKind(collective);
    options.Require(kind != CollectiveKind::ALL_TO_ALL_V,
                    "collective",
                    "it needs a demand matrix: write a script");
    if (algorithm == "auto")
    {
        algorithm.clear();
    }
    else
    {
        std::vector<std::string> names{"auto"};
        // a ring of sends is called as a group of sends
        const CollectiveKind called = IsSendReceive() ? CollectiveKind::ALL_TO_ALL_V : kind;
        for (const CollectiveAlgorithm* one : CollectiveAlgorithm::GetAll(called))
        {
            names.push_back(one->name);
        }
        const auto known = FindKnownName(algorithm, names, "algorithm for " + collective);
        options.Require(known.why.empty(), "algorithm", known.why);
        algorithm = known.name == "auto" ? "" : known.name;
    }
}

void
CollectiveOptions::CheckServers(const ScenarioOptions& options) const
{
    options.Require(ranks % scaleUpSize == 0 && ranks > scaleUpSize,
                    "scale-up-size",
                    std::to_string(ranks) +
                        " ranks do not fill 2 or more servers of that size; give --ranks=" +
                        std::to_string(std::max(2U, ranks / scaleUpSize) * scaleUpSize));
}

uint32_t
CollectiveOptions::GetServers() const
{
    return ranks / scaleUpSize;
}

bool
CollectiveOptions::IsSendReceive() const
{
    return kind == CollectiveKind::SEND_RECV && !matrix;
}

uint32_t
CollectiveOptions::GetChannels() const
{
    // in both directions a ring on each rail and two ports
    const uint32_t ofRings = algorithm == "rail-rings" ? std::max(2U, ports) * scaleUpSize : 0;
    return channels > 0 ? channels : ofRings;
}

void
CollectiveOptions::CompleteRail(const ScenarioOptions& options)
{
    options.Require(MessageFrames::IsMtu(mtu), "mtu", "RoCEv2 knows 256, 512, 1024, 2048 and 4096");
    if (Reconfigures())
    {
        options.Require(IsOptical(), "reconfiguration", "an electrical rail has no circuits");
        const OptionValue<Time> time = ParseTime(reconfigurationWords);
        options.Require(time.why.empty(), "reconfiguration", time.why);
        reconfiguration = time.value;
    }
    options.Require(!noise.IsMeasured() || Reconfigures(),
                    "noise",
                    "only reconfiguration times vary in a collective; give --reconfiguration=10us");
    options.Require(!multiHop || (IsOptical() && !Reconfigures()),
                    "multi-hop",
                    "it is for circuits that stay: give --rail-kind=optical and no "
                    "--reconfiguration");
    if (IsOptical() && !Reconfigures())
    {
        const std::string why = GetWhyNoStandingCircuits();
        options.Require(why.empty(), "ports", why);
    }
}

void
CollectiveOptions::CompleteSizes(const ScenarioOptions& options)
{
    options.Require(least <= most, "min", "it is more than --max=" + std::to_string(most));
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
CollectiveOptions::CheckWaits(const ScenarioOptions& options) const
{
    TypeId::AttributeInformation stall;
    CollectiveApplication::GetTypeId().LookupAttributeByName("StallLimit", &stall);
    const Time limit = DynamicCast<const TimeValue>(stall.initialValue)->Get();
    options.Require(reconfiguration <= Seconds(3000), "reconfiguration", "give 3000s or less");
    const Time wait = reconfiguration + stragglerDelay;
    const std::string longer =
        reconfiguration > stragglerDelay ? "reconfiguration" : "straggler-delay";
    options.Require(wait.IsZero() || wait < limit,
                    longer,
                    "ranks that wait so long give up (ns3::CollectiveApplication::StallLimit is " +
                        ToOption(limit) + ")");
}

void
CollectiveOptions::CheckEffort(const ScenarioOptions& options) const
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
    const bool areEvents = !IsOptical() || GetFidelity() == "events";
    options.Require(!areEvents || frames <= mostFrames,
                    "max",
                    "that is more than 10000000000 frames, of which each has events; give smaller "
                    "sizes or fewer ranks");
    options.Require(ranks * largest / messageSize <= mostMessages,
                    "message-size",
                    "that is more than 100000000 messages at a time; give larger ones, smaller "
                    "sizes or fewer ranks");
    // at worst one port carries what all ranks send
    const double bytes = ranks * (largest + (largest / payload + ranks) * around);
    options.Require(8 * bytes / portRate.GetBitRate() <= longest,
                    "max",
                    "that may take more than 1000000 s at --port-rate=" + ToOption(portRate));
}

std::string
CollectiveOptions::GetWhyNoStandingCircuits() const
{
    return ports > 1 || GetServers() == 2
               ? ""
               : "a GPU with 1 port is on no ring of circuits that stay; give 2 ports or more, or "
                 "--reconfiguration=10us";
}

bool
CollectiveOptions::IsOptical() const
{
    return railKind == "optical";
}

bool
CollectiveOptions::Reconfigures() const
{
    return reconfigurationWords != "none";
}

} // namespace ns3
