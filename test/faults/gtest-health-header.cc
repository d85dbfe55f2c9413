/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Datagrams of agents and monitors, octet by octet.

#include "ns3/health-header.h"
#include "ns3/packet.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** @return the octets of a header */
std::vector<uint8_t>
OctetsOf(const HealthHeader& header)
{
    const Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    std::vector<uint8_t> octets(packet->GetSize());
    packet->CopyData(octets.data(), octets.size());
    return octets;
}

/** @return the bytes that a header of these octets has; 0: they are none */
uint32_t
Parse(const std::vector<uint8_t>& octets, HealthHeader& header)
{
    const Ptr<Packet> packet = Create<Packet>(octets.data(), octets.size());
    return packet->PeekHeader(header);
}

} // namespace

TEST(HealthHeader, HasItsFieldsAtTheirPlaces)
{
    HealthHeader header;
    header.type = HealthHeader::Type::HEARTBEAT;
    header.server = 0x01020304;
    header.attempt = 5;
    header.sequence = 0x0a0b0c0d;
    FailureReport report;
    report.sign = FailureSign::RETRY_LIMIT;
    report.at = {header.server, 7};
    report.suspect = GpuPlace{2, 3};
    report.since = TimeStep(0x1122334455667788);
    header.reports.push_back(report);
    const std::vector<uint8_t> expected{'H',  'L',  'T',  'H',  1,    1,    0,    1,   1, 2, 3, 4,
                                        0,    0,    0,    5,    0xa,  0xb,  0xc,  0xd, 3, 1, 0, 7,
                                        0,    0,    0,    2,    0,    0,    0,    3,   0, 0, 0, 0,
                                        0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
    EXPECT_EQ(OctetsOf(header), expected);
    HealthHeader other;
    ASSERT_EQ(Parse(expected, other), expected.size());
    ASSERT_EQ(other.reports.size(), 1);
    EXPECT_EQ(other.reports[0], report);
    EXPECT_EQ(other.attempt, 5);
}

TEST(HealthHeader, SendsNoMoreReportsThanFitAFrame)
{
    HealthHeader header;
    header.reports.resize(HealthHeader::MOST_REPORTS + 5);
    EXPECT_EQ(OctetsOf(header).size(),
              HealthHeader::FIXED_SIZE + HealthHeader::MOST_REPORTS * HealthHeader::REPORT_SIZE);
    EXPECT_LE(OctetsOf(header).size() + 28, 1500); // UDP and IPv4
}

TEST(HealthHeader, RefusesOctetsThatAreNone)
{
    HealthHeader header;
    header.reports.resize(2);
    const std::vector<uint8_t> right = OctetsOf(header);
    HealthHeader other;
    EXPECT_EQ(Parse(right, other), right.size());
    for (std::size_t length = 0; length < right.size(); ++length)
    {
        EXPECT_EQ(Parse({right.begin(), right.begin() + length}, other), 0) << length << " octets";
    }
    std::mt19937_64 random(1);
    for (int i = 0; i < 10'000; ++i)
    {
        std::vector<uint8_t> wrong = right;
        wrong[random() % wrong.size()] = random();
        wrong.resize(1 + random() % wrong.size());
        Parse(wrong, other); // it reads no octet beyond the end
    }
}
