/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TERM_KNOWLEDGE_H
#define PHOTONIC_RAILS_TERM_KNOWLEDGE_H

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/identifier.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The agents and shims that have not said yet in a term what stands and what they hold.
 *
 * Before the first BeginTerm() everything is known. Of a circuit at one of whose ends is a rank
 * whose shim has not said what it holds, any rank may have the use.
 */
class TermKnowledge
{
  public:
    explicit TermKnowledge(std::shared_ptr<const Cabling> cabling);

    /** Nothing is known, neither of rails nor of shims. */
    void BeginTerm();
    /** It is known what stands on a rail. */
    void Learn(RailId rail);
    /** It is known what a job's ranks on a server hold. */
    void Learn(JobId job, ServerId server);

    /** @return whether it is known what stands on a rail */
    bool IsKnown(RailId rail) const;
    /** @return whether it is known what a job's ranks on a server hold */
    bool IsKnown(JobId job, ServerId server) const;
    /** @return whether it is known what all shims hold */
    bool AreShimsKnown() const;
    /** @return whether everything is known of all rails and shims */
    bool IsAllKnown() const;
    /** @return whether a shim that has not said what it holds may use a circuit of a rail */
    bool MayBeUsed(RailId rail, const RailCircuits& circuits) const;
    /** @return whether a shim that has not said what it holds may use the circuit at a port */
    bool MayBeUsed(const RailPort& port, const RailCircuits& circuits) const;

    /** @return what is not known in words, the same for equal ones */
    std::string Describe() const;

  private:
    /** @return whether nothing is known of the shim of the owner of a port */
    bool IsUnconfirmed(const RailPort& port) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::set<RailId> m_unknown;                         //!< rails of which nothing is known
    std::set<std::pair<JobId, ServerId>> m_unconfirmed; //!< shims that have not said what they hold
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TERM_KNOWLEDGE_H */
