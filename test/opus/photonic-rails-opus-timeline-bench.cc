/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-opus-timeline-bench.h"

#include "../support/photonic-rails-opus-bench.h"
#include "../support/photonic-rails-timeline-file.h"

#include "ns3/collective-kind.h"
#include "ns3/ocs-agent.h"
#include "ns3/opus-control-plane.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-endpoint.h"
#include "ns3/opus-helper.h"
#include "ns3/opus-shim-app.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rank-program.h"
#include "ns3/timeline-recorder.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

OpusCase
GivenUp()
{
    OpusCase one;
    one.loss = 0.1;
    one.adjust = [](OpusHelper& helper) {
        helper.SetShimAttribute("MostAttempts", UintegerValue(1));
        helper.SetControllerAttribute("MostAttempts", UintegerValue(1));
        helper.SetAgentAttribute("MostAttempts", UintegerValue(1));
    };
    return one;
}

TimelineScenario::TimelineScenario(OpusCase one)
{
    one.servers = 4;
    bench = std::make_unique<OpusBench>(one);
    const auto all = bench->MakeGroup("dp 0", {0, 1, 2, 3});
    const auto even = bench->MakeGroup("pp 0", {0, 2});
    const auto odd = bench->MakeGroup("pp 1", {1, 3});
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        auto program = std::make_shared<RankProgram>();
        for (uint32_t iteration = 0; iteration < 3; ++iteration)
        {
            program->BeginIteration();
            program->Compute(0, ToTime(7'000'003 * (rank + 1)));
            rank < 2 ? program->Send(0, 1, 1, 1 << 20) : program->Receive(0, 1, 0, 1 << 20);
            program->Compute(0, ToTime(11'000'001 * (rank + 1)));
            program->Collective(0, 0, CollectiveKind::ALL_REDUCE, 1 << 20, "ring");
            program->Collective(0, 0, CollectiveKind::ALL_GATHER, 1 << 20, "ring");
        }
        bench->SetProgram(rank, program, {all, rank % 2 == 0 ? even : odd});
    }
    for (const Ptr<OpusShimApp>& shim : bench->plane.shims)
    {
        Listen(shim, "server " + std::to_string(shim->GetServer().Get()) + " shim");
    }
    for (std::size_t rail = 0; rail < bench->plane.agents.size(); ++rail)
    {
        Listen(bench->plane.agents[rail], "rail " + std::to_string(rail) + " agent");
    }
    Listen(bench->plane.controller, "controller");
    Listen(bench->plane.standby, "standby");
}

TimelineScenario::~TimelineScenario() = default;

void
TimelineScenario::Run(const std::string& file, Time stop)
{
    const auto timeline = file.empty() ? std::make_unique<TimelineRecorder>() // which is off
                                       : std::make_unique<TimelineRecorder>(file);
    timeline->Add(bench->applications);
    timeline->Add(bench->plane);
    timeline->Add(bench->rails);
    findings = bench->Run(stop);
    end = NowPicoseconds();
    timeline->Finish();
}

std::vector<TimedMessage>
TimelineScenario::GetReceived(OpusMessage::Type type) const
{
    std::vector<TimedMessage> some;
    std::copy_if(received.begin(),
                 received.end(),
                 std::back_inserter(some),
                 [type](const TimedMessage& timed) { return timed.message.GetType() == type; });
    return some;
}

void
TimelineScenario::Listen(const Ptr<OpusEndpoint>& endpoint, const std::string& who)
{
    if (endpoint)
    {
        endpoint->TraceConnectWithoutContext("MessageSent",
                                             MakeCallback(&TimelineScenario::Sent, this).Bind(who));
        endpoint->TraceConnectWithoutContext(
            "MessageReceived",
            MakeCallback(&TimelineScenario::Received, this).Bind(who));
    }
}

void
TimelineScenario::Sent(std::string who, const OpusMessage& message, const OpusPeer&)
{
    sent.push_back({who, message, NowPicoseconds()});
}

void
TimelineScenario::Received(std::string who, const OpusMessage& message, const OpusPeer&)
{
    received.push_back({who, message, NowPicoseconds()});
}

Drawn
Collect(const ReadFile& file, const std::string& process, const std::string& track)
{
    Drawn drawn;
    for (const auto& [where, slices] : file.slices)
    {
        if (where.first.find(process) != std::string::npos && where.second.rfind(track, 0) == 0)
        {
            for (const ReadSlice& slice : slices)
            {
                drawn.emplace(where.first,
                              where.second.substr(0, where.second.find(" (")),
                              slice.name,
                              slice.start,
                              slice.end);
            }
        }
    }
    return drawn;
}

std::string
Difference(const Drawn& drawn, const Drawn& expected)
{
    const auto words = [](const Drawn& from, const Drawn& without, const char* what) {
        for (const auto& one : from)
        {
            if (without.count(one) != from.count(one))
            {
                const auto& [process, track, name, start, end] = one;
                return what + process + ", " + track + ": " + name + " " + std::to_string(start) +
                       " to " + std::to_string(end) + "\n";
            }
        }
        return std::string();
    };
    return words(drawn, expected, "drawn as often as it should not be: ") +
           words(expected, drawn, "missing: ");
}

} // namespace ns3
