/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fiber-breaks.h"

#include "light-history.h"

#include <cmath>

namespace ns3
{

void
FiberBreaks::Cut(Picoseconds now, double position, Picoseconds delay)
{
    const Picoseconds memory = delay + LightHistory<bool>::HORIZON;
    while (!m_breaks.empty() && m_breaks.front().to < now - memory)
    {
        m_breaks.pop_front();
    }
    m_breaks.push_back(Break{now, NEVER, position});
}

void
FiberBreaks::Splice(Picoseconds now)
{
    m_breaks.back().to = now;
}

Picoseconds
FiberBreaks::GetDelayFromBreak(Direction direction, Picoseconds delay) const
{
    return DelayFrom(direction, m_breaks.back().position, delay);
}

Picoseconds
FiberBreaks::DelayFrom(Direction direction, double position, Picoseconds delay)
{
    const auto fromEnd0 =
        static_cast<Picoseconds>(std::llround(position * static_cast<double>(delay)));
    return direction == FORWARD ? delay - fromEnd0 : fromEnd0;
}

bool
FiberBreaks::Cuts(Direction direction, Picoseconds first, Picoseconds last, Picoseconds delay) const
{
    for (const Break& gap : m_breaks)
    {
        // when the frame passed the place of the break
        const Picoseconds back = DelayFrom(direction, gap.position, delay);
        if (last - back > gap.from && first - back < gap.to)
        {
            return true;
        }
    }
    return false;
}

} // namespace ns3
