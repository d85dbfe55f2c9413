/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-encoding.h"

#include <utility>
#include <variant>

namespace ns3
{

namespace
{

/** The fields of a content are copied to a record. */
struct ToRecord
{
    template <typename Content>
    using Of = const Content&; //!< the content

    template <typename Field>
    void operator()(const Field& own, Field& field) const
    {
        field = own;
    }

    /** The record has the opposite. */
    void Opposite(bool own, bool& field) const
    {
        field = !own;
    }

    /** The record has 1 or 0. */
    void AsNumber(bool own, uint32_t& field) const
    {
        field = own ? 1 : 0;
    }
};

/** The fields of a content are moved from a record. */
struct FromRecord
{
    template <typename Content>
    using Of = Content&; //!< the content

    template <typename Field>
    void operator()(Field& own, Field& field) const
    {
        own = std::move(field);
    }

    /** The record has the opposite. */
    void Opposite(bool& own, bool field) const
    {
        own = !field;
    }

    /** The record has 1 or 0. */
    void AsNumber(bool& own, uint32_t field) const
    {
        own = field != 0;
    }
};

// Match() names the field of the record for each field of a content, once for both ways.

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusHeartbeat> heartbeat, OpusRecord& record)
{
    way(heartbeat.job, record.phase.job);
    way(heartbeat.isIdle, record.flag);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusRegisterGroup> group, OpusRecord& record)
{
    way(group.job, record.phase.job);
    way(group.group, record.phase.group);
    way(group.ranks, record.ranks);
    way(group.whole, record.whole);
    way(group.digest, record.digest);
    way(group.name, record.reason);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusRequest> request, OpusRecord& record)
{
    way(request.phase, record.phase);
    way(request.ranks, record.ranks);
    way(request.pairs, record.pairs);
    way(request.whole, record.whole);
    way(request.digest, record.digest);
    way(request.isAhead, record.flag);
    way(request.number, record.number);
    way(request.until, record.until);
    way(request.bytes, record.bytes);
    way(request.links, record.links);
    way(request.due, record.others); // of which a REQUEST has no other use
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusGrant> grant, OpusRecord& record)
{
    way(grant.phase, record.phase);
    way(grant.ranks, record.ranks);
    way(grant.number, record.number);
    way(grant.isAhead, record.flag);
    way(grant.until, record.until);
    way(grant.circuits, record.circuits);
    way(grant.others, record.others);
    way(grant.reconfiguration, record.reconfiguration);
    way(grant.linkUp, record.bytes); // of which a GRANT has no other use
    way.AsNumber(grant.isOverRings, record.links);
    way(grant.gaps, record.pairs);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusRefuse> refuse, OpusRecord& record)
{
    way(refuse.phase, record.phase);
    way(refuse.ranks, record.ranks);
    way(refuse.reason, record.reason);
    way.Opposite(refuse.isFinal, record.flag);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusRelease> release, OpusRecord& record)
{
    way(release.phase, record.phase);
    way(release.ranks, record.ranks);
    way(release.number, record.number);
    way(release.isUnused, record.flag);
    way(release.until, record.until);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusRecall> recall, OpusRecord& record)
{
    way(recall.phase, record.phase);
    way(recall.ranks, record.ranks);
    way(recall.number, record.number);
    way(recall.isWhole, record.flag);
    way(recall.until, record.until);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusLeave> leave, OpusRecord& record)
{
    way(leave.job, record.phase.job);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusHold> hold, OpusRecord& record)
{
    way(hold.phase, record.phase);
    way(hold.ranks, record.ranks);
    way(hold.circuits, record.circuits);
    way(hold.pairs, record.pairs);
    way(hold.whole, record.whole);
    way(hold.digest, record.digest);
    way(hold.isAhead, record.flag);
    way(hold.number, record.number);
    way(hold.until, record.until);
    way.AsNumber(hold.isOverRings, record.links);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusTerm> term, OpusRecord& record)
{
    way(term.job, record.phase.job);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusProgram> program, OpusRecord& record)
{
    way(program.plan, record.number);
    way(program.phase, record.phase);
    way(program.up, record.up);
    way(program.down, record.down);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusDone> done, OpusRecord& record)
{
    way(done.plan, record.number);
    way(done.phase, record.phase);
    way(done.linkUp, record.reconfiguration);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusAlarm> alarm, OpusRecord& record)
{
    way(alarm.plan, record.number);
    way(alarm.phase, record.phase);
    way(alarm.reason, record.reason);
    way(alarm.isPartial, record.flag);
    way(alarm.dark, record.down);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusClaim> claim, OpusRecord& record)
{
    way(claim.isQuery, record.flag);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusAccept> accept, OpusRecord& record)
{
    way(accept.isQuery, record.flag);
    way(accept.circuits, record.up);
}

template <typename Way>
void
Match(Way, typename Way::template Of<OpusJoin>, OpusRecord&)
{
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusWatch> watch, OpusRecord& record)
{
    way(watch.plan, record.number);
    way(watch.circuits, record.up);
    way(watch.job, record.phase.job);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusCarrier> carrier, OpusRecord& record)
{
    way(carrier.plan, record.number);
    way(carrier.circuits, record.up);
    way(carrier.job, record.phase.job);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusFallback> fallback, OpusRecord& record)
{
    way(fallback.isUp, record.flag);
    way(fallback.up, record.up);
    way(fallback.dark, record.down);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusCalled> called, OpusRecord& record)
{
    way(called.phase, record.phase);
    way(called.ranks, record.ranks);
    way(called.whole, record.whole);
    way(called.slot, record.links);
    way(called.at, record.others);
    way(called.chooses, record.flag);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusLateness> lateness, OpusRecord& record)
{
    way(lateness.phase, record.phase);
    way(lateness.ranks, record.ranks);
    way(lateness.slot, record.links);
    way(lateness.last, record.whole);
    way(lateness.lateness, record.others);
}

template <typename Way>
void
Match(Way way, typename Way::template Of<OpusOutage> outage, OpusRecord& record)
{
    way(outage.phase, record.phase);
    way(outage.ranks, record.ranks);
    way(outage.number, record.number);
    way(outage.circuits, record.circuits);
}

/** A type, as a value. */
template <typename Type>
struct TypeOf
{
    using type = Type;
};

/** @return the content of a record, by the type of the record; the other parameter is ignored */
template <typename... Contents>
std::variant<Contents...>
ReadContent(OpusRecord& record, const std::variant<Contents...>&)
{
    std::variant<Contents...> content;
    const auto readIfType = [&record, &content](auto type) {
        using Content = typename decltype(type)::type;
        if (record.type == Content::TYPE)
        {
            Match(FromRecord(), content.template emplace<Content>(), record);
        }
    };
    (readIfType(TypeOf<Contents>()), ...);
    return content;
}

} // namespace

OpusRecord
OpusEncoding::MakeRecord(const OpusMessage& message)
{
    OpusRecord record;
    record.type = message.GetType();
    record.term = message.term;
    record.server = message.server;
    record.rail = message.rail;
    std::visit([&record](const auto& content) { Match(ToRecord(), content, record); },
               message.content);
    return record;
}

std::vector<uint8_t>
OpusEncoding::Encode(const OpusMessage& message)
{
    return OpusRecord::Encode(MakeRecord(message));
}

OpusRefusal
OpusEncoding::Parse(const std::vector<uint8_t>& octets, OpusMessage& message)
{
    return Parse(octets.data(), octets.size(), message);
}

OpusRefusal
OpusEncoding::Parse(const uint8_t* octets, std::size_t size, OpusMessage& message)
{
    OpusRecord record;
    const OpusRefusal refusal = OpusRecord::Parse(octets, size, record);
    if (refusal == OpusRefusal::NONE)
    {
        message.term = record.term;
        message.server = record.server;
        message.rail = record.rail;
        message.content = ReadContent(record, message.content);
    }
    return refusal;
}

} // namespace ns3
