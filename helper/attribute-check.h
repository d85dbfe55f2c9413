/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ATTRIBUTE_CHECK_H
#define PHOTONIC_RAILS_ATTRIBUTE_CHECK_H

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Aborts unless a type has an attribute, and the attribute takes a value. ns-3's own
 * factories abort without the names that there are and without limits, and crash on the text of an
 * object that names no type.
 * @param type it
 * @param name of the attribute
 * @param value for it
 */
void RequireAttribute(TypeId type, const std::string& name, const AttributeValue& value);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ATTRIBUTE_CHECK_H */
