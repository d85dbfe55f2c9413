/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-record.h"

#include "opus-octets.h"

#include "ns3/abort.h"

#include <array>
#include <cstddef>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint8_t FLAG = 1;
constexpr uint8_t POINT_TO_POINT = 2;
constexpr std::size_t REASON_AT = 2;   //!< offset of the bytes of the reason
constexpr std::size_t COUNTS_AT = 100; //!< offset of the counts

/** The lists of a message, in the order of their counts and of their contents. */
enum List
{
    RANKS,
    PAIRS,
    CIRCUITS,
    UP,
    DOWN,
    ENTRY,
    LISTS,
};

constexpr std::array<uint32_t, LISTS> ITEM_BYTES{4, 8, 16, 8, 8, 1};

/** Counts of lists, 64 bits wide so that their total size never overflows. */
typedef std::array<uint64_t, LISTS> Counts;

uint64_t
TotalBytes(const Counts& counts, uint64_t reasonBytes)
{
    uint64_t total = OpusRecord::FIXED_BYTES + reasonBytes;
    for (uint32_t list = 0; list < LISTS; ++list)
    {
        total += counts[list] * ITEM_BYTES[list];
    }
    return total;
}

void
PutCircuits(OctetWriter& writer, const std::vector<SwitchCircuit>& circuits)
{
    for (const SwitchCircuit& circuit : circuits)
    {
        writer.Put(circuit.one.Get());
        writer.Put(circuit.other.Get());
    }
}

std::vector<SwitchCircuit>
TakeCircuits(OctetReader& reader, uint64_t count)
{
    std::vector<SwitchCircuit> circuits(count);
    for (SwitchCircuit& circuit : circuits)
    {
        circuit.one = PortId(reader.Take<uint32_t>());
        circuit.other = PortId(reader.Take<uint32_t>());
    }
    return circuits;
}

void
PutFixed(OctetWriter& writer, const OpusRecord& record, const Counts& counts)
{
    writer.Put(static_cast<uint8_t>(record.type));
    writer.Put(static_cast<uint8_t>((record.flag ? FLAG : 0) |
                                    (record.phase.pointToPoint ? POINT_TO_POINT : 0)));
    writer.Put(static_cast<uint16_t>(record.reason.size()));
    writer.Put(record.term);
    writer.Put(record.server.Get());
    writer.Put(record.rail.Get());
    writer.Put(record.phase.job.Get());
    writer.Put(record.phase.group.Get());
    writer.Put(record.phase.from.Get());
    writer.Put(record.phase.to.Get());
    writer.Put(record.phase.stage);
    writer.Put(record.phase.operation);
    writer.Put(record.bytes);
    writer.Put(record.number);
    writer.Put(record.until);
    writer.Put(record.links);
    writer.Put(record.whole);
    writer.Put(record.digest);
    writer.Put(static_cast<uint64_t>(record.others));
    writer.Put(static_cast<uint64_t>(record.reconfiguration));
    for (uint64_t count : counts)
    {
        writer.Put(static_cast<uint32_t>(count));
    }
}

Counts
TakeCounts(OctetReader& reader)
{
    Counts counts;
    for (uint64_t& count : counts)
    {
        count = reader.Take<uint32_t>();
    }
    return counts;
}

void
TakeLists(OctetReader& reader, const Counts& counts, OpusRecord& record)
{
    record.ranks.resize(counts[RANKS]);
    for (RankId& rank : record.ranks)
    {
        rank = RankId(reader.Take<uint32_t>());
    }
    record.pairs.resize(counts[PAIRS]);
    for (auto& [one, other] : record.pairs)
    {
        one = RankId(reader.Take<uint32_t>());
        other = RankId(reader.Take<uint32_t>());
    }
    record.circuits.resize(counts[CIRCUITS]);
    for (RankCircuit& circuit : record.circuits)
    {
        circuit.one = RankId(reader.Take<uint32_t>());
        circuit.onePort = reader.Take<uint32_t>();
        circuit.other = RankId(reader.Take<uint32_t>());
        circuit.otherPort = reader.Take<uint32_t>();
    }
    record.up = TakeCircuits(reader, counts[UP]);
    record.down = TakeCircuits(reader, counts[DOWN]);
}

} // namespace

std::vector<uint8_t>
OpusRecord::Encode(const OpusRecord& record)
{
    const Counts counts{record.ranks.size(),
                        record.pairs.size(),
                        record.circuits.size(),
                        record.up.size(),
                        record.down.size(),
                        record.entry.size()};
    const uint64_t reasonBytes = record.reason.size();
    NS_ABORT_MSG_IF(reasonBytes > std::numeric_limits<uint16_t>::max(),
                    "OpusEncoding: a reason of " << reasonBytes << " bytes in a message of type "
                                                 << ToString(record.type)
                                                 << "; it can have 65535, shorten it");
    const uint64_t total = TotalBytes(counts, reasonBytes);
    NS_ABORT_MSG_IF(total > MOST_BYTES,
                    "OpusEncoding: a message of type " << ToString(record.type) << " would take "
                                                       << total << " bytes; it can have "
                                                       << MOST_BYTES << ", send it as several");
    OctetWriter writer;
    writer.Get().reserve(total);
    PutFixed(writer, record, counts);
    for (RankId rank : record.ranks)
    {
        writer.Put(rank.Get());
    }
    for (const auto& [one, other] : record.pairs)
    {
        writer.Put(one.Get());
        writer.Put(other.Get());
    }
    for (const RankCircuit& circuit : record.circuits)
    {
        writer.Put(circuit.one.Get());
        writer.Put(circuit.onePort);
        writer.Put(circuit.other.Get());
        writer.Put(circuit.otherPort);
    }
    PutCircuits(writer, record.up);
    PutCircuits(writer, record.down);
    writer.PutAll(record.reason);
    writer.PutAll(record.entry);
    return std::move(writer.Get());
}

uint64_t
OpusRecord::FindBytes(const uint8_t* octets, std::size_t size)
{
    if (size < FIXED_BYTES)
    {
        return FIXED_BYTES;
    }
    OctetReader reason(octets + REASON_AT, size - REASON_AT);
    OctetReader counts(octets + COUNTS_AT, size - COUNTS_AT);
    return TotalBytes(TakeCounts(counts), reason.Take<uint16_t>());
}

OpusRefusal
OpusRecord::Parse(const uint8_t* octets, std::size_t size, OpusRecord& record)
{
    if (size < FIXED_BYTES)
    {
        return OpusRefusal::TRUNCATED;
    }
    OctetReader reader(octets, size);
    OpusRecord read;
    const uint8_t type = reader.Take<uint8_t>();
    const uint8_t flags = reader.Take<uint8_t>();
    if (type < static_cast<uint8_t>(OpusMessageType::REGISTER_GROUP) ||
        type > static_cast<uint8_t>(OpusMessageType::OUTAGE))
    {
        return OpusRefusal::UNKNOWN_TYPE;
    }
    if ((flags & ~(FLAG | POINT_TO_POINT)) != 0)
    {
        return OpusRefusal::UNKNOWN_FLAGS;
    }
    read.type = static_cast<OpusMessageType>(type);
    read.flag = (flags & FLAG) != 0;
    read.phase.pointToPoint = (flags & POINT_TO_POINT) != 0;
    const uint16_t reasonBytes = reader.Take<uint16_t>();
    read.term = reader.Take<uint32_t>();
    read.server = ServerId(reader.Take<uint32_t>());
    read.rail = RailId(reader.Take<uint32_t>());
    read.phase.job = JobId(reader.Take<uint32_t>());
    read.phase.group = GroupId(reader.Take<uint32_t>());
    read.phase.from = RankId(reader.Take<uint32_t>());
    read.phase.to = RankId(reader.Take<uint32_t>());
    read.phase.stage = reader.Take<uint32_t>();
    read.phase.operation = reader.Take<uint64_t>();
    read.bytes = reader.Take<uint64_t>();
    read.number = reader.Take<uint64_t>();
    read.until = reader.Take<uint64_t>();
    read.links = reader.Take<uint32_t>();
    read.whole = reader.Take<uint32_t>();
    read.digest = reader.Take<uint64_t>();
    read.others = static_cast<Picoseconds>(reader.Take<uint64_t>());
    read.reconfiguration = static_cast<Picoseconds>(reader.Take<uint64_t>());
    const Counts counts = TakeCounts(reader);
    // before any list of the claimed length is created
    const uint64_t total = TotalBytes(counts, reasonBytes);
    if (total != size)
    {
        return total > size ? OpusRefusal::BAD_COUNTS : OpusRefusal::TRAILING;
    }
    TakeLists(reader, counts, read);
    const uint8_t* entry = octets + size - counts[ENTRY];
    read.reason.assign(entry - reasonBytes, entry);
    read.entry.assign(entry, octets + size);
    record = std::move(read);
    return OpusRefusal::NONE;
}

OpusRefusal
OpusRecord::Parse(const std::vector<uint8_t>& octets, OpusRecord& record)
{
    return Parse(octets.data(), octets.size(), record);
}

} // namespace ns3
