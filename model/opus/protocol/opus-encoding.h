/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_ENCODING_H
#define PHOTONIC_RAILS_OPUS_ENCODING_H

#include "opus-message.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** The reason of a refused input. */
enum class OpusRefusal : uint8_t
{
    NONE,            //!< it is accepted
    NOT_OPUS,        //!< it does not begin like a datagram of the protocol
    UNKNOWN_VERSION, //!< of the protocol
    UNKNOWN_TYPE,    //!< of message
    UNKNOWN_FLAGS,   //!< a flag that this version does not have
    TRUNCATED,       //!< it ends too early
    TRAILING,        //!< it has bytes after its end
    BAD_COUNTS,      //!< lists longer than the message
    CONTRADICTION,   //!< numbers that contradict each other
};

/** The number of values of OpusRefusal. */
constexpr uint32_t OPUS_REFUSALS = 9;

/** @return the name of a refusal in lower case with dashes */
const char* ToString(OpusRefusal refusal);

/**
 * @ingroup photonic-rails
 * @brief An OpusMessage as bytes, and back.
 *
 * In network byte order:
 *
 * | offset | bytes | content                                                           |
 * |--------|-------|-------------------------------------------------------------------|
 * | 0      | 1     | type                                                              |
 * | 1      | 1     | flags: 1 speculative, 2 the phase is point to point; no others    |
 * | 2      | 2     | bytes of the reason                                               |
 * | 4      | 4     | term                                                              |
 * | 8      | 4     | server                                                            |
 * | 12     | 4     | rail                                                              |
 * | 16     | 20    | phase: job, group, from, to, stage, 4 each                        |
 * | 36     | 8     | phase: operation                                                  |
 * | 44     | 8     | bytes that the operation moves                                    |
 * | 52     | 8     | plan                                                              |
 * | 60     | 8     | until: the last operation of several                              |
 * | 68     | 4     | links of a pair, at most                                          |
 * | 72     | 4     | whole: the number of ranks that take part, on all servers          |
 * | 76     | 8     | digest of the whole list of ranks or pairs                        |
 * | 84     | 8     | others: the wait for them, in picoseconds                         |
 * | 92     | 8     | reconfiguration: how long it took, in picoseconds                  |
 * | 100    | 24    | counts: ranks, pairs, circuits, up, down, bytes of entry, 4 each   |
 * | 124    |       | ranks, 4 each                                                     |
 * |        |       | pairs, 8 each: one, other                                         |
 * |        |       | circuits of ranks, 16 each: one, its port, other, its port        |
 * |        |       | circuits of the switch to set up, 8 each: one, other              |
 * |        |       | circuits of the switch to take down, 8 each: one, other           |
 * |        |       | reason, then entry                                                |
 *
 * Each message has exactly one encoding. Messages are sent in datagrams with an OpusHeader, a large
 * one in pieces. An entry of a log is a message in this encoding too.
 *
 * Plain C++: no simulator.
 */
struct OpusEncoding
{
    static constexpr uint32_t FIXED_BYTES = 124;     //!< of a message without lists
    static constexpr uint32_t MOST_BYTES = 16 << 20; //!< of a message: a million circuits

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
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_ENCODING_H */
