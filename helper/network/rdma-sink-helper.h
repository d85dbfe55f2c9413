/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_SINK_HELPER_H
#define PHOTONIC_RAILS_RDMA_SINK_HELPER_H

#include "node-application-helper.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Installs an RdmaSinkApplication on nodes that have an RdmaEngine: each
 * counts the messages that arrive at its node.
 */
class RdmaSinkHelper : public NodeApplicationHelper
{
  public:
    RdmaSinkHelper();
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_SINK_HELPER_H */
