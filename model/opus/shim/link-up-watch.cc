/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link-up-watch.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{

LinkUpWatch::LinkUpWatch(uint32_t ports)
    : m_ports(ports)
{
}

void
LinkUpWatch::Preset(uint32_t port, bool carrier)
{
    m_ports.at(port).hasCarrier = carrier;
}

bool
LinkUpWatch::HasCarrier(uint32_t port) const
{
    return m_ports.at(port).hasCarrier;
}

void
LinkUpWatch::Lose(uint32_t port)
{
    m_ports.at(port).hasCarrier = false;
}

void
LinkUpWatch::Gain(uint32_t port, Picoseconds now, Picoseconds linkUp)
{
    m_ports.at(port) = {true, true, now - linkUp, now};
    std::list<Wait> over;
    for (auto wait = m_waits.begin(); wait != m_waits.end();)
    {
        const auto next = std::next(wait);
        if (HaveCarrier(wait->ports))
        {
            over.splice(over.end(), m_waits, wait);
        }
        wait = next;
    }
    for (const Wait& wait : over)
    {
        End(wait, now);
    }
}

bool
LinkUpWatch::HaveCarrier(const std::vector<uint32_t>& ports) const
{
    return std::all_of(ports.begin(), ports.end(), [this](uint32_t port) {
        return m_ports.at(port).hasCarrier;
    });
}

void
LinkUpWatch::Answer(uint64_t key,
                    const std::vector<uint32_t>& ports,
                    Picoseconds exposed,
                    Picoseconds now,
                    Ended ended)
{
    Wait wait{key, ports, now - exposed, now, std::move(ended)};
    if (HaveCarrier(ports))
    {
        End(wait, now);
    }
    else
    {
        m_waits.push_back(std::move(wait));
    }
}

void
LinkUpWatch::Finish(uint64_t key, Picoseconds now)
{
    const auto wait = std::find_if(m_waits.begin(), m_waits.end(), [key](const Wait& one) {
        return one.key == key;
    });
    if (wait != m_waits.end())
    {
        const Wait over = std::move(*wait);
        m_waits.erase(wait);
        End(over, now);
    }
}

void
LinkUpWatch::End(const Wait& wait, Picoseconds now)
{
    Outcome outcome;
    outcome.answered = wait.answered;
    outcome.waited = now - wait.answered;
    Picoseconds lit = NEVER;
    Picoseconds locked = 0;
    for (const uint32_t port : wait.ports)
    {
        Port& one = m_ports.at(port);
        if (one.hasCarrier && std::exchange(one.isNew, false))
        {
            lit = std::min(lit, one.lit);
            locked = std::max(locked, one.locked);
        }
    }
    const Picoseconds linkUp = lit == NEVER ? 0 : locked - lit;
    // all of the wait after the answer is for the link, and so is that between light and carrier
    outcome.exposedFrom = std::max(wait.from, std::min(lit, wait.answered));
    outcome.exposedTo = outcome.waited > 0 ? now : std::max(outcome.exposedFrom, locked);
    const Picoseconds exposed =
        lit == NEVER ? 0 : std::max<Picoseconds>(0, locked - std::max(wait.from, lit));
    outcome.hidden = linkUp - exposed;
    if (outcome.waited > 0 || linkUp > 0)
    {
        wait.ended(outcome);
    }
}

std::size_t
LinkUpWatch::GetWaits() const
{
    return m_waits.size();
}

} // namespace ns3
