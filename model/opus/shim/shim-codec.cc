/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-codec.h"

#include "granted-circuits.h"

#include "ns3/abort.h"
#include "ns3/picosecond-resolution.h"

#include <utility>
#include <vector>

namespace ns3
{

namespace
{

using SharedPairs = std::shared_ptr<const std::vector<std::pair<RankId, RankId>>>;

/** A pair as it is sent. */
struct PlainPair
{
    RankId one;
    RankId other;
};

/** The kinds of links of an answer. */
enum class LinksKind : uint8_t
{
    NONE,
    GRANTED,
    EQUAL_PORTS,
};

void
PutPairs(ByteWriter& bytes, const SharedPairs& pairs)
{
    bytes.Put(pairs != nullptr);
    if (pairs)
    {
        std::vector<PlainPair> plain;
        plain.reserve(pairs->size());
        for (const auto& [one, other] : *pairs)
        {
            plain.push_back({one, other});
        }
        bytes.PutAll(plain);
    }
}

SharedPairs
TakePairs(ByteReader& bytes)
{
    if (!bytes.Take<bool>())
    {
        return nullptr;
    }
    auto pairs = std::make_shared<std::vector<std::pair<RankId, RankId>>>();
    for (const PlainPair& pair : bytes.TakeAll<PlainPair>())
    {
        pairs->emplace_back(pair.one, pair.other);
    }
    return pairs;
}

/** A request without its pairs. */
struct PlainRequest
{
    RankId rank;
    GroupId group;
    uint64_t operation;
    bool pointToPoint;
    RankId from;
    RankId to;
    uint32_t stage;
    uint32_t stages;
    uint32_t place;
    CollectiveKind kind;
    uint64_t bytes;
};

/** A watch, with the address as a number. */
struct PlainWatch
{
    uint32_t address;
    uint16_t port;
    RailId rail;
    uint64_t plan;
    SwitchCircuit circuit;
    NicPort nic;
};

} // namespace

ShimCodec::ShimCodec(std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling))
{
}

void
ShimCodec::Put(ByteWriter& bytes, RankId rank) const
{
    bytes.Put(rank);
}

void
ShimCodec::Fill(ByteReader& bytes, RankId& rank) const
{
    rank = bytes.Take<RankId>();
}

void
ShimCodec::Put(ByteWriter& bytes, Time time) const
{
    bytes.Put<Picoseconds>(time.GetTimeStep());
}

void
ShimCodec::Fill(ByteReader& bytes, Time& time) const
{
    time = ToTime(bytes.Take<Picoseconds>());
}

void
ShimCodec::Put(ByteWriter& bytes, const CommunicationGroup& group) const
{
    bytes.Put(group.GetId());
    bytes.PutText(group.GetName());
    bytes.PutAll(group.GetRanks());
    bytes.Put(group.GetPerServer());
}

CommunicationGroup
ShimCodec::TakeGroup(ByteReader& bytes)
{
    const auto id = bytes.Take<GroupId>();
    const std::string name = bytes.TakeText();
    const auto ranks = bytes.TakeAll<RankId>();
    return CommunicationGroup(id, name, ranks, bytes.Take<uint32_t>());
}

void
ShimCodec::Put(ByteWriter& bytes, const CircuitRequest& request) const
{
    bytes.Put(PlainRequest{request.rank,
                           request.group,
                           request.operation,
                           request.pointToPoint,
                           request.from,
                           request.to,
                           request.stage,
                           request.stages,
                           request.place,
                           request.kind,
                           request.bytes});
    PutPairs(bytes, request.pairs);
    PutPairs(bytes, request.intraNode);
}

void
ShimCodec::Fill(ByteReader& bytes, CircuitRequest& request) const
{
    const auto plain = bytes.Take<PlainRequest>();
    request.rank = plain.rank;
    request.group = plain.group;
    request.operation = plain.operation;
    request.pointToPoint = plain.pointToPoint;
    request.from = plain.from;
    request.to = plain.to;
    request.stage = plain.stage;
    request.stages = plain.stages;
    request.place = plain.place;
    request.kind = plain.kind;
    request.bytes = plain.bytes;
    request.pairs = TakePairs(bytes);
    request.intraNode = TakePairs(bytes);
}

void
ShimCodec::Put(ByteWriter& bytes, const CircuitAnswer& answer) const
{
    bytes.Put(answer.network);
    bytes.PutText(answer.why);
    if (!answer.links)
    {
        bytes.Put(LinksKind::NONE);
    }
    else if (const auto granted = std::dynamic_pointer_cast<const GrantedCircuits>(answer.links))
    {
        NS_ABORT_MSG_IF(granted->IsOverRings(),
                        "ShimCodec: a rank on another process than its shim is granted a way "
                        "around a ring; have one process, or a policy without rings");
        bytes.Put(LinksKind::GRANTED);
        bytes.PutAll(granted->GetAll());
    }
    else
    {
        const auto equal = std::dynamic_pointer_cast<const EqualPorts>(answer.links);
        NS_ABORT_MSG_UNLESS(equal, "ShimCodec: an answer has links of another kind");
        bytes.Put(LinksKind::EQUAL_PORTS);
        bytes.Put(equal->GetPorts());
    }
}

void
ShimCodec::Fill(ByteReader& bytes, CircuitAnswer& answer) const
{
    answer.network = bytes.Take<CircuitAnswer::Network>();
    answer.why = bytes.TakeText();
    switch (bytes.Take<LinksKind>())
    {
    case LinksKind::NONE:
        break;
    case LinksKind::GRANTED:
        answer.links = std::make_shared<GrantedCircuits>(bytes.TakeAll<RankCircuit>(), m_cabling);
        break;
    case LinksKind::EQUAL_PORTS:
        answer.links = std::make_shared<EqualPorts>(bytes.Take<uint32_t>(), m_cabling);
        break;
    }
}

void
ShimCodec::Put(ByteWriter& bytes, const CircuitHint& hint) const
{
    bytes.Put(hint.kind);
    Put(bytes, hint.first);
    bytes.Put(hint.until);
    Put(bytes, hint.due);
}

void
ShimCodec::Fill(ByteReader& bytes, CircuitHint& hint) const
{
    hint.kind = bytes.Take<CircuitHint::Kind>();
    Fill(bytes, hint.first);
    hint.until = bytes.Take<uint64_t>();
    Fill(bytes, hint.due);
}

void
ShimCodec::Put(ByteWriter& bytes, const CallNotice& notice) const
{
    bytes.Put(notice);
}

void
ShimCodec::Fill(ByteReader& bytes, CallNotice& notice) const
{
    notice = bytes.Take<CallNotice>();
}

void
ShimCodec::Put(ByteWriter& bytes, const LinkUpWatch::Outcome& outcome) const
{
    bytes.Put(outcome);
}

void
ShimCodec::Fill(ByteReader& bytes, LinkUpWatch::Outcome& outcome) const
{
    outcome = bytes.Take<LinkUpWatch::Outcome>();
}

void
ShimCodec::Put(ByteWriter& bytes, const CarrierWatch& watch) const
{
    bytes.Put(PlainWatch{watch.agent.address.Get(),
                         watch.agent.port,
                         watch.rail,
                         watch.plan,
                         watch.circuit,
                         watch.port});
}

void
ShimCodec::Fill(ByteReader& bytes, CarrierWatch& watch) const
{
    const auto plain = bytes.Take<PlainWatch>();
    watch.agent.address = Ipv4Address(plain.address);
    watch.agent.port = plain.port;
    watch.rail = plain.rail;
    watch.plan = plain.plan;
    watch.circuit = plain.circuit;
    watch.port = plain.nic;
}

void
ShimCodec::Put(ByteWriter& bytes, const RankCircuit& circuit) const
{
    bytes.Put(circuit);
}

void
ShimCodec::Fill(ByteReader& bytes, RankCircuit& circuit) const
{
    circuit = bytes.Take<RankCircuit>();
}

void
ShimCodec::Put(ByteWriter& bytes, const ShimSample& sample) const
{
    bytes.Put(sample);
}

void
ShimCodec::Fill(ByteReader& bytes, ShimSample& sample) const
{
    sample = bytes.Take<ShimSample>();
}

} // namespace ns3
