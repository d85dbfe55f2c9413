/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-pcap.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MAGIC = 0xa1b23c4d; // timestamps in nanoseconds
constexpr uint32_t ETHERNET = 1;       // link type
constexpr std::size_t FILE_HEADER = 24;
constexpr std::size_t RECORD_HEADER = 16;
constexpr uint64_t SECOND = 1'000'000'000; // in nanoseconds

/** Appends a little-endian number on every machine. @return its end */
char*
PutWord(char* to, uint32_t value)
{
    to[0] = static_cast<char>(value & 0xff);
    to[1] = static_cast<char>(value >> 8 & 0xff);
    to[2] = static_cast<char>(value >> 16 & 0xff);
    to[3] = static_cast<char>(value >> 24 & 0xff);
    return to + 4;
}

} // namespace

FramePcap::Batch::Batch(bool sent,
                        const WireFrame& head,
                        const RoceFrame& tail,
                        const RunClock& times,
                        RoceRunBytes::Tables& tables)
    : FrameBatch(sent, head, tail, times)
{
    if (GetFrame().packet)
    {
        return;
    }
    Prepare();
    if (!IsTail())
    {
        bytes.CountOn(tables);
    }
}

bool
FramePcap::Batch::Next()
{
    if (!FrameBatch::Next())
    {
        return false;
    }
    if (IsTail())
    {
        Prepare();
    }
    else
    {
        bytes.SetPsn(GetPsn());
    }
    return true;
}

void
FramePcap::Batch::Prepare()
{
    RoceFrame roce = GetRoce();
    if (!IsTail())
    {
        roce.identification = roce.psn & 0xffff;
    }
    bytes = RoceRunBytes(roce, GetFrame().source, GetFrame().destination);
}

FramePcap::FramePcap(const std::string& name, Filter filter, uint32_t snapLength)
    : m_file(name),
      m_filter(std::move(filter)),
      m_snapLength(snapLength)
{
    NS_ABORT_MSG_IF(snapLength == 0 || snapLength > WHOLE,
                    "a snap length of " << snapLength << " bytes for the capture " << name
                                        << "; it must be 1 to " << WHOLE);
    WriteFileHeader();
}

FramePcap::~FramePcap()
{
    FramePcap::Settle(NEVER);
}

void
FramePcap::WriteFileHeader()
{
    char* to = m_file.Reserve(FILE_HEADER);
    to = PutWord(to, MAGIC);
    to = PutWord(to, 2 | 4 << 16); // version 2.4
    to = PutWord(to, 0);           // time zone: UTC
    to = PutWord(to, 0);           // accuracy: not stated
    to = PutWord(to, m_snapLength);
    PutWord(to, ETHERNET);
    m_file.Append(FILE_HEADER);
}

void
FramePcap::TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    m_merge.AddSent(head, tail, times, m_tables);
}

void
FramePcap::TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    if (!m_filter || m_filter(head.destination))
    {
        m_merge.AddReceived(head, tail, times, m_tables);
    }
}

void
FramePcap::Settle(Picoseconds before)
{
    m_merge.Settle(before, [this](const Batch& batch) { Write(batch); });
    if (before == NEVER)
    {
        m_file.Flush();
    }
}

void
FramePcap::Write(const Batch& batch)
{
    const Ptr<Packet>& packet = batch.GetFrame().packet;
    const uint32_t size = packet ? packet->GetSize() : batch.bytes.GetSize();
    const uint32_t captured = std::min(size, m_snapLength);
    const uint64_t nanoseconds = static_cast<uint64_t>(batch.GetInstant()) / 1000;
    char* to = m_file.Reserve(RECORD_HEADER + captured);
    to = PutWord(to, static_cast<uint32_t>(nanoseconds / SECOND));
    to = PutWord(to, static_cast<uint32_t>(nanoseconds % SECOND));
    to = PutWord(to, captured);
    to = PutWord(to, size);
    if (packet)
    {
        packet->CopyData(reinterpret_cast<uint8_t*>(to), captured);
    }
    else
    {
        batch.bytes.CopyTo(to, captured);
    }
    m_file.Append(RECORD_HEADER + captured);
}

} // namespace ns3
