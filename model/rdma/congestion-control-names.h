/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONGESTION_CONTROL_NAMES_H
#define PHOTONIC_RAILS_CONGESTION_CONTROL_NAMES_H

#include "ns3/type-aliases.h"

namespace ns3
{

/**
 * @return the short names of the congestion controls of the module: `none`, `static-window` and
 *         `dcqcn`. Any other type that derives from ns3::CongestionControl is known by its own name
 */
const TypeAliases& GetCongestionControlAliases();

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONGESTION_CONTROL_NAMES_H */
