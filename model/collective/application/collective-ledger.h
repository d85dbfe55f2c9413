/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_LEDGER_H
#define PHOTONIC_RAILS_COLLECTIVE_LEDGER_H

#include "flow-key.h"
#include "rank-program.h"

#include "ns3/algorithm-choice.h"
#include "ns3/communication-group.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** The inputs of the choice of an algorithm and a path, beside the broker's answers. */
struct ChoiceInputs
{
    std::string parameters; //!< of the operation, by their key
    uint64_t bytes{0};
    AlgorithmPreference preference; //!< its member "about", which differs by rank, does not count
    Picoseconds at{0};              //!< when, if the broker's answers may change

    /** @return whether both lead to the same choice */
    bool operator==(const ChoiceInputs& other) const;
};

/**
 * @ingroup photonic-rails
 * @brief The calls of all ranks of a job: finds calls that do not match, and names ranks that have
 * not called yet.
 *
 * The ledger is for diagnosis only. It sees all ranks at once, and nothing that is simulated
 * depends on what one rank would learn of another here. A real job hangs where the ledger reports
 * the mistake. The ledger also saves work: ranks that choose from equal inputs share one result.
 */
class CollectiveLedger : public SimpleRefCount<CollectiveLedger>
{
  public:
    /**
     * A rank calls an operation.
     * @param number of the operation in its flow
     * @param place of the rank in the group
     * @return how the call differs from the first rank's; empty if it does not
     */
    std::string Call(const FlowKey& flowKey,
                     uint64_t number,
                     const CommunicationGroup& group,
                     uint32_t place,
                     const RankOperation& call);

    /**
     * Chooses how an operation is done, once for all ranks that choose from equal inputs.
     * @param number of the operation in its flow; no rank need have called it yet
     * @param choose makes the choice; it is called for the first of equal inputs only
     * @return how the operation is done
     */
    std::shared_ptr<const AlgorithmChoice> WorkOut(const FlowKey& flowKey,
                                                   uint64_t number,
                                                   const ChoiceInputs& inputs,
                                                   const std::function<AlgorithmChoice()>& choose);

    /**
     * A rank that has called an operation begins with it.
     * @param number of the operation in its flow
     * @param place of the rank in the group
     * @return how the choice differs from the first rank's; empty if it does not
     */
    std::string Begin(const FlowKey& flowKey,
                      uint64_t number,
                      const CommunicationGroup& group,
                      uint32_t place,
                      const AlgorithmChoice& choice);

    /** @return the ranks that have not called an operation, by its number in its flow */
    std::vector<RankId> GetMissing(const FlowKey& flowKey,
                                   uint64_t number,
                                   const CommunicationGroup& group) const;

  private:
    /** An operation that not all of its ranks have begun with. */
    struct Entry
    {
        RankOperation call; //!< of the first
        RankId first;       //!< which rank that was
        uint32_t calls{0};
        std::string way; //!< how the first that began does it
        RankId firstToBegin;
        uint32_t begun{0};
        std::vector<std::pair<ChoiceInputs, std::shared_ptr<const AlgorithmChoice>>> choices;
    };

    std::map<std::pair<FlowKey, uint64_t>, Entry> m_open;
    std::map<FlowKey, std::vector<uint64_t>> m_called; //!< by place: how many
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_LEDGER_H */
