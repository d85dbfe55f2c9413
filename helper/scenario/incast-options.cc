/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "incast-options.h"

#include "scenario-options.h"

#include "ns3/congestion-control-names.h"
#include "ns3/option-value.h"

namespace ns3
{

namespace
{

__extension__ using Wide = unsigned __int128;

} // namespace

void
IncastOptions::Add(ScenarioOptions& options)
{
    options.Add("senders", "How many write to one receiver, 1 to 1000", senders).Between(1, 1000);
    options.Add("bytes", "Bytes that each of them writes, in one message", bytes)
        .Between(1, 1ULL << 40);
    options.Add("rate", "Rate of all ports, such as 400Gbps", rate);
    options.Add("pfc",
                "Whether the switch pauses senders when memory is short; else it drops frames",
                pfc);
    options.Add("congestion", "What senders do by themselves", congestion)
        .OneOf(GetCongestionControlAliases());
    options.Add("ecn", "Whether the switch marks frames when a queue is long", ecn);
    const uint64_t largest = 1ULL << 36; // 64 GiB: more than any switch has
    options
        .Add("ecn-kmin",
             "Bytes in a queue up to which nothing is marked; 0: 4 kB for each Gb/s",
             ecnKmin)
        .Between(0, largest);
    options
        .Add("ecn-kmax",
             "Bytes in a queue beyond which all is marked; 0: 16 kB for each Gb/s",
             ecnKmax)
        .Between(0, largest);
    options.Add("buffer", "Memory of the switch, in bytes", buffer).Between(1, largest);
}

void
IncastOptions::Check(ScenarioOptions& options) const
{
    options.Require((ecnKmin == 0) == (ecnKmax == 0) && ecnKmin <= ecnKmax,
                    "ecn-kmin",
                    "with --ecn-kmax=" + std::to_string(ecnKmax) +
                        ": give both, in bytes, the first the smaller; or neither");
    // every frame has events of its own, two million a second; a plot keeps each change
    const bool isPlotted = options.IsGiven("plot");
    const uint64_t frames = senders * ((bytes - 1) / MTU + 1);
    const uint64_t most = isPlotted ? 10'000'000 : 10'000'000'000;
    options.Require(frames <= most,
                    "bytes",
                    "that is " + std::to_string(frames) + " frames, of which each has events" +
                        (isPlotted ? ", and --plot keeps each" : "") +
                        "; give senders and "
                        "bytes that come to " +
                        std::to_string(most) + " frames or less");
    const uint64_t longest = 1'000'000; // seconds
    options.Require(Wide{8} * bytes * senders / rate.GetBitRate() < longest,
                    "bytes",
                    "all together take more than 1000000 s at --rate=" + ToOption(rate));
}

} // namespace ns3
