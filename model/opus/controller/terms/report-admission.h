/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REPORT_ADMISSION_H
#define PHOTONIC_RAILS_REPORT_ADMISSION_H

#include "ns3/cabling.h"
#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/port-ledger.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Decides whether a HOLD or a REFUSE of a shim counts: it is about ranks of its server, it
 * names circuits that are possible, and the report of the shim is not complete yet.
 *
 * After the end of a report only one message counts: a HOLD without circuits, of ranks that are
 * through with a phase, which takes nothing from another phase.
 */
class ReportAdmission
{
  public:
    ReportAdmission(std::shared_ptr<const Cabling> cabling,
                    const PortLedger& ledger,
                    ControllerRecord& record);

    /** @return whether a HOLD counts; if not, it is counted as unknown */
    bool IsAdmitted(ServerId server, const OpusHold& hold);
    /** @return whether a REFUSE counts; if not, it is counted as unknown */
    bool IsAdmitted(ServerId server, const OpusRefuse& refusal);

  private:
    /** @return whether the ranks of a HOLD have the NIC ports that it names */
    bool AreCabled(const std::vector<RankCircuit>& circuits) const;
    /** Counts a message that does not count. @return the argument */
    bool CountUnlessPossible(bool isPossible);

    std::shared_ptr<const Cabling> m_cabling;
    const PortLedger& m_ledger;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REPORT_ADMISSION_H */
