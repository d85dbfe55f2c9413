/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_ENCODING_H
#define PHOTONIC_RAILS_OPUS_ENCODING_H

#include "opus-message.h"
#include "opus-record.h"
#include "opus-refusal.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An OpusMessage as bytes, and back: the bytes of an OpusRecord.
 *
 * All types have term, server and rail in the fields of these names. The other members of a content
 * are in the fields of their names, except:
 *
 * | content                           | field of the record       |
 * |-----------------------------------|---------------------------|
 * | isAhead, isUnused, isWhole        | flag                      |
 * | isPartial, isQuery, isIdle, isUp  | flag                      |
 * | OpusCalled: chooses               | flag                      |
 * | OpusRefuse: isFinal               | flag, 1 if it is false    |
 * | plan                              | number                    |
 * | job, group                        | phase, its job and group  |
 * | OpusRegisterGroup: name           | reason                    |
 * | OpusAccept: circuits              | up                        |
 * | OpusAlarm, OpusFallback: dark     | down                      |
 * | OpusRequest: due                  | others                    |
 * | OpusCalled: at                    | others                    |
 * | OpusLateness: lateness            | others                    |
 * | OpusLateness: last                | whole                     |
 * | slot                              | links                     |
 * | OpusGrant: linkUp                 | bytes                     |
 * | OpusGrant: gaps                   | pairs                     |
 * | isOverRings                       | links, 1 if it is true    |
 * | OpusDone: linkUp                  | reconfiguration           |
 *
 * The sender writes 0, or no items, to fields that its type does not use. The receiver ignores
 * them. Messages are sent in datagrams with an OpusHeader, several in one or a large one in pieces.
 *
 * Plain C++: no simulator.
 */
struct OpusEncoding
{
    static constexpr uint32_t FIXED_BYTES = OpusRecord::FIXED_BYTES; //!< of a message without lists
    static constexpr uint32_t MOST_BYTES = OpusRecord::MOST_BYTES;   //!< of a message

    /** @return the record of a message */
    static OpusRecord MakeRecord(const OpusMessage& message);

    /**
     * @return the bytes of a message; aborts if they are more than MOST_BYTES, or its reason more
     * than 65,535
     */
    static std::vector<uint8_t> Encode(const OpusMessage& message);

    /**
     * @param octets of any content
     * @param message is set to the message; it is not changed if there is none
     * @return the reason of a refusal, or NONE
     */
    static OpusRefusal Parse(const std::vector<uint8_t>& octets, OpusMessage& message);
    /** The same, of a number of octets. */
    static OpusRefusal Parse(const uint8_t* octets, std::size_t size, OpusMessage& message);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_ENCODING_H */
