/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-encoding.h"

#include "opus-octets.h"

#include "ns3/abort.h"

#include <array>
#include <limits>

namespace ns3
{

namespace
{

constexpr uint8_t SPECULATIVE = 1;
constexpr uint8_t POINT_TO_POINT = 2;

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
    uint64_t total = OpusEncoding::FIXED_BYTES + reasonBytes;
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
PutFixed(OctetWriter& writer, const OpusMessage& message, const Counts& counts)
{
    writer.Put(static_cast<uint8_t>(message.type));
    writer.Put(static_cast<uint8_t>((message.speculative ? SPECULATIVE : 0) |
                                    (message.phase.pointToPoint ? POINT_TO_POINT : 0)));
    writer.Put(static_cast<uint16_t>(message.reason.size()));
    writer.Put(message.term);
    writer.Put(message.server.Get());
    writer.Put(message.rail.Get());
    writer.Put(message.phase.job.Get());
    writer.Put(message.phase.group.Get());
    writer.Put(message.phase.from.Get());
    writer.Put(message.phase.to.Get());
    writer.Put(message.phase.stage);
    writer.Put(message.phase.operation);
    writer.Put(message.bytes);
    writer.Put(message.plan);
    writer.Put(message.until);
    writer.Put(message.links);
    writer.Put(message.whole);
    writer.Put(message.digest);
    writer.Put(static_cast<uint64_t>(message.others));
    writer.Put(static_cast<uint64_t>(message.reconfiguration));
    for (uint64_t count : counts)
    {
        writer.Put(static_cast<uint32_t>(count));
    }
}

void
TakeLists(OctetReader& reader, const Counts& counts, OpusMessage& message)
{
    message.ranks.resize(counts[RANKS]);
    for (RankId& rank : message.ranks)
    {
        rank = RankId(reader.Take<uint32_t>());
    }
    message.pairs.resize(counts[PAIRS]);
    for (auto& [one, other] : message.pairs)
    {
        one = RankId(reader.Take<uint32_t>());
        other = RankId(reader.Take<uint32_t>());
    }
    message.circuits.resize(counts[CIRCUITS]);
    for (RankCircuit& circuit : message.circuits)
    {
        circuit.one = RankId(reader.Take<uint32_t>());
        circuit.onePort = reader.Take<uint32_t>();
        circuit.other = RankId(reader.Take<uint32_t>());
        circuit.otherPort = reader.Take<uint32_t>();
    }
    message.up = TakeCircuits(reader, counts[UP]);
    message.down = TakeCircuits(reader, counts[DOWN]);
}

} // namespace

const char*
ToString(OpusRefusal refusal)
{
    switch (refusal)
    {
    case OpusRefusal::NONE:
        return "none";
    case OpusRefusal::NOT_OPUS:
        return "not-opus";
    case OpusRefusal::UNKNOWN_VERSION:
        return "unknown-version";
    case OpusRefusal::UNKNOWN_TYPE:
        return "unknown-type";
    case OpusRefusal::UNKNOWN_FLAGS:
        return "unknown-flags";
    case OpusRefusal::TRUNCATED:
        return "truncated";
    case OpusRefusal::TRAILING:
        return "trailing";
    case OpusRefusal::BAD_COUNTS:
        return "bad-counts";
    case OpusRefusal::CONTRADICTION:
        return "contradiction";
    }
    return "unknown";
}

std::vector<uint8_t>
OpusEncoding::Encode(const OpusMessage& message)
{
    const Counts counts{message.ranks.size(),
                        message.pairs.size(),
                        message.circuits.size(),
                        message.up.size(),
                        message.down.size(),
                        message.entry.size()};
    const uint64_t reasonBytes = message.reason.size();
    NS_ABORT_MSG_IF(reasonBytes > std::numeric_limits<uint16_t>::max(),
                    "OpusEncoding: a reason of " << reasonBytes << " bytes in a message of type "
                                                 << ToString(message.type)
                                                 << "; it can have 65535, shorten it");
    const uint64_t total = TotalBytes(counts, reasonBytes);
    NS_ABORT_MSG_IF(total > MOST_BYTES,
                    "OpusEncoding: a message of type " << ToString(message.type) << " would take "
                                                       << total << " bytes; it can have "
                                                       << MOST_BYTES << ", send it as several");
    OctetWriter writer;
    writer.Get().reserve(total);
    PutFixed(writer, message, counts);
    for (RankId rank : message.ranks)
    {
        writer.Put(rank.Get());
    }
    for (const auto& [one, other] : message.pairs)
    {
        writer.Put(one.Get());
        writer.Put(other.Get());
    }
    for (const RankCircuit& circuit : message.circuits)
    {
        writer.Put(circuit.one.Get());
        writer.Put(circuit.onePort);
        writer.Put(circuit.other.Get());
        writer.Put(circuit.otherPort);
    }
    PutCircuits(writer, message.up);
    PutCircuits(writer, message.down);
    writer.PutAll(message.reason);
    writer.PutAll(message.entry);
    return std::move(writer.Get());
}

OpusRefusal
OpusEncoding::Parse(const std::vector<uint8_t>& octets, OpusMessage& message)
{
    if (octets.size() < FIXED_BYTES)
    {
        return OpusRefusal::TRUNCATED;
    }
    OctetReader reader(octets.data(), octets.size());
    OpusMessage read;
    const uint8_t type = reader.Take<uint8_t>();
    const uint8_t flags = reader.Take<uint8_t>();
    if (type < static_cast<uint8_t>(OpusMessage::Type::REGISTER_GROUP) ||
        type > static_cast<uint8_t>(OpusMessage::Type::JOIN))
    {
        return OpusRefusal::UNKNOWN_TYPE;
    }
    if ((flags & ~(SPECULATIVE | POINT_TO_POINT)) != 0)
    {
        return OpusRefusal::UNKNOWN_FLAGS;
    }
    read.type = static_cast<OpusMessage::Type>(type);
    read.speculative = (flags & SPECULATIVE) != 0;
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
    read.plan = reader.Take<uint64_t>();
    read.until = reader.Take<uint64_t>();
    read.links = reader.Take<uint32_t>();
    read.whole = reader.Take<uint32_t>();
    read.digest = reader.Take<uint64_t>();
    read.others = static_cast<Picoseconds>(reader.Take<uint64_t>());
    read.reconfiguration = static_cast<Picoseconds>(reader.Take<uint64_t>());
    Counts counts;
    for (uint64_t& count : counts)
    {
        count = reader.Take<uint32_t>();
    }
    // before any list of the claimed length is created
    const uint64_t total = TotalBytes(counts, reasonBytes);
    if (total != octets.size())
    {
        return total > octets.size() ? OpusRefusal::BAD_COUNTS : OpusRefusal::TRAILING;
    }
    TakeLists(reader, counts, read);
    const auto entry = octets.end() - static_cast<std::ptrdiff_t>(counts[ENTRY]);
    read.reason.assign(entry - reasonBytes, entry);
    read.entry.assign(entry, octets.end());
    message = std::move(read);
    return OpusRefusal::NONE;
}

} // namespace ns3
