/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-targets.h"

#include "ns3/collective-application.h"
#include "ns3/opus-shim-app.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FaultTargets);

TypeId
FaultTargets::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FaultTargets").SetParent<Object>().SetGroupName("PhotonicRails");
    return tid;
}

} // namespace ns3
