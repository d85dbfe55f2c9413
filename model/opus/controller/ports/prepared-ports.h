/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PREPARED_PORTS_H
#define PHOTONIC_RAILS_PREPARED_PORTS_H

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/opus-contents.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ports whose circuits were set up for guesses that may still prove right. A change
 * prefers other ports, if there are any.
 */
class PreparedPorts
{
  public:
    explicit PreparedPorts(std::shared_ptr<const Cabling> cabling);

    /** Notes the circuits that were set up for a guess. */
    void Prepare(const OpusPhase& phase, const std::vector<RankCircuit>& circuits);
    /** Ends a guess, right or wrong; does nothing for a phase that is no guess. */
    void End(const OpusPhase& phase);
    /** @return whether a port was set up for a guess */
    bool Has(const RailPort& port) const;

    /** @return the guesses and their ports in words; equal guesses have equal words */
    std::string Describe() const;

  private:
    std::shared_ptr<const Cabling> m_cabling;
    std::map<OpusPhase, std::set<RailPort>> m_guesses; //!< ports that were set up for each guess
    std::map<RailPort, uint32_t> m_prepared;           //!< number of guesses by port
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PREPARED_PORTS_H */
