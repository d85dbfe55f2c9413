/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DCQCN_CONTROL_H
#define PHOTONIC_RAILS_DCQCN_CONTROL_H

#include "congestion-control.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The parameters of DCQCN, whose reaction point is Dcqcn. Its alias is `dcqcn`.
 *
 * Defaults are those of DcqcnSettings, which names their sources.
 */
class DcqcnControl : public CongestionControl
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CongestionControl
    std::unique_ptr<CongestionState> MakeState(DataRate lineRate) const override;

  private:
    DataRate m_minimumRate;
    DataRate m_additiveStep;
    DataRate m_hyperStep;
    Time m_alphaTimer;
    Time m_rateTimer;
    uint64_t m_byteCounter{0};
    uint32_t m_gainShift{0};
    uint32_t m_fastRecovery{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_DCQCN_CONTROL_H */
