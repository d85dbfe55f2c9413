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
template <typename Owner, typename Source>
class ObservedTraceSourceAccessor : public TraceSourceAccessor
{
  public:
    /**
     * @param source the member that is the source
     * @param notify is called on the owner after each change
     */
    ObservedTraceSourceAccessor(Source Owner::*source, void (Owner::*notify)())
        : m_source(source),
          m_notify(notify)
    {
    }

    bool ConnectWithoutContext(ObjectBase* obj, const CallbackBase& cb) const override
    {
        return Change(obj, [&cb](Source& source) { source.ConnectWithoutContext(cb); });
    }

    bool Connect(ObjectBase* obj, std::string context, const CallbackBase& cb) const override
    {
        return Change(obj, [&](Source& source) { source.Connect(cb, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* obj, const CallbackBase& cb) const override
    {
        return Change(obj, [&cb](Source& source) { source.DisconnectWithoutContext(cb); });
    }

    bool Disconnect(ObjectBase* obj, std::string context, const CallbackBase& cb) const override
    {
        return Change(obj, [&](Source& source) { source.Disconnect(cb, context); });
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
        change(owner->*m_source);
        (owner->*m_notify)();
        return true;
    }

    Source Owner::*m_source;
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
    return Ptr<const TraceSourceAccessor>(
        new ObservedTraceSourceAccessor<Owner, Source>(source, notify),
        false);
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_OBSERVED_TRACE_H */
