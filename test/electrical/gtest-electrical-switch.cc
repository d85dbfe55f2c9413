/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The plain parts of the packet switch: memory, marks, forwarding, hashes, order of leaving.

#include "ns3/ecn-marking.h"
#include "ns3/flow-hash.h"
#include "ns3/forwarding-table.h"
#include "ns3/mac-number.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-egress.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

SharedBuffer::Settings
Lossy(uint64_t bytes, double alpha)
{
    SharedBuffer::Settings settings;
    settings.bytes = bytes;
    settings.alpha = alpha;
    settings.largestFrame = 1000;
    return settings;
}

WireFrame
Frame(uint8_t trafficClass, uint32_t wireBytes = 1020)
{
    WireFrame frame;
    frame.trafficClass = trafficClass;
    frame.wireBytes = wireBytes;
    return frame;
}

} // namespace

TEST(SharedBuffer, CongestedQueuesShareByChoudhuryAndHahne)
{
    for (const double alpha : {0.125, 0.5, 1.0, 2.0, 8.0})
    {
        for (uint32_t queues = 1; queues <= 5; ++queues)
        {
            const uint64_t pool = 10'000'000;
            SharedBuffer buffer(Lossy(pool, alpha), std::vector<uint64_t>(8, 0));
            for (bool any = true; any;)
            {
                any = false;
                for (uint32_t q = 0; q < queues; ++q)
                {
                    any = buffer.Admit(7, q, 0, 100) || any;
                }
            }
            const double share = alpha * pool / (1 + queues * alpha);
            for (uint32_t q = 0; q < queues; ++q)
            {
                EXPECT_NEAR(buffer.GetQueue(q, 0), share, 100 * (1 + alpha));
            }
            EXPECT_NEAR(pool - buffer.GetUsed(), pool / (1 + queues * alpha), 100.0 * (1 + queues));
            // one that is not congested still gets in
            EXPECT_TRUE(buffer.Admit(0, 7, 5, 100));
        }
    }
}

TEST(SharedBuffer, AFullPoolTakesNothingHoweverLargeAlpha)
{
    SharedBuffer buffer(Lossy(10'000, 1024), {0, 0});
    uint32_t stored = 0;
    while (buffer.Admit(0, 1, 0, 1000))
    {
        ++stored;
    }
    EXPECT_EQ(stored, 10U);
    buffer.Release(0, 1, 0, 1000);
    EXPECT_FALSE(buffer.Admit(0, 1, 0, 1001));
    EXPECT_TRUE(buffer.Admit(0, 1, 0, 1000));
    EXPECT_EQ(buffer.GetUsed(), 10'000U);
}

TEST(SharedBuffer, LosslessClassesPauseAtTheirLimitAndUseHeadroomBeyond)
{
    SharedBuffer::Settings settings = Lossy(20'000, 1);
    settings.lossless = 0x08;
    settings.hysteresis = 2'000;
    SharedBuffer buffer(settings, {5'000, 5'000});
    EXPECT_EQ(buffer.GetPool(), 10'000U);
    // k frames of 1000 fit while 1000 k <= 10000 - 1000 (k - 1)
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_TRUE(buffer.Admit(0, 1, 3, 1000));
        EXPECT_FALSE(buffer.MustPause(0, 3));
    }
    for (uint64_t i = 1; i <= 5; ++i)
    {
        EXPECT_TRUE(buffer.Admit(0, 1, 3, 1000));
        EXPECT_TRUE(buffer.MustPause(0, 3));
        EXPECT_EQ(buffer.GetInHeadroom(0, 3), 1000 * i);
    }
    EXPECT_FALSE(buffer.Admit(0, 1, 3, 1000)) << "the headroom is full";
    EXPECT_FALSE(buffer.MustPause(1, 3)) << "another port is not to blame";
    EXPECT_EQ(buffer.GetUsed(), 10'000U);
    EXPECT_EQ(buffer.GetPoolUsed(), 5'000U);
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_FALSE(buffer.MayGoOn(0, 3));
        buffer.Release(0, 1, 3, 1000);
    }
    EXPECT_EQ(buffer.GetInHeadroom(0, 3), 0U);
    // 5000 are in the pool, the limit is 5000; with 4000 it is 6000, which is 2000 more
    EXPECT_FALSE(buffer.MayGoOn(0, 3));
    buffer.Release(0, 1, 3, 1000);
    EXPECT_TRUE(buffer.MayGoOn(0, 3));
    EXPECT_EQ(buffer.GetIngress(0, 3), 4'000U);
    EXPECT_EQ(buffer.GetQueue(1, 3), 4'000U);
}

TEST(SharedBuffer, AnEmptyShareMayGoOnWhateverTheHysteresis)
{
    SharedBuffer::Settings settings = Lossy(3'000, 1);
    settings.lossless = 0x01;
    settings.hysteresis = 1'000'000;
    SharedBuffer buffer(settings, {1'000});
    while (!buffer.MustPause(0, 0))
    {
        ASSERT_TRUE(buffer.Admit(0, 0, 0, 500));
    }
    while (buffer.GetIngress(0, 0) > 0)
    {
        EXPECT_FALSE(buffer.MayGoOn(0, 0));
        buffer.Release(0, 0, 0, 500);
    }
    EXPECT_TRUE(buffer.MayGoOn(0, 0));
}

TEST(EcnMarking, NoneBelowAllAboveInProportionBetween)
{
    const EcnMarking marking(1'000, 2'000, 0.5);
    const uint64_t key = EcnMarking::KeyOf(1, 7);
    for (uint64_t n = 0; n < 1000; ++n)
    {
        EXPECT_FALSE(marking.IsMarked(key, n, 0));
        EXPECT_FALSE(marking.IsMarked(key, n, 1'000));
        EXPECT_TRUE(marking.IsMarked(key, n, 2'001));
        EXPECT_FALSE(EcnMarking().IsMarked(key, n, 1'000'000'000));
    }
    for (const uint64_t bytes : {1'001, 1'100, 1'500, 1'900, 2'000})
    {
        const int frames = 100'000;
        int marked = 0;
        for (int n = 0; n < frames; ++n)
        {
            marked += marking.IsMarked(key, n, bytes) ? 1 : 0;
        }
        const double share = 0.5 * (bytes - 1'000) / 1'000;
        EXPECT_NEAR(marked, frames * share, 4 * std::sqrt(frames * share * (1 - share)) + 1);
    }
}

TEST(EcnMarking, AStepIsKminEqualToKmax)
{
    const EcnMarking step(5'000, 5'000, 0.1);
    EXPECT_FALSE(step.IsMarked(1, 1, 5'000));
    EXPECT_TRUE(step.IsMarked(1, 1, 5'001));
    const EcnMarking always(0, 0, 1);
    EXPECT_FALSE(always.IsMarked(1, 1, 0));
    EXPECT_TRUE(always.IsMarked(1, 1, 1));
    const EcnMarking certain(0, 4'294'967'295, 1);
    EXPECT_TRUE(certain.IsMarked(1, 1, 4'294'967'295)) << "no overflow";
}

TEST(EcnMarking, QueuesDrawApart)
{
    const EcnMarking marking(0, 2, 1); // half of the frames at 1
    int same = 0;
    for (uint64_t n = 0; n < 1000; ++n)
    {
        same += marking.IsMarked(EcnMarking::KeyOf(1, 0), n, 1) ==
                        marking.IsMarked(EcnMarking::KeyOf(1, 1), n, 1)
                    ? 1
                    : 0;
    }
    EXPECT_NEAR(same, 500, 64);
}

TEST(ForwardingTable, FindsWhatWasAddedAndNothingElse)
{
    ForwardingTable table;
    std::vector<Mac48Address> addresses;
    const auto address = [](uint32_t i) {
        const uint8_t bytes[6] = {0,
                                  static_cast<uint8_t>(i % 3),
                                  static_cast<uint8_t>(i >> 24),
                                  static_cast<uint8_t>(i >> 16),
                                  static_cast<uint8_t>(i >> 8),
                                  static_cast<uint8_t>(i)};
        Mac48Address mac;
        mac.CopyFrom(bytes);
        return mac;
    };
    const ForwardingTable::Route even = table.AddRoute({PortId(2), PortId(4)});
    const ForwardingTable::Route odd = table.AddRoute({PortId(1)});
    EXPECT_EQ(table.Find(ToNumber(address(0))), ForwardingTable::NO_ROUTE);
    for (uint32_t i = 0; i < 10'000; ++i)
    {
        table.Add(address(i), i % 2 == 0 ? even : odd);
    }
    EXPECT_EQ(table.GetSize(), 10'000U);
    for (uint32_t i = 0; i < 10'000; ++i)
    {
        EXPECT_EQ(table.Find(ToNumber(address(i))), i % 2 == 0 ? even : odd);
    }
    for (uint32_t i = 10'000; i < 20'000; ++i)
    {
        EXPECT_EQ(table.Find(ToNumber(address(i))), ForwardingTable::NO_ROUTE);
    }
    table.Add(address(1), even);
    EXPECT_EQ(table.GetSize(), 10'000U) << "in place of what was there";
    EXPECT_EQ(table.GetPorts(table.Find(ToNumber(address(1)))).size(), 2U);
    EXPECT_TRUE(ForwardingTable::IsGroup(ToNumber(Mac48Address::GetBroadcast())));
    EXPECT_FALSE(ForwardingTable::IsGroup(ToNumber(address(5))));
    EXPECT_EQ(ToNumber(Mac48Address("01:02:03:04:05:06")), 0x010203040506U);
}

TEST(FlowHash, AFrameHashesAlikeAsHeadersAndAsBytes)
{
    WireFrame frame;
    frame.roce.sourceIp = 0x0a010203;
    frame.roce.destinationIp = 0x0a010204;
    frame.roce.sourcePort = 0xc123;
    frame.roce.opcode = RoceOpcode::SEND_ONLY;
    frame.roce.payload = 100;
    const std::vector<uint8_t> bytes =
        frame.roce.Serialize(Mac48Address("00:00:00:00:00:01"), Mac48Address("00:00:00:00:00:02"));
    WireFrame packet;
    packet.packet = Create<Packet>(bytes.data(), bytes.size());
    for (uint64_t seed = 0; seed < 10; ++seed)
    {
        EXPECT_EQ(FlowHash(frame, seed), FlowHash(packet, seed));
    }
    EXPECT_NE(FlowHash(frame, 1), FlowHash(frame, 2));
    // what differs from frame to frame does not count
    const uint64_t hash = FlowHash(frame, 5);
    frame.roce.psn = 77;
    frame.roce.payload = 1000;
    frame.roce.tos = 3;
    EXPECT_EQ(FlowHash(frame, 5), hash);
    frame.roce.sourcePort = 0xc124;
    EXPECT_NE(FlowHash(frame, 5), hash);
}

TEST(FlowHash, PathsAreUsedEvenly)
{
    for (const uint32_t paths : {1U, 2U, 3U, 7U, 32U})
    {
        std::map<uint32_t, int> used;
        for (uint32_t flow = 0; flow < 32'000; ++flow)
        {
            WireFrame frame;
            frame.roce.sourceIp = 0x0a000001 + flow / 100;
            frame.roce.destinationIp = 0x0a000101;
            frame.roce.sourcePort = flow % 100;
            ++used[PathOf(FlowHash(frame, 3), paths)];
        }
        EXPECT_EQ(used.size(), paths);
        for (const auto& [path, flows] : used)
        {
            const double mean = 32'000.0 / paths;
            EXPECT_LT(path, paths);
            EXPECT_NEAR(flows, mean, 5 * std::sqrt(mean));
        }
    }
}

TEST(SwitchEgress, ClassesFirstThenPortsInTurnFromTheLowestOnAnIdleWire)
{
    FrameStore store;
    SwitchEgress egress(1'000'000'000);
    std::map<uint32_t, uint32_t> ingressOf;
    const auto push = [&](uint32_t ingress, uint8_t trafficClass) {
        egress.Push(store, store.Put(Frame(trafficClass), ingress));
    };
    const auto next = [&](bool idle) {
        const SwitchEgress::Choice choice = egress.Choose(100, idle);
        EXPECT_EQ(choice.kind, SwitchEgress::Choice::FRAME);
        if (idle)
        {
            egress.ResetTurns();
        }
        const uint32_t number = egress.Take(choice, store);
        const uint32_t tag = store[number].frame.trafficClass * 100 + store[number].ingress;
        store.Free(number);
        return tag;
    };
    for (const uint32_t ingress : {9, 4, 7, 4, 9, 4})
    {
        push(ingress, 2);
    }
    push(5, 6);
    std::vector<uint32_t> order;
    for (int i = 0; i < 3; ++i)
    {
        order.push_back(next(i == 0));
    }
    push(1, 2); // its turn comes after those above
    while (egress.HasWork())
    {
        order.push_back(next(false));
    }
    EXPECT_EQ(order, (std::vector<uint32_t>{605, 204, 207, 209, 201, 204, 209, 204}));
    push(3, 2);
    push(8, 2);
    EXPECT_EQ(next(false), 208U) << "after port 4";
    push(9, 2);
    EXPECT_EQ(next(true), 203U) << "anew";
    EXPECT_EQ(store.GetUsed(), 1U);
}

TEST(SwitchEgress, HeldClassesWaitAndPausesGoFirst)
{
    FrameStore store;
    SwitchEgress egress(1'000'000'000);
    egress.Push(store, store.Put(Frame(3), 0));
    egress.Hold(3, 500);
    EXPECT_EQ(egress.Choose(499, true).kind, SwitchEgress::Choice::NOTHING);
    EXPECT_EQ(egress.GetNextChance(100), 500);
    EXPECT_EQ(egress.Choose(500, true).kind, SwitchEgress::Choice::FRAME);
    egress.PushPause(5, 10, 600);
    egress.PushPause(2, 20, 610);
    egress.PushPause(5, 0, 620); // in place of the first
    EXPECT_EQ(egress.Choose(599, true).kind, SwitchEgress::Choice::FRAME) << "not due yet";
    EXPECT_EQ(egress.Choose(600, true).kind, SwitchEgress::Choice::PAUSE);
    const SwitchEgress::Pause first = egress.TakePause();
    EXPECT_EQ(first.trafficClass, 5U);
    EXPECT_EQ(first.quanta, 0U);
    EXPECT_EQ(egress.TakePause().trafficClass, 2U);
    EXPECT_TRUE(egress.HasWork());
}

TEST(FrameStore, NumbersAreUsedAgain)
{
    FrameStore store;
    std::vector<uint32_t> numbers;
    std::set<uint32_t> distinct;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        numbers.push_back(store.Put(Frame(0, 100 + i), i));
        distinct.insert(numbers.back());
    }
    EXPECT_EQ(distinct.size(), 1000U);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        EXPECT_EQ(store[numbers[i]].frame.wireBytes, 100 + i);
        EXPECT_EQ(store[numbers[i]].ingress, i);
        store.Free(numbers[i]);
    }
    EXPECT_EQ(store.GetUsed(), 0U);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        EXPECT_LT(store.Put(Frame(0), 0), 1024U);
    }
}

TEST(EcnMarking, DefaultsGrowWithTheRateFromOneFrameOn)
{
    constexpr uint32_t FRAME = 9018;
    // bytes that a wire carries in 32 and 128 us
    const std::map<uint64_t, std::pair<uint64_t, uint64_t>> expected{
        {400'000'000'000, {1'600'000, 6'400'000}},
        {100'000'000'000, {400'000, 1'600'000}},
        {10'500'000'000, {42'000, 168'000}},
        {2'500'000'000, {10'000, 40'000}},
        {2'254'500'000, {9018, 36'072}}, // where one frame lasts 32 us
        {1'000'000'000, {9018, 36'072}},
        {999'999'999, {9018, 36'072}},
        {1, {9018, 36'072}},
    };
    for (const auto& [rate, thresholds] : expected)
    {
        const EcnMarking::Thresholds defaults = EcnMarking::GetDefaults(rate, FRAME);
        EXPECT_EQ(defaults.kmin, thresholds.first) << rate;
        EXPECT_EQ(defaults.kmax, thresholds.second) << rate;
        const EcnMarking marking(defaults.kmin, defaults.kmax, 1);
        EXPECT_FALSE(marking.IsMarked(1, 1, FRAME)) << "one frame that waits is no congestion";
        EXPECT_TRUE(marking.IsMarked(1, 1, defaults.kmax + 1));
    }
}
