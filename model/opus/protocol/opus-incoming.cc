/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-incoming.h"

#include <utility>

namespace ns3
{

OpusIncoming::Outcome
OpusIncoming::Take(const OpusDatagram& head, std::vector<uint8_t> piece)
{
    Outcome outcome;
    SkipTo(head.sequence - head.behind);
    outcome.duplicate = head.sequence <= m_taken ||
                        !m_held.emplace(head.sequence, Held{head, std::move(piece)}).second;
    while (!m_held.empty() && m_held.begin()->first == m_taken + 1)
    {
        ++m_taken;
        Append(m_held.begin()->second, outcome);
        m_held.erase(m_held.begin());
    }
    m_copy = head.sequence == m_taken ? head.copy : 0; // others waited here, or arrived before
    return outcome;
}

void
OpusIncoming::SkipTo(uint64_t oldest)
{
    if (oldest <= m_taken + 1)
    {
        return;
    }
    m_taken = oldest - 1;
    m_held.erase(m_held.begin(), m_held.lower_bound(oldest));
    m_assembly.clear(); // complete messages have failed at the sender
}

void
OpusIncoming::Append(const Held& held, Outcome& outcome)
{
    const OpusDatagram& head = held.head;
    const bool follows =
        head.offset == m_assembly.size() && (m_assembly.empty() || head.messageBytes == m_expected);
    if (!follows)
    {
        outcome.refusals.push_back(OpusRefusal::CONTRADICTION);
        m_assembly.clear();
        if (head.offset != 0)
        {
            return;
        }
    }
    m_expected = head.messageBytes;
    m_assembly.insert(m_assembly.end(), held.piece.begin(), held.piece.end());
    if (m_assembly.size() < m_expected)
    {
        return;
    }
    OpusMessage message;
    const OpusRefusal refusal = OpusEncoding::Parse(m_assembly, message);
    m_assembly.clear();
    if (refusal != OpusRefusal::NONE)
    {
        outcome.refusals.push_back(refusal);
        return;
    }
    outcome.messages.push_back(std::move(message));
}

void
OpusIncoming::Acknowledge(OpusDatagram& head)
{
    head.acknowledged = m_taken;
    head.echo = m_copy;
    m_copy = 0;
    head.held = 0;
    for (const auto& [sequence, held] : m_held)
    {
        const uint64_t bit =
            sequence - m_taken - 2; // the next one is not held, or it would have been taken
        if (bit < OpusHeader::WINDOW)
        {
            head.held |= uint64_t{1} << bit;
        }
    }
}

} // namespace ns3
