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

/** What stands at the head of a datagram, as data. */
struct OpusDatagram
{
    static constexpr uint32_t COPIES =
        16; //!< times that a datagram is sent are counted modulo this

    uint64_t sequence{0};     //!< from 1, among those to this peer; 0: no piece, says only the rest
    uint8_t behind{0};        //!< so many numbers before it is the oldest that the sender still has
    uint8_t copy{0};          //!< how many times it has been sent, modulo COPIES; without a piece 0
    uint8_t echo{0};          //!< the copy of datagram `acknowledged` that this answers; 0: of none
    uint64_t acknowledged{0}; //!< up to this one, all of the peer's have come in
    uint64_t held{0};         //!< bit i: the peer's `acknowledged` + 2 + i has come in too
    uint32_t messageBytes{0}; //!< of the message that the piece is of
    uint32_t offset{0};       //!< of the piece in the message
    uint16_t pieceBytes{0};   //!< of the piece
};

/**
 * @ingroup photonic-rails
 * @brief The head of a UDP datagram of the control plane: what makes messages arrive once and in
 * order. A piece of a message, encoded as OpusEncoding says, follows it.
 *
 * In network byte order:
 *
 * | offset | bytes | what                                                                     |
 * |--------|-------|--------------------------------------------------------------------------|
 * | 0      | 4     | "OPUS"                                                                   |
 * | 4      | 1     | version, 2                                                               |
 * | 5      | 1     | flags: 1 a piece follows; no others                                      |
 * | 6      | 1     | behind, 0 to 63                                                          |
 * | 7      | 1     | copy, times it was sent modulo 16, in the upper half; echo in the lower  |
 * | 8      | 8     | sequence number of the datagram, from 1; 0 without a piece               |
 * | 16     | 8     | acknowledgement: all datagrams up to this one have come in               |
 * | 24     | 8     | held: bit i stands for datagram acknowledgement + 2 + i, which has too   |
 * | 32     | 4     | total length of the message, in bytes, at most OpusEncoding::MOST_BYTES  |
 * | 36     | 4     | offset of the piece in the message, in bytes                             |
 * | 40     | 2     | length of the piece, in bytes                                            |
 * | 42     |       | the piece                                                                |
 *
 * The copy that an acknowledgement answers tells how long the round trip was, also where a datagram
 * was sent more than once. Where a sender gave up what came before, `behind` tells the receiver not
 * to wait for it.
 *
 * @code
 * packet->AddHeader(OpusHeader(datagram));
 * OpusHeader header;
 * packet->RemoveHeader(header); // then header.GetRefusal(), and header.GetDatagram() if NONE
 * @endcode
 */
class OpusHeader : public Header
{
  public:
    static constexpr uint32_t MAGIC = 0x4f505553; //!< "OPUS"
    static constexpr uint8_t VERSION = 2;         //!< of the format
    static constexpr uint32_t SIZE = 42;          //!< in bytes
    static constexpr uint32_t WINDOW = 64;        //!< numbers that may be on their way at once

    /** @return the type */
    static TypeId GetTypeId();

    OpusHeader() = default;

    /** @param datagram what it says */
    explicit OpusHeader(const OpusDatagram& datagram);

    /** @return what it says */
    const OpusDatagram& GetDatagram() const;

    /** @return why what was deserialised is no such datagram, piece included */
    OpusRefusal GetRefusal() const;

    /**
     * @param octets a whole datagram, any bytes
     * @param datagram set to its head, and left alone if it is refused
     * @return why it is refused
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
