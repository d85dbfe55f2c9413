/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-pair-receiver.h"

#include <algorithm>

namespace ns3
{

QueuePairReceiver::QueuePairReceiver(const QueuePairSettings& settings)
    : m_settings(settings)
{
}

RoceFrame
QueuePairReceiver::Answer(uint8_t syndrome) const
{
    RoceFrame answer = MakeAcknowledgement(m_expected);
    if (syndrome != RoceSyndrome::ACK)
    {
        answer.syndrome = syndrome;
        answer.psn = (answer.psn + 1) & RoceFrame::PSN_MASK; // the one that is missing
        answer.identification = answer.psn & 0xffff;
    }
    return answer;
}

RoceFrame
QueuePairReceiver::MakeAcknowledgement(uint64_t upTo) const
{
    RoceFrame answer;
    answer.opcode = RoceOpcode::ACKNOWLEDGE;
    answer.syndrome = RoceSyndrome::ACK;
    answer.msn = m_messages & RoceFrame::PSN_MASK;
    const uint64_t frame = upTo - 1;
    answer.psn = (frame + m_settings.initialPsn) & RoceFrame::PSN_MASK;
    answer.identification = answer.psn & 0xffff;
    return answer;
}

void
QueuePairReceiver::Accept(const RoceFrame& frame, Picoseconds last, Outcome& outcome)
{
    ++m_expected;
    m_nakSent = false;
    m_bytes += frame.payload;
    m_counters.payload += frame.payload;
    if (!frame.IsLast())
    {
        return;
    }
    ++m_messages;
    if (frame.continued)
    {
        return;
    }
    Arrived arrived;
    arrived.message.id = m_counters.messages++;
    arrived.message.verb =
        frame.HasImmediate() ? RdmaVerb::WRITE_WITH_IMMEDIATE
        : frame.opcode == RoceOpcode::SEND_LAST || frame.opcode == RoceOpcode::SEND_ONLY
            ? RdmaVerb::SEND
            : RdmaVerb::WRITE;
    arrived.message.bytes = m_bytes;
    arrived.message.immediate = frame.immediate;
    arrived.at = last;
    m_bytes = 0;
    outcome.arrived = arrived;
}

QueuePairReceiver::Outcome
QueuePairReceiver::Receive(const RoceFrame& frame, Picoseconds last)
{
    Outcome outcome;
    ++m_counters.frames;
    const uint32_t expectedPsn = (m_expected + m_settings.initialPsn) & RoceFrame::PSN_MASK;
    const uint32_t ahead = (frame.psn - expectedPsn) & RoceFrame::PSN_MASK;
    if (ahead == 0)
    {
        ++m_counters.accepted;
        Accept(frame, last, outcome);
        // if kept frames follow, one acknowledgement covers them
        const bool follows = !m_kept.empty() && m_kept.begin()->first == m_expected;
        if (frame.ackRequest && !follows)
        {
            outcome.answer = Answer(RoceSyndrome::ACK);
        }
        return outcome;
    }
    if (ahead > RoceFrame::PSN_MASK / 2)
    {
        ++m_counters.duplicates;
        if (frame.ackRequest)
        {
            outcome.answer = Answer(RoceSyndrome::ACK);
        }
        return outcome;
    }
    if (m_settings.selectiveRepeat)
    {
        const bool fresh = m_kept.emplace(m_expected + ahead, frame).second;
        ++(fresh ? m_counters.accepted : m_counters.duplicates);
        ++m_counters.naks;
        outcome.answer = Answer(RoceSyndrome::NAK_SEQUENCE);
        outcome.answer->msn = frame.psn;
        return outcome;
    }
    ++m_counters.early;
    if (!m_nakSent)
    {
        m_nakSent = true;
        ++m_counters.naks;
        outcome.answer = Answer(RoceSyndrome::NAK_SEQUENCE);
    }
    return outcome;
}

uint64_t
QueuePairReceiver::GetFirstAnswered(uint32_t psn, uint64_t count) const
{
    const uint32_t expectedPsn = (m_expected + m_settings.initialPsn) & RoceFrame::PSN_MASK;
    const uint32_t ahead = (psn - expectedPsn) & RoceFrame::PSN_MASK;
    const bool early = ahead != 0 && ahead <= RoceFrame::PSN_MASK / 2;
    return m_settings.selectiveRepeat || (early && !m_nakSent) ? 0 : count - 1;
}

QueuePairReceiver::Outcome
QueuePairReceiver::ReceiveRun(const RoceFrame& head,
                              const RoceFrame& tail,
                              uint64_t count,
                              const RunClock& times)
{
    if (GetFirstAnswered(head.psn, count) + 1 < count)
    {
        // rare: each frame by itself
        Outcome all = Receive(head, times.Last(0));
        for (uint64_t i = 1; i < count; ++i)
        {
            RoceFrame frame = i + 1 == count ? tail : head;
            frame.psn = (head.psn + i) & RoceFrame::PSN_MASK;
            const Outcome one = Receive(frame, times.Last(i));
            all.answer = one.answer ? one.answer : all.answer;
            all.arrived = one.arrived ? one.arrived : all.arrived;
        }
        return all;
    }
    const uint64_t before = count - 1;
    const uint32_t expectedPsn = (m_expected + m_settings.initialPsn) & RoceFrame::PSN_MASK;
    const uint32_t ahead = (head.psn - expectedPsn) & RoceFrame::PSN_MASK;
    m_counters.frames += before;
    if (ahead != 0 && ahead <= RoceFrame::PSN_MASK / 2)
    {
        m_counters.early += before;
        return Receive(tail, times.Last(before));
    }
    // a run of duplicates may end with new frames
    const uint64_t known = (RoceFrame::PSN_MASK + 1 - ahead) & RoceFrame::PSN_MASK;
    const uint64_t again = std::min(before, known);
    const uint64_t fresh = before - again;
    m_counters.duplicates += again;
    if (fresh > 0)
    {
        m_counters.accepted += fresh;
        m_counters.payload += fresh * head.payload;
        m_expected += fresh;
        m_bytes += fresh * head.payload;
        m_nakSent = false;
    }
    return Receive(tail, times.Last(before));
}

bool
QueuePairReceiver::TakeKept(Picoseconds at, Outcome& outcome)
{
    outcome = {};
    if (m_kept.empty() || m_kept.begin()->first > m_expected)
    {
        return false;
    }
    const RoceFrame frame = m_kept.begin()->second;
    m_kept.erase(m_kept.begin());
    Accept(frame, at, outcome);
    if (m_kept.empty() || m_kept.begin()->first > m_expected)
    {
        outcome.answer = Answer(RoceSyndrome::ACK); // all consecutive kept frames are accepted
    }
    return true;
}

void
QueuePairReceiver::Skip(const QueuePairProgress& progress)
{
    m_expected += progress.frames;
    m_messages += progress.wireMessages;
    m_counters.frames += progress.frames;
    m_counters.accepted += progress.frames;
    m_counters.messages += progress.messages;
    m_counters.payload += progress.bytes;
}

const QueuePairReceiver::Counters&
QueuePairReceiver::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
