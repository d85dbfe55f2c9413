/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CALL_COMPARISONS_H
#define PHOTONIC_RAILS_CALL_COMPARISONS_H

#include "ns3/cabling.h"
#include "ns3/call-comparison.h"
#include "ns3/controller-outbox.h"
#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Compares the calls of groups over several servers, which shims report, and informs the
 * shim of the rank that chooses algorithms which rank called last, and how late.
 *
 * Nothing that the controller decides depends on it. A controller of a new term begins without
 * calls: operations whose calls came to the one before have no sample.
 */
class CallComparisons
{
  public:
    CallComparisons(std::shared_ptr<const Cabling> cabling,
                    ControllerOutbox& outbox,
                    ControllerRecord& record);

    /** Takes the report of calls. @param server of the shim */
    void TakeCalled(ServerId server, const OpusCalled& called);

    /** @return the state in words; equal states have equal words */
    std::string Describe() const;

  private:
    /** A group. */
    struct Group
    {
        CallComparison comparison;
        uint64_t taken{0};          //!< calls so far
        ServerId server;            //!< of the ranks that choose
        std::vector<RankId> choose; //!< the ranks that choose; none: not known
    };

    std::shared_ptr<const Cabling> m_cabling;
    ControllerOutbox& m_outbox;
    ControllerRecord& m_record;
    std::map<std::pair<JobId, GroupId>, Group> m_groups;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CALL_COMPARISONS_H */
