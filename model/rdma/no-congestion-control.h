/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NO_CONGESTION_CONTROL_H
#define PHOTONIC_RAILS_NO_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief No limit of window or rate, for a dedicated circuit. Its alias is `none`.
 */
class NoCongestionControl : public CongestionControl
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CongestionControl
    std::unique_ptr<CongestionState> MakeState(DataRate lineRate) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NO_CONGESTION_CONTROL_H */
