/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_HEADER_H
#define PHOTONIC_RAILS_OPUS_HEADER_H

#include "opus-encoding.h"

#include "ns3/header.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** The head of a datagram, as data. */
struct OpusDatagram
{
    static constexpr uint32_t COPIES = 16; //!< modulus of the count of a datagram's copies

    uint64_t sequence{0};     //!< from 1, among those to this peer; 0: no piece
    uint8_t behind{0};        //!< distance to the oldest number that the sender still has
    uint8_t copy{0};          //!< number of the copy, modulo COPIES; without a piece 0
    uint8_t echo{0};          //!< the copy of datagram `acknowledged` that this answers; 0: none
    uint64_t acknowledged{0}; //!< the peer's datagrams up to this one have arrived
    uint64_t held{0};         //!< bit i: the peer's `acknowledged` + 2 + i has arrived too
    uint32_t bundleBytes{0};  //!< of the bundle of the piece
    uint32_t offset{0};       //!< of the piece in the bundle
    uint16_t pieceBytes{0};   //!< of the piece
};

/**
 * @ingroup photonic-rails
 * @brief The head of a UDP datagram of the control plane, by which messages arrive once and in
 * order. A piece of a bundle follows it: messages in the format of OpusEncoding, one behind the
 * other.
 *
 * In network byte order:
 *
 * | offset | bytes | content                                                                  |
 * |--------|-------|--------------------------------------------------------------------------|
 * | 0      | 4     | "OPUS"                                                                   |
 * | 4      | 1     | version, 3                                                               |
 * | 5      | 1     | flags: 1 a piece follows; no others                                      |
 * | 6      | 1     | behind, 0 to 63                                                          |
 * | 7      | 1     | copy, its number modulo 16, in the upper half; echo in the lower         |
 * | 8      | 8     | sequence number of the datagram, from 1; 0 without a piece               |
 * | 16     | 8     | acknowledgement: all datagrams up to this one have arrived               |
 * | 24     | 8     | held: bit i stands for datagram acknowledgement + 2 + i, arrived too     |
 * | 32     | 4     | total length of the bundle, in bytes, at most OpusEncoding::MOST_BYTES   |
 * | 36     | 4     | offset of the piece in the bundle, in bytes                              |
 * | 40     | 2     | length of the piece, in bytes                                            |
 * | 42     |       | the piece                                                                |
 *
 * The copy that an acknowledgement answers gives the round trip, also where a datagram was sent
 * more than once. Where earlier datagrams of a sender have failed, `behind` makes the receiver stop
 * waiting for them.
 *
 * @code
 * packet->AddHeader(OpusHeader(datagram));
 * OpusHeader header;
 * packet->PeekHeader(header); // then header.GetRefusal(), and header.GetDatagram() if NONE
 * @endcode
 */
class OpusHeader : public Header
{
  public:
    static constexpr uint32_t MAGIC = 0x4f505553; //!< "OPUS"
    static constexpr uint8_t VERSION = 3;         //!< of the format
    static constexpr uint32_t SIZE = 42;          //!< in bytes
    static constexpr uint32_t WINDOW = 64; //!< sequence numbers that may be in flight at once

    /** @return the type */
    static TypeId GetTypeId();

    OpusHeader() = default;

    /** @param datagram the content of the head */
    explicit OpusHeader(const OpusDatagram& datagram);

    /** @return the content of the head */
    const OpusDatagram& GetDatagram() const;

    /**
     * @return the reason why the deserialised bytes, with the piece, are no such datagram; or NONE
     */
    OpusRefusal GetRefusal() const;

    /**
     * @param octets a whole datagram, of any content
     * @param datagram is set to its head; it is not changed if the datagram is refused
     * @return the reason of a refusal, or NONE
     */
    static OpusRefusal Parse(const std::vector<uint8_t>& octets, OpusDatagram& datagram);

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    OpusDatagram m_datagram;
    OpusRefusal m_refusal{OpusRefusal::NONE};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_HEADER_H */
