/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NAMED_NODE_H
#define PHOTONIC_RAILS_NAMED_NODE_H

#include "ns3/node.h"

#include <string>

namespace ns3
{

/**
 * @param name of a node in ns-3's Names
 * @param helper name of the caller, for errors
 * @return the node; aborts if there is none of that name
 */
Ptr<Node> FindNamedNode(const std::string& name, const std::string& helper);

} // namespace ns3

#endif /* PHOTONIC_RAILS_NAMED_NODE_H */
