/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MODEL_UNITS_H
#define PHOTONIC_RAILS_MODEL_UNITS_H

#include "ns3/model-unit.h"

namespace ns3
{

inline const ModelUnit LAYER{ModelUnit::Kind::LAYER, 5};
inline const ModelUnit HEAD{ModelUnit::Kind::HEAD, 0};
inline const ModelUnit EMBEDDING{ModelUnit::Kind::EMBEDDING, 0};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MODEL_UNITS_H */
