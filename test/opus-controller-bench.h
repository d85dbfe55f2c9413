/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CONTROLLER_BENCH_H
#define PHOTONIC_RAILS_OPUS_CONTROLLER_BENCH_H

#include "ns3/controller-core.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** A controller whose messages are written by hand. Job 0 owns all but the last server. */
class OpusControllerBench
{
  public:
    OpusControllerBench(uint32_t servers,
                        uint32_t rails,
                        uint32_t ports,
                        ControllerSettings settings = {})
        : m_rails(rails)
    {
        auto cabling = std::make_shared<Cabling>(Cabling::OfRails(servers, rails, ports));
        for (uint32_t rank = 0; rank < servers * rails; ++rank)
        {
            cabling->Own(JobId(rank / rails + 1 == servers ? 1 : 0), RankId(rank));
        }
        m_cabling = cabling;
        m_core = std::make_unique<ControllerCore>(cabling, settings);
    }

    ControllerCore& Core()
    {
        return *m_core;
    }

    const Cabling& GetCabling() const
    {
        return *m_cabling;
    }

    /** @return the rank of a server on a rail */
    RankId R(uint32_t server, uint32_t rail = 0) const
    {
        return RankId(server * m_rails + rail);
    }

    /** @return a send's phase, between servers; it needs no group */
    static OpusPhase Send(uint32_t from, uint32_t to, uint64_t operation = 0)
    {
        OpusPhase phase;
        phase.pointToPoint = true;
        phase.from = RankId(from);
        phase.to = RankId(to);
        phase.operation = operation;
        return phase;
    }

    /** @return a phase of a group */
    static OpusPhase Operation(uint32_t group, uint64_t operation)
    {
        OpusPhase phase;
        phase.group = GroupId(group);
        phase.operation = operation;
        return phase;
    }

    /** @return pairs between two servers on all rails */
    std::vector<JoinedRanks> Between(uint32_t one, uint32_t other) const
    {
        std::vector<JoinedRanks> pairs;
        for (uint32_t rail = 0; rail < m_rails; ++rail)
        {
            pairs.emplace_back(R(one, rail), R(other, rail));
        }
        return pairs;
    }

    /** @return a message of all ranks of a server that are in the pairs */
    OpusMessage Of(OpusMessage::Type type,
                   uint32_t server,
                   const OpusPhase& phase,
                   const std::vector<JoinedRanks>& pairs) const
    {
        OpusMessage message;
        message.type = type;
        message.term = m_core->GetTerm();
        message.server = ServerId(server);
        message.phase = phase;
        for (const RankId rank : PhaseVotes(pairs).GetRanks())
        {
            if (m_cabling->GetServer(rank) == ServerId(server))
            {
                message.ranks.push_back(rank);
            }
        }
        if (type == OpusMessage::Type::REQUEST)
        {
            WholePairs(pairs).Name(message);
        }
        return message;
    }

    using Outbox = ControllerCore::Outbox;

    Outbox Ask(uint32_t server,
               const OpusPhase& phase,
               const std::vector<JoinedRanks>& pairs,
               bool speculative = false,
               uint64_t ask = 0,
               uint64_t until = 0,
               uint32_t links = 0)
    {
        OpusMessage message = Of(OpusMessage::Type::REQUEST, server, phase, pairs);
        message.speculative = speculative;
        message.plan = ask;
        message.until = until;
        message.links = links;
        return m_core->Take(message, now);
    }

    /** @param until the last operation that the ranks are through with */
    Outbox ReleaseAfter(uint32_t server,
                        const OpusPhase& phase,
                        const std::vector<JoinedRanks>& pairs,
                        uint64_t until)
    {
        OpusMessage message = Of(OpusMessage::Type::RELEASE, server, phase, pairs);
        message.until = until;
        return m_core->Take(message, now);
    }

    Outbox Release(uint32_t server,
                   const OpusPhase& phase,
                   const std::vector<JoinedRanks>& pairs,
                   bool unused = false,
                   uint64_t ask = 0)
    {
        OpusMessage message = Of(OpusMessage::Type::RELEASE, server, phase, pairs);
        message.speculative = unused;
        message.plan = ask;
        return m_core->Take(message, now);
    }

    Outbox Register(uint32_t server,
                    uint32_t group,
                    const std::vector<RankId>& ranks,
                    const std::string& name = "")
    {
        OpusMessage message;
        message.type = OpusMessage::Type::REGISTER_GROUP;
        message.term = m_core->GetTerm();
        message.server = ServerId(server);
        message.phase.group = GroupId(group);
        for (const RankId rank : ranks)
        {
            if (m_cabling->GetServer(rank) == ServerId(server))
            {
                message.ranks.push_back(rank);
            }
        }
        message.whole = ranks.size();
        message.digest = GetDigest(ranks);
        message.reason = name;
        return m_core->Take(message, now);
    }

    /** @return what follows when an agent answers a PROGRAM */
    Outbox Answer(const OpusMessage& program, const std::string& alarm = "")
    {
        OpusMessage answer;
        answer.type = alarm.empty() ? OpusMessage::Type::DONE : OpusMessage::Type::ALARM;
        answer.term = program.term;
        answer.rail = program.rail;
        answer.plan = program.plan;
        answer.reason = alarm;
        return m_core->Take(answer, now);
    }

    /** @return what follows when agents answer all PROGRAMs, and those that follow from it */
    Outbox AnswerAll(const Outbox& outbox)
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

    /** Both servers ask. @return what follows, but for agents' answers */
    Outbox AskBoth(uint32_t one,
                   uint32_t other,
                   const OpusPhase& phase,
                   uint64_t until = 0,
                   uint32_t links = 0)
    {
        Outbox outbox = Ask(one, phase, Between(one, other), false, 0, until, links);
        const Outbox more = Ask(other, phase, Between(one, other), false, 0, until, links);
        outbox.insert(outbox.end(), more.begin(), more.end());
        return outbox;
    }

    /** @return the outgoing messages of a type, in order of their servers */
    static std::vector<OpusMessage> Select(const Outbox& outbox, OpusMessage::Type type)
    {
        std::vector<OpusMessage> selected;
        for (const OutgoingMessage& outgoing : outbox)
        {
            if (outgoing.message.type == type)
            {
                selected.push_back(outgoing.message);
            }
        }
        std::stable_sort(selected.begin(), selected.end(), [](const auto& one, const auto& other) {
            return one.server < other.server;
        });
        return selected;
    }

    /** @return how many outgoing messages are of a type */
    static std::size_t Count(const Outbox& outbox, OpusMessage::Type type)
    {
        std::size_t count = 0;
        for (const OutgoingMessage& outgoing : outbox)
        {
            count += outgoing.message.type == type ? 1 : 0;
        }
        return count;
    }

    Picoseconds now{0};

  private:
    uint32_t m_rails;
    std::shared_ptr<const Cabling> m_cabling;
    std::unique_ptr<ControllerCore> m_core;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTROLLER_BENCH_H */
