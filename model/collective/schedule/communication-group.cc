/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "communication-group.h"

#include "ns3/abort.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

CommunicationGroup::CommunicationGroup(GroupId id,
                                       std::string name,
                                       std::vector<RankId> ranks,
                                       uint32_t perServer)
    : m_id(id),
      m_name(std::move(name)),
      m_ranks(std::move(ranks)),
      m_perServer(perServer)
{
    NS_ABORT_MSG_IF(m_ranks.size() < 2,
                    "CommunicationGroup: \"" << m_name << "\" has " << m_ranks.size()
                                             << " ranks; a group needs 2 or more");
    NS_ABORT_MSG_IF(perServer == 0 || m_ranks.size() % perServer != 0,
                    "CommunicationGroup: \"" << m_name << "\" has " << m_ranks.size()
                                             << " ranks, which is no multiple of " << perServer
                                             << " a server");
    std::set<RankId> seen;
    for (const RankId rank : m_ranks)
    {
        NS_ABORT_MSG_UNLESS(seen.insert(rank).second,
                            "CommunicationGroup: \"" << m_name << "\" names rank " << rank
                                                     << " twice");
    }
}

uint32_t
CommunicationGroup::GetPlace(RankId rank) const
{
    const auto found = std::find(m_ranks.begin(), m_ranks.end(), rank);
    NS_ABORT_MSG_IF(found == m_ranks.end(),
                    "CommunicationGroup: rank " << rank << " is not in \"" << m_name << "\"");
    return found - m_ranks.begin();
}

} // namespace ns3
