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
OpusIncoming::Take(const OpusDatagram& head, const std::vector<uint8_t>& piece)
{
    return Take(head, piece.data(), piece.size());
}

OpusIncoming::Outcome
OpusIncoming::Take(const OpusDatagram& head, const uint8_t* piece, std::size_t size)
{
    Outcome outcome;
    SkipTo(head.sequence - head.behind);
    if (m_held.empty() && head.sequence == m_taken + 1) // as nearly always
    {
        ++m_taken;
        Append(head, piece, size, outcome);
    }
    else
    {
        outcome.duplicate =
            head.sequence <= m_taken ||
            !m_held.try_emplace(head.sequence, Held{head, {piece, piece + size}}).second;
    }
    while (!m_held.empty() && m_held.begin()->first == m_taken + 1)
    {
        ++m_taken;
        const Held& next = m_held.begin()->second;
        Append(next.head, next.piece.data(), next.piece.size(), outcome);
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
OpusIncoming::Append(const OpusDatagram& head,
                     const uint8_t* piece,
                     std::size_t size,
                     Outcome& outcome)
{
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
    m_arrived += size;
    if (m_assembly.empty())
    {
        m_assembly.assign(piece + TakeMessages(piece, size, outcome), piece + size);
    }
    else
    {
        m_assembly.insert(m_assembly.end(), piece, piece + size);
        const std::size_t taken = TakeMessages(m_assembly.data(), m_assembly.size(), outcome);
        m_assembly.erase(m_assembly.begin(),
                         m_assembly.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    if (m_arrived == m_expected)
    {
        m_arrived = 0;
    }
}

std::size_t
OpusIncoming::TakeMessages(const uint8_t* octets, std::size_t bytes, Outcome& outcome) const
{
    const bool isEnd = m_arrived == m_expected;
    std::size_t at = 0;
    while (at < bytes)
    {
        const std::size_t left = bytes - at;
        const uint64_t size = OpusRecord::FindBytes(octets + at, left);
        if (size > left && !isEnd)
        {
            break; // the rest is in the next piece
        }
        const std::size_t taken = std::min<uint64_t>(size, left); // what is too short is refused
        OpusMessage message;
        const OpusRefusal refusal = OpusEncoding::Parse(octets + at, taken, message);
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
    return at;
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
