/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-kind-source.h"

#include "ns3/object-base.h"

#include <cctype>

namespace ns3
{

namespace
{

/** Does something with the source of a kind. @return whether the object has one */
template <typename ACTION>
bool
WithSource(ObjectBase* object, FaultKind kind, ACTION action)
{
    auto* sources = dynamic_cast<FaultKindSources*>(object);
    if (sources == nullptr)
    {
        return false;
    }
    action(sources->EditSource(kind));
    return true;
}

} // namespace

FaultKindSource::FaultKindSource(FaultKind kind)
    : m_kind(kind)
{
}

std::string
FaultKindSource::GetName(FaultKind kind)
{
    std::string name;
    bool isFirst = true;
    for (const char c : ToString(kind))
    {
        if (c != '-')
        {
            name += static_cast<char>(isFirst ? std::toupper(c) : c);
        }
        isFirst = c == '-';
    }
    return name;
}

bool
FaultKindSource::ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const
{
    return WithSource(object, m_kind, [&](auto& source) {
        source.ConnectWithoutContext(callback);
    });
}

bool
FaultKindSource::Connect(ObjectBase* object,
                         std::string context,
                         const CallbackBase& callback) const
{
    return WithSource(object, m_kind, [&](auto& source) { source.Connect(callback, context); });
}

bool
FaultKindSource::DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const
{
    return WithSource(object, m_kind, [&](auto& source) {
        source.DisconnectWithoutContext(callback);
    });
}

bool
FaultKindSource::Disconnect(ObjectBase* object,
                            std::string context,
                            const CallbackBase& callback) const
{
    return WithSource(object, m_kind, [&](auto& source) { source.Disconnect(callback, context); });
}

} // namespace ns3
