/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OTHER_RAIL_SETTINGS_H
#define PHOTONIC_RAILS_OTHER_RAIL_SETTINGS_H

#include "collective-helper.h"
#include "opus-helper.h"

#include "ns3/nstime.h"
#include "ns3/rdma-helper.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The settings of a job whose traffic goes over another rail where a NIC port, its fiber or
 * a switch has failed (OtherRails).
 *
 * The servers need a fabric that joins their GPUs, two rails or more, and a policy that allows
 * detours (CircuitPolicy::AllowsDetours()).
 * @code
 * OtherRailSettings().Apply(opus, rdma, collectives);
 * @endcode
 */
struct OtherRailSettings
{
    Time detectAfter{MicroSeconds(100)};   //!< from the end of light to a queue pair's failure
    Time receiptLatency{MicroSeconds(30)}; //!< of the receipts for its messages, RdmaTransport
    /**
     * Whether NIC ports take time from light to carrier: a grant then waits for carrier, so that no
     * port which locks is taken for a dead one.
     */
    bool hasLinkUpTime{false};

    /** Sets the attributes of all parts. */
    void Apply(OpusHelper& opus, RdmaHelper& rdma, CollectiveHelper& collectives) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OTHER_RAIL_SETTINGS_H */
