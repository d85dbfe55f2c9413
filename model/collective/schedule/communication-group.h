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
 * @brief Ranks that do collective operations together, in an order: a communicator.
 *
 * A rank's place in the group is what schedules call a rank. Ranks of one server stand next to each
 * other if an algorithm is to make use of that.
 */
class CommunicationGroup
{
  public:
    /**
     * @param id of the group, its own in the job
     * @param name for people: "dp 0"
     * @param ranks its ranks, in order, each once; two or more
     * @param perServer ranks of each server, standing next to each other
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

    /** @return ranks of each server */
    uint32_t GetPerServer() const
    {
        return m_perServer;
    }

    /**
     * @param rank one of its ranks; another aborts
     * @return its place, from 0
     */
    uint32_t GetPlace(RankId rank) const;

  private:
    GroupId m_id;
    std::string m_name;
    std::vector<RankId> m_ranks;
    uint32_t m_perServer;
};

/** The groups that a rank program names by numbers, in that order. */
using CommunicationGroups = std::vector<std::shared_ptr<const CommunicationGroup>>;

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMMUNICATION_GROUP_H */
