/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "animation-source.h"

#include "ns3/abort.h"

namespace ns3
{

void
AnimationSource::Listen(ObjectBase& object, const char* trace, const CallbackBase& callback)
{
    const bool connected = object.TraceConnectWithoutContext(trace, callback);
    NS_ABORT_MSG_UNLESS(connected, "RailAnimation: there is no trace source " << trace);
}

} // namespace ns3
