/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROCESS_USAGE_H
#define PHOTONIC_RAILS_PROCESS_USAGE_H

namespace ns3
{

/** What this process has needed until now. */
struct ProcessUsage
{
    double cpuSeconds;    //!< of all its threads
    double peakMegabytes; //!< of memory

    /** @return it */
    static ProcessUsage Get();
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROCESS_USAGE_H */
