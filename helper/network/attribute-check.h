/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ATTRIBUTE_CHECK_H
#define PHOTONIC_RAILS_ATTRIBUTE_CHECK_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Aborts unless a type has an attribute, and the attribute accepts a value. ns-3's own
 * factories abort without the known names and without limits, and crash on the text of an object
 * without a known type. The check makes no object from a text, since that would take streams of
 * random numbers.
 * @param name of the attribute
 */
void RequireAttribute(TypeId type, const std::string& name, const AttributeValue& value);

/**
 * Sets an attribute; aborts like RequireAttribute().
 * @param name of the attribute
 */
void SetCheckedAttribute(Ptr<Object> object, const std::string& name, const AttributeValue& value);

/**
 * Sets attributes of a factory, as any number of pairs of a name and a value; aborts like
 * RequireAttribute().
 */
inline void
SetCheckedAttributes(ObjectFactory&)
{
}

/** @copydoc SetCheckedAttributes(ObjectFactory&) */
template <typename... Rest>
void
SetCheckedAttributes(ObjectFactory& factory,
                     const std::string& name,
                     const AttributeValue& value,
                     const Rest&... rest)
{
    RequireAttribute(factory.GetTypeId(), name, value);
    factory.Set(name, value);
    SetCheckedAttributes(factory, rest...);
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_ATTRIBUTE_CHECK_H */
