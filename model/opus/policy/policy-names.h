/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_POLICY_NAMES_H
#define PHOTONIC_RAILS_POLICY_NAMES_H

#include "circuit-policy.h"

#include "ns3/cabling.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-aliases.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @return the short names of the policies that come with the module: `on-demand`, `provisioned`,
 * `rotor:200us`, `recorded:FILE` and others. Any other type that derives from ns3::CircuitPolicy is
 * known by its own name
 */
const TypeAliases& GetPolicyAliases();

/** @return the short names alone */
std::vector<std::string> GetPolicyNames();

/**
 * @param name in the syntax of TypeAliases
 * @return a factory of the policy; aborts and lists the known names if there is none of that name
 */
ObjectFactory MakePolicyFactory(const std::string& name);

/**
 * @param name in the syntax of TypeAliases
 * @return a new policy
 */
Ptr<CircuitPolicy> MakeCircuitPolicy(const std::string& name,
                                     std::shared_ptr<const Cabling> cabling);

} // namespace ns3

#endif /* PHOTONIC_RAILS_POLICY_NAMES_H */
