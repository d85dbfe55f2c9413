/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_SOURCE_H
#define PHOTONIC_RAILS_TIMELINE_SOURCE_H

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/object-base.h"
#include "ns3/simple-ref-count.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A part of a run that draws the events of its trace sources on tracks of a timeline.
 *
 * It draws completed spans. Close() draws the open spans when the timeline ends.
 */
class TimelineSource : public SimpleRefCount<TimelineSource>
{
  public:
    virtual ~TimelineSource() = default;

    /** The timeline ends: draws all open spans. @param end their end */
    virtual void Close(Time end) = 0;

    /** @return whether there is no open span that would end by itself */
    virtual bool IsIdle() const
    {
        return true;
    }

  protected:
    /** Connects a trace source; aborts if the object has no such source. */
    static void Listen(ObjectBase& object, const char* trace, const CallbackBase& callback);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_SOURCE_H */
