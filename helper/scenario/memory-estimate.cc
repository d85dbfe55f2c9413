/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memory-estimate.h"

#include "ns3/collective-schedule.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace ns3
{

double
EstimateTrainingMemory(const ParallelismPlan& plan)
{
    // bench/training-jobs --curve=2048: 0.17 MB a rank of 1,024 and of 2,048, besides 18 MB of the
    // program itself; if each rail is simulated, twice as much
    constexpr double BYTES_OF_RANK = 0.35e6;
    // an all-reduce by a ring has 2 n (n - 1) transfers, in one schedule that all ranks share; its
    // index has as many entries
    constexpr double BYTES_OF_TRANSFER = sizeof(CollectiveTransfer) + sizeof(uint64_t);
    double bytes = BYTES_OF_RANK * plan.GetRanks();
    for (const double n : {double(plan.tp), double(plan.cp) * plan.dp})
    {
        bytes += 2 * n * n * BYTES_OF_TRANSFER;
    }
    return bytes;
}

double
GetFreeMemory()
{
    std::ifstream file("/proc/meminfo");
    for (std::string name; file >> name;)
    {
        double kilobytes = 0;
        if (name == "MemAvailable:" && file >> kilobytes)
        {
            return kilobytes * 1024;
        }
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return std::numeric_limits<double>::infinity();
}

} // namespace ns3
