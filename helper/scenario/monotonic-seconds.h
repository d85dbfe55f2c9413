/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MONOTONIC_SECONDS_H
#define PHOTONIC_RAILS_MONOTONIC_SECONDS_H

namespace ns3
{

/**
 * @return the time of a clock that runs evenly, in seconds from an arbitrary instant, equal for all
 * processes of a machine. A signal's handler may call it.
 */
double GetMonotonicSeconds();

} // namespace ns3

#endif /* PHOTONIC_RAILS_MONOTONIC_SECONDS_H */
