/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OBSERVED_TRACE_H
#define PHOTONIC_RAILS_OBSERVED_TRACE_H

#include "ns3/trace-source-accessor.h"
#include "ns3/traced-callback.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Gives access to a trace source, and notifies its owner of each connect and disconnect.
 *
 * A source that fires for every frame forces its owner to process every frame. An owner of a source
 * without callbacks can skip that; a plain accessor does not report connects. Connecting and
 * disconnecting work as with any other source, by object or by Config path.
 *
 * Use as MakeTraceSourceAccessor, with a member function of the owner as second argument:
 * @code
 * .AddTraceSource("FrameSent", "...",
 *                 MakeObservedTraceSourceAccessor(&Nic::m_frameSent, &Nic::NotifyObservers),
 *                 "ns3::WireFrame::TracedCallback")
 * @endcode
 */
template <typename Owner, typename Find>
class ObservedTraceSourceAccessor : public TraceSourceAccessor
{
  public:
    /**
     * @param find returns the source of an owner
     * @param notify is called on the owner after each change
     */
    ObservedTraceSourceAccessor(Find find, void (Owner::*notify)())
        : m_find(find),
          m_notify(notify)
    {
    }

    bool ConnectWithoutContext(ObjectBase* obj, const CallbackBase& cb) const override
    {
        return Change(obj, [&cb](auto& source) { source.ConnectWithoutContext(cb); });
    }

    bool Connect(ObjectBase* obj, std::string context, const CallbackBase& cb) const override
    {
        return Change(obj, [&](auto& source) { source.Connect(cb, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* obj, const CallbackBase& cb) const override
    {
        return Change(obj, [&cb](auto& source) { source.DisconnectWithoutContext(cb); });
    }

    bool Disconnect(ObjectBase* obj, std::string context, const CallbackBase& cb) const override
    {
        return Change(obj, [&](auto& source) { source.Disconnect(cb, context); });
    }

  private:
    /**
     * Changes the source of an object and notifies the object.
     * @param change is applied to the source
     * @return false if the object is not an owner of such a source
     */
    template <typename Action>
    bool Change(ObjectBase* obj, Action change) const
    {
        auto owner = dynamic_cast<Owner*>(obj);
        if (owner == nullptr)
        {
            return false;
        }
        change(m_find(*owner));
        (owner->*m_notify)();
        return true;
    }

    Find m_find;
    void (Owner::*m_notify)();
};

/**
 * @ingroup photonic-rails
 * @param source the member that is the source
 * @param notify is called on the owner after each connect and disconnect
 * @return the accessor
 */
template <typename Owner, typename Source>
Ptr<const TraceSourceAccessor>
MakeObservedTraceSourceAccessor(Source Owner::*source, void (Owner::*notify)())
{
    const auto find = [source](Owner& owner) -> Source& { return owner.*source; };
    return Ptr<const TraceSourceAccessor>(
        new ObservedTraceSourceAccessor<Owner, decltype(find)>(find, notify),
        false);
}

/**
 * @ingroup photonic-rails
 * @param part the member of the owner that has the source
 * @param source the member of that part that is the source
 * @param notify is called on the owner after each connect and disconnect
 * @return the accessor
 */
template <typename Owner, typename Part, typename Source>
Ptr<const TraceSourceAccessor>
MakeObservedTraceSourceAccessor(Part Owner::*part, Source Part::*source, void (Owner::*notify)())
{
    const auto find = [part, source](Owner& owner) -> Source& { return owner.*part.*source; };
    return Ptr<const TraceSourceAccessor>(
        new ObservedTraceSourceAccessor<Owner, decltype(find)>(find, notify),
        false);
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_OBSERVED_TRACE_H */
