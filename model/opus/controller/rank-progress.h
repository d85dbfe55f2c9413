/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_PROGRESS_H
#define PHOTONIC_RAILS_RANK_PROGRESS_H

#include "ns3/identifier.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief How far each rank has come in each flow, by its releases.
 *
 * A rank may be through with operations that a partner only comes to later, under a phase of
 * another name: it sent, and the partner gave the circuits back before it took note. The rank does
 * not ask for those again.
 *
 * Operations of a flow are over in order, and so are the stages of one: who is through with
 * operation 5 is through with all of operation 4. Within an operation each stage is counted for
 * itself all the same: circuits of an early one may be called back while those of a later one are
 * not, and what a rank still has to ask for must never be taken for done.
 */
class RankProgress
{
  public:
    /**
     * A rank is through with a stage of an operation, and with all operations before that.
     * @param phase any of the flow
     * @param rank which
     * @param operation of the flow
     * @param stage of the operation
     */
    void Raise(const OpusPhase& phase, RankId rank, uint64_t operation, uint32_t stage);

    /** @return whether a rank is through with a phase's first operation @param phase @param rank */
    bool IsThrough(const OpusPhase& phase, RankId rank) const;

    /**
     * @param phase any
     * @param rank which
     * @return the last operation of the phase's flow of which it is known to be through
     * with the phase's stage, but the phase's own at least
     */
    uint64_t GetOperation(const OpusPhase& phase, RankId rank) const;

    /** @return the progress in words, the same for equal one */
    std::string Describe() const;

  private:
    using Through = std::map<uint32_t, uint64_t>; //!< by stage, the last operation

    /** @return how far a rank is in a phase's flow; null if it has not begun */
    const Through* Find(const OpusPhase& phase, RankId rank) const;

    std::map<OpusPhase, std::map<RankId, Through>> m_byFlow;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_PROGRESS_H */
