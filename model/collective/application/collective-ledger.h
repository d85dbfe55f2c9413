/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_LEDGER_H
#define PHOTONIC_RAILS_COLLECTIVE_LEDGER_H

#include "rank-program.h"

#include "ns3/algorithm-choice.h"
#include "ns3/algorithm-preference.h"
#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"
#include "ns3/communication-group.h"
#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/path-costs.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/** The inputs of the choice of an algorithm and a path, except the broker's answers. */
struct ChoiceInputs
{
    CollectiveParameters parameters; //!< of the operation
    uint64_t bytes{0};
    AlgorithmPreference preference; //!< its member "about" differs by rank and does not count
    Time at{0};                     //!< the time of the choice, if the broker's answers may change

    /** @return whether both lead to the same choice */
    bool operator==(const ChoiceInputs& other) const;
};

/** Inputs of a choice that no answer of a broker changes, except its costs. */
struct LastingInputs
{
    ChoiceInputs inputs; //!< without a time
    PathCosts costs;

    /** @return whether both lead to the same choice */
    bool operator==(const LastingInputs& other) const;
};

/**
 * @ingroup photonic-rails
 * @brief The calls of all ranks of a job: finds calls that do not match, and names ranks that have
 * not called yet.
 *
 * In a distributed simulation each process has a ledger of its own ranks (SetHere()). So calls that
 * do not match are found among the ranks of a process only, and ranks of others are not reported as
 * missing.
 *
 * The ledger is for diagnosis only. It has the calls of all ranks at once, and no simulated
 * behaviour depends on it. A real job hangs where the ledger reports the mistake. The ledger also
 * saves work: ranks that choose from equal inputs share one result.
 */
class CollectiveLedger : public SimpleRefCount<CollectiveLedger>
{
  public:
    /** @param here by rank: whether it is in this process; by default all are */
    void SetHere(std::vector<bool> here);

    /**
     * Records that a rank calls an operation.
     * @param number of the operation in its flow
     * @param place of the rank in the group
     * @return the difference from the first rank's call; empty if there is none
     */
    std::string Call(const FlowKey& flowKey,
                     uint64_t number,
                     const CommunicationGroup& group,
                     uint32_t place,
                     const RankOperation& call);

    /**
     * Records that a rank has called an operation, begun and ended it, all ranks alike.
     * @param number of the operation in its flow
     * @param place of the rank in the group
     */
    void CallAlike(const FlowKey& flowKey,
                   uint64_t number,
                   const CommunicationGroup& group,
                   uint32_t place);

    /**
     * @param number of the operation in its flow
     * @return the choice that another rank has made from equal inputs; null: none has
     */
    std::shared_ptr<const AlgorithmChoice> FindChoice(const FlowKey& flowKey,
                                                      uint64_t number,
                                                      const ChoiceInputs& inputs) const;

    /**
     * Keeps a choice for the other ranks of an operation.
     * @param number of the operation in its flow; no rank need have called it yet
     */
    void KeepChoice(const FlowKey& flowKey,
                    uint64_t number,
                    const ChoiceInputs& inputs,
                    const std::shared_ptr<const AlgorithmChoice>& choice);

    /** @return a choice in a flow that lasts; null: none is kept for these inputs */
    std::shared_ptr<const AlgorithmChoice> FindLasting(const FlowKey& flowKey,
                                                       const LastingInputs& inputs) const;

    /** Keeps a choice for later operations of a flow. */
    void KeepLasting(const FlowKey& flowKey,
                     const LastingInputs& inputs,
                     const std::shared_ptr<const AlgorithmChoice>& choice);

    /**
     * @return a choice of an earlier operation of a flow that is the same, or this one: what
     * repeats stands once, with its schedule and its pairs
     */
    std::shared_ptr<const AlgorithmChoice> Unify(const FlowKey& flowKey, AlgorithmChoice&& choice);

    /**
     * Records that a rank begins an operation that it has called.
     * @param number of the operation in its flow
     * @param place of the rank in the group
     * @return the difference from the first rank's choice; empty if there is none
     */
    std::string Begin(const FlowKey& flowKey,
                      uint64_t number,
                      const CommunicationGroup& group,
                      uint32_t place,
                      const AlgorithmChoice& choice);

    /**
     * @param number of an operation in its flow
     * @return the ranks that have not called it
     */
    std::vector<RankId> GetMissing(const FlowKey& flowKey,
                                   uint64_t number,
                                   const CommunicationGroup& group) const;

  private:
    /** An operation that not all of its ranks have begun with. */
    struct Entry
    {
        RankOperation call; //!< of the first rank
        RankId first;       //!< the rank that called first
        uint32_t calls{0};
        uint32_t alike{0};                                       //!< by CallAlike()
        std::string algorithm;                                   //!< of the first rank that began
        CollectiveProtocol protocol{CollectiveProtocol::SIMPLE}; //!< of that rank
        bool host{false};                                        //!< of that rank
        RankId firstToBegin;
        uint32_t begun{0};
        std::vector<std::pair<ChoiceInputs, std::shared_ptr<const AlgorithmChoice>>> choices;
    };

    /** The operations of a flow. */
    struct Flow
    {
        std::vector<uint64_t> called;   //!< by place: the number of calls
        std::map<uint64_t, Entry> open; //!< by number
        std::vector<std::pair<LastingInputs, std::shared_ptr<const AlgorithmChoice>>> lasting;
        std::vector<std::shared_ptr<const AlgorithmChoice>> earlier; //!< that differ
    };

    /** @return whether a rank is in this process */
    bool IsHere(RankId rank) const;
    /** @return the number of ranks of an operation in this process */
    std::size_t CountHere(const FlowKey& flowKey, const CommunicationGroup& group) const;

    std::unordered_map<FlowKey, Flow, FlowKey::Hash, FlowKey::Same> m_flows;
    std::vector<bool> m_here; //!< by rank; empty: all are
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_LEDGER_H */
