/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/message-closed-form.h"
#include "ns3/message-frames.h"
#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <gtest/gtest.h>

// The formula for a message over an idle circuit: worked by hand, and beside the transport's sizes.

using namespace ns3;

namespace
{

/** @return bytes on the wire of a message */
uint64_t
GetWireBytes(RdmaVerb verb, uint64_t bytes, uint64_t mtu = 4096)
{
    MessageClosedForm message;
    message.verb = verb;
    message.bytes = bytes;
    message.mtu = mtu;
    return static_cast<uint64_t>(message.GetWireBytes());
}

} // namespace

TEST(MessageClosedForm, AFrameHas82BytesAroundItsPayload)
{
    EXPECT_EQ(GetWireBytes(RdmaVerb::SEND, 4096), 4096U + 82);
    EXPECT_EQ(GetWireBytes(RdmaVerb::SEND, 4097), 4100U + 2 * 82); // padded to 4 bytes
    EXPECT_EQ(GetWireBytes(RdmaVerb::SEND, 0), 84U);               // the shortest frame
    EXPECT_EQ(GetWireBytes(RdmaVerb::WRITE, 4096), 4096U + 82 + 16);
    EXPECT_EQ(GetWireBytes(RdmaVerb::WRITE_WITH_IMMEDIATE, 4096), 4096U + 82 + 16 + 4);
}

TEST(MessageClosedForm, TheGapBehindTheLastFrameDoesNotCount)
{
    UsePicoseconds();
    MessageClosedForm message;
    message.verb = RdmaVerb::SEND;
    message.bytes = 1000;
    message.rate = DataRate("1Gbps"); // 8000 ps a byte
    message.fiberDelay = NanoSeconds(100);
    const uint64_t onWire = 1000 + 82 - 12;
    EXPECT_EQ(message.GetTime(), PicoSeconds(onWire * 8000) + 2 * NanoSeconds(100));
}

TEST(MessageClosedForm, ATimeBeyond64BitsIsTheLongest)
{
    UsePicoseconds();
    MessageClosedForm message;
    message.bytes = uint64_t{1} << 62;
    message.rate = DataRate("1Mbps"); // more than a million years
    EXPECT_EQ(message.GetTime(), Time::Max());
}

TEST(MessageClosedForm, TheTransportSendsAsManyBytes)
{
    for (const RdmaVerb verb : {RdmaVerb::SEND, RdmaVerb::WRITE, RdmaVerb::WRITE_WITH_IMMEDIATE})
    {
        for (const uint32_t mtu : {256, 1024, 4096})
        {
            for (const uint64_t bytes :
                 {0ULL, 1ULL, 255ULL, 256ULL, 4097ULL, 1ULL << 30, 3ULL << 30})
            {
                EXPECT_EQ(GetWireBytes(verb, bytes, mtu),
                          MessageFrames(verb, bytes, mtu).GetWireBytes())
                    << static_cast<int>(verb) << " " << bytes << " " << mtu;
            }
        }
    }
}
