/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-record.h"

#include <cstddef>

namespace ns3
{

namespace
{

/** Writes numbers, most significant byte first. */
template <typename Octets>
class Writer
{
  public:
    template <typename Number>
    void Put(Number number)
    {
        for (std::size_t i = sizeof(Number); i-- > 0;)
        {
            m_octets[m_at++] = static_cast<uint8_t>(number >> 8 * i);
        }
    }

    const Octets& Get() const
    {
        return m_octets;
    }

  private:
    Octets m_octets{};
    std::size_t m_at{0};
};

/** Reads numbers, most significant byte first. */
template <typename Octets>
class Reader
{
  public:
    explicit Reader(const Octets& octets)
        : m_octets(octets)
    {
    }

    template <typename Number>
    Number Take()
    {
        uint64_t number = 0;
        for (std::size_t i = 0; i < sizeof(Number); ++i)
        {
            number = number << 8 | m_octets[m_at++];
        }
        return static_cast<Number>(number);
    }

  private:
    const Octets& m_octets;
    std::size_t m_at{0};
};

} // namespace

HostMessageHeader::Octets
HostMessageHeader::Encode(const TransportMessage& message)
{
    Writer<Octets> writer;
    writer.Put(uint32_t{MAGIC});
    writer.Put(uint16_t{VERSION});
    writer.Put(message.channel);
    writer.Put(message.from.Get());
    writer.Put(message.to.Get());
    writer.Put(message.group.Get());
    writer.Put(message.tag);
    writer.Put(message.link.here);
    writer.Put(message.link.there);
    writer.Put(message.bytes);
    return writer.Get();
}

std::optional<TransportMessage>
HostMessageHeader::Decode(const Octets& octets)
{
    Reader<Octets> reader(octets);
    const uint32_t magic = reader.Take<uint32_t>();
    const uint16_t version = reader.Take<uint16_t>();
    if (magic != MAGIC || version != VERSION)
    {
        return std::nullopt;
    }
    TransportMessage message;
    message.channel = reader.Take<uint16_t>();
    message.from = RankId(reader.Take<uint32_t>());
    message.to = RankId(reader.Take<uint32_t>());
    message.group = GroupId(reader.Take<uint32_t>());
    message.tag = reader.Take<uint32_t>();
    message.link.here = reader.Take<uint32_t>();
    message.link.there = reader.Take<uint32_t>();
    message.bytes = reader.Take<uint64_t>();
    return message;
}

HostReceipt::Octets
HostReceipt::Encode() const
{
    Writer<Octets> writer;
    writer.Put(uint32_t{MAGIC});
    writer.Put(static_cast<uint32_t>(outcome));
    writer.Put(number);
    return writer.Get();
}

std::optional<HostReceipt>
HostReceipt::Decode(const Octets& octets)
{
    Reader<Octets> reader(octets);
    const uint32_t magic = reader.Take<uint32_t>();
    const uint32_t outcome = reader.Take<uint32_t>();
    if (magic != MAGIC || outcome > NO_SUCH_RANK)
    {
        return std::nullopt;
    }
    HostReceipt receipt;
    receipt.outcome = static_cast<Outcome>(outcome);
    receipt.number = reader.Take<uint64_t>();
    return receipt;
}

} // namespace ns3
