/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_MATCHING_H
#define PHOTONIC_RAILS_TRACE_MATCHING_H

#include "trace-collection.h"
#include "trace-exchange.h"
#include "trace-order.h"

#include "ns3/job-programs.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The matching of calls of different ranks: collectives of a group, sends and receives.
 *
 * See MakeTracePrograms() for the rule.
 */
class TraceMatching
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no call

    /** One collective, or one message. */
    struct Call
    {
        uint32_t group{0};        //!< index in GetGroups()
        uint32_t parties{0};      //!< number of calls that it needs
        uint32_t receiver{NONE};  //!< of a message: the receiving rank
        uint32_t receiverNode{0}; //!< of a message: the node of the receive
        std::vector<std::pair<uint32_t, uint32_t>> come{}; //!< callers so far
    };

    /** @param collection of all ranks @param orders of their nodes */
    TraceMatching(const TraceCollection& collection, const TraceOrders& orders);

    /**
     * Matches all calls.
     * @param tagsApart whether each tag has a group of its own, if a pair has several
     * @return an error at the first call that has no match, or differs from it
     */
    TraceResult Match(bool tagsApart);

    /** @return whether some pair of ranks uses several tags */
    bool HasTags() const
    {
        return m_hasTags;
    }

    /** @return the call of a node, or NONE */
    uint32_t GetCall(uint32_t rank, uint32_t node) const
    {
        return m_callOf[rank][node];
    }

    /** @return all calls */
    std::vector<Call>& GetCalls()
    {
        return m_calls;
    }

    /** @return the groups of all calls */
    const std::vector<JobPrograms::Group>& GetGroups() const
    {
        return m_groups;
    }

  private:
    /** Sends from one rank to another, and its receives, by node and in order. */
    struct Pair
    {
        std::vector<uint32_t> sends;
        std::vector<uint32_t> receives;
    };

    /** Matches the collectives of all groups. @return the difference, if there is one */
    TraceResult MatchCollectives();
    /**
     * A rank calls a collective.
     * @param number of the rank's earlier calls in the group
     * @return the difference to the call of another rank, if there is one
     */
    TraceResult JoinCollective(uint32_t rank,
                               uint32_t node,
                               const TraceExchange& exchange,
                               uint32_t number);
    /** @return the error, if not all ranks of its group call a collective */
    TraceResult CheckParties() const;
    /**
     * Compares a collective with the one that another rank has called.
     * @param call that the rank joins
     * @return the difference, if there is one
     */
    TraceResult Compare(uint32_t rank, uint32_t node, const TraceExchange& exchange, uint32_t call);
    /** Sorts sends and receives by pair of ranks. @return the error, if there is one */
    TraceResult FindPairs();
    /**
     * Matches the messages of a pair. It first writes the group of each send into m_callOf;
     * MatchMessage() replaces it by the call.
     * @return the difference, if there is one
     */
    TraceResult MatchPair(uint32_t from, uint32_t to, const Pair& pair, bool tagsApart);
    /** Matches one message. @return the difference, if there is one */
    TraceResult MatchMessage(uint32_t from, uint32_t to, uint32_t send, uint32_t receive);
    /** @return the index of a group of the collection in m_groups */
    uint32_t GetGroup(uint32_t group);
    /** @return the group of two ranks @param tag of a group for one tag; none: for all tags */
    uint32_t GetPairGroup(uint32_t one, uint32_t other, std::optional<uint64_t> tag);
    /** @return a node */
    const TraceNode& Get(uint32_t rank, uint32_t node) const;

    const TraceCollection& m_collection;
    const TraceOrders& m_orders;
    bool m_hasTags{false};
    std::vector<std::vector<uint32_t>> m_callOf; //!< by rank and node; see MatchPair()
    std::vector<Call> m_calls;
    std::vector<JobPrograms::Group> m_groups;
    std::map<uint32_t, uint32_t> m_groupOf;              //!< by group of the collection: GetGroup()
    std::map<uint32_t, std::vector<uint32_t>> m_callsOf; //!< by group of the collection: calls
    std::vector<std::pair<uint32_t, uint32_t>> m_caller; //!< by call: first rank, node
    std::map<std::pair<uint32_t, uint32_t>, Pair> m_pairs;
    std::map<std::tuple<uint32_t, uint32_t, std::optional<uint64_t>>, uint32_t> m_pairGroups;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_MATCHING_H */
