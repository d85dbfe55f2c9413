/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_LEDGER_H
#define PHOTONIC_RAILS_COLLECTIVE_LEDGER_H

#include "algorithm-choice.h"
#include "communication-group.h"
#include "rank-program.h"

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
struct Conversation
{
    GroupId group;
    bool pointToPoint{false};
    uint32_t from{0}; //!< of a send: a place in the group
    uint32_t to{0};

    /** @return whether this one comes first @param other */
    bool operator<(const Conversation& other) const;

    /** @return whether both are the same @param other */
    bool IsSame(const Conversation& other) const
    {
        return !(*this < other) && !(other < *this);
    }
};

/**
 * @ingroup photonic-rails
 * @brief What every rank has called: finds calls that do not match, and names who is missing.
 *
 * A bystander with eyes everywhere, for diagnosis only: nothing that is simulated depends on what
 * one rank would learn of another here. A real job hangs where this says what is wrong.
 */
class CollectiveLedger : public SimpleRefCount<CollectiveLedger>
{
  public:
    /**
     * A rank calls an operation.
     * @param conversation of which
     * @param number of it there
     * @param group whose
     * @param place the rank's
     * @param call what it calls
     * @param choose how it is done, if nobody has called it yet
     * @param [out] mistake how it differs from what others called; else untouched
     * @return how it is done
     */
    std::shared_ptr<const AlgorithmChoice> Call(const Conversation& conversation,
                                                uint64_t number,
                                                const CommunicationGroup& group,
                                                uint32_t place,
                                                const RankOperation& call,
                                                const std::function<AlgorithmChoice()>& choose,
                                                std::string& mistake);

    /**
     * How an operation will be done that this rank has not called yet: as everybody will do it.
     * @param conversation of which
     * @param number of it there, not below those that the rank has called
     * @param choose how it is done, if nobody has asked yet
     * @return how it is done
     */
    std::shared_ptr<const AlgorithmChoice> Look(const Conversation& conversation,
                                                uint64_t number,
                                                const std::function<AlgorithmChoice()>& choose);

    /**
     * @param conversation of which
     * @param number of an operation
     * @param group whose
     * @return the ranks that have not called it
     */
    std::vector<RankId> GetMissing(const Conversation& conversation,
                                   uint64_t number,
                                   const CommunicationGroup& group) const;

    /** @return operations that some ranks have called and others have not */
    std::size_t GetOpen() const
    {
        return m_open.size();
    }

  private:
    /** An operation that not everybody has called. */
    struct Entry
    {
        RankOperation call; //!< of the first
        RankId first;       //!< who was it
        uint32_t calls{0};
        std::shared_ptr<const AlgorithmChoice> choice;
    };

    std::map<std::pair<Conversation, uint64_t>, Entry> m_open;
    std::map<Conversation, std::vector<uint64_t>> m_called; //!< by place: how many
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_LEDGER_H */
