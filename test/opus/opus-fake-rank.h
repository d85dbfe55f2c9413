/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAKE_RANK_H
#define PHOTONIC_RAILS_OPUS_FAKE_RANK_H

#include "ns3/opus-contents.h"
#include "ns3/phase-history.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/** Circuits that a rank was granted. */
struct FakeHold
{
    uint64_t request{0};
    uint64_t until{0};
    std::vector<RankCircuit> circuits;
    bool used{false};    //!< the rank is through with an operation
    uint64_t through{0}; //!< the last one
    bool leave{false};   //!< it is to be released when it is idle
};

/** A rank of a FakeCluster and its shim. */
struct FakeRank
{
    std::deque<OpusPhase> program; //!< operations; the first is the next, or under way
    bool called{false};            //!< the first
    std::optional<OpusPhase> with; //!< the first is under way, with what was granted for that
    uint64_t run{0};               //!< counts what came under way
    std::map<OpusPhase, FakeHold> holds;
    std::optional<OpusPhase> requested;     //!< waits for its grant
    Picoseconds since{0};                   //!< it waits
    std::map<OpusPhase, uint64_t> requests; //!< numbers
    std::map<OpusPhase, uint64_t> untils;   //!< sent on request
    std::map<OpusPhase, FakeHold> recalls;  //!< that came before their grants
    std::map<OpusPhase, uint64_t> granted;  //!< by flow: up to this operation
    uint32_t term{0};

    /** @return the granted circuits that an operation can use */
    std::optional<OpusPhase> FindHold(
        const OpusPhase& operation,
        const std::map<OpusPhase, std::vector<std::pair<RankId, RankId>>>& pairs) const
    {
        for (const auto& [phase, hold] : holds)
        {
            if (GetFlowKey(phase) == GetFlowKey(operation) &&
                phase.operation <= operation.operation && operation.operation <= hold.until &&
                pairs.at(phase) == pairs.at(operation))
            {
                return phase;
            }
        }
        return std::nullopt;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAKE_RANK_H */
