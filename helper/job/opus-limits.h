/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_LIMITS_H
#define PHOTONIC_RAILS_OPUS_LIMITS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/** The waits of a healthy job that the limits must exceed. */
struct OpusWaits
{
    Time reconfiguration{0};       //!< of a switch, at most
    uint32_t reconfigurations{20}; //!< per plan, including other groups
    uint32_t plans{1};             //!< plans that a phase may wait for, in sequence
    Time computing{0};             //!< computing of a rank while others wait for it
    uint32_t halvesOfGivingUp{4};  //!< half waits after which a shim may give up
    uint32_t halvesOfStall{4};     //!< half waits in which a rank may make no progress
};

/**
 * @ingroup photonic-rails
 * @brief The limits on the waits of a control plane, and of the ranks that it serves.
 *
 * Each is an attribute. The initial values are the defaults of the attributes: they suit switches
 * that reconfigure within seconds and ranks that compute for seconds. GetWith() makes the limits of
 * a job with longer waits:
 *
 * @code
 * OpusWaits waits;
 * waits.reconfiguration = Seconds(30); // a robot
 * opus.SuggestLimits(OpusLimits().GetWith(waits));
 * @endcode
 */
struct OpusLimits
{
    Time program{Seconds(10)};   //!< OpusControllerApp::ProgramLimit
    Time votes{Seconds(30)};     //!< OpusControllerApp::VoteLimit
    Time ports{Seconds(60)};     //!< OpusControllerApp::PortLimit
    Time traffic{Seconds(60)};   //!< OpusControllerApp::TrafficLimit
    Time givingUp{Seconds(100)}; //!< OpusShimApp::GiveUpAfter
    Time stall{Seconds(300)};    //!< CollectiveApplication::StallLimit

    /** @return the sums of these limits and the waits of a job; at most Time::Max() */
    OpusLimits GetWith(const OpusWaits& waits) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_LIMITS_H */
