/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "request-admission.h"

#include <algorithm>
#include <optional>

namespace ns3
{

RequestAdmission::RequestAdmission(std::shared_ptr<const Cabling> cabling,
                                   OpenPhases& phases,
                                   const RankProgress& progress,
                                   PhaseEndings& endings,
                                   const JobStarts& starts,
                                   ControllerRecord& record,
                                   ControllerOutbox& outbox)
    : m_cabling(cabling),
      m_phases(phases),
      m_progress(progress),
      m_endings(endings),
      m_starts(starts),
      m_record(record),
      m_outbox(outbox),
      m_groups(cabling),
      m_planner(cabling)
{
}

void
RequestAdmission::TakeRegistration(const OpusMessage& message)
{
    const GroupRegister::Check check = m_groups.Register(message);
    if (!check.refusal.empty())
    {
        RefuseSender(message, check.refusal, true);
    }
    else if (!check.isNew)
    {
        ++m_record.counters.duplicates;
    }
}

const GroupRegister&
RequestAdmission::GetGroups() const
{
    return m_groups;
}

bool
RequestAdmission::IsFromServer(const OpusMessage& message) const
{
    return !message.ranks.empty() &&
           std::all_of(message.ranks.begin(), message.ranks.end(), [&](RankId rank) {
               return m_cabling->IsKnown(rank) && m_cabling->GetServer(rank) == message.server;
           });
}

bool
RequestAdmission::IsOver(const OpusMessage& message)
{
    if (m_phases.Find(message.phase))
    {
        return false;
    }
    const bool isThrough =
        std::all_of(message.ranks.begin(), message.ranks.end(), [this, &message](RankId rank) {
            return m_progress.IsThrough(message.phase, rank);
        });
    const std::optional<std::string> over = m_endings.FindOver(message.phase);
    if (!isThrough && !over)
    {
        return false;
    }
    ++m_record.counters.duplicates;
    if (!isThrough && !over->empty())
    {
        m_outbox.SendRefusal(message, *over, true);
    }
    return true;
}

bool
RequestAdmission::IsAdmitted(const OpusMessage& message)
{
    if (!IsFromServer(message) || message.pairs.empty())
    {
        ++m_record.counters.unknown;
        return false;
    }
    if (IsOver(message))
    {
        return false;
    }
    const std::string foreign = FindForeignRank(message);
    if (!foreign.empty())
    {
        ++m_record.counters.foreign;
        m_record.Note(ControllerNote::Kind::FOREIGN, message.phase, foreign);
        RefuseAll(message, foreign);
        return false;
    }
    std::string whyNot = m_starts.GetWhyNot(message.phase.job);
    whyNot =
        whyNot.empty() ? m_groups.GetWhyNot(message.server, message.phase, message.ranks) : whyNot;
    if (!whyNot.empty())
    {
        RefuseSender(message, whyNot, true);
        return false;
    }
    // only the server's own pairs can be wrong here; other servers check theirs
    whyNot = m_groups.GetWhyNot(message.phase, message.pairs);
    whyNot = whyNot.empty() ? m_planner.GetWhyNot(message.phase.job, message.pairs) : whyNot;
    if (!whyNot.empty())
    {
        RefuseAll(message, whyNot);
    }
    return whyNot.empty();
}

std::string
RequestAdmission::FindForeignRank(const OpusMessage& message) const
{
    for (const auto& [one, other] : message.pairs)
    {
        for (const RankId rank : {one, other})
        {
            if (m_cabling->IsKnown(rank) &&
                m_cabling->GetOwnedPorts(message.phase.job, rank).empty())
            {
                return "job " + std::to_string(message.phase.job.Get()) + " owns no port of rank " +
                       std::to_string(rank.Get());
            }
        }
    }
    return "";
}

void
RequestAdmission::RefuseAll(const OpusMessage& message, const std::string& reason)
{
    ControllerPhase* open = m_phases.Find(message.phase);
    const bool isOwn = std::none_of(message.ranks.begin(), message.ranks.end(), [&](RankId rank) {
        return m_cabling->GetOwnedPorts(message.phase.job, rank).empty();
    });
    const bool isForAll = isOwn && !message.speculative &&
                          (!open || (open->named.IsFor(message) && !open->IsUnderWay()));
    if (isForAll && open)
    {
        for (const RankId rank : message.ranks)
        {
            open->votes.Add(rank);
        }
        m_endings.Refuse(*open, reason, true);
        return;
    }
    RefuseSender(message, reason, true);
    if (isForAll)
    {
        // other servers request it too, and need not name the wrong pairs
        m_endings.RefuseUnopened(message.phase, reason);
    }
}

void
RequestAdmission::RefuseSender(const OpusMessage& message, const std::string& reason, bool isFinal)
{
    ++m_record.counters.refusals;
    m_record.Note(ControllerNote::Kind::REFUSED, message.phase, reason);
    m_outbox.SendRefusal(message, reason, isFinal);
}

} // namespace ns3
