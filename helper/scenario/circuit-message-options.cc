/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-message-options.h"

#include "scenario-options.h"

#include "ns3/message-frames.h"
#include "ns3/option-value.h"

#include <map>

namespace ns3
{

namespace
{

const std::map<std::string, RdmaVerb> VERBS{
    {"write", RdmaVerb::WRITE},
    {"write-with-immediate", RdmaVerb::WRITE_WITH_IMMEDIATE},
    {"send", RdmaVerb::SEND},
};

} // namespace

void
CircuitMessageOptions::Add(ScenarioOptions& options)
{
    options.Add("bytes", "Bytes of the message, 0 or more", bytes).Between(0, 1ULL << 40);
    options.Add("mtu", "Payload of a frame at most: 256, 512, 1024, 2048 or 4096 bytes", mtu);
    options.Add("rate", "Rate of the NIC ports, such as 100Gbps", rate);
    options.Add("fiber-delay",
                "Time light takes from a NIC to the switch, such as 98ns",
                fiberDelay);
    options
        .Add("ack-every",
             "Frames between two requests for an acknowledgement; the last frame asks anyway",
             ackEvery)
        .Between(1, 1 << 22);
    options.Add("cut-at", "When the circuit goes down, such as 10us; 0: never", cutAt);
    options.Add("cut-for", "How long it is down, such as 25us; 0: for good", cutFor);
    options.Add("trace-at",
                "When a trace source that fires for every frame of host 0 is connected, so that "
                "each needs an event; 0: never",
                traceAt);
    options.Add("trace-for", "How long it is connected; 0: for good", traceFor);
    options
        .Add("timeout-exponent",
             "The timer runs out after 4.096 us * 2^this, 0 to 31",
             timeoutExponent)
        .Between(0, 31);
    options.Add("verb", "How it is sent", verb)
        .OneOf({"write", "write-with-immediate", "send"}, "verb");
    capture.Add(options,
                "Prefix of capture files for Wireshark, one for each NIC port; without it none");
}

void
CircuitMessageOptions::Check(ScenarioOptions& options) const
{
    options.Require(MessageFrames::IsMtu(mtu), "mtu", "RoCEv2 knows 256, 512, 1024, 2048 and 4096");
    options.Require(cutFor.IsZero() || !cutAt.IsZero(),
                    "cut-for",
                    "say with --cut-at when the circuit goes down");
    options.Require(traceFor.IsZero() || !traceAt.IsZero(),
                    "trace-for",
                    "say with --trace-at when the trace is connected");
    options.Require(GetClosedForm().GetTime() - 2 * fiberDelay <= Seconds(1e6),
                    "bytes",
                    "it takes more than 1000000 s at --rate=" + ToOption(rate));
    capture.Check(options, bytes);
}

RdmaVerb
CircuitMessageOptions::GetVerb() const
{
    return VERBS.at(verb);
}

MessageClosedForm
CircuitMessageOptions::GetClosedForm() const
{
    return {bytes, mtu, GetVerb(), rate, fiberDelay};
}

} // namespace ns3
