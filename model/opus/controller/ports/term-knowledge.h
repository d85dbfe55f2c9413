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
 * @brief The agents and shims that have not yet reported their circuits and grants in a term.
 *
 * Before the first BeginTerm() everything is known. A circuit may be in use if the shim of a rank
 * at one of its ends has not reported its grants.
 */
class TermKnowledge
{
  public:
    explicit TermKnowledge(std::shared_ptr<const Cabling> cabling);

    /** Begins a term, in which the state of rails and shims is unknown. */
    void BeginTerm();
    /** Notes that the circuits on a rail are known. */
    void Learn(RailId rail);
    /** Notes that the grants of a job's ranks on a server are known. */
    void Learn(JobId job, ServerId server);

    /** @return whether the circuits on a rail are known */
    bool IsKnown(RailId rail) const;
    /** @return whether the grants of a job's ranks on a server are known */
    bool IsKnown(JobId job, ServerId server) const;
    /** @return whether the grants at all shims are known */
    bool AreShimsKnown() const;

    /** @return whether the state of all rails and shims is known */
    bool IsAllKnown() const
    {
        return m_unknown.empty() && m_unconfirmed.empty();
    }

    /** @return whether a shim that has not reported its grants may use a circuit of a rail */
    bool MayBeUsed(RailId rail, const RailCircuits& circuits) const;
    /** @return whether a shim that has not reported its grants may use the circuit at a port */
    bool MayBeUsed(const RailPort& port, const RailCircuits& circuits) const;

    /** @return the unknown rails and shims in words; equal sets have equal words */
    std::string Describe() const;

  private:
    /** @return whether the shim of the owner of a port has not reported its grants */
    bool IsUnconfirmed(const RailPort& port) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::set<RailId> m_unknown;                         //!< rails whose circuits are not known
    std::set<std::pair<JobId, ServerId>> m_unconfirmed; //!< shims without a report of grants
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TERM_KNOWLEDGE_H */
