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
 * @param name an attribute of it
 * @return whether Config::SetDefault() has set it
 */
bool IsDefaultSet(TypeId tid, const std::string& name);

/**
 * @ingroup photonic-rails
 * @brief An ObjectFactory for helpers that know good values themselves: what a helper suggests
 * holds unless the user set the attribute, on the helper or by Config::SetDefault().
 */
class SuggestibleFactory
{
  public:
    /** @param tid what it makes */
    void SetTypeId(TypeId tid);

    /** The user sets an attribute. */
    void Set(const std::string& name, const AttributeValue& value);

    /**
     * A helper suggests a value, in place of one that it suggested before.
     * @param value its value, unless the user has set it
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
