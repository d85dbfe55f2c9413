/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-frame.h"

#include "frame-clock.h"

#include <algorithm>
#include <array>
#include <boost/crc.hpp>

namespace ns3
{

namespace
{

constexpr uint32_t ETHERNET = 14;
constexpr uint32_t IPV4 = 20;
constexpr uint32_t UDP = 8;
constexpr uint32_t BTH = 12;
constexpr uint32_t RETH = 16;
constexpr uint32_t IMMEDIATE = 4;
constexpr uint32_t AETH = 4;
constexpr uint32_t CNP_RESERVED = 16;
constexpr uint32_t ICRC = 4;
constexpr uint32_t SHORTEST_FRAME = 60; // without the frame check sequence

uint32_t
PaddingOf(uint32_t payload)
{
    return -payload & 3U;
}

bool
OpcodeHasReth(RoceOpcode opcode)
{
    return opcode == RoceOpcode::WRITE_FIRST || opcode == RoceOpcode::WRITE_ONLY ||
           opcode == RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE;
}

bool
OpcodeHasImmediate(RoceOpcode opcode)
{
    return opcode == RoceOpcode::WRITE_LAST_WITH_IMMEDIATE ||
           opcode == RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE;
}

/** Bytes of the headers behind the BTH. */
uint32_t
ExtensionsOf(RoceOpcode opcode)
{
    if (opcode == RoceOpcode::CNP)
    {
        return CNP_RESERVED;
    }
    return (OpcodeHasReth(opcode) ? RETH : 0) + (OpcodeHasImmediate(opcode) ? IMMEDIATE : 0) +
           (opcode == RoceOpcode::ACKNOWLEDGE ? AETH : 0);
}

/** Appends big-endian integers to a vector of bytes. */
class ByteWriter
{
  public:
    explicit ByteWriter(std::vector<uint8_t>& bytes)
        : m_bytes(bytes)
    {
    }

    ByteWriter& Put(uint64_t value, int bytes)
    {
        while (bytes-- > 0)
        {
            m_bytes.push_back(value >> (8 * bytes) & 0xff);
        }
        return *this;
    }

    void Zeros(std::size_t count)
    {
        m_bytes.resize(m_bytes.size() + count);
    }

  private:
    std::vector<uint8_t>& m_bytes;
};

/** Reads big-endian integers. */
class ByteReader
{
  public:
    ByteReader(const std::vector<uint8_t>& bytes, std::size_t at)
        : m_bytes(bytes),
          m_at(at)
    {
    }

    /** @return an integer, or 0 beyond the end */
    uint64_t Get(int count)
    {
        uint64_t value = 0;
        while (count-- > 0)
        {
            value = value << 8 | (m_at < m_bytes.size() ? m_bytes[m_at] : 0);
            ++m_at;
        }
        return value;
    }

    void Skip(std::size_t count)
    {
        m_at += count;
    }

    std::size_t GetPosition() const
    {
        return m_at;
    }

  private:
    const std::vector<uint8_t>& m_bytes;
    std::size_t m_at;
};

uint16_t
InternetChecksum(const uint8_t* bytes, std::size_t size)
{
    uint32_t sum = 0;
    for (std::size_t i = 0; i < size; i += 2)
    {
        sum += bytes[i] << 8 | bytes[i + 1];
    }
    while (sum >> 16 != 0)
    {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return ~sum & 0xffff;
}

bool
IsKnown(uint8_t opcode)
{
    constexpr std::array<uint8_t, 12> known{0, 1, 2, 4, 6, 7, 8, 9, 0x0a, 0x0b, 0x11, 0x81};
    return std::find(known.begin(), known.end(), opcode) != known.end();
}

/** Reads the IPv4 header. @return the reason why it is not valid; null if it is */
const char*
ReadIpv4(ByteReader& reader, std::size_t most, RoceFrame& frame, std::size_t& ipBytes)
{
    if (reader.Get(1) != 0x45)
    {
        return "an IPv4 header with options, or not version 4";
    }
    frame.tos = reader.Get(1);
    ipBytes = reader.Get(2);
    if (ipBytes > most || ipBytes < IPV4 + UDP + BTH + ICRC)
    {
        return "the IPv4 length does not fit the frame";
    }
    frame.identification = reader.Get(2);
    reader.Skip(2); // fragments
    frame.ttl = reader.Get(1);
    if (reader.Get(1) != 17)
    {
        return "not UDP";
    }
    reader.Skip(2); // checksum
    frame.sourceIp = reader.Get(4);
    frame.destinationIp = reader.Get(4);
    return nullptr;
}

/** Reads the UDP header. @return the reason why it is not valid; null if it is */
const char*
ReadUdp(ByteReader& reader, RoceFrame& frame)
{
    frame.sourcePort = reader.Get(2);
    if (reader.Get(2) != RoceFrame::UDP_PORT)
    {
        return "not UDP port 4791";
    }
    reader.Skip(4); // length and checksum
    return nullptr;
}

/** Reads the BTH. @return the reason why it is not valid; null if it is */
const char*
ReadBth(ByteReader& reader, RoceFrame& frame, uint32_t& padding)
{
    const uint8_t code = reader.Get(1);
    if (!IsKnown(code))
    {
        return "an opcode that is not known here";
    }
    frame.opcode = static_cast<RoceOpcode>(code);
    const uint8_t flags = reader.Get(1);
    frame.solicited = (flags & 0x80) != 0;
    padding = flags >> 4 & 3;
    frame.partition = reader.Get(2);
    frame.becn = (reader.Get(1) & 0x40) != 0;
    frame.destinationQp = reader.Get(3);
    frame.ackRequest = (reader.Get(1) & 0x80) != 0;
    frame.psn = reader.Get(3);
    return nullptr;
}

/** Reads the headers behind the BTH. */
void
ReadExtensions(ByteReader& reader, RoceFrame& frame)
{
    if (frame.HasReth())
    {
        frame.address = reader.Get(8);
        frame.key = reader.Get(4);
        frame.length = reader.Get(4);
    }
    if (frame.HasImmediate())
    {
        frame.immediate = reader.Get(4);
    }
    if (frame.HasAeth())
    {
        frame.syndrome = reader.Get(1);
        frame.msn = reader.Get(3);
    }
    if (frame.opcode == RoceOpcode::CNP)
    {
        reader.Skip(CNP_RESERVED);
    }
}

/** @return an ICRC, which is little-endian */
uint32_t
ReadIcrc(const std::vector<uint8_t>& bytes, std::size_t at)
{
    uint32_t icrc = 0;
    for (int i = 0; i < 4; ++i)
    {
        icrc |= static_cast<uint32_t>(bytes[at + i]) << (8 * i);
    }
    return icrc;
}

/** Reads a frame, header after header. @return the reason why it is not valid; null if it is */
const char*
ReadFrame(const std::vector<uint8_t>& bytes, RoceFrame& frame)
{
    if (bytes.size() < ETHERNET + IPV4 + UDP + BTH + ICRC)
    {
        return "shorter than Ethernet, IPv4, UDP, BTH and ICRC";
    }
    ByteReader reader(bytes, 12);
    if (reader.Get(2) != 0x0800)
    {
        return "not IPv4";
    }
    std::size_t ipBytes = 0;
    uint32_t padding = 0;
    const char* why = ReadIpv4(reader, bytes.size() - ETHERNET, frame, ipBytes);
    why = why != nullptr ? why : ReadUdp(reader, frame);
    why = why != nullptr ? why : ReadBth(reader, frame, padding);
    if (why != nullptr)
    {
        return why;
    }
    ReadExtensions(reader, frame);
    const std::size_t end = ETHERNET + ipBytes - ICRC;
    if (reader.GetPosition() + padding > end)
    {
        return "the headers do not fit the IPv4 length";
    }
    frame.payload = end - padding - reader.GetPosition();
    if (ReadIcrc(bytes, end) != RoceInvariantCrc(bytes.data() + ETHERNET, end - ETHERNET))
    {
        return "the ICRC does not match";
    }
    return nullptr;
}

} // namespace

bool
RoceFrame::HasReth() const
{
    return OpcodeHasReth(opcode);
}

bool
RoceFrame::HasImmediate() const
{
    return OpcodeHasImmediate(opcode);
}

bool
RoceFrame::HasAeth() const
{
    return opcode == RoceOpcode::ACKNOWLEDGE;
}

bool
RoceFrame::IsFirst() const
{
    return opcode == RoceOpcode::SEND_FIRST || opcode == RoceOpcode::SEND_ONLY || HasReth();
}

bool
RoceFrame::IsLast() const
{
    return opcode == RoceOpcode::SEND_LAST || opcode == RoceOpcode::SEND_ONLY ||
           opcode == RoceOpcode::WRITE_LAST || opcode == RoceOpcode::WRITE_ONLY || HasImmediate();
}

bool
RoceFrame::IsData() const
{
    return opcode != RoceOpcode::ACKNOWLEDGE && opcode != RoceOpcode::CNP;
}

uint32_t
RoceFrame::WireBytes(RoceOpcode opcode, uint32_t payload)
{
    const uint32_t bytes =
        ETHERNET + IPV4 + UDP + BTH + ExtensionsOf(opcode) + payload + PaddingOf(payload) + ICRC;
    return std::max(bytes, SHORTEST_FRAME) + FrameClock::PREAMBLE + FrameClock::CHECK +
           FrameClock::GAP;
}

uint32_t
RoceFrame::GetWireBytes() const
{
    return WireBytes(opcode, payload);
}

std::vector<uint8_t>
RoceFrame::Serialize(Mac48Address source, Mac48Address destination) const
{
    const uint32_t padding = PaddingOf(payload);
    const uint32_t udpBytes = UDP + BTH + ExtensionsOf(opcode) + payload + padding + ICRC;
    std::vector<uint8_t> bytes(12);
    bytes.reserve(ETHERNET + IPV4 + udpBytes);
    destination.CopyTo(bytes.data());
    source.CopyTo(bytes.data() + 6);
    ByteWriter writer(bytes);
    writer.Put(0x0800, 2);

    // IPv4: don't fragment
    writer.Put(0x45, 1).Put(tos, 1).Put(IPV4 + udpBytes, 2);
    writer.Put(identification, 2).Put(0x4000, 2);
    writer.Put(ttl, 1).Put(17, 1).Put(0, 2).Put(sourceIp, 4).Put(destinationIp, 4);
    const uint16_t checksum = InternetChecksum(bytes.data() + ETHERNET, IPV4);
    bytes[ETHERNET + 10] = checksum >> 8;
    bytes[ETHERNET + 11] = checksum & 0xff;

    // UDP: no checksum, the ICRC serves
    writer.Put(sourcePort, 2).Put(UDP_PORT, 2).Put(udpBytes, 2).Put(0, 2);

    // BTH
    writer.Put(static_cast<uint8_t>(opcode), 1);
    writer.Put((solicited ? 0x80 : 0) | padding << 4, 1).Put(partition, 2);
    writer.Put(becn ? 0x40 : 0, 1).Put(destinationQp, 3);
    writer.Put(ackRequest ? 0x80 : 0, 1).Put(psn, 3);
    if (HasReth())
    {
        writer.Put(address, 8).Put(key, 4).Put(length, 4);
    }
    if (HasImmediate())
    {
        writer.Put(immediate, 4);
    }
    if (HasAeth())
    {
        writer.Put(syndrome, 1).Put(msn, 3);
    }
    if (opcode == RoceOpcode::CNP)
    {
        writer.Zeros(CNP_RESERVED);
    }
    writer.Zeros(payload + padding);
    const uint32_t icrc = RoceInvariantCrc(bytes.data() + ETHERNET, bytes.size() - ETHERNET);
    for (int i = 0; i < 4; ++i)
    {
        bytes.push_back(icrc >> (8 * i) & 0xff);
    }
    bytes.resize(std::max<std::size_t>(bytes.size(), SHORTEST_FRAME));
    return bytes;
}

bool
RoceFrame::Parse(const std::vector<uint8_t>& bytes, std::string& error)
{
    RoceFrame frame;
    if (const char* why = ReadFrame(bytes, frame))
    {
        error = why;
        return false;
    }
    *this = frame;
    return true;
}

uint32_t
RoceInvariantCrc(const uint8_t* bytes, std::size_t size)
{
    std::array<uint8_t, IPV4 + UDP + BTH> head{};
    std::copy_n(bytes, std::min(size, head.size()), head.begin());
    head[1] = 0xff;  // type of service
    head[8] = 0xff;  // time to live
    head[10] = 0xff; // IPv4 checksum
    head[11] = 0xff;
    head[IPV4 + 6] = 0xff; // UDP checksum
    head[IPV4 + 7] = 0xff;
    head[IPV4 + UDP + 4] = 0xff; // FECN, BECN and reserved bits

    const std::array<uint8_t, 8> routing{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    boost::crc_32_type crc;
    crc.process_bytes(routing.data(), routing.size());
    crc.process_bytes(head.data(), std::min(size, head.size()));
    if (size > head.size())
    {
        crc.process_bytes(bytes + head.size(), size - head.size());
    }
    return crc.checksum();
}

} // namespace ns3
