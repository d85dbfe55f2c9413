/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-outgoing.h"

#include "ns3/saturating-sum.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace ns3
{

OpusOutgoing::OpusOutgoing(Picoseconds retransmitAfter, uint32_t mostAttempts, uint16_t pieceBytes)
    : m_timeout(retransmitAfter),
      m_mostAttempts(mostAttempts),
      m_pieceBytes(pieceBytes)
{
}

std::vector<OpusOutgoing::Bundle::Part>::const_iterator
OpusOutgoing::Bundle::FindBehind(uint32_t offset) const
{
    return std::upper_bound(parts.begin(), parts.end(), offset, [](uint32_t at, const Part& part) {
        return at < part.end;
    });
}

void
OpusOutgoing::Put(const OpusMessage& message)
{
    const std::vector<uint8_t> octets = OpusEncoding::Encode(message);
    if (m_open && m_open->octets.size() + octets.size() > OpusEncoding::MOST_BYTES)
    {
        Divide();
    }
    if (!m_open)
    {
        m_open = std::make_shared<Bundle>();
    }
    m_open->octets.insert(m_open->octets.end(), octets.begin(), octets.end());
    m_open->parts.push_back({message, static_cast<uint32_t>(m_open->octets.size())});
}

void
OpusOutgoing::Divide()
{
    if (!m_open)
    {
        return;
    }
    const std::shared_ptr<const Bundle> whole = std::move(m_open);
    const uint32_t size = whole->octets.size();
    for (uint32_t offset = 0; offset < size; offset += m_pieceBytes)
    {
        Datagram datagram;
        datagram.bundle = whole;
        datagram.sequence = m_next++;
        datagram.offset = offset;
        datagram.bytes = std::min<uint32_t>(m_pieceBytes, size - offset);
        m_datagrams.push_back(std::move(datagram));
    }
}

std::size_t
OpusOutgoing::InWindow() const
{
    std::size_t count = 0;
    while (count < m_datagrams.size() &&
           m_datagrams[count].sequence < m_datagrams.front().sequence + OpusHeader::WINDOW)
    {
        ++count;
    }
    return count;
}

bool
OpusOutgoing::Rests(const Datagram& datagram) const
{
    return datagram.held && &datagram != &m_datagrams.front();
}

std::vector<OpusOutgoing::Datagram>
OpusOutgoing::TakeDue(Picoseconds now)
{
    Divide();
    std::vector<Datagram> due;
    const std::size_t window = InWindow();
    for (std::size_t i = 0; i < window; ++i)
    {
        Datagram& datagram = m_datagrams[i];
        const bool first = datagram.attempts == 0;
        const bool old = !first && now >= AddSaturating(datagram.last, m_timeout.Get());
        const bool again = now >= datagram.due || (old && m_lastContact == now);
        if (!first && (!again || Rests(datagram) || datagram.attempts >= m_mostAttempts))
        {
            continue;
        }
        Leave(datagram, now);
        due.push_back(datagram);
    }
    return due;
}

void
OpusOutgoing::Leave(Datagram& datagram, Picoseconds now)
{
    const bool isFirst = datagram.attempts == 0;
    datagram.due =
        AddSaturating(now,
                      isFirst ? m_timeout.Get() : m_timeout.Double(datagram.due - datagram.last));
    ++datagram.attempts;
    datagram.last = now;
    datagram.copies.push_back(now);
}

bool
OpusOutgoing::CanBe(const OpusDatagram& head) const
{
    return head.acknowledged < m_next;
}

std::vector<OpusMessage>
OpusOutgoing::TakeHead(const OpusDatagram& head, Picoseconds now)
{
    m_lastContact = now;
    Measure(head, now);
    std::vector<OpusMessage> whole;
    while (!m_datagrams.empty() && m_datagrams.front().sequence <= head.acknowledged)
    {
        const Datagram& oldest = m_datagrams.front();
        const std::vector<Bundle::Part>& parts = oldest.bundle->parts;
        for (auto part = oldest.bundle->FindBehind(oldest.offset);
             part != parts.end() && part->end <= oldest.offset + oldest.bytes;
             ++part)
        {
            whole.push_back(part->message);
        }
        m_datagrams.pop_front();
    }
    for (Datagram& datagram : m_datagrams)
    {
        const uint64_t bit = datagram.sequence - head.acknowledged - 2; // wraps for the missing one
        if (datagram.sequence >= head.acknowledged + 2 && bit >= OpusHeader::WINDOW)
        {
            break;
        }
        if (bit < OpusHeader::WINDOW && datagram.attempts > 0 && !datagram.woken)
        {
            datagram.held = datagram.held || (head.held >> bit & 1U) != 0;
        }
    }
    WakeOldest();
    return whole;
}

void
OpusOutgoing::Measure(const OpusDatagram& head, Picoseconds now)
{
    const auto last = std::find_if(m_datagrams.begin(), m_datagrams.end(), [&](const auto& one) {
        return one.sequence >= head.acknowledged;
    });
    if (last == m_datagrams.end() || last->sequence != head.acknowledged || last->held)
    {
        return; // it is acknowledged already, or had arrived before and waited for others
    }
    for (std::size_t copy = last->copies.size(); copy > 0 && head.echo > 0; --copy)
    {
        if (copy % OpusDatagram::COPIES == head.echo)
        {
            m_timeout.Measure(now - last->copies[copy - 1]);
            return;
        }
    }
}

void
OpusOutgoing::WakeOldest()
{
    if (!m_datagrams.empty() && m_datagrams.front().held)
    {
        m_datagrams.front().held = false;
        m_datagrams.front().woken = true;
        m_datagrams.front().attempts = 0;
    }
}

std::vector<OpusMessage>
OpusOutgoing::GiveUp(Picoseconds now)
{
    const auto end = m_datagrams.begin() + static_cast<std::ptrdiff_t>(InWindow());
    const auto lost = std::find_if(m_datagrams.begin(), end, [&](const Datagram& datagram) {
        return datagram.attempts >= m_mostAttempts && !Rests(datagram) && now >= datagram.due;
    });
    if (lost == end)
    {
        return {};
    }
    const auto first = std::find_if(m_datagrams.begin(), lost, [&](const Datagram& datagram) {
        return datagram.bundle == lost->bundle;
    });
    std::vector<OpusMessage> given;
    const auto giveFrom = [&given](const Bundle& bundle, uint32_t offset) {
        for (auto part = bundle.FindBehind(offset); part != bundle.parts.end(); ++part)
        {
            given.push_back(part->message);
        }
    };
    for (auto datagram = first; datagram != m_datagrams.end(); ++datagram)
    {
        if (datagram == first || datagram->bundle != std::prev(datagram)->bundle)
        {
            giveFrom(*datagram->bundle, datagram->offset);
        }
    }
    m_datagrams.erase(first, m_datagrams.end());
    if (m_open)
    {
        giveFrom(*m_open, 0);
        m_open = nullptr;
    }
    m_timeout.Clear();
    return given;
}

Picoseconds
OpusOutgoing::GetNext() const
{
    Picoseconds next = NEVER;
    const std::size_t window = InWindow();
    for (std::size_t i = 0; i < window; ++i)
    {
        const Datagram& datagram = m_datagrams[i];
        if (datagram.attempts == 0)
        {
            return ALWAYS_BEFORE;
        }
        if (!Rests(datagram))
        {
            next = std::min(next, datagram.due);
        }
    }
    return next;
}

uint8_t
OpusOutgoing::GetBehind(uint64_t sequence) const
{
    return m_datagrams.empty() ? 0 : sequence - m_datagrams.front().sequence;
}

bool
OpusOutgoing::IsEmpty() const
{
    return m_datagrams.empty() && !m_open;
}

} // namespace ns3
