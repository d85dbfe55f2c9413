/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EVENT_DELAY_H
#define PHOTONIC_RAILS_EVENT_DELAY_H

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The delay of an event for a limit, which may be Time::Max(): ns-3 adds it to the present
 * instant, and the sum must not overflow.
 * @param limit from now on
 * @return the limit, or the rest of the simulator's time if that is less
 */
inline Time
DelayOf(Time limit)
{
    return std::min(limit, Time::Max() - Simulator::Now());
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_EVENT_DELAY_H */
