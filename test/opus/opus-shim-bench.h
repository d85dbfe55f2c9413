/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_SHIM_BENCH_H
#define PHOTONIC_RAILS_OPUS_SHIM_BENCH_H

#include "opus-flat-message.h"

#include "ns3/shim-core.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A shim of job 0 on server 0. The test reads its outgoing messages and writes the controller's.
 * Its ranks have the phases "dp" (group 1, a ring of ranks 0, 2 and 4), "tp" (group 2, ranks 0 and
 * 6) and "pp" (group 3, sends between ranks 0, 2 and 4).
 */
class OpusShimBench
{
  public:
    using Type = OpusMessage::Type;
    using Network = CircuitAnswer::Network;

    static ShimSettings Settings(ShimMode mode = ShimMode::ON_DEMAND);
    OpusShimBench();
    explicit OpusShimBench(const ShimSettings& settings);
    ~OpusShimBench();

    ShimCore& Core()
    {
        return *m_core;
    }

    static CallPairs Pairs(std::vector<std::pair<uint32_t, uint32_t>> pairs);
    static CircuitRequest Dp(uint64_t operation, uint32_t rank = 0);
    static CircuitRequest Tp(uint64_t operation);
    /** A send of which rank 0 is an end. */
    static CircuitRequest Send(uint32_t from, uint32_t to, uint64_t operation);
    static OpusPhase PhaseOf(const CircuitRequest& request);

    std::vector<ShimAnswer> Request(const CircuitRequest& request);
    std::vector<ShimAnswer> Finish(const CircuitRequest& request);
    std::vector<ShimAnswer> Take(const OpusMessage& message);
    std::vector<OpusMessage> Flush();
    /** @return the one outgoing message that leaves */
    OpusMessage FlushOne();

    /** @return the one outgoing message that leaves, which is of this type */
    template <typename Content>
    FlatMessage<Content> FlushOne()
    {
        const OpusMessage message = FlushOne();
        EXPECT_EQ(message.GetType(), Content::TYPE);
        return message.Is<Content>() ? FlatMessage<Content>(message) : FlatMessage<Content>();
    }

    /** @return a message of the controller about a rank's request */
    template <typename Content>
    FlatMessage<Content> Message(const CircuitRequest& request)
    {
        FlatMessage<Content> message;
        message.term = m_core->GetTerm();
        message.phase = PhaseOf(request);
        message.ranks = {request.rank};
        return message;
    }

    FlatMessage<OpusRecall> Recall(const CircuitRequest& request, uint64_t until);
    /** A GRANT with a circuit from port 0 (and 1, if there is another pair) of rank 0. */
    FlatMessage<OpusGrant> Granted(const CircuitRequest& request,
                                   uint64_t until,
                                   uint64_t number = 0);
    std::vector<ShimAnswer> Grant(const CircuitRequest& request,
                                  uint64_t until,
                                  uint64_t number = 0);
    /** Requests, is granted, and leaves it under way. */
    void RequestAndGrant(const CircuitRequest& request, uint64_t until);

    Picoseconds now{0};

  private:
    static std::vector<ShimAnswer> Quiet(const ShimOutcome& outcome);

    std::unique_ptr<ShimCore> m_core;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_SHIM_BENCH_H */
