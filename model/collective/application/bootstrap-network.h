/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BOOTSTRAP_NETWORK_H
#define PHOTONIC_RAILS_BOOTSTRAP_NETWORK_H

#include "ns3/algorithm-choice.h"
#include "ns3/byte-reader.h"
#include "ns3/call-comparison.h"
#include "ns3/callback.h"
#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/process-links.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The network on which the ranks of a job agree on how an operation is done, where the costs
 * of circuits are a rank's own and no rank can derive the choice alone. Where nothing else compares
 * the calls of ranks, the first rank of a group gets them here.
 *
 * It represents the TCP connections between hosts that NCCL makes when a communicator is set up
 * (its bootstrap network). A message takes a latency. Bytes and other traffic do not count.
 */
class BootstrapNetwork : public SimpleRefCount<BootstrapNetwork>
{
  public:
    /** Called at a rank with the choice for the operation with a number in a flow. */
    typedef Callback<void, const FlowKey&, uint64_t, std::shared_ptr<const AlgorithmChoice>>
        ChoiceCallback;

    /** Called at the first rank of a group with the call of a rank. */
    typedef Callback<void, GroupId, const RankCall&> CallCallback;

    /**
     * Adds the next rank, from 0.
     * @param node id of the rank's node
     * @param callback called at that node
     * @param calls called at that node
     */
    void Add(uint32_t node, ChoiceCallback callback, CallCallback calls);

    /**
     * Ranks are on several processes of a distributed simulation.
     * @param latency the least of messages
     */
    void Split(Time latency);

    /**
     * Sends a rank the choice for an operation.
     * @param latency until the rank has it
     * @param number of the operation in its flow
     */
    void Send(RankId to,
              Time latency,
              const FlowKey& flowKey,
              uint64_t number,
              std::shared_ptr<const AlgorithmChoice> choice) const;

    /**
     * Informs a rank of a call.
     * @param latency until the rank has it
     */
    void SendCall(RankId to, Time latency, GroupId group, const RankCall& call) const;

    /** Removes all ranks, and with them the references that their callbacks hold. */
    void Clear();

  private:
    /** The end of a rank. */
    struct Member
    {
        uint32_t node;
        ChoiceCallback callback;
        CallCallback calls;
    };

    /** @return whether a rank is in this process */
    static bool IsHere(const Member& member);
    /** Takes a message from another process. */
    void Take(ByteReader& bytes) const;

    std::vector<Member> m_members; //!< by rank
    Ptr<ProcessLinks> m_links;     //!< null: all ranks are in this process
    uint32_t m_listener{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BOOTSTRAP_NETWORK_H */
