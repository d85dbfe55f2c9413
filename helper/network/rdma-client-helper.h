/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_CLIENT_HELPER_H
#define PHOTONIC_RAILS_RDMA_CLIENT_HELPER_H

#include "node-application-helper.h"

#include "ns3/address.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Installs an RdmaClientApplication on nodes that have an RdmaEngine: each
 * sends messages to the same NIC port.
 *
 * @code
 * RdmaClientHelper client(rail.GetNic(1)->GetAddress());
 * client.SetAttribute("Messages", UintegerValue(10));
 * client.Install(hosts.Get(0)).Start(MicroSeconds(10));
 * @endcode
 */
class RdmaClientHelper : public NodeApplicationHelper
{
  public:
    /** @param remote the address of the receiving NIC port */
    explicit RdmaClientHelper(const Address& remote);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_CLIENT_HELPER_H */
