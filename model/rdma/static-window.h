/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STATIC_WINDOW_H
#define PHOTONIC_RAILS_STATIC_WINDOW_H

#include "congestion-state.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A window of constant size.
 */
class StaticWindow : public CongestionState
{
  public:
    /** @param bytes largest unacknowledged payload */
    explicit StaticWindow(uint64_t bytes)
        : m_bytes(bytes)
    {
    }

    // CongestionState
    uint64_t GetWindow() const override
    {
        return m_bytes;
    }

  private:
    uint64_t m_bytes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STATIC_WINDOW_H */
