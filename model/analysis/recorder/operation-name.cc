/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-name.h"

namespace ns3
{

std::string
GetOperationName(const RankOperation& call)
{
    return call.label.empty() ? NameOfKind(call) : call.label;
}

} // namespace ns3
