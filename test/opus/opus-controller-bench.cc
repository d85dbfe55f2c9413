/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-controller-bench.h"

#include "opus-test-phases.h"

#include <algorithm>

namespace ns3
{

OpusControllerBench::OpusControllerBench(uint32_t servers,
                                         uint32_t rails,
                                         uint32_t ports,
                                         ControllerSettings settings)
    : m_rails(rails)
{
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(servers, rails, ports));
    for (uint32_t rank = 0; rank < servers * rails; ++rank)
    {
        cabling->Own(JobId(rank / rails + 1 == servers ? 1 : 0), RankId(rank));
    }
    if (settings.otherRails)
    {
        cabling->SetForwarding();
    }
    m_cabling = cabling;
    m_core = std::make_unique<ControllerCore>(cabling, settings);
}

OpusControllerBench::~OpusControllerBench() = default;

OpusControllerBench::OpusControllerBench(OpusControllerBench&& other) = default;

OpusControllerBench& OpusControllerBench::operator=(OpusControllerBench&& other) = default;

OpusPhase
OpusControllerBench::Send(uint32_t from, uint32_t to, uint64_t operation)
{
    OpusPhase phase;
    phase.pointToPoint = true;
    phase.from = RankId(from);
    phase.to = RankId(to);
    phase.operation = operation;
    return phase;
}

OpusPhase
OpusControllerBench::Operation(uint32_t group, uint64_t operation)
{
    return ns3::Operation(group, operation);
}

std::vector<JoinedRanks>
OpusControllerBench::Between(uint32_t one, uint32_t other) const
{
    std::vector<JoinedRanks> pairs;
    for (uint32_t rail = 0; rail < m_rails; ++rail)
    {
        pairs.emplace_back(R(one, rail), R(other, rail));
    }
    return pairs;
}

OpusControllerBench::Outbox
OpusControllerBench::Request(uint32_t server,
                             const OpusPhase& phase,
                             const std::vector<JoinedRanks>& pairs,
                             bool speculative,
                             uint64_t request,
                             uint64_t until,
                             uint32_t links)
{
    auto message = Of<OpusRequest>(server, phase, pairs);
    message.isAhead = speculative;
    message.number = request;
    message.until = until;
    message.links = links;
    return m_core->Take(message, now);
}

OpusControllerBench::Outbox
OpusControllerBench::ReleaseAfter(uint32_t server,
                                  const OpusPhase& phase,
                                  const std::vector<JoinedRanks>& pairs,
                                  uint64_t until)
{
    auto message = Of<OpusRelease>(server, phase, pairs);
    message.until = until;
    return m_core->Take(message, now);
}

OpusControllerBench::Outbox
OpusControllerBench::Release(uint32_t server,
                             const OpusPhase& phase,
                             const std::vector<JoinedRanks>& pairs,
                             bool unused,
                             uint64_t request)
{
    auto message = Of<OpusRelease>(server, phase, pairs);
    message.isUnused = unused;
    message.number = request;
    return m_core->Take(message, now);
}

OpusControllerBench::Outbox
OpusControllerBench::Register(uint32_t server,
                              uint32_t group,
                              const std::vector<RankId>& ranks,
                              const std::string& name)
{
    FlatMessage<OpusRegisterGroup> message;
    message.term = m_core->GetTerm();
    message.server = ServerId(server);
    message.group = GroupId(group);
    for (const RankId rank : ranks)
    {
        if (m_cabling->GetServer(rank) == ServerId(server))
        {
            message.ranks.push_back(rank);
        }
    }
    message.whole = ranks.size();
    message.digest = GetDigest(ranks);
    message.name = name;
    return m_core->Take(message, now);
}

OpusControllerBench::Outbox
OpusControllerBench::Answer(const OpusMessage& program, const std::string& alarm)
{
    const uint64_t plan = program.Get<OpusProgram>().plan;
    OpusMessage answer{program.term, ServerId(), program.rail, OpusDone{plan, {}}};
    if (!alarm.empty())
    {
        answer.content = OpusAlarm{plan, {}, alarm, false, {}};
    }
    return m_core->Take(answer, now);
}

OpusControllerBench::Outbox
OpusControllerBench::AnswerAll(const Outbox& outbox)
{
    Outbox all;
    for (const OutgoingMessage& outgoing : outbox)
    {
        const Outbox more =
            outgoing.toAgent ? AnswerAll(Answer(outgoing.message)) : Outbox{outgoing};
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

OpusControllerBench::Outbox
OpusControllerBench::RequestBoth(uint32_t one,
                                 uint32_t other,
                                 const OpusPhase& phase,
                                 uint64_t until,
                                 uint32_t links)
{
    Outbox outbox = Request(one, phase, Between(one, other), false, 0, until, links);
    const Outbox more = Request(other, phase, Between(one, other), false, 0, until, links);
    outbox.insert(outbox.end(), more.begin(), more.end());
    return outbox;
}

std::size_t
OpusControllerBench::Count(const Outbox& outbox, OpusMessage::Type type)
{
    std::size_t count = 0;
    for (const OutgoingMessage& outgoing : outbox)
    {
        count += outgoing.message.GetType() == type ? 1 : 0;
    }
    return count;
}

std::vector<RankId>
OpusControllerBench::FindRanks(uint32_t server, const std::vector<JoinedRanks>& pairs) const
{
    std::vector<RankId> ranks;
    for (const RankId rank : PhaseVotes(pairs).GetRanks())
    {
        if (m_cabling->GetServer(rank) == ServerId(server))
        {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

std::vector<OpusMessage>
OpusControllerBench::SelectType(const Outbox& outbox, OpusMessage::Type type)
{
    std::vector<OpusMessage> selected;
    for (const OutgoingMessage& outgoing : outbox)
    {
        if (outgoing.message.GetType() == type)
        {
            selected.push_back(outgoing.message);
        }
    }
    std::stable_sort(selected.begin(), selected.end(), [](const auto& one, const auto& other) {
        return one.server < other.server;
    });
    return selected;
}

} // namespace ns3
