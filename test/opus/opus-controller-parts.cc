/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-controller-parts.h"

namespace ns3
{

OpusControllerParts::OpusControllerParts(bool isForGood)
    : extent(LIMIT, isForGood, voting.GetProgress(), phases, record)
{
}

OpusControllerParts::~OpusControllerParts() = default;

std::shared_ptr<const Cabling>
OpusControllerParts::MakeCabling()
{
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(RANKS, 1, 1));
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        cabling->Own(JobId(rank + 1 == RANKS ? 1 : 0), RankId(rank));
    }
    return cabling;
}

OpusPhase
OpusControllerParts::Operation(uint64_t operation)
{
    OpusPhase phase;
    phase.operation = operation;
    return phase;
}

std::vector<JoinedRanks>
OpusControllerParts::Chain(const std::vector<uint32_t>& ranks)
{
    std::vector<JoinedRanks> pairs;
    for (std::size_t i = 1; i < ranks.size(); ++i)
    {
        pairs.emplace_back(RankId(ranks[i - 1]), RankId(ranks[i]));
    }
    return pairs;
}

ControllerPhase&
OpusControllerParts::Call(uint64_t operation, const std::vector<uint32_t>& chain, uint64_t until)
{
    const auto pairs = Chain(chain);
    ControllerPhase& phase = ranks.Open(Operation(operation), chain.size(), GetDigest(pairs)).first;
    PhaseRequest request;
    request.until = until;
    for (const uint32_t rank : chain)
    {
        ranks.Name(phase, {RankId(rank)}, pairs);
        phase.votes.Request(RankId(rank), request);
    }
    phase.pairs = pairs;
    return phase;
}

ControllerPhase&
OpusControllerParts::Grant(uint64_t operation, const std::vector<uint32_t>& chain, uint64_t until)
{
    ControllerPhase& phase = Call(operation, chain, until);
    setup.TakeOver(phase);
    grants.Grant(phase);
    outbox.Take();
    return phase;
}

void
OpusControllerParts::Register(uint32_t group,
                              const std::vector<uint32_t>& members,
                              const std::string& name)
{
    std::vector<RankId> all(members.begin(), members.end());
    for (const RankId rank : all)
    {
        OpusRegisterGroup registration;
        registration.group = GroupId(group);
        registration.ranks = {rank};
        registration.whole = all.size();
        registration.digest = GetDigest(all);
        registration.name = name;
        groups.Register(ServerId(rank.Get()), registration);
    }
}

void
OpusControllerParts::JoinRanks(uint32_t one, uint32_t other)
{
    const auto [low, high] = GetRailPorts(Between(one, other), *cabling);
    ledger.Start(1, low.rail, CircuitPlan().Connect(low.port, high.port), NEVER);
    ledger.Done(1);
}

} // namespace ns3
