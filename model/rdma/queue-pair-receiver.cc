/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-pair-receiver.h"

namespace ns3
{

QueuePairReceiver::QueuePairReceiver(const QueuePairSettings& settings)
    : m_settings(settings)
{
}

RoceFrame
QueuePairReceiver::Answer(uint8_t syndrome) const
{
    RoceFrame answer;
    answer.opcode = RoceOpcode::ACKNOWLEDGE;
    answer.syndrome = syndrome;
    answer.msn = m_messages & RoceFrame::PSN_MASK;
    const uint64_t frame = syndrome == RoceSyndrome::ACK ? m_expected - 1 : m_expected;
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
        if (!m_kept.empty() && m_kept.begin()->first > m_expected)
        {
            // the gap goes on: name its next frame, for each is repeated by itself
            m_nakSent = true;
            ++m_counters.naks;
            outcome.answer = Answer(RoceSyndrome::NAK_SEQUENCE);
        }
        else if (frame.ackRequest)
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
    if (m_settings.selectiveRepeat && m_kept.emplace(m_expected + ahead, frame).second)
    {
        ++m_counters.accepted;
    }
    else if (m_settings.selectiveRepeat)
    {
        ++m_counters.duplicates;
    }
    else
    {
        ++m_counters.early;
    }
    if (!m_nakSent)
    {
        m_nakSent = true;
        ++m_counters.naks;
        outcome.answer = Answer(RoceSyndrome::NAK_SEQUENCE);
    }
    return outcome;
}

QueuePairReceiver::Outcome
QueuePairReceiver::ReceiveRun(const RoceFrame& head,
                              const RoceFrame& tail,
                              uint64_t count,
                              const RunClock& times)
{
    const uint32_t expectedPsn = (m_expected + m_settings.initialPsn) & RoceFrame::PSN_MASK;
    if (head.psn != expectedPsn)
    {
        // early or late: rare, and each frame by itself
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
    m_counters.frames += before;
    m_counters.accepted += before;
    m_counters.payload += before * head.payload;
    m_expected += before;
    m_bytes += before * head.payload;
    m_nakSent = false;
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
    const bool last = m_kept.empty() || m_kept.begin()->first > m_expected;
    if (last)
    {
        // all that was kept in order is taken: settle it, or name the next gap
        if (m_kept.empty())
        {
            outcome.answer = Answer(RoceSyndrome::ACK);
        }
        else
        {
            m_nakSent = true;
            ++m_counters.naks;
            outcome.answer = Answer(RoceSyndrome::NAK_SEQUENCE);
        }
    }
    return true;
}

const QueuePairReceiver::Counters&
QueuePairReceiver::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
