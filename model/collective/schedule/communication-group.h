/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMMUNICATION_GROUP_H
#define PHOTONIC_RAILS_COMMUNICATION_GROUP_H

#include "ns3/identifier.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An ordered set of ranks that run collective operations together: a communicator.
 *
 * The ranks of a schedule are places in the group. Ranks of one server must be consecutive if an
 * algorithm is to use the scale-up fabric.
 */
class CommunicationGroup
{
  public:
    /**
     * @param id of the group, unique in the job
     * @param name for reports: "dp 0"
     * @param ranks two or more, in order, each once
     * @param perServer number of ranks in each server, which are consecutive
     */
    CommunicationGroup(GroupId id,
                       std::string name,
                       std::vector<RankId> ranks,
                       uint32_t perServer = 1);

    /** @return its number */
    GroupId GetId() const
    {
        return m_id;
    }

    /** @return its name */
    const std::string& GetName() const
    {
        return m_name;
    }

    /** @return its ranks, in order */
    const std::vector<RankId>& GetRanks() const
    {
        return m_ranks;
    }

    /** @return the number of ranks in each server */
    uint32_t GetPerServer() const
    {
        return m_perServer;
    }

    /**
     * @param rank one of the group; another aborts
     * @return its place, from 0
     */
    uint32_t GetPlace(RankId rank) const;

  private:
    GroupId m_id;
    std::string m_name;
    std::vector<RankId> m_ranks;
    uint32_t m_perServer;
};

/** The groups that a rank program names by numbers, in the order of these numbers. */
using CommunicationGroups = std::vector<std::shared_ptr<const CommunicationGroup>>;

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMMUNICATION_GROUP_H */
