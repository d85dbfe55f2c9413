/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "path-report.h"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <sstream>

namespace ns3
{

void
WritePaths(JsonWriter& json, const PathTallies& paths)
{
    json.BeginObject("paths");
    for (std::size_t p = 0; p < TRAFFIC_PATHS; ++p)
    {
        json.BeginObject(ToString(static_cast<TrafficPath>(p)));
        json.Field("operations", paths[p].operations);
        json.Field("bytes", paths[p].bytes);
        json.EndObject();
    }
    json.EndObject();
}

double
GetBandwidthTax(const PathTallies& paths)
{
    uint64_t sent = 0;
    uint64_t forwarded = 0;
    for (std::size_t p = 0; p < TRAFFIC_PATHS; ++p)
    {
        const auto path = static_cast<TrafficPath>(p);
        const bool isOnRails = path != TrafficPath::INSIDE && path != TrafficPath::HOST_NETWORK;
        sent += isOnRails ? paths[p].bytes : 0;
        forwarded += paths[p].forwarded;
    }
    return sent == 0 ? 1 : 1 + static_cast<double>(forwarded) / sent;
}

std::string
DescribePaths(const PathTallies& paths)
{
    PathTally all;
    for (const PathTally& one : paths)
    {
        all.operations += one.operations;
        all.bytes += one.bytes;
    }
    std::ostringstream words;
    words << std::fixed << std::setprecision(1);
    for (std::size_t p = 0; p < TRAFFIC_PATHS; ++p)
    {
        if (paths[p].operations > 0)
        {
            words << (words.str().empty() ? "" : ", ") << ToString(static_cast<TrafficPath>(p))
                  << ' ' << 100.0 * paths[p].operations / all.operations << " % ("
                  << 100.0 * paths[p].bytes / std::max<uint64_t>(1, all.bytes) << " %)";
        }
    }
    const double tax = GetBandwidthTax(paths);
    if (tax > 1)
    {
        words << std::setprecision(2) << "; bandwidth tax " << tax;
    }
    return words.str().empty() ? "none" : words.str();
}

} // namespace ns3
