/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_CHOICES_H
#define PHOTONIC_RAILS_OPERATION_CHOICES_H

#include "collective-ledger.h"
#include "collective-settings.h"
#include "numbered-program.h"
#include "rank-connections.h"
#include "straggler-awareness.h"

#include "ns3/algorithm-choice.h"
#include "ns3/flow-key.h"
#include "ns3/straggler-costs.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The algorithm, the circuits and the path of each operation of a rank, as far as the rank
 * has them.
 *
 * By default each rank chooses by itself, and all ranks of a group make the same choice. Where the
 * broker's costs are a rank's own (CircuitBroker::HasOwnCosts()) and there are alternatives, the
 * first rank of the operation chooses and sends its choice to the others over the BootstrapNetwork.
 *
 * With StragglerAware the first rank chooses all-reduces too, when an iteration begins: between
 * StragglAR and the algorithm that the operation has otherwise, by the lateness that is expected
 * (StragglerAwareness, StragglerCosts). Without iterations it chooses at its call. What it expects
 * may be wrong. Then the operation takes longer, and has the same result.
 *
 * A choice is kept until Forget().
 */
class OperationChoices
{
  public:
    /** The choice for an operation; null: it is not known. */
    using Choice = std::shared_ptr<const AlgorithmChoice>;

    OperationChoices(const NumberedProgram& program,
                     const RankConnections& connections,
                     const CollectiveSettings& settings,
                     StragglerAwareness& stragglers);

    /**
     * Makes the choices of an iteration that this rank makes because a rank may be late, and sends
     * them to the others, which have them before they call.
     * @param operation that begins the iteration
     */
    void BeginIteration(uint32_t operation);

    /** Reports that the rank calls an operation, if others are to know how late that is. */
    void Call(uint32_t operation);

    /**
     * Makes the choice for an operation, if this rank chooses.
     * @param operation an exchange of the program
     * @return the choice; null: the choice of another rank has not come yet
     */
    Choice Get(uint32_t operation);

    /**
     * @param operation of a group in a server
     * @return the costs on which its choice depends; none: it depends on more that may change
     */
    std::optional<PathCosts> FindInsideCosts(uint32_t operation) const;

    /** Takes the choice of another rank. @param number of the operation in its flow */
    void Learn(const FlowKey& flowKey, uint64_t number, Choice choice);

    /** Forgets the choice for an operation that is over. @param operation of the program */
    void Forget(uint32_t operation);

    /** Forgets all operations. */
    void Clear();

    /** @return the largest size of a message of an exchange, in bytes of data */
    uint64_t GetMessageSize(const RankOperation& call, CollectiveProtocol protocol) const;

  private:
    /** An operation: its flow in the program, and its number there. */
    using Place = std::pair<uint32_t, uint64_t>;

    /** @return the place of an operation */
    Place GetPlace(uint32_t operation) const;
    /** Makes the choice for an operation, or takes the one that it has anyway. */
    Choice Make(uint32_t operation, const ChoiceInputs& inputs) const;
    /** Makes the choice for an operation. */
    Choice Choose(uint32_t operation, const ChoiceInputs& inputs) const;
    /**
     * The same for an operation in a server. It needs no circuits, so operations of the flow that
     * have equal inputs and costs have one choice.
     */
    Choice ChooseInside(uint32_t operation, const ChoiceInputs& inputs) const;
    /** The same, by its inputs. */
    std::optional<PathCosts> FindInsideCosts(uint32_t operation, const ChoiceInputs& inputs) const;
    /** Keeps the choice that this rank makes for all, and sends it to the others. */
    void Announce(uint32_t operation, const Choice& choice);
    /** Makes the choice for an operation at which a rank may be late. */
    Choice ChooseAware(uint32_t operation) const;
    /**
     * @param expected the straggler
     * @return the choice of StragglAR; null: it can't run, or takes more time than the other
     */
    Choice ChooseStragglAr(uint32_t operation,
                           const ChoiceInputs& inputs,
                           const AlgorithmChoice& other,
                           const LatenessSample& expected) const;
    /** @return the costs of StragglAR by a choice */
    StragglerCosts MakeCosts(uint32_t operation,
                             const ChoiceInputs& inputs,
                             const AlgorithmChoice& choice) const;
    /** @return whether a call is over the fabric inside a server */
    bool IsInside(const RankOperation& call) const;
    /** @return whether the network of the hosts may carry a call */
    bool MayUseHost(const RankOperation& call) const;
    /** @return whether a call has several algorithms or paths, among which costs decide */
    bool HasAlternatives(const RankOperation& call) const;
    /** @return the parameters of the algorithm of a call */
    CollectiveParameters MakeParameters(const RankOperation& call) const;
    /** Adds the protocol and the steps that the attributes have. */
    void AddTimes(AlgorithmPreference& preference) const;
    /** @return the preference by which an operation's algorithm is chosen */
    AlgorithmPreference MakePreference(uint32_t operation) const;

    const NumberedProgram& m_program;
    const RankConnections& m_connections;
    const CollectiveSettings& m_settings;
    StragglerAwareness& m_stragglers;
    std::map<Place, Choice> m_choices; //!< of operations in flight, of hints, of an iteration
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_CHOICES_H */
