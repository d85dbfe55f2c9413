/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_RECORD_H
#define PHOTONIC_RAILS_HOST_RECORD_H

#include "collective-transport.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The header of each message on the network of the hosts: 40 bytes, in network byte order.
 *
 *      0  "PRHM"
 *      4  version, 2 bytes
 *      6  channel, 2 bytes
 *      8  from, to, group, tag, port here, port there: 4 bytes each
 *     32  bytes that follow, 8 bytes
 */
struct HostMessageHeader
{
    static constexpr uint32_t SIZE = 40;          //!< in bytes
    static constexpr uint32_t MAGIC = 0x5052484d; //!< "PRHM"
    static constexpr uint16_t VERSION = 1;        //!< of the format

    /** The encoded header. */
    typedef std::array<uint8_t, SIZE> Octets;

    /** @return the encoded header of a message */
    static Octets Encode(const TransportMessage& message);

    /** @return the message; empty if the octets are no header */
    static std::optional<TransportMessage> Decode(const Octets& octets);
};

/**
 * @ingroup photonic-rails
 * @brief The answer of the server that has received a message: 16 bytes, in network byte order.
 *
 *      0  "PRHR"
 *      4  outcome, 4 bytes
 *      8  number of the message on its connection, from 0, 8 bytes
 */
struct HostReceipt
{
    static constexpr uint32_t SIZE = 16;          //!< in bytes
    static constexpr uint32_t MAGIC = 0x50524852; //!< "PRHR"

    /** The outcome of the message. */
    enum Outcome : uint32_t
    {
        ARRIVED,
        NO_SUCH_RANK, //!< the server has no such rank
    };

    /** The encoded receipt. */
    typedef std::array<uint8_t, SIZE> Octets;

    Outcome outcome{ARRIVED};
    uint64_t number{0}; //!< of the message

    /** @return the encoded receipt */
    Octets Encode() const;

    /** @return the receipt; empty if the octets are no receipt */
    static std::optional<HostReceipt> Decode(const Octets& octets);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_RECORD_H */
