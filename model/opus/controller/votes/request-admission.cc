/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "request-admission.h"

#include "ns3/controller-outbox.h"

#include <algorithm>

namespace ns3
{

RequestAdmission::RequestAdmission(const RequestChecks& checks,
                                   OpenPhases& phases,
                                   const RankProgress& progress,
                                   PhaseEndings& endings,
                                   PhaseOutcomes& outcomes,
                                   ControllerRecord& record)
    : m_checks(checks),
      m_phases(phases),
      m_progress(progress),
      m_endings(endings),
      m_outcomes(outcomes),
      m_record(record)
{
}

bool
RequestAdmission::IsOver(ServerId server, const OpusRequest& request)
{
    if (m_phases.Find(request.phase))
    {
        return false;
    }
    const bool isThrough =
        std::all_of(request.ranks.begin(), request.ranks.end(), [this, &request](RankId rank) {
            return m_progress.IsThrough(request.phase, rank);
        });
    if (!isThrough && !m_outcomes.Find(request.phase))
    {
        return false;
    }
    ++m_record.counters.duplicates;
    if (!isThrough)
    {
        m_outcomes.Repeat(server, request.phase, request.ranks);
    }
    return true;
}

bool
RequestAdmission::IsAdmitted(ServerId server, const OpusRequest& request)
{
    if (!m_checks.HasMeaning(server, request))
    {
        ++m_record.counters.unknown;
        return false;
    }
    if (IsOver(server, request))
    {
        return false;
    }
    const RequestObjection objection = m_checks.FindObjection(server, request);
    if (objection.isForeign)
    {
        ++m_record.counters.foreign;
        m_record.Note(ControllerNote::Kind::FOREIGN, request.phase, objection.reason);
    }
    if (objection.isForAll)
    {
        RefuseAll(server, request, objection.reason);
    }
    else if (!objection.reason.empty())
    {
        RefuseSender(server, request, objection.reason);
    }
    return objection.reason.empty();
}

void
RequestAdmission::RefuseAll(ServerId server, const OpusRequest& request, const std::string& reason)
{
    ControllerPhase* open = m_phases.Find(request.phase);
    if (!open)
    {
        RefuseSender(server, request, reason);
        // other servers request it too, and need not name the wrong pairs
        m_outcomes.RefuseUnopened(request.phase, reason);
    }
    else if (!open->named.IsFor(request.whole, request.digest) || open->IsUnderWay())
    {
        RefuseSender(server, request, reason);
    }
    else
    {
        for (const RankId rank : request.ranks)
        {
            open->votes.Add(rank);
        }
        m_endings.Refuse(*open, reason, true);
    }
}

void
RequestAdmission::RefuseSender(ServerId server,
                               const OpusRequest& request,
                               const std::string& reason)
{
    m_outcomes.Refuse(server, request.phase, request.ranks, reason, true);
}

} // namespace ns3
