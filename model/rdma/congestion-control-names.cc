/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-names.h"

#include "dcqcn-control.h"
#include "no-congestion-control.h"
#include "static-window-control.h"

namespace ns3
{

const TypeAliases&
GetCongestionControlAliases()
{
    static const TypeAliases aliases("congestion control",
                                     CongestionControl::GetTypeId(),
                                     {{"none", &NoCongestionControl::GetTypeId},
                                      {"static-window", &StaticWindowControl::GetTypeId},
                                      {"dcqcn", &DcqcnControl::GetTypeId}});
    return aliases;
}

} // namespace ns3
