/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_CHOICES_H
#define PHOTONIC_RAILS_OPERATION_CHOICES_H

#include "collective-settings.h"
#include "flow-key.h"
#include "numbered-program.h"
#include "rank-connections.h"

#include "ns3/algorithm-choice.h"

#include <cstdint>
#include <map>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief How the operations of a rank are done: algorithm, circuits and path of each, as far as the
 * rank knows.
 *
 * By default each rank chooses by itself, and all ranks of a group come to the same. Where the
 * broker's costs are a rank's own (CircuitBroker::HasOwnCosts()), the first rank of the operation
 * chooses and tells the others over the BootstrapNetwork.
 *
 * A choice is kept from when it is known until Forget().
 */
class OperationChoices
{
  public:
    /** How an operation is done; null: it is not known. */
    using Choice = std::shared_ptr<const AlgorithmChoice>;

    OperationChoices(const NumberedProgram& program,
                     const RankConnections& connections,
                     const CollectiveSettings& settings);

    /**
     * Chooses if that is this rank's to do.
     * @param operation an exchange of the program
     * @return the choice; null: the rank that chooses has not told yet
     */
    Choice Get(uint32_t operation);

    /** Another rank has told a choice. @param number of the operation in its flow */
    void Learn(const FlowKey& flowKey, uint64_t number, Choice choice);

    /** An operation is over. @param number of the operation in its flow */
    void Forget(const FlowKey& flowKey, uint64_t number);

    /** Forgets all operations. */
    void Clear();

    /** @return bytes of a message of an exchange at most */
    uint64_t GetMessageSize(const RankOperation& call) const;

  private:
    /** @return the parameters of the algorithm of a call */
    CollectiveParameters MakeParameters(const RankOperation& call) const;
    /** @return the preference by which an operation's algorithm is chosen */
    AlgorithmPreference MakePreference(uint32_t operation) const;
    /** @return whether all ranks of a group are in one server, whose fabric joins them */
    bool IsIntraNode(const CommunicationGroup& group) const;
    /** @return whether the other rank of a send or receive is in the same server */
    bool IsSameServer(const RankOperation& call) const;

    const NumberedProgram& m_program;
    const RankConnections& m_connections;
    const CollectiveSettings& m_settings;
    std::map<FlowKey, std::map<uint64_t, Choice>> m_choices; //!< by number in the flow
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_CHOICES_H */
