/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STATIC_WINDOW_CONTROL_H
#define PHOTONIC_RAILS_STATIC_WINDOW_CONTROL_H

#include "congestion-control.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A window of constant size. Its alias is `static-window`.
 */
class StaticWindowControl : public CongestionControl
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CongestionControl
    std::unique_ptr<CongestionState> MakeState(DataRate lineRate) const override;

  private:
    uint64_t m_window{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STATIC_WINDOW_CONTROL_H */
