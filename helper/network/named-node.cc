/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "named-node.h"

#include "ns3/abort.h"
#include "ns3/names.h"

namespace ns3
{

Ptr<Node>
FindNamedNode(const std::string& name, const std::string& helper)
{
    const Ptr<Node> node = Names::Find<Node>(name);
    NS_ABORT_MSG_UNLESS(node,
                        helper << ": no node has the name \"" << name
                               << "\"; give it by Names::Add() first");
    return node;
}

} // namespace ns3
