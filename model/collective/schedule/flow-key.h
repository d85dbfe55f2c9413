/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLOW_KEY_H
#define PHOTONIC_RAILS_FLOW_KEY_H

#include "ns3/identifier.h"
#include "ns3/mix-bits.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Names a flow of operations: all collective operations of a group, or the sends from one
 * rank of the group to another.
 *
 * Operations are numbered in their flow, from 0. All ranks that take part number them alike.
 */
struct FlowKey
{
    GroupId group;
    bool pointToPoint{false};
    uint32_t from{0}; //!< of a send: a place in the group
    uint32_t to{0};   //!< of a send: a place in the group

    /** @return whether this key is before the other in the order of keys */
    bool operator<(const FlowKey& other) const;

    /** @return whether both name the same flow */
    bool IsSame(const FlowKey& other) const
    {
        return group == other.group && pointToPoint == other.pointToPoint && from == other.from &&
               to == other.to;
    }

    /** A hash, for unordered containers. */
    struct Hash
    {
        std::size_t operator()(const FlowKey& key) const
        {
            return MixBits(MixBits(uint64_t{key.group.Get()} << 1 | (key.pointToPoint ? 1 : 0)) ^
                           (uint64_t{key.from} << 32 | key.to));
        }
    };

    /** Whether both name the same flow, for unordered containers. */
    struct Same
    {
        bool operator()(const FlowKey& one, const FlowKey& other) const
        {
            return one.IsSame(other);
        }
    };
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLOW_KEY_H */
