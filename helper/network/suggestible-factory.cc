/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "suggestible-factory.h"

#include "attribute-check.h"

namespace ns3
{

bool
IsDefaultSet(TypeId tid, const std::string& name)
{
    TypeId::AttributeInformation attribute;
    // a default value that was set is another object, even if it is equal
    return tid.LookupAttributeByName(name, &attribute) &&
           attribute.initialValue != attribute.originalInitialValue;
}

void
SuggestibleFactory::SetTypeId(TypeId tid)
{
    m_factory.SetTypeId(tid);
}

void
SuggestibleFactory::Set(const std::string& name, const AttributeValue& value)
{
    RequireAttribute(m_factory.GetTypeId(), name, value);
    m_factory.Set(name, value);
    m_set.insert(name);
}

void
SuggestibleFactory::Suggest(const std::string& name, const AttributeValue& value)
{
    if (m_set.count(name) == 0 && !IsDefaultSet(m_factory.GetTypeId(), name))
    {
        m_factory.Set(name, value);
    }
}

} // namespace ns3
