/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-header.h"

#include "opus-octets.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(OpusHeader);

namespace
{

constexpr uint8_t HAS_PIECE = 1;

/**
 * @param hasPiece the flag of the head
 * @return whether the fields of a head are consistent
 */
bool
IsSound(const OpusDatagram& head, bool hasPiece)
{
    if (!hasPiece)
    {
        return head.sequence == 0 && head.behind == 0 && head.copy == 0 && head.bundleBytes == 0 &&
               head.offset == 0 && head.pieceBytes == 0;
    }
    return head.behind < OpusHeader::WINDOW && head.behind < head.sequence && head.pieceBytes > 0 &&
           head.bundleBytes <= OpusEncoding::MOST_BYTES && head.offset < head.bundleBytes &&
           head.pieceBytes <= head.bundleBytes - head.offset;
}

/**
 * @param octets the beginning of a datagram
 * @param size number of bytes in the beginning
 * @param whole number of bytes in the datagram
 * @param datagram is set to the head unless it is refused
 * @return the reason of a refusal, or NONE
 */
OpusRefusal
ParseHead(const uint8_t* octets, uint32_t size, uint32_t whole, OpusDatagram& datagram)
{
    OctetReader reader(octets, size);
    if (size < 4 || reader.Take<uint32_t>() != OpusHeader::MAGIC)
    {
        return OpusRefusal::NOT_OPUS;
    }
    // another version may have a shorter head, but its number is here
    if (size > 4 && reader.Take<uint8_t>() != OpusHeader::VERSION)
    {
        return OpusRefusal::UNKNOWN_VERSION;
    }
    if (size < OpusHeader::SIZE)
    {
        return OpusRefusal::TRUNCATED;
    }
    OpusDatagram head;
    const uint8_t flags = reader.Take<uint8_t>();
    head.behind = reader.Take<uint8_t>();
    const uint8_t copies = reader.Take<uint8_t>();
    head.copy = copies / OpusDatagram::COPIES;
    head.echo = copies % OpusDatagram::COPIES;
    head.sequence = reader.Take<uint64_t>();
    head.acknowledged = reader.Take<uint64_t>();
    head.held = reader.Take<uint64_t>();
    head.bundleBytes = reader.Take<uint32_t>();
    head.offset = reader.Take<uint32_t>();
    head.pieceBytes = reader.Take<uint16_t>();
    if ((flags & ~HAS_PIECE) != 0)
    {
        return OpusRefusal::UNKNOWN_FLAGS;
    }
    if (!IsSound(head, flags == HAS_PIECE))
    {
        return OpusRefusal::CONTRADICTION;
    }
    const uint32_t expected = OpusHeader::SIZE + head.pieceBytes;
    if (whole != expected)
    {
        return whole < expected ? OpusRefusal::TRUNCATED : OpusRefusal::TRAILING;
    }
    datagram = head;
    return OpusRefusal::NONE;
}

} // namespace

TypeId
OpusHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::OpusHeader")
                            .SetParent<Header>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<OpusHeader>();
    return tid;
}

TypeId
OpusHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

OpusHeader::OpusHeader(const OpusDatagram& datagram)
    : m_datagram(datagram)
{
}

const OpusDatagram&
OpusHeader::GetDatagram() const
{
    return m_datagram;
}

OpusRefusal
OpusHeader::GetRefusal() const
{
    return m_refusal;
}

OpusRefusal
OpusHeader::Parse(const std::vector<uint8_t>& octets, OpusDatagram& datagram)
{
    return ParseHead(octets.data(), octets.size(), octets.size(), datagram);
}

uint32_t
OpusHeader::GetSerializedSize() const
{
    return SIZE;
}

void
OpusHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(MAGIC);
    start.WriteU8(VERSION);
    start.WriteU8(m_datagram.pieceBytes > 0 ? HAS_PIECE : 0);
    start.WriteU8(m_datagram.behind);
    start.WriteU8(static_cast<uint8_t>(m_datagram.copy * OpusDatagram::COPIES + m_datagram.echo));
    start.WriteHtonU64(m_datagram.sequence);
    start.WriteHtonU64(m_datagram.acknowledged);
    start.WriteHtonU64(m_datagram.held);
    start.WriteHtonU32(m_datagram.bundleBytes);
    start.WriteHtonU32(m_datagram.offset);
    start.WriteHtonU16(m_datagram.pieceBytes);
}

uint32_t
OpusHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t whole = start.GetRemainingSize();
    const uint32_t size = std::min(whole, SIZE);
    uint8_t octets[SIZE];
    start.Read(octets, size);
    m_datagram = {};
    m_refusal = ParseHead(octets, size, whole, m_datagram);
    return size;
}

void
OpusHeader::Print(std::ostream& os) const
{
    if (m_refusal != OpusRefusal::NONE)
    {
        os << "OPUS " << ToString(m_refusal);
        return;
    }
    os << "OPUS";
    if (m_datagram.pieceBytes > 0)
    {
        os << " " << m_datagram.sequence << ": bytes " << m_datagram.offset << " to "
           << m_datagram.offset + m_datagram.pieceBytes << " of " << m_datagram.bundleBytes << ",";
    }
    os << " acknowledges " << m_datagram.acknowledged;
}

} // namespace ns3
