/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONGESTION_CONTROL_H
#define PHOTONIC_RAILS_CONGESTION_CONTROL_H

#include "congestion-state.h"

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A congestion control and its parameters: it makes the congestion state of each queue pair.
 *
 * An RdmaEngine has one, by its attribute CongestionControl. The parameters are attributes, and
 * hold for queue pairs that are made later. The cost of a frame or a notification is one call of
 * the plain CongestionState.
 *
 * A user writes one in any file, as an Object with a TypeId that derives from this one:
 * @code
 * class FixedRateControl : public CongestionControl
 * {
 *   public:
 *     static TypeId GetTypeId(); // "ns3::FixedRateControl", with SetParent<CongestionControl>()
 *     std::unique_ptr<CongestionState> MakeState(DataRate lineRate) const override;
 * };
 * NS_OBJECT_ENSURE_REGISTERED(FixedRateControl);
 *
 * rdma.SetCongestionControl("ns3::FixedRateControl", "Rate", StringValue("50Gbps"));
 * @endcode
 */
class CongestionControl : public Object
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    CongestionControl();
    ~CongestionControl() override;

    /**
     * @param lineRate of the port that the queue pair sends over
     * @return the congestion state of a new queue pair
     */
    virtual std::unique_ptr<CongestionState> MakeState(DataRate lineRate) const = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONGESTION_CONTROL_H */
