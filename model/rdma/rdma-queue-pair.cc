/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-queue-pair.h"

#include "rdma-port.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RdmaQueuePair::RdmaQueuePair(RdmaQueuePairOwner* owner,
                             uint32_t number,
                             std::vector<SubQueuePair> subPairs)
    : m_owner(owner),
      m_number(number),
      m_subPairs(std::move(subPairs)),
      m_pieces(m_subPairs.size())
{
}

RdmaQueuePair::Posted
RdmaQueuePair::Post(RdmaVerb verb, uint64_t bytes, uint32_t immediate)
{
    NS_ABORT_MSG_UNLESS(m_owner != nullptr,
                        "RdmaQueuePair " << m_number
                                         << ": its engine is gone; post before "
                                            "Simulator::Destroy()");
    if (HasFailed())
    {
        return {false, 0, "queue pair " + std::to_string(m_number) + " has failed: " + m_error};
    }
    for (const SubQueuePair& half : m_subPairs)
    {
        m_owner->MakeUp(half.port); // earlier messages of this queue pair come before
    }
    RdmaMessage message;
    message.id = m_totals.posted++;
    message.verb = verb;
    message.bytes = bytes;
    message.immediate = immediate;
    m_totals.postedBytes += bytes;
    m_open.push_back(message);

    // one contiguous piece a port, whole frames except in the last
    const uint32_t mtu = m_owner->GetMtu();
    const uint64_t frames = bytes == 0 ? 0 : (bytes - 1) / mtu + 1;
    uint64_t left = bytes;
    for (std::size_t i = 0; i < m_subPairs.size(); ++i)
    {
        const uint64_t share = (frames + m_subPairs.size() - 1 - i) / m_subPairs.size() * mtu;
        RdmaMessage piece = message;
        piece.bytes = std::min(left, share);
        left -= piece.bytes;
        m_owner->PostPiece(m_subPairs[i].port, m_subPairs[i].queuePair, piece, m_watch);
    }
    return {true, message.id, ""};
}

void
RdmaQueuePair::PieceSettled(std::size_t subPair)
{
    uint64_t whole = ++m_pieces[subPair].settled;
    for (const Pieces& pieces : m_pieces)
    {
        whole = std::min(whole, pieces.settled);
    }
    while (!m_open.empty() && m_open.front().id < whole && !HasFailed())
    {
        const RdmaMessage message = m_open.front();
        m_open.pop_front();
        ++m_totals.settled;
        m_totals.settledBytes += message.bytes;
        m_owner->NotifyMessageSettled(*this, message);
        if (!m_settled.IsNull())
        {
            m_settled(Ptr<RdmaQueuePair>(this), message);
        }
    }
}

void
RdmaQueuePair::PieceArrived(std::size_t subPair, const RdmaMessage& piece)
{
    const uint64_t id = m_pieces[subPair].arrived++;
    const uint64_t firstId = m_totals.arrived;
    while (m_incoming.size() <= id - firstId)
    {
        m_incoming.push_back({});
        m_incoming.back().message = piece;
        m_incoming.back().message.id = firstId + m_incoming.size() - 1;
        m_incoming.back().message.bytes = 0;
    }
    Incoming& incoming = m_incoming[id - firstId];
    incoming.message.bytes += piece.bytes;
    incoming.message.verb = piece.verb;
    incoming.message.immediate = piece.immediate;
    ++incoming.pieces;
    while (!m_incoming.empty() && m_incoming.front().pieces == m_subPairs.size())
    {
        const RdmaMessage message = m_incoming.front().message;
        m_incoming.pop_front();
        ++m_totals.arrived;
        m_totals.arrivedBytes += message.bytes;
        m_owner->NotifyMessageArrived(*this, message);
        if (!m_arrived.IsNull())
        {
            m_arrived(Ptr<RdmaQueuePair>(this), message);
        }
    }
}

void
RdmaQueuePair::SubQueuePairFailed(std::size_t subPair, const std::string& why)
{
    if (HasFailed())
    {
        return;
    }
    m_error = why;
    for (std::size_t i = 0; i < m_subPairs.size(); ++i)
    {
        if (i != subPair)
        {
            // both halves fail
            m_owner->FailSubQueuePair(m_subPairs[i].port, m_subPairs[i].queuePair, why);
        }
    }
    while (!m_open.empty())
    {
        const RdmaMessage message = m_open.front();
        m_open.pop_front();
        ++m_totals.failed;
        m_totals.failedBytes += message.bytes;
        m_owner->NotifyMessageFailed(*this, message, why);
        if (!m_failed.IsNull())
        {
            m_failed(Ptr<RdmaQueuePair>(this), message, why);
        }
    }
}

void
RdmaQueuePair::MakeUp() const
{
    for (std::size_t i = 0; m_owner != nullptr && i < m_subPairs.size(); ++i)
    {
        m_owner->MakeUp(m_subPairs[i].port);
    }
}

bool
RdmaQueuePair::MaySkip(bool sending) const
{
    if (m_owner == nullptr || m_subPairs.size() != 1 || HasFailed() || !m_incoming.empty() ||
        (sending && !m_open.empty()))
    {
        return false;
    }
    const SubQueuePair& half = m_subPairs.front();
    return m_owner->PeekPort(half.port).MaySkip(half.queuePair);
}

QueuePairProgress
RdmaQueuePair::GetProgress(const RdmaQueuePair& there) const
{
    const SubQueuePair& from = m_subPairs.front();
    const SubQueuePair& to = there.m_subPairs.front();
    const QueuePairReceiver& receiver = there.m_owner->PeekPort(to.port).GetReceiver(to.queuePair);
    const auto& sent = m_owner->PeekPort(from.port).GetSender(from.queuePair).GetCounters();
    const auto& received = receiver.GetCounters();
    QueuePairProgress progress;
    progress.messages = m_totals.settled;
    progress.bytes = m_totals.settledBytes;
    progress.frames = sent.frames;
    progress.wireMessages = receiver.GetWireMessages();
    progress.acknowledgements = sent.acks;
    progress.troubles = sent.retransmitted + sent.naks + sent.timeouts + sent.congestion +
                        received.early + received.duplicates + received.naks;
    return progress;
}

void
RdmaQueuePair::Skip(RdmaQueuePair& there, const QueuePairProgress& progress)
{
    m_totals.posted += progress.messages;
    m_totals.postedBytes += progress.bytes;
    m_totals.settled += progress.messages;
    m_totals.settledBytes += progress.bytes;
    m_pieces.front().settled += progress.messages;
    there.m_totals.arrived += progress.messages;
    there.m_totals.arrivedBytes += progress.bytes;
    there.m_pieces.front().arrived += progress.messages;
    const SubQueuePair& here = m_subPairs.front();
    const SubQueuePair& other = there.m_subPairs.front();
    m_owner->PeekPort(here.port).SkipSent(here.queuePair, progress);
    there.m_owner->PeekPort(other.port).SkipReceived(other.queuePair, progress);
}

const QueuePairSettings&
RdmaQueuePair::GetSettings() const
{
    const SubQueuePair& half = m_subPairs.front();
    return m_owner->PeekPort(half.port).GetSettings(half.queuePair);
}

void
RdmaQueuePair::Detach()
{
    m_owner = nullptr;
    m_settled = {};
    m_arrived = {};
    m_failed = {};
}

void
RdmaQueuePair::SetSettledCallback(MessageCallback callback)
{
    m_settled = callback;
}

void
RdmaQueuePair::SetArrivedCallback(MessageCallback callback)
{
    m_arrived = callback;
}

void
RdmaQueuePair::SetFailedCallback(FailedCallback callback)
{
    m_failed = callback;
}

uint32_t
RdmaQueuePair::GetNumber() const
{
    return m_number;
}

const std::vector<RdmaQueuePair::SubQueuePair>&
RdmaQueuePair::GetSubQueuePairs() const
{
    return m_subPairs;
}

bool
RdmaQueuePair::HasFailed() const
{
    return !m_error.empty();
}

const std::string&
RdmaQueuePair::GetError() const
{
    return m_error;
}

std::size_t
RdmaQueuePair::GetOpenMessages() const
{
    MakeUp();
    return m_open.size();
}

const RdmaQueuePair::Totals&
RdmaQueuePair::GetTotals() const
{
    MakeUp();
    return m_totals;
}

QueuePairSender::Counters
RdmaQueuePair::GetSenderCounters() const
{
    QueuePairSender::Counters sum;
    for (const SubQueuePair& subPair : m_subPairs)
    {
        const auto& one = m_owner->GetPort(subPair.port).GetSender(subPair.queuePair).GetCounters();
        sum.frames += one.frames;
        sum.retransmitted += one.retransmitted;
        sum.acks += one.acks;
        sum.naks += one.naks;
        sum.timeouts += one.timeouts;
        sum.congestion += one.congestion;
        sum.payload += one.payload;
    }
    return sum;
}

QueuePairReceiver::Counters
RdmaQueuePair::GetReceiverCounters() const
{
    QueuePairReceiver::Counters sum;
    for (const SubQueuePair& subPair : m_subPairs)
    {
        const auto& one =
            m_owner->GetPort(subPair.port).GetReceiver(subPair.queuePair).GetCounters();
        sum.frames += one.frames;
        sum.accepted += one.accepted;
        sum.early += one.early;
        sum.duplicates += one.duplicates;
        sum.naks += one.naks;
        sum.messages += one.messages;
        sum.payload += one.payload;
    }
    return sum;
}

} // namespace ns3
