/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-controller-bench.h"
#include "opus-schedule-file.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/recorded-schedule.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;
using Type = OpusMessage::Type;

/** @return settings with a policy */
ControllerSettings
With(const std::string& policy)
{
    ControllerSettings settings;
    settings.policy = MakePolicyFactory(policy);
    return settings;
}

} // namespace

TEST(OpusPoliciesAtController, ARotorGrantsAPhaseInItsSlot)
{
    UsePicoseconds();
    // of 6 servers with 2 ports, slot 0 joins neighbours, slot 1 those two apart
    Bench bench(6, 1, 2, With("rotor:1ms"));
    Bench::Outbox outbox = bench.RequestBoth(0, 2, Bench::Send(0, 2));
    EXPECT_EQ(Bench::Count(outbox, Type::PROGRAM), 1) << "it begins with slot 0";
    outbox = bench.AnswerAll(outbox);
    EXPECT_EQ(Bench::Count(outbox, Type::GRANT), 0);
    EXPECT_EQ(bench.Core().GetNextDeadline(), 1'000'000'000);
    bench.now = 1'000'000'000;
    outbox = bench.AnswerAll(bench.Core().TimePassed(bench.now));
    const auto grants = Bench::Select<OpusGrant>(outbox);
    ASSERT_EQ(grants.size(), 2);
    ASSERT_EQ(grants[0].circuits.size(), 1);
    EXPECT_EQ(std::minmax(grants[0].circuits[0].one, grants[0].circuits[0].other),
              std::minmax(RankId(0), RankId(2)));
    // a ring of strides 1 and 2 is refused at once, as it never has its slot
    const std::vector<JoinedRanks> ring = MakeRingOf({RankId(1), RankId(3), RankId(4)});
    for (const uint32_t server : {1, 3, 4})
    {
        bench.Register(server, 1, {RankId(1), RankId(3), RankId(4)}, "dp 0");
    }
    bench.Request(1, Bench::Operation(1, 0), ring);
    bench.Request(3, Bench::Operation(1, 0), ring);
    outbox = bench.Request(4, Bench::Operation(1, 0), ring);
    ASSERT_EQ(Bench::Count(outbox, Type::REFUSE), 3);
    EXPECT_NE(Bench::Select<OpusRefuse>(outbox)[0].reason.find("no slot of the rotation"),
              std::string::npos);
}

TEST(OpusPoliciesAtController, WhatOneControllerGrantedAnotherGrantsFromTheFile)
{
    const OpusScheduleFile file;
    std::mt19937 random(1);
    std::vector<std::pair<uint32_t, uint32_t>> sends; // senders and receivers, in order
    for (uint32_t i = 0; i < 60; ++i)
    {
        const uint32_t from = random() % 5;
        sends.emplace_back(from,
                           (from + 1 + random() % 4) % 5); // the sixth server is another job's
    }
    std::map<std::string, RecordedSchedule> plans;
    for (const std::string& policy : {std::string("on-demand"), file.GetPolicy()})
    {
        Bench bench(6, 2, 3, With(policy));
        RecordedSchedule& plan = plans[policy];
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> operations;
        for (const auto& [from, to] : sends)
        {
            const OpusPhase phase = Bench::Send(from, to, operations[{from, to}]++);
            const Bench::Outbox outbox = bench.AnswerAll(bench.RequestBoth(from, to, phase));
            for (const auto& grant : Bench::Select<OpusGrant>(outbox))
            {
                plan.Add(grant.phase, grant.circuits); // each server has its own piece
            }
            bench.Release(from, phase, bench.Between(from, to));
            bench.Release(to, phase, bench.Between(from, to));
        }
        EXPECT_EQ(plan.GetPhases().size(), sends.size());
        std::ofstream out(file.GetPath());
        plan.Write(out);
    }
    EXPECT_TRUE(plans.begin()->second == plans.rbegin()->second);
    EXPECT_EQ(plans.begin()->second.GetPhases().begin()->second.size(), 6) << "3 ports on 2 rails";
}

TEST(OpusPoliciesAtController, ARecordedScheduleOfOneTopologyIsGrantedForGood)
{
    const OpusScheduleFile file("start : 0.0-1.0 1.1-2.1\n");
    ControllerSettings settings = With(file.GetPolicy());
    settings.demands.emplace_back(); // job 0, of which nothing is known
    Bench bench(4, 1, 2, settings);
    bench.AnswerAll(bench.Core().Start(0));
    const Bench::Outbox outbox = bench.RequestBoth(1, 2, Bench::Send(1, 2, 3));
    const auto grants = Bench::Select<OpusGrant>(outbox);
    ASSERT_EQ(grants.size(), 2) << "at once: its circuits stand";
    EXPECT_EQ(grants[0].until, UINT64_MAX);
    EXPECT_EQ(Bench::Count(bench.RequestBoth(0, 2, Bench::Send(0, 2)), Type::REFUSE), 2);
}
