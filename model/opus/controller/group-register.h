/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GROUP_REGISTER_H
#define PHOTONIC_RAILS_GROUP_REGISTER_H

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/opus-message.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The groups that shims have told a controller of.
 *
 * Each server that has ranks of a group registers these before it asks for anything in it, and
 * says how many ranks the group has and their digest: all must have the same ones in the same
 * order. When all servers have registered theirs, all ranks are known. The message's words are the
 * group's name ("dp 0"); the first of them is the parallelism that it belongs to, and so do sends
 * that name the group. Sends between two ranks need no group that is registered.
 */
class GroupRegister
{
  public:
    /** @param cabling where ranks are, and whose */
    explicit GroupRegister(std::shared_ptr<const Cabling> cabling);

    /** What came of a registration. */
    struct Check
    {
        std::string refusal; //!< why it does not count
        bool isNew{false};   //!< the server had not registered all of these ranks
    };

    /** @return what came of it @param message a REGISTER_GROUP */
    Check Register(const OpusMessage& message);

    /**
     * @param server that asks
     * @param phase for which
     * @param ranks of the server that want it
     * @return why the group does not allow it; empty if it does
     */
    std::string GetWhyNot(ServerId server,
                          const OpusPhase& phase,
                          const std::vector<RankId>& ranks) const;

    /**
     * @param phase any
     * @param pairs to be joined for it
     * @return the words on a rank that is not in the group, as far as all of it are known
     */
    std::string GetWhyNot(const OpusPhase& phase, const std::vector<JoinedRanks>& pairs) const;

    /**
     * @param phase any
     * @param whole how many ranks take part in it
     * @return the ranks of its group if it has as many and all are known; else none
     */
    std::vector<RankId> FindAll(const OpusPhase& phase, uint32_t whole) const;

    /** @return the parallelism that a phase belongs to @param phase any */
    std::string GetParallelism(const OpusPhase& phase) const;

    /** @return the register in words, the same for equal ones */
    std::string Describe() const;

  private:
    using Key = std::pair<JobId, GroupId>;

    /** A group. */
    struct Group
    {
        uint32_t whole{0};        //!< ranks that it has
        uint64_t digest{0};       //!< of them all
        std::set<RankId> members; //!< that are registered
        std::string name;
        std::set<ServerId> servers; //!< that have registered theirs
        ServerId first;             //!< that did
    };

    /** @return the group in words */
    static std::string ToWords(const Key& key, const std::string& name);
    /** @return why ranks can't be a group of a job on that server, or nothing */
    std::string GetWhyNotRanks(const OpusMessage& message) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::map<Key, Group> m_groups;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GROUP_REGISTER_H */
