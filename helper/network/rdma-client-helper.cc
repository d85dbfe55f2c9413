/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-client-helper.h"

#include "ns3/abort.h"
#include "ns3/mac48-address.h"
#include "ns3/rdma-client-application.h"

namespace ns3
{

RdmaClientHelper::RdmaClientHelper(const Address& remote)
    : NodeApplicationHelper(RdmaClientApplication::GetTypeId(), "RdmaClientHelper")
{
    NS_ABORT_MSG_UNLESS(Mac48Address::IsMatchingType(remote),
                        "RdmaClientHelper: " << remote
                                             << " is no MAC address; give GetAddress() of a NIC "
                                                "port");
    SetAttribute("Remote", Mac48AddressValue(Mac48Address::ConvertFrom(remote)));
}

} // namespace ns3
