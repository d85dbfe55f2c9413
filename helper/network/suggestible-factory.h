/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SUGGESTIBLE_FACTORY_H
#define PHOTONIC_RAILS_SUGGESTIBLE_FACTORY_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <set>
#include <string>

namespace ns3
{

/**
 * @param name an attribute of the type
 * @return whether Config::SetDefault() has set it
 */
bool IsDefaultSet(TypeId tid, const std::string& name);

/**
 * @ingroup photonic-rails
 * @brief An ObjectFactory for helpers with good values of their own: a suggested value holds unless
 * the user set the attribute, on the helper or by Config::SetDefault().
 */
class SuggestibleFactory
{
  public:
    /** @param tid the type of the objects */
    void SetTypeId(TypeId tid);

    /** Sets an attribute for the user. */
    void Set(const std::string& name, const AttributeValue& value);

    /**
     * Suggests a value, in place of an earlier suggestion.
     * @param value holds unless the user has set the attribute
     */
    void Suggest(const std::string& name, const AttributeValue& value);

    /** @return a new object */
    template <typename T>
    Ptr<T> Create() const
    {
        return m_factory.Create<T>();
    }

  private:
    ObjectFactory m_factory;
    std::set<std::string> m_set; //!< by the user
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SUGGESTIBLE_FACTORY_H */
