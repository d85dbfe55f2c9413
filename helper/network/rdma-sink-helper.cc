/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-sink-helper.h"

#include "ns3/rdma-sink-application.h"

namespace ns3
{

RdmaSinkHelper::RdmaSinkHelper()
    : NodeApplicationHelper(RdmaSinkApplication::GetTypeId(), "RdmaSinkHelper")
{
}

} // namespace ns3
