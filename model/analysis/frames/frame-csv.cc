/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-csv.h"

#include "frame-kind.h"

#include <charconv>
#include <cstring>

namespace ns3
{

namespace
{

constexpr char COLUMNS[] =
    "direction,first_ps,last_ps,kind,psn,wire_bytes,payload,ack_request,source,destination\n";

constexpr std::size_t LONGEST_NUMBER = 20; // of 64 bits

/** Appends text. @return its end */
char*
PutText(char* to, const char* text)
{
    const std::size_t size = std::strlen(text);
    std::memcpy(to, text, size);
    return to + size;
}

/** Appends a number. @return its end */
template <typename T>
char*
PutNumber(char* to, T number)
{
    return std::to_chars(to, to + LONGEST_NUMBER, number).ptr;
}

/** Appends a MAC address as ns-3 prints it. @return its end */
char*
PutAddress(char* to, const Mac48Address& address)
{
    constexpr char digits[] = "0123456789abcdef";
    uint8_t bytes[6];
    address.CopyTo(bytes);
    for (const uint8_t byte : bytes)
    {
        *to++ = digits[byte >> 4];
        *to++ = digits[byte & 15];
        *to++ = ':';
    }
    return to - 1;
}

} // namespace

FrameCsv::Batch::Batch(bool sent,
                       const WireFrame& head,
                       const RoceFrame& tail,
                       const RunClock& times)
    : FrameBatch(sent, head, tail, times)
{
    Prepare();
}

bool
FrameCsv::Batch::Next()
{
    const bool more = FrameBatch::Next();
    if (more && IsTail())
    {
        Prepare();
    }
    return more;
}

void
FrameCsv::Batch::Prepare()
{
    const WireFrame& frame = GetFrame();
    char* end = beforePsn;
    *end++ = ',';
    end = PutText(end, ToString(KindOf(frame, GetRoce())));
    *end++ = ',';
    beforePsnSize = end - beforePsn;

    end = afterPsn;
    *end++ = ',';
    end = PutNumber(end, GetWireBytes());
    *end++ = ',';
    end = PutNumber(end, PayloadOf(frame, GetRoce()));
    *end++ = ',';
    if (!frame.packet)
    {
        *end++ = GetRoce().ackRequest ? '1' : '0';
    }
    *end++ = ',';
    end = PutAddress(end, frame.source);
    *end++ = ',';
    end = PutAddress(end, frame.destination);
    *end++ = '\n';
    afterPsnSize = end - afterPsn;
}

FrameCsv::FrameCsv(const std::string& name)
    : m_file(name)
{
    const std::size_t size = sizeof(COLUMNS) - 1;
    std::memcpy(m_file.Reserve(size), COLUMNS, size);
    m_file.Append(size);
}

FrameCsv::~FrameCsv()
{
    FrameCsv::Settle(NEVER);
}

void
FrameCsv::TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    m_merge.AddSent(head, tail, times);
}

void
FrameCsv::TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times)
{
    m_merge.AddReceived(head, tail, times);
}

void
FrameCsv::Settle(Picoseconds before)
{
    m_merge.Settle(before, [this](const Batch& batch) { Write(batch); });
    if (before == NEVER)
    {
        m_file.Flush();
    }
}

void
FrameCsv::Write(const Batch& batch)
{
    char* const line = m_file.Reserve(16 + 3 * LONGEST_NUMBER + 2 * Batch::LARGEST);
    char* end = PutText(line, batch.IsSent() ? "sent," : "received,");
    end = PutNumber(end, batch.GetFirst());
    *end++ = ',';
    end = PutNumber(end, batch.GetLast());
    std::memcpy(end, batch.beforePsn, Batch::LARGEST); // the bytes beyond are overwritten
    end += batch.beforePsnSize;
    if (!batch.GetFrame().packet)
    {
        end = PutNumber(end, batch.GetPsn());
    }
    std::memcpy(end, batch.afterPsn, Batch::LARGEST);
    end += batch.afterPsnSize;
    m_file.Append(end - line);
}

} // namespace ns3
