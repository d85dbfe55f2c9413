/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "policy-outcome.h"

#include "ns3/span-text.h"

#include <algorithm>
#include <iomanip>

namespace ns3
{

void
PolicyOutcome::TakeEnd(const OperationRecord& record)
{
    end = std::max(end, record.end);
    longest = std::max(longest, record.end - record.start - record.waited);
}

double
PolicyOutcome::GetBusBandwidth() const
{
    return longest.IsZero() ? 0 : busBytes / (longest.GetTimeStep() / 1e12);
}

void
PolicyOutcome::PrintHead(std::ostream& os)
{
    os << "circuits             time      busbw" << std::endl
       << "                     (ms)     (GB/s)" << std::endl;
}

void
PolicyOutcome::Print(std::ostream& os) const
{
    os << std::left << std::setw(14) << policy << std::right;
    if (!refusal.empty())
    {
        os << "  refused: " << refusal << std::endl;
        return;
    }
    os << std::fixed << std::setw(11) << ToMillisecondsOrSeconds(end.GetTimeStep())
       << std::setprecision(2) << std::setw(11) << GetBusBandwidth() / 1e9 << std::endl;
}

void
PolicyOutcome::Write(JsonWriter& json) const
{
    json.Field("policy", policy);
    json.Field("degree", degree);
    json.Field("ports", ports);
    json.Field("refusal", refusal);
    json.Field("busbw_gbytes_s", GetBusBandwidth() / 1e9);
    json.Field("time_s", end.GetTimeStep() / 1e12);
}

} // namespace ns3
