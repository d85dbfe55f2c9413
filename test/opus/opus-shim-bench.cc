/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-shim-bench.h"

#include <string>

namespace ns3
{

ShimSettings
OpusShimBench::Settings(ShimMode mode)
{
    ShimSettings settings;
    settings.ports = 2;
    settings.mode = mode;
    return settings;
}

OpusShimBench::OpusShimBench()
    : OpusShimBench(Settings())
{
}

OpusShimBench::OpusShimBench(const ShimSettings& settings)
    : m_core(std::make_unique<ShimCore>(settings))
{
    for (const auto& [id, name] :
         {std::pair<uint32_t, std::string>{1, "dp 0"}, {2, "tp 0"}, {3, "pp 0"}})
    {
        m_core->Join(
            RankId(0),
            CommunicationGroup(GroupId(id), name, {RankId(0), RankId(2), RankId(4), RankId(6)}));
    }
    Flush();
}

OpusShimBench::~OpusShimBench() = default;

CallPairs
OpusShimBench::Pairs(std::vector<std::pair<uint32_t, uint32_t>> pairs)
{
    std::vector<std::pair<RankId, RankId>> ranks;
    for (const auto& [one, other] : pairs)
    {
        ranks.emplace_back(one, other);
    }
    return std::make_shared<const std::vector<std::pair<RankId, RankId>>>(ranks);
}

CircuitRequest
OpusShimBench::Dp(uint64_t operation, uint32_t rank)
{
    CircuitRequest request;
    request.rank = RankId(rank);
    request.group = GroupId(1);
    request.operation = operation;
    request.bytes = 100;
    request.pairs = Pairs({{0, 2}, {2, 4}, {4, 0}});
    return request;
}

CircuitRequest
OpusShimBench::Tp(uint64_t operation)
{
    CircuitRequest request = Dp(operation);
    request.group = GroupId(2);
    request.pairs = Pairs({{0, 6}});
    return request;
}

CircuitRequest
OpusShimBench::Send(uint32_t from, uint32_t to, uint64_t operation)
{
    CircuitRequest request = Dp(operation);
    request.group = GroupId(3);
    request.pointToPoint = true;
    request.from = RankId(from);
    request.to = RankId(to);
    request.pairs = Pairs({{from, to}});
    return request;
}

OpusPhase
OpusShimBench::PhaseOf(const CircuitRequest& request)
{
    OpusPhase phase;
    phase.group = request.group;
    phase.pointToPoint = request.pointToPoint;
    phase.from = request.from;
    phase.to = request.to;
    phase.operation = request.operation;
    phase.stage = request.stage;
    return phase;
}

std::vector<ShimAnswer>
OpusShimBench::Request(const CircuitRequest& request)
{
    return Quiet(m_core->Request(request, now));
}

std::vector<ShimAnswer>
OpusShimBench::Finish(const CircuitRequest& request)
{
    return Quiet(m_core->Finish(request, now));
}

std::vector<ShimAnswer>
OpusShimBench::Take(const OpusMessage& message)
{
    return Quiet(m_core->Take(message, now));
}

std::vector<OpusMessage>
OpusShimBench::Flush()
{
    const ShimOutcome outcome = m_core->Flush(now);
    EXPECT_TRUE(outcome.answers.empty());
    EXPECT_FALSE(m_core->HasOutgoing());
    return outcome.outbox;
}

OpusMessage
OpusShimBench::FlushOne()
{
    const std::vector<OpusMessage> outbox = Flush();
    EXPECT_EQ(outbox.size(), 1U);
    return outbox.empty() ? OpusMessage() : outbox.front();
}

FlatMessage<OpusRecall>
OpusShimBench::Recall(const CircuitRequest& request, uint64_t until)
{
    auto recall = Message<OpusRecall>(request);
    recall.until = until;
    return recall;
}

FlatMessage<OpusGrant>
OpusShimBench::Granted(const CircuitRequest& request, uint64_t until, uint64_t number)
{
    auto grant = Message<OpusGrant>(request);
    grant.until = until;
    grant.number = number;
    uint32_t port = 0;
    for (const auto& [one, other] : *request.pairs)
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

std::vector<ShimAnswer>
OpusShimBench::Grant(const CircuitRequest& request, uint64_t until, uint64_t number)
{
    return Take(Granted(request, until, number));
}

void
OpusShimBench::RequestAndGrant(const CircuitRequest& request, uint64_t until)
{
    EXPECT_TRUE(Request(request).empty());
    FlushOne();
    EXPECT_EQ(Grant(request, until).size(), 1U);
}

std::vector<ShimAnswer>
OpusShimBench::Quiet(const ShimOutcome& outcome)
{
    EXPECT_TRUE(outcome.outbox.empty()) << "letters leave in Flush() only";
    return outcome.answers;
}

} // namespace ns3
