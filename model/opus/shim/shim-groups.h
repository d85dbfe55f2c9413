/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_GROUPS_H
#define PHOTONIC_RAILS_SHIM_GROUPS_H

#include "shim-settings.h"

#include "ns3/circuit-broker.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The groups that ranks of a server take part in: all ranks of each, and those that have
 * joined on this server.
 *
 * A group keeps its name and its ranks. A parallelism is the first word of the name of a group.
 */
class ShimGroups
{
  public:
    /** @param settings of the shim; they must outlive it */
    explicit ShimGroups(const ShimSettings& settings);

    /** A rank of the server takes part in a group. @return false if it did so already */
    bool Join(RankId rank, const CommunicationGroup& group);

    /** @return the parallelism that a request belongs to */
    std::string GetParallelism(const CircuitRequest& request) const;

    /** @return the message that registers some ranks of a group */
    OpusRegisterGroup MakeRegistration(GroupId id, const std::vector<RankId>& ranks) const;
    /** @return the messages that register all that have joined, by group */
    std::vector<OpusRegisterGroup> MakeRegistrations() const;

  private:
    /** A group. */
    struct Group
    {
        std::string name;
        std::vector<RankId> ranks; //!< all ranks of the group
        std::vector<RankId> here;  //!< those that have joined
    };

    const ShimSettings& m_settings;
    std::map<GroupId, Group> m_groups;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_GROUPS_H */
