/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Ports of a fabric are an operation's as long as nothing else uses or looks at them.

#include "ns3/batch-mode.h"
#include "ns3/data-rate.h"
#include "ns3/memoized-ports.h"
#include "ns3/node.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/scale-up-domain.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

/** An observer of messages. */
void
Ignore(const ScaleUpMessage&)
{
}

/** An operation that counts how often it is disturbed. It is held up to then. */
class HeldOperation : public BatchAhead
{
  public:
    void Disturb() override
    {
        ++disturbed;
        ports.Release();
    }

    uint32_t disturbed{0};
    MemoizedPorts ports{*this};
};

/** A fabric of four GPUs, of 8 bytes a nanosecond. */
class MemoizedPortsTest : public testing::Test
{
  protected:
    MemoizedPortsTest()
    {
        UsePicoseconds();
        domain->SetAttribute("PortRate", DataRateValue(DataRate("64Gbps")));
        for (uint32_t gpu = 0; gpu < 4; ++gpu)
        {
            domain->AddMember(CreateObject<Node>());
        }
    }

    ~MemoizedPortsTest() override
    {
        domain->Dispose();
        Simulator::Destroy();
    }

    ScaleUpPort GetPort(uint32_t member) const
    {
        return {domain, MemberId(member)};
    }

    void Send(uint32_t from, uint32_t to) const
    {
        domain->Send({MemberId(from), MemberId(to), 800, {}});
    }

    Ptr<ScaleUpDomain> domain{CreateObject<ScaleUpDomain>()};
    HeldOperation operation;
};

} // namespace

TEST_F(MemoizedPortsTest, AreTakenIfNothingIsUnderWay)
{
    Send(2, 3);
    EXPECT_TRUE(operation.ports.Take(GetPort(0)));
    EXPECT_TRUE(operation.ports.Take(GetPort(0))) << "it has it";
    EXPECT_FALSE(operation.ports.Take(GetPort(2)));
    EXPECT_FALSE(operation.ports.Take(GetPort(3)));
    Simulator::Run();
    EXPECT_TRUE(operation.ports.Take(GetPort(2))) << "all has arrived";
}

TEST_F(MemoizedPortsTest, OthersDisturbThemOnceAndBeforeThey)
{
    for (const uint32_t other : {0, 1})
    {
        HeldOperation held;
        ASSERT_TRUE(held.ports.Take(GetPort(0)));
        ASSERT_TRUE(held.ports.Take(GetPort(1)));
        held.ports.Hold();
        Send(2, 3);
        EXPECT_EQ(held.disturbed, 0U) << "neither is its own";
        Send(other == 0 ? 0 : 2, other == 0 ? 2 : 1);
        EXPECT_EQ(held.disturbed, 1U);
        Send(0, 1);
        EXPECT_EQ(held.disturbed, 1U) << "it is not held any more";
        Simulator::Run();
    }
}

TEST_F(MemoizedPortsTest, WhoLooksAtThemDisturbsThem)
{
    const auto isDisturbedBy = [this](const auto& look) {
        HeldOperation held;
        EXPECT_TRUE(held.ports.Take(GetPort(0)));
        held.ports.Hold();
        look();
        return held.disturbed > 0;
    };
    EXPECT_FALSE(isDisturbedBy([this] { domain->GetCount(MemberId(1)); }));
    EXPECT_TRUE(isDisturbedBy([this] { domain->GetCount(MemberId(0)); }));
    EXPECT_FALSE(isDisturbedBy([this] { domain->IsQuiet(MemberId(1)); }));
    EXPECT_TRUE(isDisturbedBy([this] { domain->IsQuiet(MemberId(0)); }));
    EXPECT_TRUE(isDisturbedBy(
        [this] { domain->TraceConnectWithoutContext("MessageSent", MakeCallback(&Ignore)); }));
    EXPECT_FALSE(operation.ports.Take(GetPort(0))) << "each message is observed";
}

TEST_F(MemoizedPortsTest, WhatIsSentIsComparedWithWhatIsExpected)
{
    ASSERT_TRUE(operation.ports.Take(GetPort(0)));
    ASSERT_TRUE(operation.ports.Take(GetPort(1)));
    operation.ports.Expect(GetPort(0), {1, 800, 0, 0});
    operation.ports.Expect(GetPort(1), {0, 0, 1, 800});
    EXPECT_FALSE(operation.ports.HaveSentExpected());
    Send(0, 1);
    EXPECT_FALSE(operation.ports.HaveSentExpected()) << "it is under way";
    Simulator::Run();
    EXPECT_TRUE(operation.ports.HaveSentExpected());
    Send(2, 1);
    Simulator::Run();
    EXPECT_FALSE(operation.ports.HaveSentExpected()) << "something else used a port";
}

TEST_F(MemoizedPortsTest, WhatIsHeldToItsEndIsCounted)
{
    ASSERT_TRUE(operation.ports.Take(GetPort(0)));
    operation.ports.Expect(GetPort(0), {2, 1600, 3, 2400});
    operation.ports.Hold();
    operation.ports.Release();
    operation.ports.CountExpected();
    const ScaleUpCount& count = domain->GetCount(MemberId(0));
    EXPECT_EQ(count.messagesSent, 2U);
    EXPECT_EQ(count.bytesSent, 1600U);
    EXPECT_EQ(count.messagesDelivered, 3U);
    EXPECT_EQ(count.bytesDelivered, 2400U);
}
