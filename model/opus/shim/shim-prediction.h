/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_PREDICTION_H
#define PHOTONIC_RAILS_SHIM_PREDICTION_H

#include "call-profile.h"
#include "shim-call.h"
#include "shim-groups.h"
#include "shim-settings.h"

#include "ns3/circuit-broker.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The use of the profile of one rank, by the shim's mode: how far the circuits of a call
 * reach, and which circuits to request ahead of their call.
 *
 * In CO_SCHEDULED, hints of the rank's program determine both, and calls are not profiled. In
 * PROVISIONED, circuits are requested ahead when an iteration begins and when a run of one
 * parallelism is over.
 */
class ShimPrediction
{
  public:
    /**
     * @param rank that calls
     * @param settings of the shim
     * @param groups that name the parallelisms; both must outlive it
     */
    ShimPrediction(RankId rank, const ShimSettings& settings, const ShimGroups& groups);

    /** An iteration begins. @return whether the one before lacked calls that were foreseen */
    bool BeginIteration();
    /** The program is over. @return whether the last iteration lacks calls that were foreseen */
    bool End();
    /**
     * The rank calls.
     * @param [in,out] call gets how far it reaches
     * @return false if it is a misprediction
     */
    bool Foresee(ShimCall& call);
    /** The rank repeats a call that it gave back. @param [in,out] call may reach less far */
    void ForeseeAgain(ShimCall& call) const;
    /** @return the calls to request circuits for at the beginning of an iteration */
    std::vector<ShimCall> GetFirst(Picoseconds now) const;
    /** The rank is through with a call. @return the calls to request circuits for now */
    std::vector<ShimCall> Finish(const OpusPhase& phase, Picoseconds now);

    /** @return the maximum number of links from a rank of a phase to another; 0: no limit */
    uint32_t GetLinks(const OpusPhase& phase) const;
    /** @return the profile as text */
    std::string Describe() const;

  private:
    /** @return the calls to request circuits for ahead; none if not PROVISIONED */
    std::vector<ShimCall> MakeCalls(const std::vector<ForeseenCall>& foreseen,
                                    Picoseconds now) const;

    RankId m_rank;
    const ShimSettings& m_settings;
    const ShimGroups& m_groups;
    CallProfile m_profile;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_PREDICTION_H */
