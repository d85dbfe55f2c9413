/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "call-comparisons.h"

#include <optional>
#include <sstream>

namespace ns3
{

CallComparisons::CallComparisons(std::shared_ptr<const Cabling> cabling,
                                 ControllerOutbox& outbox,
                                 ControllerRecord& record)
    : m_cabling(std::move(cabling)),
      m_outbox(outbox),
      m_record(record)
{
}

void
CallComparisons::TakeCalled(ServerId server, const OpusCalled& called)
{
    if (!m_cabling->AreOnServer(called.ranks, server))
    {
        ++m_record.counters.unknown;
        return;
    }
    Group& group = m_groups[{called.phase.job, called.phase.group}];
    if (called.chooses)
    {
        group.server = server;
        group.choose = called.ranks;
    }
    std::optional<LatenessSample> sample;
    for (const RankId rank : called.ranks)
    {
        ++group.taken;
        const std::optional<LatenessSample> last = group.comparison.Take(
            {rank, called.whole, called.phase.operation, called.slot, called.at});
        sample = last ? last : sample;
    }
    if (sample && !group.choose.empty())
    {
        m_outbox.SendLateness(
            group.server,
            {called.phase, group.choose, called.slot, sample->rank.Get(), sample->lateness});
    }
}

std::string
CallComparisons::Describe() const
{
    std::ostringstream words;
    for (const auto& [key, group] : m_groups)
    {
        words << "job " << key.first << ", group " << key.second << ": " << group.taken
              << " calls compared\n";
    }
    return words.str();
}

} // namespace ns3
