/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-outgoing.h"

#include <algorithm>
#include <set>

namespace ns3
{

OpusOutgoing::OpusOutgoing(Picoseconds retransmitAfter, uint32_t mostAttempts, uint16_t pieceBytes)
    : m_retransmitAfter(retransmitAfter),
      m_mostAttempts(mostAttempts),
      m_pieceBytes(pieceBytes)
{
}

void
OpusOutgoing::Put(const OpusMessage& message)
{
    auto whole = std::make_shared<Message>();
    whole->message = message;
    whole->octets = OpusEncoding::Encode(message);
    const uint32_t size = whole->octets.size();
    for (uint32_t offset = 0; offset < size; offset += m_pieceBytes)
    {
        Datagram datagram;
        datagram.message = whole;
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

Picoseconds
OpusOutgoing::DueAgain(const Datagram& datagram) const
{
    return datagram.last + (m_retransmitAfter << (datagram.attempts - 1));
}

bool
OpusOutgoing::Rests(const Datagram& datagram) const
{
    return datagram.held && &datagram != &m_datagrams.front();
}

std::vector<OpusOutgoing::Datagram>
OpusOutgoing::TakeDue(Picoseconds now)
{
    std::vector<Datagram> due;
    const std::size_t window = InWindow();
    for (std::size_t i = 0; i < window; ++i)
    {
        Datagram& datagram = m_datagrams[i];
        const bool first = datagram.attempts == 0;
        const bool old = !first && now >= datagram.last + m_retransmitAfter;
        const bool again = old && (m_heard == now || now >= DueAgain(datagram));
        if (!first && (!again || Rests(datagram) || datagram.attempts >= m_mostAttempts))
        {
            continue;
        }
        ++datagram.attempts;
        datagram.last = now;
        datagram.message->firstSent = std::min(datagram.message->firstSent, now);
        due.push_back(datagram);
    }
    return due;
}

bool
OpusOutgoing::CanBe(const OpusDatagram& head) const
{
    return head.acknowledged < m_next;
}

std::vector<OpusMessage>
OpusOutgoing::Hear(const OpusDatagram& head, Picoseconds now)
{
    m_heard = now;
    std::vector<OpusMessage> whole;
    while (!m_datagrams.empty() && m_datagrams.front().sequence <= head.acknowledged)
    {
        const Message& message = *m_datagrams.front().message;
        if (m_datagrams.front().offset + m_datagrams.front().bytes == message.octets.size())
        {
            whole.push_back(message.message);
        }
        m_datagrams.pop_front();
    }
    for (Datagram& datagram : m_datagrams)
    {
        const uint64_t bit = datagram.sequence - head.acknowledged - 2; // wraps for the one missing
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
    std::set<const Message*> lost;
    bool silent = false;
    const std::size_t window = InWindow();
    for (std::size_t i = 0; i < window; ++i)
    {
        const Datagram& datagram = m_datagrams[i];
        if (datagram.attempts >= m_mostAttempts && !Rests(datagram) && now >= DueAgain(datagram))
        {
            lost.insert(datagram.message.get());
            silent = silent || m_heard < datagram.message->firstSent;
        }
    }
    if (lost.empty())
    {
        return {};
    }
    std::vector<OpusMessage> given;
    const Message* last = nullptr;
    std::deque<Datagram> kept;
    for (Datagram& datagram : m_datagrams)
    {
        const Message* message = datagram.message.get();
        if (lost.count(message) == 0 && !(silent && message->firstSent == NEVER))
        {
            kept.push_back(std::move(datagram));
        }
        else if (message != last)
        {
            last = message; // compared only, and there as long as its last datagram is
            given.push_back(message->message);
        }
    }
    m_datagrams = std::move(kept);
    WakeOldest();
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
            next = std::min(next, DueAgain(datagram));
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
    return m_datagrams.empty();
}

} // namespace ns3
