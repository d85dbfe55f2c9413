/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-incoming.h"

#include <algorithm>
#include <cstddef>
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
    m_assembly.clear(); // its messages have failed at the sender
    m_arrived = 0;
}

void
OpusIncoming::Append(const Held& held, Outcome& outcome)
{
    const OpusDatagram& head = held.head;
    const bool follows =
        head.offset == m_arrived && (m_arrived == 0 || head.bundleBytes == m_expected);
    if (!follows)
    {
        outcome.refusals.push_back(OpusRefusal::CONTRADICTION);
        m_assembly.clear();
        m_arrived = 0;
        if (head.offset != 0)
        {
            return;
        }
    }
    m_expected = head.bundleBytes;
    m_arrived += held.piece.size();
    m_assembly.insert(m_assembly.end(), held.piece.begin(), held.piece.end());
    TakeMessages(outcome);
    if (m_arrived == m_expected)
    {
        m_arrived = 0;
    }
}

void
OpusIncoming::TakeMessages(Outcome& outcome)
{
    const bool isEnd = m_arrived == m_expected;
    std::size_t at = 0;
    while (at < m_assembly.size())
    {
        const std::size_t left = m_assembly.size() - at;
        const uint64_t size = OpusRecord::FindBytes(m_assembly.data() + at, left);
        if (size > left && !isEnd)
        {
            break; // the rest is in the next piece
        }
        const auto begin = m_assembly.begin() + static_cast<std::ptrdiff_t>(at);
        const std::size_t taken = std::min<uint64_t>(size, left); // what is too short is refused
        OpusMessage message;
        const OpusRefusal refusal = OpusEncoding::Parse(
            std::vector<uint8_t>(begin, begin + static_cast<std::ptrdiff_t>(taken)),
            message);
        at += taken;
        if (refusal == OpusRefusal::NONE)
        {
            outcome.messages.push_back(std::move(message));
        }
        else
        {
            outcome.refusals.push_back(refusal);
        }
    }
    m_assembly.erase(m_assembly.begin(), m_assembly.begin() + static_cast<std::ptrdiff_t>(at));
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
