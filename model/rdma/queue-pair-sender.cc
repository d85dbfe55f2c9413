/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-pair-sender.h"

#include "ns3/assert.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

QueuePairSender::QueuePairSender(const QueuePairSettings& settings,
                                 std::unique_ptr<CongestionState> congestion)
    : m_settings(settings),
      m_congestion(std::move(congestion)),
      m_selective(settings.selectiveRepeat ? std::make_unique<SelectiveRepeat>() : nullptr)
{
    State state;
    state.limit = GetLimit();
    m_state = AsOf<State>(state);
}

uint64_t
QueuePairSender::Post(const RdmaMessage& message, Picoseconds now)
{
    NS_ASSERT_MSG(!m_failed, "the queue pair has failed");
    ForgetSettled(now);
    State state = m_state.Get();
    const MessageInOrder& added = m_messages.Add(message, m_settings.mtu, state.end);
    state.end = added.End();
    if (!m_timer.HasCarrier() && GetOpenMessages() == 1)
    {
        m_darkSince = now;
    }
    SetState(now, state);
    return added.message.id;
}

void
QueuePairSender::SetState(Picoseconds now, const State& state)
{
    if (now != m_stateSince)
    {
        m_stateSince = now;
        m_wentBack = false;
    }
    m_state.Set(now, state);
}

bool
QueuePairSender::HasWork() const
{
    const State& state = m_state.Get();
    return state.next < std::min(state.end, state.limit) || state.repeat != NO_FRAME;
}

bool
QueuePairSender::Peek(Picoseconds seen, FrameRun& run) const
{
    const State& state = m_state.At(seen);
    const bool again = state.repeat != NO_FRAME;
    const uint64_t end = std::min(state.end, state.limit);
    if ((!again && state.next >= end) || state.notBefore > seen)
    {
        return false;
    }
    const uint64_t frame = again ? state.repeat : state.next;
    const MessageInOrder& message = m_messages.Of(frame);
    const uint64_t place = frame - message.begin;
    uint64_t count = 1;
    if (!again && !m_congestion->IsPaced())
    {
        // up to the next frame that requests an acknowledgement
        const uint64_t toAck = m_settings.ackEvery - place % m_settings.ackEvery;
        count = std::min({message.frames.RunFrom(place), end - frame, toAck});
    }
    if (m_wentBack && m_stateSince > seen)
    {
        count = 1; // going back decides the next frame
    }
    run.first = frame;
    run.count = count;
    run.wireBytes = message.frames.WireBytesOf(place);
    run.lastWireBytes = message.frames.WireBytesOf(place + count - 1);
    return true;
}

bool
QueuePairSender::RequestsAck(const MessageInOrder& message, uint64_t frame, uint64_t limit) const
{
    const uint64_t place = frame - message.begin;
    return (place + 1) % m_settings.ackEvery == 0 || frame + 1 == message.End() ||
           frame + 1 == limit;
}

void
QueuePairSender::Commit(const FrameRun& taken,
                        Picoseconds seen,
                        const RunClock& times,
                        RoceFrame& head,
                        RoceFrame* tail)
{
    const State asSeen = m_state.At(seen);
    const uint64_t last = taken.first + taken.count - 1;
    const MessageInOrder& message = m_messages.Of(taken.first);
    const bool requestsAck = RequestsAck(message, last, asSeen.limit) || asSeen.repeat != NO_FRAME;
    Describe(message, taken.first, requestsAck && taken.count == 1, head);
    if (tail != nullptr)
    {
        Describe(message, last, requestsAck, *tail);
    }

    // the frames were chosen by the state at `seen`; a call may have changed it since
    State state = m_state.Get();
    const bool changedSince = m_stateSince > seen;
    // in this instant: these frames are sent again, because going back begins before them
    const bool goAgain = changedSince && m_wentBack;
    if (asSeen.repeat != NO_FRAME)
    {
        if (!goAgain)
        {
            m_selective->SendAgain(last, m_sent, times.Last(taken.count - 1));
            state.repeat = m_selective->GetFirstLost();
        }
    }
    else if (!goAgain || m_settings.selectiveRepeat)
    {
        state.next = std::max(state.next, last + 1);
    }
    const bool kept = m_settings.selectiveRepeat && m_selective->IsKept(last);
    if (requestsAck && last >= m_settled.Get() && !goAgain && !kept)
    {
        m_timer.Add(last, times.Last(taken.count - 1));
    }
    if (CountSent(message, taken) && goAgain && m_settings.selectiveRepeat)
    {
        m_selective->LoseAll(m_sent); // frames sent before the timeout would be among them
    }
    state.notBefore = m_congestion->OnSent(times.First(0), taken.GetWireBytes());
    // Sending belongs to `seen`. Without a later change, the new state holds at all instants. Else
    // it replaces the changed state, and the state before the change has at most a new `next`.
    if (changedSince)
    {
        const uint64_t next = state.next;
        m_state.Set(m_stateSince, state);
        if (!m_wentBack && asSeen.repeat == NO_FRAME)
        {
            m_state.Amend([next](State& either) { either.next = next; });
        }
    }
    else
    {
        m_state = AsOf<State>(state);
    }
}

bool
QueuePairSender::CountSent(const MessageInOrder& message, const FrameRun& taken)
{
    const uint64_t last = taken.first + taken.count - 1;
    m_counters.frames += taken.count;
    if (last + 1 <= m_sent)
    {
        m_counters.retransmitted += taken.count;
        return false;
    }
    const uint64_t fresh = last + 1 - m_sent;
    m_counters.retransmitted += taken.count - std::min(taken.count, fresh);
    m_counters.payload +=
        (fresh - 1) * m_settings.mtu + message.frames.PayloadOf(last - message.begin);
    m_sent = last + 1;
    return true;
}

void
QueuePairSender::Describe(const MessageInOrder& message,
                          uint64_t frame,
                          bool ackRequest,
                          RoceFrame& roce) const
{
    const uint64_t place = frame - message.begin;
    roce = RoceFrame();
    roce.opcode = message.frames.OpcodeOf(place);
    roce.psn = (frame + m_settings.initialPsn) & RoceFrame::PSN_MASK;
    roce.identification = roce.psn & 0xffff;
    roce.ackRequest = ackRequest;
    roce.payload = message.frames.PayloadOf(place);
    roce.continued = message.frames.IsContinued(place);
    if (roce.HasReth())
    {
        roce.address = message.frames.OffsetOf(place);
        roce.key = message.message.id & 0xffffffff;
        roce.length = message.frames.SegmentBytesOf(place);
    }
    if (roce.HasImmediate())
    {
        roce.immediate = message.message.immediate;
    }
}

uint64_t
QueuePairSender::GetLimit() const
{
    const uint64_t window = m_congestion->GetWindow();
    const uint64_t frames =
        window == CongestionState::UNLIMITED
            ? MOST_OUTSTANDING
            : std::clamp<uint64_t>(window / m_settings.mtu, 1, MOST_OUTSTANDING);
    return m_settled.Get() + frames;
}

void
QueuePairSender::ForgetSettled(Picoseconds now)
{
    // a decision for the instant before may still need the messages that were settled in this one
    m_messages.ForgetUpTo(m_settled.At(now - 1));
}

uint64_t
QueuePairSender::After(uint32_t psn) const
{
    const uint64_t settled = m_settled.Get();
    const uint32_t settledPsn = (settled + m_settings.initialPsn) & RoceFrame::PSN_MASK;
    return settled + ((psn + 1 - settledPsn) & RoceFrame::PSN_MASK);
}

void
QueuePairSender::SettleUpTo(uint64_t frame, Picoseconds now, std::vector<RdmaMessage>& settled)
{
    ForgetSettled(now);
    if (frame <= m_settled.Get())
    {
        return;
    }
    m_settled.Set(now, frame);
    m_timer.Restart(now);
    m_retries = 0;
    m_timer.ForgetUpTo(frame);
    State state = m_state.Get();
    state.limit = GetLimit();
    state.next = std::max(state.next, frame);
    if (m_settings.selectiveRepeat)
    {
        m_selective->Settle(frame);
        state.repeat = m_selective->GetFirstLost();
    }
    SetState(now, state);
    m_messages.SettleUpTo(frame, settled);
}

void
QueuePairSender::Acknowledge(uint32_t psn, Picoseconds now, std::vector<RdmaMessage>& settled)
{
    if (m_failed)
    {
        return;
    }
    ++m_counters.acks;
    // the frame after the one acknowledged, counted from the first that is not settled
    const uint64_t next = After(psn);
    if (next <= m_sent)
    {
        SettleUpTo(next, now, settled);
    } // else it refers to a frame that was settled before
}

void
QueuePairSender::Nak(uint32_t psn,
                     uint32_t kept,
                     Picoseconds now,
                     std::vector<RdmaMessage>& settled)
{
    if (m_failed)
    {
        return;
    }
    ++m_counters.naks;
    const uint64_t missing = After(psn - 1);
    if (missing > m_sent)
    {
        return; // it refers to a frame that was settled before
    }
    SettleUpTo(missing, now, settled);
    if (!m_settings.selectiveRepeat)
    {
        GoBackTo(missing, now);
        return;
    }
    const uint64_t frame = After(kept - 1);
    if (frame > m_settled.Get() && frame < m_sent)
    {
        Keep(frame, now);
    }
}

void
QueuePairSender::GoBackTo(uint64_t frame, Picoseconds now)
{
    State state = m_state.Get();
    state.next = frame;
    m_timer.ForgetAll();
    SetState(now, state);
    m_wentBack = true;
    m_timer.Restart(now);
}

void
QueuePairSender::Keep(uint64_t frame, Picoseconds now)
{
    m_selective->Keep(frame, now);
    // kept frames need no timer, and lost frames request an acknowledgement when they are repeated
    m_timer.KeepOnly([this](uint64_t ackRequest) { return m_selective->IsOnItsWay(ackRequest); });
    State state = m_state.Get();
    if (state.repeat != m_selective->GetFirstLost())
    {
        state.repeat = m_selective->GetFirstLost();
        SetState(now, state);
    }
}

void
QueuePairSender::RepeatAll(Picoseconds now)
{
    m_selective->LoseAll(m_sent);
    State state = m_state.Get();
    state.repeat = m_selective->GetFirstLost();
    NS_ASSERT_MSG(state.repeat == m_settled.Get(), "the frame that is missing is kept");
    m_timer.ForgetAll();
    SetState(now, state);
    m_wentBack = true;
    m_timer.Restart(now);
}

void
QueuePairSender::OnCongestion(Picoseconds now)
{
    if (m_failed)
    {
        return;
    }
    ++m_counters.congestion;
    m_congestion->OnCongestion(now);
}

void
QueuePairSender::SetCarrier(bool carrier, Picoseconds now)
{
    m_timer.SetCarrier(carrier, now);
    if (!carrier)
    {
        m_darkSince = now;
    }
}

Picoseconds
QueuePairSender::GetDeadline() const
{
    return m_failed ? NEVER : m_timer.GetDeadline(m_settings.GetTimeout());
}

Picoseconds
QueuePairSender::GetDarkDeadline() const
{
    return AddSaturating(m_darkSince, m_settings.darkLimit);
}

Picoseconds
QueuePairSender::GetWake(Picoseconds now) const
{
    if (m_failed)
    {
        return NEVER;
    }
    Picoseconds wake = NEVER;
    if (const Picoseconds deadline = GetDeadline(); deadline != NEVER)
    {
        wake = deadline + 1; // an answer at the instant of the deadline counts
    }
    if (!m_timer.HasCarrier() && GetOpenMessages() > 0)
    {
        wake = std::min(wake, AddSaturating(GetDarkDeadline(), 1));
    }
    const Picoseconds notBefore = m_state.Get().notBefore;
    if (notBefore > now && HasWork())
    {
        wake = std::min(wake, notBefore);
    }
    return wake;
}

std::optional<std::string>
QueuePairSender::OnWake(Picoseconds now)
{
    if (m_failed)
    {
        return std::nullopt;
    }
    std::ostringstream why;
    if (!m_timer.HasCarrier() && GetOpenMessages() > 0 && now > GetDarkDeadline())
    {
        why << "no carrier for " << m_settings.darkLimit << " ps: no circuit, or a fault";
        return why.str();
    }
    if (now <= GetDeadline())
    {
        return std::nullopt;
    }
    ++m_counters.timeouts;
    if (++m_retries > m_settings.retryLimit)
    {
        why << "no acknowledgement after " << m_retries << " timeouts of "
            << m_settings.GetTimeout() << " ps in a row";
        return why.str();
    }
    if (m_settings.selectiveRepeat)
    {
        RepeatAll(now);
    }
    else
    {
        GoBackTo(m_settled.Get(), now);
    }
    return std::nullopt;
}

std::vector<RdmaMessage>
QueuePairSender::Fail(Picoseconds now)
{
    std::vector<RdmaMessage> open = m_messages.CloseAll();
    m_timer.ForgetAll();
    m_failed = true;
    State state;
    SetState(now, state); // nothing to send, from now on
    return open;
}

bool
QueuePairSender::LookAhead(Ahead& ahead) const
{
    const State& state = m_state.Get();
    if (state.next >= state.end || state.next < m_sent)
    {
        return false; // going back may jump forward again: IsGoingBack()
    }
    const MessageInOrder& message = m_messages.Of(state.next);
    const uint64_t place = state.next - message.begin;
    ahead.toEnd = message.End() - state.next;
    ahead.each = RoceFrame::WireBytes(RoceOpcode::WRITE_MIDDLE, m_settings.mtu);
    // one header more in the first; those inside a message beyond 1 GiB are not counted
    ahead.bytes = message.frames.WireBytesOf(place + ahead.toEnd - 1);
    if (ahead.toEnd > 1)
    {
        ahead.bytes += message.frames.WireBytesOf(place) + (ahead.toEnd - 2) * ahead.each;
    }
    const uint64_t end = std::min(state.end, state.limit);
    ahead.available = end > state.next ? end - state.next : 0;
    return true;
}

bool
QueuePairSender::MaySkip() const
{
    return !m_failed && GetOpenMessages() == 0 && !IsGoingBack() && !HasWork() &&
           m_congestion->GetWindow() == CongestionState::UNLIMITED && !m_congestion->IsPaced();
}

void
QueuePairSender::Skip(const QueuePairProgress& progress, Picoseconds now)
{
    ForgetSettled(now);
    NS_ASSERT_MSG(MaySkip(), "messages are open, or have been settled in this instant");
    m_messages.Skip(progress.messages);
    m_settled = AsOf<uint64_t>(m_settled.Get() + progress.frames);
    State state = m_state.Get();
    state.next += progress.frames;
    state.end += progress.frames;
    state.limit = GetLimit();
    m_state = AsOf<State>(state);
    m_sent += progress.frames;
    m_retries = 0;
    m_counters.frames += progress.frames;
    m_counters.payload += progress.bytes;
    m_counters.acks += progress.acknowledgements;
}

bool
QueuePairSender::GetStream(BatchOffload::Stream& stream) const
{
    const State& state = m_state.Get();
    if (IsGoingBack() || state.next + 1 >= std::min(state.end, state.limit))
    {
        return false;
    }
    const MessageInOrder& message = m_messages.Of(state.next);
    const uint64_t place = state.next - message.begin;
    const uint64_t alike = message.frames.RunFrom(place);
    if (place == 0 || alike < 2)
    {
        return false;
    }
    stream.next = state.next;
    // without the last of them, and the last that a window would allow
    stream.end = std::min(state.next + alike, state.limit) - 1;
    stream.ackRequestEvery = m_settings.ackEvery;
    stream.ackRequest = state.next + m_settings.ackEvery - 1 - place % m_settings.ackEvery;
    stream.wireBytes = message.frames.WireBytesOf(place);
    return true;
}

bool
QueuePairSender::WouldSettle(uint32_t psn) const
{
    return m_messages.WouldSettle(After(psn));
}

bool
QueuePairSender::HasFailed() const
{
    return m_failed;
}

std::size_t
QueuePairSender::GetOpenMessages() const
{
    return m_messages.GetOpen();
}

FrameDensity
QueuePairSender::GetDensity(uint32_t each) const
{
    return FrameDensity::Of(each, m_messages.GetOpen(), m_messages.GetLeastFrames());
}

const QueuePairSender::Counters&
QueuePairSender::GetCounters() const
{
    return m_counters;
}

const CongestionState&
QueuePairSender::GetCongestionState() const
{
    return *m_congestion;
}

} // namespace ns3
