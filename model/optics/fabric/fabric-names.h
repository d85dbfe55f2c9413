/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FABRIC_NAMES_H
#define PHOTONIC_RAILS_FABRIC_NAMES_H

#include "ns3/object-factory.h"
#include "ns3/type-aliases.h"

#include <string>

namespace ns3
{

/**
 * @return the short names of the fabrics that come with the module: `crossbar`, `hexagonal`,
 * `benes`, `crossbar-mesh`. Any other type that derives from ns3::SwitchFabric is known by its own
 * name
 */
const TypeAliases& GetFabricAliases();

/**
 * @param name in the syntax of TypeAliases
 * @return a factory of the fabric; aborts and lists the known names if there is none of that name
 */
ObjectFactory MakeFabricFactory(const std::string& name);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FABRIC_NAMES_H */
