/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_READ_ONCE_ACCESSOR_H
#define PHOTONIC_RAILS_READ_ONCE_ACCESSOR_H

#include "ns3/abort.h"
#include "ns3/attribute.h"
#include "ns3/object-base.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The accessor of an attribute that its object reads once: a value that is set later, and
 * would have no effect, aborts.
 *
 * MakeReadOnceAccessor() wraps another accessor in it.
 */
template <typename T>
class ReadOnceAccessor : public AttributeAccessor
{
  public:
    /** Returns whether an object has read the attribute. */
    using IsRead = bool (T::*)() const;

    /** @param isRead whether the object has read the attribute @param accessor the wrapped one */
    ReadOnceAccessor(const std::string& attribute,
                     IsRead isRead,
                     Ptr<const AttributeAccessor> accessor)
        : m_attribute(attribute),
          m_isRead(isRead),
          m_accessor(accessor)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        const auto* owner = dynamic_cast<const T*>(object);
        NS_ABORT_MSG_IF(owner != nullptr && (owner->*m_isRead)(),
                        m_attribute << " is set too late: it has been read, and would have no "
                                       "effect; set it on the helper or by Config::SetDefault(), "
                                       "or at the latest before the simulation runs");
        return m_accessor->Set(object, value);
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        return m_accessor->Get(object, value);
    }

    bool HasGetter() const override
    {
        return m_accessor->HasGetter();
    }

    bool HasSetter() const override
    {
        return m_accessor->HasSetter();
    }

  private:
    std::string m_attribute;
    IsRead m_isRead;
    Ptr<const AttributeAccessor> m_accessor;
};

/**
 * @ingroup photonic-rails
 * @param attribute its name, such as "OpusShimApp::HostLatency"
 * @param isRead a member function that returns whether the object has read the attribute
 * @param accessor the wrapped accessor
 * @return an accessor that aborts when the attribute is set too late
 */
template <typename T>
Ptr<const AttributeAccessor>
MakeReadOnceAccessor(const std::string& attribute,
                     bool (T::*isRead)() const,
                     Ptr<const AttributeAccessor> accessor)
{
    return Ptr<const AttributeAccessor>(new ReadOnceAccessor<T>(attribute, isRead, accessor),
                                        false);
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_READ_ONCE_ACCESSOR_H */
