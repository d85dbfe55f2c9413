/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_SOURCE_H
#define PHOTONIC_RAILS_TIMELINE_SOURCE_H

#include "ns3/callback.h"
#include "ns3/object-base.h"
#include "ns3/picoseconds.h"
#include "ns3/simple-ref-count.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A part of a run that is drawn on tracks of a timeline, as its trace sources report it.
 *
 * It draws what is over. What still goes on when the timeline ends is drawn by Close().
 */
class TimelineSource : public SimpleRefCount<TimelineSource>
{
  public:
    virtual ~TimelineSource() = default;

    /** The timeline ends: what goes on is drawn up to there. @param end where */
    virtual void Close(Picoseconds end) = 0;

    /** @return whether nothing goes on that is to come to an end by itself */
    virtual bool IsIdle() const
    {
        return true;
    }

  protected:
    /** Connects a trace source; aborts if the object has none of that name. */
    static void Listen(ObjectBase& object, const char* trace, const CallbackBase& callback);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_SOURCE_H */
