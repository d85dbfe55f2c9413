/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "star-network.h"

#include "star-routing.h"

#include "ns3/ipv4.h"

namespace ns3
{

Ptr<StarRouting>
StarNetwork::GetRouting() const
{
    return DynamicCast<StarRouting>(router->GetObject<Ipv4>()->GetRoutingProtocol());
}

} // namespace ns3
