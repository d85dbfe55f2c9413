/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "first-frame-sink.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>

namespace ns3
{

void
FirstFrameSink::TakeSent(const WireFrame&, const RoceFrame&, const RunClock& times)
{
    m_first = std::min(m_first, times.First(0));
}

void
FirstFrameSink::TakeReceived(const WireFrame&, const RoceFrame&, const RunClock&)
{
}

void
FirstFrameSink::Settle(Picoseconds)
{
}

Time
FirstFrameSink::GetFirst() const
{
    return ToTime(m_first);
}

} // namespace ns3
