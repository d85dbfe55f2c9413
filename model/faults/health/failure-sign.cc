/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "failure-sign.h"

#include <tuple>

namespace ns3
{

const char*
ToString(FailureSign sign)
{
    switch (sign)
    {
    case FailureSign::PROCESS_EXIT:
        return "process-exit";
    case FailureSign::NO_CARRIER:
        return "no-carrier";
    case FailureSign::RETRY_LIMIT:
        return "retry-limit";
    case FailureSign::TIMEOUT:
        return "timeout";
    case FailureSign::NO_HEARTBEAT:
        return "no-heartbeat";
    case FailureSign::NO_CIRCUITS:
        return "no-circuits";
    }
    return "unknown";
}

bool
FailureReport::operator==(const FailureReport& other) const
{
    return sign == other.sign && at == other.at && suspect == other.suspect && since == other.since;
}

bool
FailureReport::operator<(const FailureReport& other) const
{
    return std::tie(sign, at, suspect, since) <
           std::tie(other.sign, other.at, other.suspect, other.since);
}

std::ostream&
operator<<(std::ostream& os, const FailureReport& report)
{
    os << ToString(report.sign) << " at " << report.at;
    if (report.suspect)
    {
        os << ", towards " << *report.suspect;
    }
    return os;
}

} // namespace ns3
