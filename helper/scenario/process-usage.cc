/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "process-usage.h"

#include <sys/resource.h>

namespace ns3
{

ProcessUsage
ProcessUsage::Get()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) { return time.tv_sec + time.tv_usec / 1e6; };
    // the memory is in units of 1024 bytes
    return {seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss / 1e3};
}

} // namespace ns3
