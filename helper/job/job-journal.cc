/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-journal.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <cstring>

namespace ns3
{

namespace
{

/** Appends items. */
template <typename Item>
void
Append(std::vector<Item>& items, const std::vector<Item>& more)
{
    items.insert(items.end(), more.begin(), more.end());
}

} // namespace

void
JobJournal::End(uint32_t iteration, Picoseconds now)
{
    m_ends.resize(std::max<std::size_t>(m_ends.size(), iteration + 1), ALWAYS_BEFORE);
    m_ends[iteration] = now;
}

void
JobJournal::Add(const Computed& computed)
{
    m_computed.push_back(computed);
}

void
JobJournal::Add(const Exchange& exchange)
{
    m_exchanges.push_back(exchange);
}

void
JobJournal::Set(const Control& control)
{
    if (!m_control.empty())
    {
        Control last = m_control.back();
        last.at = control.at;
        if (std::memcmp(&last, &control, sizeof(Control)) == 0)
        {
            return; // it has them already
        }
        if (m_control.back().at == control.at)
        {
            m_control.pop_back();
        }
    }
    m_control.push_back(control);
}

void
JobJournal::Add(const Sent& sent)
{
    if (!m_sent.empty() && m_sent.back().at == sent.at)
    {
        m_sent.back().messages += sent.messages;
        return;
    }
    m_sent.push_back(sent);
}

void
JobJournal::Add(const JobJournal& other)
{
    for (std::size_t i = 0; i < other.m_ends.size(); ++i)
    {
        End(i, std::max(other.m_ends[i], i < m_ends.size() ? m_ends[i] : ALWAYS_BEFORE));
    }
    Append(m_computed, other.m_computed);
    Append(m_exchanges, other.m_exchanges);
    Append(m_control, other.m_control); // one process has the control plane
    Append(m_sent, other.m_sent);
}

Picoseconds
JobJournal::GetEnd(uint32_t iteration) const
{
    return iteration < m_ends.size() ? m_ends[iteration] : ALWAYS_BEFORE;
}

void
JobJournal::Count(uint32_t iteration, JobTally& tally) const
{
    const Picoseconds end = GetEnd(iteration);
    Picoseconds computed = 0;
    for (const Computed& one : m_computed)
    {
        computed +=
            one.at < end || (one.at == end && one.iteration <= iteration) ? one.duration : 0;
    }
    tally.computed += ToTime(computed);
    for (const Exchange& one : m_exchanges)
    {
        if (one.at > end || one.iteration > iteration)
        {
            continue;
        }
        PathTally& path = tally.paths[one.path];
        path.operations += one.forwarded > 0 ? 0 : 1;
        path.bytes += one.bytes;
        tally.messages += one.messages;
        tally.bytesForwarded += one.forwarded;
    }
    for (const Sent& one : m_sent)
    {
        tally.controlMessages += one.at < end ? one.messages : 0;
    }
    const auto after = std::find_if(m_control.begin(), m_control.end(), [end](const Control& one) {
        return one.at > end;
    });
    if (after != m_control.begin())
    {
        const Control& last = *(after - 1);
        tally.exposed = ToTime(last.exposed);
        tally.exposedLinkUp = ToTime(last.exposedLinkUp);
        tally.hidden = ToTime(last.hidden);
        tally.hiddenLinkUp = ToTime(last.hiddenLinkUp);
        tally.reconfigurations = last.reconfigurations;
        tally.wrongPredictions = last.wrongPredictions;
    }
}

void
JobJournal::Put(ByteWriter& bytes) const
{
    bytes.PutAll(m_ends);
    bytes.PutAll(m_computed);
    bytes.PutAll(m_exchanges);
    bytes.PutAll(m_control);
    bytes.PutAll(m_sent);
}

JobJournal
JobJournal::Take(ByteReader& bytes)
{
    JobJournal journal;
    journal.m_ends = bytes.TakeAll<Picoseconds>();
    journal.m_computed = bytes.TakeAll<Computed>();
    journal.m_exchanges = bytes.TakeAll<Exchange>();
    journal.m_control = bytes.TakeAll<Control>();
    journal.m_sent = bytes.TakeAll<Sent>();
    return journal;
}

} // namespace ns3
