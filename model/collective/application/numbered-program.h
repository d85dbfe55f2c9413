/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NUMBERED_PROGRAM_H
#define PHOTONIC_RAILS_NUMBERED_PROGRAM_H

#include "program-order.h"
#include "rank-program.h"

#include "ns3/algorithm-choice.h"
#include "ns3/circuit-broker.h"
#include "ns3/collective-transport.h"
#include "ns3/communication-group.h"
#include "ns3/flow-key.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A rank's program with its groups: the flow of each operation, and its number there.
 *
 * Operations of a flow are numbered in the order of the program, over all streams. All ranks of a
 * group have the same order, so all number them alike.
 *
 * Plain C++. It does not change during a run.
 */
class NumberedProgram
{
  public:
    /**
     * Sets the program. Aborts if an operation names a place that its group does not have, or sends
     * to the rank itself.
     * @param rank that is in each group
     * @param program of that rank
     * @param groups at least as many as the program names
     */
    void Set(RankId rank,
             std::shared_ptr<const RankProgram> program,
             const CommunicationGroups& groups);

    /** Drops the program and the groups. */
    void Clear();

    /** @return whether there is a program */
    bool IsSet() const
    {
        return m_program != nullptr;
    }

    /** @return the operations, by number */
    const std::vector<RankOperation>& GetOperations() const
    {
        return m_program->GetOperations();
    }

    /** @return the program */
    const RankProgram& GetProgram() const
    {
        return *m_program;
    }

    /** @return a group, by its number in the program */
    const CommunicationGroup& GetGroup(uint32_t group) const
    {
        return *m_groups[group];
    }

    /** @return the group of an operation that is an exchange */
    const CommunicationGroup& GetGroupOf(uint32_t operation) const
    {
        return *m_groups[GetOperations()[operation].group];
    }

    /** @return the order of the program, which ranks share */
    const ProgramOrder& GetOrder() const
    {
        return *m_order;
    }

    /** @return the number of flows */
    uint32_t GetFlows() const
    {
        return m_flowKeys.size();
    }

    /** @return a flow of the program, by its number */
    const FlowKey& GetKeyOf(uint32_t flow) const
    {
        return m_flowKeys[flow];
    }

    /** @return the number of a flow; none if no operation is in it */
    std::optional<uint32_t> FindFlow(const FlowKey& flowKey) const;

    /** @return the number of the flow of an operation that is an exchange */
    uint32_t GetFlow(uint32_t operation) const
    {
        return m_order->GetFlow(operation);
    }

    /** @return the flow of an operation that is an exchange */
    const FlowKey& GetFlowKey(uint32_t operation) const
    {
        return m_flowKeys[GetFlow(operation)];
    }

    /** @return the number of an operation in its flow */
    uint64_t GetNumber(uint32_t operation) const
    {
        return m_order->GetNumber(operation);
    }

    /** @return the ranks that take part in an operation: all of the group, or sender and receiver
     */
    std::vector<RankId> GetRanks(uint32_t operation) const;

    /** @return the place of this rank among them */
    uint32_t GetPlace(uint32_t operation) const;

    /** @return the flow of a message that this rank sends or receives */
    FlowKey FindFlowKey(const TransportMessage& message) const;

    /** @return a request that names an exchange, and no stage of it */
    CircuitRequest MakeRequest(uint32_t operation) const;
    /**
     * @param operation an exchange
     * @param choice for the operation
     * @param stage of its schedule
     * @return the request for the circuits of that stage; the caller sets its bytes and its place
     * in the program
     */
    CircuitRequest MakeRequest(uint32_t operation,
                               const AlgorithmChoice& choice,
                               uint32_t stage) const;

  private:
    /** @return the flow of an operation; aborts if the operation can't be done */
    FlowKey MakeFlowKey(uint32_t operation) const;

    RankId m_rank;
    std::shared_ptr<const RankProgram> m_program;
    CommunicationGroups m_groups;
    std::shared_ptr<const ProgramOrder> m_order;
    std::vector<FlowKey> m_flowKeys; //!< by flow
    std::vector<uint32_t> m_sorted;  //!< flows in the order of their keys
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NUMBERED_PROGRAM_H */
