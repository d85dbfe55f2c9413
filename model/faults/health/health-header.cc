/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "health-header.h"

#include "ns3/picoseconds.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HealthHeader);

namespace
{

constexpr uint32_t MAGIC = 0x484c5448; // "HLTH"
constexpr uint8_t VERSION = 1;

/** Writes a report. */
void
WriteReport(Buffer::Iterator& at, const FailureReport& report)
{
    at.WriteU8(static_cast<uint8_t>(report.sign));
    at.WriteU8(report.suspect ? 1 : 0);
    at.WriteHtonU16(report.at.gpu);
    at.WriteHtonU32(report.suspect ? report.suspect->server : 0);
    at.WriteHtonU32(report.suspect ? report.suspect->gpu : 0);
    at.WriteHtonU32(0);
    at.WriteHtonU64(report.since.GetTimeStep());
}

/** Reads a report. @param server that sends it @return whether it is one */
bool
ReadReport(Buffer::Iterator& at, uint32_t server, FailureReport& report)
{
    const uint8_t sign = at.ReadU8();
    const uint8_t hasSuspect = at.ReadU8();
    report.sign = static_cast<FailureSign>(sign);
    report.at.server = server;
    report.at.gpu = at.ReadNtohU16();
    GpuPlace suspect;
    suspect.server = at.ReadNtohU32();
    suspect.gpu = at.ReadNtohU32();
    at.ReadNtohU32();
    report.since = TimeStep(at.ReadNtohU64());
    report.suspect.reset();
    if (hasSuspect == 1)
    {
        report.suspect = suspect;
    }
    return sign >= static_cast<uint8_t>(FailureSign::PROCESS_EXIT) &&
           sign <= static_cast<uint8_t>(FailureSign::NO_CIRCUITS) && hasSuspect <= 1;
}

} // namespace

TypeId
HealthHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HealthHeader")
                            .SetParent<Header>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<HealthHeader>();
    return tid;
}

TypeId
HealthHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
HealthHeader::GetSerializedSize() const
{
    return FIXED_SIZE + REPORT_SIZE * std::min<std::size_t>(reports.size(), MOST_REPORTS);
}

void
HealthHeader::Serialize(Buffer::Iterator start) const
{
    const std::size_t count = std::min<std::size_t>(reports.size(), MOST_REPORTS);
    start.WriteHtonU32(MAGIC);
    start.WriteU8(VERSION);
    start.WriteU8(static_cast<uint8_t>(type));
    start.WriteHtonU16(count);
    start.WriteHtonU32(server);
    start.WriteHtonU32(attempt);
    start.WriteHtonU32(sequence);
    for (std::size_t r = 0; r < count; ++r)
    {
        WriteReport(start, reports[r]);
    }
}

uint32_t
HealthHeader::Deserialize(Buffer::Iterator start)
{
    reports.clear();
    if (start.GetRemainingSize() < FIXED_SIZE || start.ReadNtohU32() != MAGIC ||
        start.ReadU8() != VERSION)
    {
        return 0;
    }
    const uint8_t which = start.ReadU8();
    const uint32_t count = start.ReadNtohU16();
    server = start.ReadNtohU32();
    attempt = start.ReadNtohU32();
    sequence = start.ReadNtohU32();
    if (which < 1 || which > 2 || count > MOST_REPORTS ||
        start.GetRemainingSize() < count * REPORT_SIZE)
    {
        return 0;
    }
    type = static_cast<Type>(which);
    reports.resize(count);
    for (FailureReport& report : reports)
    {
        if (!ReadReport(start, server, report))
        {
            return 0;
        }
    }
    return GetSerializedSize();
}

void
HealthHeader::Print(std::ostream& os) const
{
    os << (type == Type::HEARTBEAT ? "heartbeat of server " : "order to server ") << server
       << ", attempt " << attempt << ", number " << sequence;
    for (const FailureReport& report : reports)
    {
        os << "; " << report;
    }
}

} // namespace ns3
