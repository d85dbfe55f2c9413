/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FLOW_TABLE_H
#define PHOTONIC_RAILS_OPUS_FLOW_TABLE_H

#include "opus-phase.h"

#include "ns3/identifier.h"
#include "ns3/mix-bits.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/** The members of a phase that name its flow: its group, or its sender and receiver. */
using OpusFlow = std::tuple<JobId, GroupId, bool, RankId, RankId>;

/** @return the flow of a phase */
inline OpusFlow
GetFlow(const OpusPhase& phase)
{
    const bool isSend = phase.pointToPoint;
    return {phase.job,
            phase.group,
            isSend,
            isSend ? phase.from : RankId(),
            isSend ? phase.to : RankId()};
}

/** Phases of a flow have one hash. */
struct OpusFlowHash
{
    /** @return the bits of the numbers of a phase's flow, mixed */
    std::size_t operator()(const OpusPhase& phase) const
    {
        const uint64_t group = MixBits(uint64_t{phase.job.Get()} << 32 | phase.group.Get());
        return phase.pointToPoint
                   ? MixBits(group ^ (uint64_t{phase.from.Get()} << 32 | phase.to.Get()))
                   : group;
    }
};

/** Compares the flows of phases. */
struct IsSameOpusFlow
{
    /** @return whether two phases are of one flow */
    bool operator()(const OpusPhase& one, const OpusPhase& other) const
    {
        return GetFlow(one) == GetFlow(other);
    }
};

/** A value for each flow, found by any phase of it. Its keys are phases of the flows. */
template <typename Value>
using OpusFlowTable = std::unordered_map<OpusPhase, Value, OpusFlowHash, IsSameOpusFlow>;

/** @return pointers to the entries of a table, in the order of flows */
template <typename Value>
std::vector<const std::pair<const OpusPhase, Value>*>
ListInOrder(const OpusFlowTable<Value>& table)
{
    std::vector<const std::pair<const OpusPhase, Value>*> entries;
    for (const auto& entry : table)
    {
        entries.push_back(&entry);
    }
    std::sort(entries.begin(), entries.end(), [](const auto* one, const auto* other) {
        return GetFlow(one->first) < GetFlow(other->first);
    });
    return entries;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FLOW_TABLE_H */
