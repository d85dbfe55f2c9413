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
 * @param name of a node, as Names::Add() gave it
 * @param helper that looks for it, in words of errors
 * @return the node; aborts if there is none of that name
 */
Ptr<Node> FindNamedNode(const std::string& name, const std::string& helper);

} // namespace ns3

#endif /* PHOTONIC_RAILS_NAMED_NODE_H */
