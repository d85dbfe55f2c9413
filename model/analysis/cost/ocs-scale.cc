/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ocs-scale.h"

#include "ns3/abort.h"
#include "ns3/ocs-technology.h"

namespace ns3
{

std::vector<OcsScale>
ListOcsScale(uint32_t gpusPerServer, uint32_t portsPerGpu)
{
    NS_ABORT_MSG_UNLESS(gpusPerServer > 0 && portsPerGpu > 0,
                        "ListOcsScale(): " << gpusPerServer << " GPUs a server with " << portsPerGpu
                                           << " ports each; give 1 or more");
    std::vector<OcsScale> list;
    for (const OcsTechnology& one : OcsTechnology::GetAll())
    {
        const uint32_t servers = one.radix / portsPerGpu;
        list.push_back({one.name,
                        one.product,
                        one.reconfiguration,
                        one.radix,
                        servers,
                        uint64_t{servers} * gpusPerServer});
    }
    return list;
}

} // namespace ns3
