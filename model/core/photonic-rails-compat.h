/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMPAT_H
#define PHOTONIC_RAILS_COMPAT_H

#include "ns3/enum.h"
#include "ns3/event-id.h"

/**
 * @file
 * Differences between ns-3.35 and ns-3.48, detected by overload resolution: ns-3's headers
 * have no reliable version number.
 */

namespace ns3
{

/** MakeEnumAccessor takes the type of the enum from ns-3.41 on. */
template <typename E, typename Member>
auto
MakeRailsEnumAccessorBy(Member member, int) -> decltype(MakeEnumAccessor<E>(member))
{
    return MakeEnumAccessor<E>(member);
}

/** The same for ns-3.40 and before. */
template <typename E, typename Member>
auto
MakeRailsEnumAccessorBy(Member member, long) -> decltype(MakeEnumAccessor(member))
{
    return MakeEnumAccessor(member);
}

/**
 * @param member a data member of an enumerated type
 * @return the accessor of an attribute for it
 */
template <typename E, typename Member>
Ptr<const AttributeAccessor>
MakeRailsEnumAccessor(Member member)
{
    return MakeRailsEnumAccessorBy<E>(member, 0);
}

/** See MakeRailsEnumAccessor. */
template <typename E, typename Set, typename Get>
auto
MakeRailsEnumAccessorBy(Set set, Get get, int) -> decltype(MakeEnumAccessor<E>(set, get))
{
    return MakeEnumAccessor<E>(set, get);
}

/** The same for ns-3.40 and before. */
template <typename E, typename Set, typename Get>
auto
MakeRailsEnumAccessorBy(Set set, Get get, long) -> decltype(MakeEnumAccessor(set, get))
{
    return MakeEnumAccessor(set, get);
}

/**
 * @param set a member function that sets a value of an enumerated type
 * @param get one that returns it
 * @return the accessor of an attribute for it
 */
template <typename E, typename Set, typename Get>
Ptr<const AttributeAccessor>
MakeRailsEnumAccessor(Set set, Get get)
{
    return MakeRailsEnumAccessorBy<E>(set, get, 0);
}

/** EventId::IsPending() is there from ns-3.42 on. */
template <typename Id>
auto
IsEventPending(const Id& id, int) -> decltype(id.IsPending())
{
    return id.IsPending();
}

/** The same for ns-3.41 and before. */
template <typename Id>
auto
IsEventPending(const Id& id, long) -> decltype(id.IsRunning())
{
    return id.IsRunning();
}

/** @return whether the event is still to come */
inline bool
IsEventPending(const EventId& id)
{
    return IsEventPending(id, 0);
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMPAT_H */
