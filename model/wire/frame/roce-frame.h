/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ROCE_FRAME_H
#define PHOTONIC_RAILS_ROCE_FRAME_H

#include "ns3/mac48-address.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The opcodes of a reliable connection that this module sends (InfiniBand 1.4, table 38). */
enum class RoceOpcode : uint8_t
{
    SEND_FIRST = 0x00,
    SEND_MIDDLE = 0x01,
    SEND_LAST = 0x02,
    SEND_ONLY = 0x04,
    WRITE_FIRST = 0x06,
    WRITE_MIDDLE = 0x07,
    WRITE_LAST = 0x08,
    WRITE_LAST_WITH_IMMEDIATE = 0x09,
    WRITE_ONLY = 0x0a,
    WRITE_ONLY_WITH_IMMEDIATE = 0x0b,
    ACKNOWLEDGE = 0x11,
    CNP = 0x81, //!< congestion notification packet (RoCEv2 annex A17)
};

/** Values of the syndrome of an AETH (InfiniBand 1.4, tables 44 and 45). */
struct RoceSyndrome
{
    static constexpr uint8_t ACK = 0x1f;          //!< no credit count: end-to-end credits unused
    static constexpr uint8_t RNR_NAK = 0x20;      //!< plus a timer code of 5 bits
    static constexpr uint8_t NAK_SEQUENCE = 0x60; //!< PSN sequence error
};

/**
 * @ingroup photonic-rails
 * @brief One RoCEv2 frame as a composite of all its headers: Ethernet II, IPv4, UDP, BTH, the
 * headers of the opcode (RETH, ImmDt, AETH), payload, padding, ICRC.
 *
 * A frame passes through the simulation as this struct. Serialize() makes its bytes on demand. They
 * follow the standard bit for bit; the payload is zeros. Sizes are those of InfiniBand 1.4 and its
 * RoCEv2 annex.
 */
struct RoceFrame
{
    static constexpr uint16_t UDP_PORT = 4791;
    static constexpr uint32_t PSN_MASK = 0xffffff; //!< packet sequence numbers have 24 bits

    uint32_t sourceIp{0};
    uint32_t destinationIp{0};
    uint16_t sourcePort{0};     //!< entropy for ECMP
    uint16_t identification{0}; //!< of IPv4
    uint8_t tos{0};             //!< DSCP and ECN
    uint8_t ttl{64};

    RoceOpcode opcode{RoceOpcode::SEND_ONLY};
    bool solicited{false};
    bool ackRequest{false};
    bool becn{false}; //!< of a CNP
    uint16_t partition{0xffff};
    uint32_t destinationQp{0}; //!< 24 bits
    uint32_t psn{0};           //!< 24 bits

    uint64_t address{0};   //!< RETH: remote address
    uint32_t key{0};       //!< RETH: R_Key
    uint32_t length{0};    //!< RETH: bytes of the whole wire message
    uint32_t immediate{0}; //!< ImmDt
    uint8_t syndrome{0};   //!< AETH
    uint32_t msn{0};       //!< AETH: message sequence number, 24 bits

    uint32_t payload{0}; //!< bytes, without padding

    /**
     * Not on the wire. A message of more than 1 GiB consists of several wire messages, and this is
     * not the last. The receiver has the size from its application beforehand.
     */
    bool continued{false};

    static constexpr uint8_t ECN_MASK = 0x03;
    static constexpr uint8_t ECN_CAPABLE = 0x02;    //!< ECT(0)
    static constexpr uint8_t ECN_CONGESTION = 0x03; //!< CE

    /** @return whether a RETH follows the BTH */
    bool HasReth() const;
    /** @return whether an ImmDt follows */
    bool HasImmediate() const;
    /** @return whether an AETH follows */
    bool HasAeth() const;
    /** @return whether this is the first or only frame of a wire message */
    bool IsFirst() const;
    /** @return whether this is the last or only frame of a wire message */
    bool IsLast() const;
    /** @return whether this carries data, as opposed to an acknowledgement or a CNP */
    bool IsData() const;

    /** @return bytes on the wire with preamble and gap */
    uint32_t GetWireBytes() const;

    /**
     * @param source MAC address
     * @param destination MAC address
     * @return the bytes from the Ethernet header to the padding, without frame check sequence
     */
    std::vector<uint8_t> Serialize(Mac48Address source, Mac48Address destination) const;

    /**
     * Reads a frame.
     * @param bytes from the Ethernet header on
     * @param [out] error the reason, if the bytes are no RoCEv2 frame of these kinds
     * @return false in that case; else this is the frame
     */
    bool Parse(const std::vector<uint8_t>& bytes, std::string& error);

    /**
     * @param payload bytes of payload
     * @return bytes on the wire with preamble and gap
     */
    static uint32_t WireBytes(RoceOpcode opcode, uint32_t payload);
};

/**
 * @ingroup photonic-rails
 * @brief The invariant CRC of RoCEv2: CRC-32 over the fields that no switch changes.
 *
 * It begins with 64 one bits in place of the InfiniBand routing header; the type of service, time
 * to live and checksum of IPv4, the checksum of UDP and the byte of the BTH that carries FECN and
 * BECN count as ones (RoCEv2 annex A17.3.3).
 *
 * @param bytes a frame from the IPv4 header to the end of the padding, without the ICRC
 * @param size their number
 * @return the ICRC, to be sent least significant byte first
 */
uint32_t RoceInvariantCrc(const uint8_t* bytes, std::size_t size);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ROCE_FRAME_H */
