/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/standby-heartbeats.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

class StandbyHeartbeatsTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        UsePicoseconds();
        heartbeats.SetInterval(MilliSeconds(10));
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    void Send(bool idle)
    {
        sent.emplace_back(Simulator::Now().GetMilliSeconds(), idle);
    }

    void Probe()
    {
        ++probes;
    }

    using Sent = std::vector<std::pair<int64_t, bool>>; //!< the time in ms, and whether it is idle

    Sent sent;
    uint32_t probes{0};
    StandbyHeartbeats heartbeats{MakeCallback(&StandbyHeartbeatsTest::Send, this),
                                 MakeCallback(&StandbyHeartbeatsTest::Probe, this)};
    const ShimName one{JobId(0), ServerId(0)};
    const ShimName other{JobId(0), ServerId(1)};
};

} // namespace

TEST_F(StandbyHeartbeatsTest, TheyLeaveEveryIntervalWhileAShimIsActive)
{
    heartbeats.SetStandby(true);
    heartbeats.Begin();
    heartbeats.Register(one); // the first is scheduled already
    heartbeats.Register(other);
    Simulator::Schedule(MilliSeconds(15), [this]() { heartbeats.Remove(one); });
    Simulator::Schedule(MilliSeconds(25), [this]() { heartbeats.Remove(other); });
    Simulator::Run();
    EXPECT_EQ(sent, (Sent{{10, false}, {20, false}, {25, true}}));
    EXPECT_EQ(probes, 2U);
    EXPECT_EQ(Simulator::Now(), MilliSeconds(25)) << "no event is left";
}

TEST_F(StandbyHeartbeatsTest, TheyBeginAgainWhenAShimRegisters)
{
    heartbeats.SetStandby(true);
    heartbeats.Begin(); // with no shim at 10 ms, it is idle
    Simulator::Schedule(MilliSeconds(33), [this]() { heartbeats.Register(one); });
    Simulator::Schedule(MilliSeconds(44), [this]() { heartbeats.End(); });
    Simulator::Run();
    EXPECT_EQ(sent, (Sent{{10, true}, {33, false}, {43, false}}));
}

TEST_F(StandbyHeartbeatsTest, WithoutAStandbyNoneLeaves)
{
    heartbeats.Begin();
    heartbeats.Register(one);
    heartbeats.Remove(one);
    Simulator::Run();
    EXPECT_TRUE(sent.empty());
}

TEST_F(StandbyHeartbeatsTest, AShimIsSilentFromItsLastMessageOn)
{
    heartbeats.Register(one);
    heartbeats.Register(other);
    std::vector<ShimName> silent;
    Simulator::Schedule(MilliSeconds(5), [this]() { heartbeats.NoteMessage(other); });
    Simulator::Schedule(MilliSeconds(12),
                        [this, &silent]() { silent = heartbeats.TakeSilent(MilliSeconds(10)); });
    Simulator::Run();
    EXPECT_EQ(silent, std::vector<ShimName>{one});
}
