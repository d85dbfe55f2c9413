/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-opcodes.h"

#include "ns3/roce-frame.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

std::vector<uint8_t>
FromHex(const std::string& hex)
{
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    {
        bytes.push_back(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

} // namespace

TEST(RoceFrame, ReproducesACapturedCnpByteByByte)
{
    // captured on a ConnectX-4 Lx, Ethernet to ICRC; the last four bytes are the NIC's own ICRC
    const std::vector<uint8_t> captured = FromHex(
        "e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b700280000"
        "8100ffff40000118000000000000000000000000000000000000000082fd002a");
    ASSERT_EQ(captured.size(), 74U);
    RoceFrame cnp;
    cnp.opcode = RoceOpcode::CNP;
    cnp.becn = true;
    cnp.tos = 0xc2;
    cnp.identification = 0x718c;
    cnp.sourceIp = 0x0a001101;
    cnp.destinationIp = 0x0a001201;
    cnp.destinationQp = 0x118;
    EXPECT_EQ(cnp.Serialize(Mac48Address("7c:fe:90:64:3b:32"), Mac48Address("e4:1d:2d:ab:2b:c2")),
              captured);
    RoceFrame read;
    std::string error;
    ASSERT_TRUE(read.Parse(captured, error)) << error;
    EXPECT_EQ(read.destinationQp, 0x118U);
    EXPECT_TRUE(read.becn);
}

TEST(RoceFrame, BytesOnTheWire)
{
    // preamble 8, Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, check sequence 4, gap 12: 82 around
    // the payload; RETH 16, ImmDt 4, AETH 4
    const uint32_t around = 8 + 14 + 20 + 8 + 12 + 4 + 4 + 12;
    EXPECT_EQ(RoceFrame::WireBytes(RoceOpcode::SEND_MIDDLE, 4096), 4096 + around);
    EXPECT_EQ(RoceFrame::WireBytes(RoceOpcode::WRITE_FIRST, 4096), 4096 + around + 16);
    EXPECT_EQ(RoceFrame::WireBytes(RoceOpcode::WRITE_LAST_WITH_IMMEDIATE, 8), 8 + around + 4);
    EXPECT_EQ(RoceFrame::WireBytes(RoceOpcode::ACKNOWLEDGE, 0), around + 4);
    // padded to four bytes
    EXPECT_EQ(RoceFrame::WireBytes(RoceOpcode::SEND_LAST, 5), 8 + around);
    // the shortest Ethernet frame is 64 bytes with its check sequence
    EXPECT_EQ(RoceFrame::WireBytes(RoceOpcode::SEND_ONLY, 0), 8U + 64 + 12);
}

TEST(RoceFrame, WhatIsWrittenIsReadBack)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 5000; ++i)
    {
        RoceFrame frame;
        frame.opcode = OPCODES[random() % OPCODES.size()];
        frame.sourceIp = random();
        frame.destinationIp = random();
        frame.sourcePort = random();
        frame.identification = random();
        frame.tos = random();
        frame.ttl = random();
        frame.solicited = random() & 1;
        frame.ackRequest = random() & 1;
        frame.becn = random() & 1;
        frame.destinationQp = random() & 0xffffff;
        frame.psn = random() & 0xffffff;
        frame.payload = frame.IsData() ? random() % 4097 : 0;
        frame.address = frame.HasReth() ? random() : 0;
        frame.key = frame.HasReth() ? random() : 0;
        frame.length = frame.HasReth() ? random() : 0;
        frame.immediate = frame.HasImmediate() ? random() : 0;
        frame.syndrome = frame.HasAeth() ? random() : 0;
        frame.msn = frame.HasAeth() ? random() & 0xffffff : 0;
        const auto bytes =
            frame.Serialize(Mac48Address("00:00:00:00:00:01"), Mac48Address("00:00:00:00:00:02"));
        // on the wire: the bytes, preamble 8, check sequence 4, gap 12
        ASSERT_EQ(bytes.size() + 24, frame.GetWireBytes());
        RoceFrame read;
        std::string error;
        ASSERT_TRUE(read.Parse(bytes, error)) << error;
        ASSERT_EQ(
            read.Serialize(Mac48Address("00:00:00:00:00:01"), Mac48Address("00:00:00:00:00:02")),
            bytes);
        ASSERT_EQ(read.payload, frame.payload);
        ASSERT_EQ(read.psn, frame.psn);
        ASSERT_EQ(read.address, frame.address);
    }
}

TEST(RoceFrame, TheIcrcCoversAllButWhatSwitchesChange)
{
    RoceFrame frame;
    frame.opcode = RoceOpcode::WRITE_ONLY;
    frame.payload = 100;
    const auto bytes =
        frame.Serialize(Mac48Address("00:00:00:00:00:01"), Mac48Address("00:00:00:00:00:02"));
    // offsets that a switch may change: addresses of Ethernet, TOS, TTL, IPv4 and UDP checksums,
    // and the byte of the BTH with FECN and BECN
    const std::vector<std::size_t> free{0, 5, 6, 11, 15, 22, 24, 25, 40, 41, 46};
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        auto changed = bytes;
        changed[i] ^= 0x04;
        RoceFrame read;
        std::string error;
        const bool isFree = i < 12 || std::find(free.begin(), free.end(), i) != free.end();
        EXPECT_EQ(read.Parse(changed, error), isFree) << "byte " << i;
    }
}

TEST(RoceFrame, GarbageIsRefusedWithAReason)
{
    std::mt19937_64 random(2);
    for (int i = 0; i < 20000; ++i)
    {
        std::vector<uint8_t> bytes(random() % 120);
        for (uint8_t& byte : bytes)
        {
            byte = random();
        }
        if (bytes.size() > 40 && i % 2 == 0) // far enough to be taken for RoCE
        {
            bytes[12] = 8;
            bytes[13] = 0;
            bytes[14] = 0x45;
            bytes[16] = 0;
            bytes[17] = bytes.size() - 14;
            bytes[23] = 17;
            bytes[36] = 0x12;
            bytes[37] = 0xb7;
        }
        RoceFrame frame;
        std::string error;
        EXPECT_FALSE(frame.Parse(bytes, error));
        EXPECT_FALSE(error.empty());
    }
}
