/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "monotonic-seconds.h"

#include <ctime>

namespace ns3
{

double
GetMonotonicSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

} // namespace ns3
