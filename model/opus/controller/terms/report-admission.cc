/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-admission.h"

#include <algorithm>
#include <utility>

namespace ns3
{

ReportAdmission::ReportAdmission(std::shared_ptr<const Cabling> cabling,
                                 const PortLedger& ledger,
                                 ControllerRecord& record)
    : m_cabling(std::move(cabling)),
      m_ledger(ledger),
      m_record(record)
{
}

bool
ReportAdmission::AreCabled(const std::vector<RankCircuit>& circuits) const
{
    return std::all_of(circuits.begin(), circuits.end(), [this](const RankCircuit& circuit) {
        return m_cabling->HasPort(circuit.one, circuit.onePort) &&
               m_cabling->HasPort(circuit.other, circuit.otherPort);
    });
}

bool
ReportAdmission::CountUnlessPossible(bool isPossible)
{
    m_record.counters.unknown += isPossible ? 0 : 1;
    return isPossible;
}

bool
ReportAdmission::IsAdmitted(ServerId server, const OpusHold& hold)
{
    const bool isNew =
        hold.circuits.empty() || (!hold.pairs.empty() && !m_ledger.IsKnown(hold.phase.job, server));
    return CountUnlessPossible(m_cabling->AreOnServer(hold.ranks, server) &&
                               AreCabled(hold.circuits) && isNew);
}

bool
ReportAdmission::IsAdmitted(ServerId server, const OpusRefuse& refusal)
{
    return CountUnlessPossible(m_cabling->AreOnServer(refusal.ranks, server) &&
                               !m_ledger.IsKnown(refusal.phase.job, server));
}

} // namespace ns3
