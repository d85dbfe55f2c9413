/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_LEDGER_H
#define PHOTONIC_RAILS_COLLECTIVE_LEDGER_H

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

/** What operations are counted in: all of a group, or the sends from one rank of it to another. */
struct FlowKey
{
    GroupId group;
    bool pointToPoint{false};
    uint32_t from{0}; //!< of a send: a place in the group
    uint32_t to{0};

    /** @return whether this one comes first @param other */
    bool operator<(const FlowKey& other) const;

    /** @return whether both are the same @param other */
    bool IsSame(const FlowKey& other) const
    {
        return !(*this < other) && !(other < *this);
    }
};

/** All that a choice of how to do an operation follows from, beside the broker's answers. */
struct ChoiceInputs
{
    std::string parameters; //!< of the operation, by their key
    uint64_t bytes{0};
    AlgorithmPreference preference; //!< but for what is about one rank
    Picoseconds at{0};              //!< when, if the broker's answers may change

    /** @return whether both lead to the same choice @param other */
    bool operator==(const ChoiceInputs& other) const;
};

/**
 * @ingroup photonic-rails
 * @brief What every rank has called and how it goes about it: finds what does not match, and names
 * the missing.
 *
 * A bystander with eyes everywhere, for diagnosis only: nothing that is simulated depends on what
 * one rank would learn of another here. A real job hangs where this says what is wrong. It also
 * saves work: what ranks would work out alike, from equal inputs, is worked out once.
 */
class CollectiveLedger : public SimpleRefCount<CollectiveLedger>
{
  public:
    /**
     * A rank calls an operation.
     * @param flow of which
     * @param number of it there
     * @param group whose
     * @param place the rank's
     * @param call what it calls
     * @return how it differs from what others called, in words; empty if it does not
     */
    std::string Call(const FlowKey& flowKey,
                     uint64_t number,
                     const CommunicationGroup& group,
                     uint32_t place,
                     const RankOperation& call);

    /**
     * How a rank does an operation, as it works out by itself, called or not.
     * @param flow of which
     * @param number of it there
     * @param inputs all that the choice follows from
     * @param choose works it out, if it has not been with equal inputs
     * @return how it is done
     */
    std::shared_ptr<const AlgorithmChoice> WorkOut(const FlowKey& flowKey,
                                                   uint64_t number,
                                                   const ChoiceInputs& inputs,
                                                   const std::function<AlgorithmChoice()>& choose);

    /**
     * A rank that has called an operation begins with it.
     * @param flow of which
     * @param number of it there
     * @param group whose
     * @param place the rank's
     * @param choice how it does it
     * @return how it differs from what others do, in words; empty if it does not
     */
    std::string Begin(const FlowKey& flowKey,
                      uint64_t number,
                      const CommunicationGroup& group,
                      uint32_t place,
                      const AlgorithmChoice& choice);

    /**
     * @param flow of which
     * @param number of an operation
     * @param group whose
     * @return the ranks that have not called it
     */
    std::vector<RankId> GetMissing(const FlowKey& flowKey,
                                   uint64_t number,
                                   const CommunicationGroup& group) const;

    /** @return operations that some ranks have begun with and others have not */
    std::size_t GetOpen() const
    {
        return m_open.size();
    }

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
