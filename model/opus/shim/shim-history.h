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
 * @brief The results of those requests of one rank that are over.
 *
 * For each flow it has the last operation that the rank is through with, and the rank's most recent
 * circuits. For each phase after that it has the number of the next request, which counts requests
 * without use. Of refusals it keeps the last PhaseHistory::KEPT ones.
 */
class ShimHistory
{
  public:
    /** The most recent circuits of a flow. */
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
    /** @return the last phase that the rank is through with, by flow */
    const std::map<OpusPhase, ShimCall::Place>& GetAllThrough() const;

    /** Circuits were granted. @param request that was granted */
    void Grant(const ShimRequest& request);
    /** @return the most recent circuits of the flow of a phase; null if it has had none */
    const Circuits* GetLast(const OpusPhase& phase) const;

    /** A phase was refused for good. */
    void Refuse(const OpusPhase& phase, const std::string& reason);
    /** @return phases that were refused, in order, with the reasons */
    const std::deque<std::pair<OpusPhase, std::string>>& GetRefused() const;

  private:
    std::map<OpusPhase, uint64_t> m_numbers; //!< those that are not 0
    std::map<OpusPhase, ShimCall::Place> m_through;
    std::map<OpusPhase, Circuits> m_last;
    std::deque<std::pair<OpusPhase, std::string>> m_refused;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_HISTORY_H */
