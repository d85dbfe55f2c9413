/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GROUP_REGISTER_H
#define PHOTONIC_RAILS_GROUP_REGISTER_H

#include "cabling.h"
#include "circuit-planner.h"
#include "opus-message.h"

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
 * Each server that has ranks of a group registers it before it asks for anything in it, and all
 * give the same ranks in the same order. The message's words are the group's name ("dp 0"); the
 * first of them is the parallelism that it belongs to, and so do sends that name the group. Sends
 * between two ranks need no group that is registered.
 */
class GroupRegister
{
  public:
    /** @param cabling where ranks are, and whose */
    explicit GroupRegister(std::shared_ptr<const Cabling> cabling);

    /** What came of a registration. */
    struct Verdict
    {
        std::string refusal; //!< why it does not count
        bool isNew{false};   //!< the server had not registered the group
    };

    /** @return what came of it @param message a REGISTER_GROUP */
    Verdict Register(const OpusMessage& message);

    /**
     * @param server that asks
     * @param phase for which
     * @param pairs to be joined
     * @return why the group does not allow it; empty if it does
     */
    std::string GetWhyNot(ServerId server,
                          const OpusPhase& phase,
                          const std::vector<JoinedRanks>& pairs) const;

    /** @return the parallelism that a phase belongs to @param phase any */
    std::string GetFamily(const OpusPhase& phase) const;

    /** @return the register in words, the same for equal ones */
    std::string Describe() const;

  private:
    using Key = std::pair<JobId, GroupId>;

    /** A group. */
    struct Group
    {
        std::vector<RankId> ranks;
        std::set<RankId> members; //!< the same
        std::string name;
        std::set<ServerId> servers; //!< that have registered it
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
