/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_RECORD_H
#define PHOTONIC_RAILS_OPUS_RECORD_H

#include "opus-contents.h"
#include "opus-refusal.h"

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The record that all types of messages share on the wire. A type uses some of its fields,
 * and the others are 0 or empty; OpusEncoding has the fields of each type.
 *
 * In network byte order:
 *
 * | offset | bytes | content                                                           |
 * |--------|-------|-------------------------------------------------------------------|
 * | 0      | 1     | type                                                              |
 * | 1      | 1     | flags: 1 that of the type, 2 phase is point to point; no others   |
 * | 2      | 2     | bytes of the reason                                               |
 * | 4      | 4     | term                                                              |
 * | 8      | 4     | server                                                            |
 * | 12     | 4     | rail                                                              |
 * | 16     | 20    | phase: job, group, from, to, stage, 4 each                        |
 * | 36     | 8     | phase: operation                                                  |
 * | 44     | 8     | bytes that the operation moves                                    |
 * | 52     | 8     | number of the request or plan                                     |
 * | 60     | 8     | until: the last operation of several                              |
 * | 68     | 4     | links of a pair, at most                                          |
 * | 72     | 4     | whole: the number of ranks that take part, on all servers         |
 * | 76     | 8     | digest of the whole list of ranks or pairs                        |
 * | 84     | 8     | others: the wait for them, in picoseconds                         |
 * | 92     | 8     | reconfiguration: how long it took, in picoseconds                 |
 * | 100    | 24    | counts: ranks, pairs, circuits, up, down, bytes of entry, 4 each  |
 * | 124    |       | ranks, 4 each                                                     |
 * |        |       | pairs, 8 each: one, other                                         |
 * |        |       | circuits of ranks, 16 each: one, its port, other, its port        |
 * |        |       | circuits of the switch to set up, 8 each: one, other              |
 * |        |       | circuits of the switch to take down, 8 each: one, other           |
 * |        |       | reason, then entry                                                |
 *
 * Each record has exactly one encoding.
 *
 * Plain C++: no simulator.
 */
struct OpusRecord
{
    static constexpr uint32_t FIXED_BYTES = 124;     //!< of a record without lists
    static constexpr uint32_t MOST_BYTES = 16 << 20; //!< of a record: a million circuits

    OpusMessageType type{OpusMessageType::HEARTBEAT};
    bool flag{false}; //!< of the type
    uint32_t term{0};
    ServerId server;
    RailId rail;
    OpusPhase phase;
    uint64_t bytes{0};
    uint64_t number{0};
    uint64_t until{0};
    uint32_t links{0};
    uint32_t whole{0};
    uint64_t digest{0};
    Picoseconds others{0};
    Picoseconds reconfiguration{0};
    std::vector<RankId> ranks;
    std::vector<std::pair<RankId, RankId>> pairs;
    std::vector<RankCircuit> circuits;
    std::vector<SwitchCircuit> up;
    std::vector<SwitchCircuit> down;
    std::string reason;
    std::vector<uint8_t> entry; //!< octets of any kind; no type uses them

    /**
     * @return the bytes of a record; aborts if they are more than MOST_BYTES, or its reason more
     * than 65,535
     */
    static std::vector<uint8_t> Encode(const OpusRecord& record);

    /**
     * @param octets that begin with a record, of any content
     * @param size number of octets
     * @return the bytes of the record by its counts; FIXED_BYTES if the octets are fewer
     */
    static uint64_t FindBytes(const uint8_t* octets, std::size_t size);

    /**
     * @param octets of any content
     * @param record is set to the record; it is not changed if there is none
     * @return the reason of a refusal, or NONE
     */
    static OpusRefusal Parse(const std::vector<uint8_t>& octets, OpusRecord& record);
    /** The same, of a number of octets. */
    static OpusRefusal Parse(const uint8_t* octets, std::size_t size, OpusRecord& record);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_RECORD_H */
