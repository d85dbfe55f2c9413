/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_HISTORY_H
#define PHOTONIC_RAILS_SHIM_HISTORY_H

#include "shim-request.h"

#include "ns3/opus-contents.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What became of the requests of one rank that are over.
 *
 * For each flow it knows the last operation that the rank is through with, and the circuits that
 * the rank had last. For each phase after that it knows the number of the next request, which
 * counts requests that came to nothing. Of refusals it keeps the last PhaseHistory::KEPT ones.
 */
class ShimHistory
{
  public:
    /** Circuits that a flow had last. */
    struct Circuits
    {
        CallPairs pairs;
        std::shared_ptr<const GrantedCircuits> circuits;
        uint64_t until{0}; //!< they were granted for operations up to this one
    };

    /** @return the number of the next request for a phase */
    uint64_t GetNumber(const OpusPhase& phase) const;
    /** Sets the number of the next request for a phase. */
    void SetNumber(const OpusPhase& phase, uint64_t number);

    /** The rank is through with a stage of an operation. */
    void Finish(const OpusPhase& phase);
    /** @return whether the rank is through with a phase */
    bool IsThrough(const OpusPhase& phase) const;
    /** @return the last phase that the rank is through with in a flow; null if there is none */
    const ShimCall::Place* GetThrough(const OpusPhase& flowKey) const;
    /** @return the same of all flows, by flow */
    const std::map<OpusPhase, ShimCall::Place>& GetAllThrough() const;

    /** Circuits were granted. @param request to it */
    void Grant(const ShimRequest& request);
    /** @return the circuits that the flow of a phase had last; null if it never had any */
    const Circuits* GetLast(const OpusPhase& phase) const;

    /** A phase was refused for good. */
    void Refuse(const OpusPhase& phase, const std::string& reason);
    /** @return phases that were refused, and why, in that order */
    const std::deque<std::pair<OpusPhase, std::string>>& GetRefused() const;

  private:
    std::map<OpusPhase, uint64_t> m_numbers; //!< those that are not 0
    std::map<OpusPhase, ShimCall::Place> m_through;
    std::map<OpusPhase, Circuits> m_last;
    std::deque<std::pair<OpusPhase, std::string>> m_refused;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_HISTORY_H */
