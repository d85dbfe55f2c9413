/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OTHER_RAIL_REACTION_H
#define PHOTONIC_RAILS_OTHER_RAIL_REACTION_H

#include "failure-reaction.h"

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Traffic of NIC ports without light goes over another rail, and back after a repair, while
 * the ranks go on. The alias `other-rail`.
 *
 * The controller does it (OtherRails, OpusControllerApp::Fallback). A queue pair gives up
 * `DetectAfter` after its port has lost its light (RdmaEngine::DarkLimit); its two ends settle
 * which messages have arrived in two times `ReceiptLatency` (RdmaTransport). The others are sent
 * again over the other rail. No rank ends, and no operation fails.
 *
 * A GPU that is lost is lost: the job ends then.
 */
class OtherRailReaction : public FailureReaction
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    Recovery Decide(const FailureCase& failure) const override;
    InPlace GetInPlace() const override;
    Time GetDetection() const override;
    Time GetReceiptLatency() const override;

  private:
    Time m_detectAfter;
    Time m_receiptLatency;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OTHER_RAIL_REACTION_H */
