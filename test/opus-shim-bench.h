/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_SHIM_BENCH_H
#define PHOTONIC_RAILS_OPUS_SHIM_BENCH_H

#include "ns3/shim-core.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A shim of job 0 on server 0 whose outgoing messages are read and whose controller is played by
 * hand. Its ranks have the outgoing messages "dp" (group 1, a ring of ranks 0, 2 and 4), "tp"
 * (group 2, ranks 0 and 6) and "pp" (group 3, sends between ranks 0, 2 and 4).
 */
class OpusShimBench
{
  public:
    using Type = OpusMessage::Type;
    using Network = CircuitAnswer::Network;

    static ShimSettings Settings(ShimMode mode = ShimMode::ON_DEMAND)
    {
        ShimSettings settings;
        settings.ports = 2;
        settings.mode = mode;
        return settings;
    }

    OpusShimBench()
        : OpusShimBench(Settings())
    {
    }

    explicit OpusShimBench(const ShimSettings& settings)
        : m_core(std::make_unique<ShimCore>(settings))
    {
        for (const auto& [id, name] :
             {std::pair<uint32_t, std::string>{1, "dp 0"}, {2, "tp 0"}, {3, "pp 0"}})
        {
            m_core->Join(RankId(0),
                         CommunicationGroup(GroupId(id),
                                            name,
                                            {RankId(0), RankId(2), RankId(4), RankId(6)}));
        }
        Flush();
    }

    ShimCore& Core()
    {
        return *m_core;
    }

    static CallPairs Pairs(std::vector<std::pair<uint32_t, uint32_t>> pairs)
    {
        std::vector<std::pair<RankId, RankId>> ranks;
        for (const auto& [one, other] : pairs)
        {
            ranks.emplace_back(one, other);
        }
        return std::make_shared<const std::vector<std::pair<RankId, RankId>>>(ranks);
    }

    static CircuitRequest Dp(uint64_t operation, uint32_t rank = 0)
    {
        CircuitRequest ask;
        ask.rank = RankId(rank);
        ask.group = GroupId(1);
        ask.operation = operation;
        ask.bytes = 100;
        ask.pairs = Pairs({{0, 2}, {2, 4}, {4, 0}});
        return ask;
    }

    static CircuitRequest Tp(uint64_t operation)
    {
        CircuitRequest ask = Dp(operation);
        ask.group = GroupId(2);
        ask.pairs = Pairs({{0, 6}});
        return ask;
    }

    /** A send of which rank 0 is an end. */
    static CircuitRequest Send(uint32_t from, uint32_t to, uint64_t operation)
    {
        CircuitRequest ask = Dp(operation);
        ask.group = GroupId(3);
        ask.pointToPoint = true;
        ask.from = RankId(from);
        ask.to = RankId(to);
        ask.pairs = Pairs({{from, to}});
        return ask;
    }

    static OpusPhase PhaseOf(const CircuitRequest& ask)
    {
        OpusPhase phase;
        phase.group = ask.group;
        phase.pointToPoint = ask.pointToPoint;
        phase.from = ask.from;
        phase.to = ask.to;
        phase.operation = ask.operation;
        phase.stage = ask.stage;
        return phase;
    }

    std::vector<ShimAnswer> Ask(const CircuitRequest& ask)
    {
        return Quiet(m_core->Request(ask, now));
    }

    std::vector<ShimAnswer> Finish(const CircuitRequest& ask)
    {
        return Quiet(m_core->Finish(ask, now));
    }

    std::vector<ShimAnswer> Take(const OpusMessage& message)
    {
        return Quiet(m_core->Take(message, now));
    }

    std::vector<OpusMessage> Flush()
    {
        const ShimOutcome outcome = m_core->Flush(now);
        EXPECT_TRUE(outcome.answers.empty());
        EXPECT_FALSE(m_core->HasOutgoing());
        return outcome.outbox;
    }

    /** @return the one outgoing message that leaves */
    OpusMessage FlushOne()
    {
        const std::vector<OpusMessage> outbox = Flush();
        EXPECT_EQ(outbox.size(), 1U);
        return outbox.empty() ? OpusMessage() : outbox.front();
    }

    OpusMessage Message(Type type, const CircuitRequest& ask, uint64_t until = 0)
    {
        OpusMessage message;
        message.type = type;
        message.term = m_core->GetTerm();
        message.phase = PhaseOf(ask);
        message.ranks = {ask.rank};
        message.until = until;
        return message;
    }

    /** A GRANT with a circuit from port 0 (and 1, if there is another pair) of rank 0. */
    OpusMessage Granted(const CircuitRequest& ask, uint64_t until, uint64_t number = 0)
    {
        OpusMessage grant = Message(Type::GRANT, ask, until);
        grant.plan = number;
        uint32_t port = 0;
        for (const auto& [one, other] : *ask.pairs)
        {
            if (one == RankId(0) || other == RankId(0))
            {
                const bool isOne = one == RankId(0);
                grant.circuits.push_back({one, isOne ? port : 5, other, isOne ? 5 : port});
                ++port;
            }
        }
        return grant;
    }

    std::vector<ShimAnswer> Grant(const CircuitRequest& ask, uint64_t until, uint64_t number = 0)
    {
        return Take(Granted(ask, until, number));
    }

    /** Asks, is granted, and leaves it under way. */
    void AskAndGet(const CircuitRequest& ask, uint64_t until)
    {
        EXPECT_TRUE(Ask(ask).empty());
        FlushOne();
        EXPECT_EQ(Grant(ask, until).size(), 1U);
    }

    Picoseconds now{0};

  private:
    static std::vector<ShimAnswer> Quiet(const ShimOutcome& outcome)
    {
        EXPECT_TRUE(outcome.outbox.empty()) << "letters leave in Flush() only";
        return outcome.answers;
    }

    std::unique_ptr<ShimCore> m_core;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_SHIM_BENCH_H */
