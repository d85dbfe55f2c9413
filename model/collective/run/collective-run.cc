/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-run.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** @return the way of a rank on a channel; or null */
const RankSchedule::Way*
FindWay(const std::vector<RankSchedule::Way>& ways, uint32_t peer, uint16_t channel)
{
    for (const RankSchedule::Way& way : ways)
    {
        if (way.peer == peer && way.channel == channel)
        {
            return &way;
        }
    }
    return nullptr;
}

} // namespace

CollectiveRun::CollectiveRun(std::shared_ptr<const RankSchedule> part,
                             uint64_t buffer,
                             uint64_t messageSize,
                             Owner& owner,
                             CollectiveProtocol protocol)
    : m_part(std::move(part)),
      m_buffer(buffer),
      m_messageSize(messageSize),
      m_owner(owner),
      m_protocol(protocol)
{
    const std::size_t stages = m_part->schedule->GetStages().size();
    m_open.resize(stages);
    m_waiting.resize(stages);
    m_openOfStage.resize(stages);
    m_unsettledOfStage.resize(stages);
    std::vector<uint32_t> next(m_part->waysOut.size());
    for (const RankSchedule::Transfer& transfer : m_part->outgoing)
    {
        const uint64_t pieces = PiecesOf(transfer.chunk);
        m_firstOut.push_back(next[transfer.way]);
        next[transfer.way] = Behind(next[transfer.way], transfer.chunk);
        m_toSettle += pieces;
        m_openOfStage[transfer.stage] += pieces;
    }
    next.assign(m_part->waysIn.size(), 0);
    m_toReceiveOf.resize(m_part->waysIn.size());
    m_onHoldOf.resize(m_part->waysIn.size());
    uint64_t& flags = m_sizes.flags;
    for (const RankSchedule::Transfer& transfer : m_part->incoming)
    {
        const uint64_t pieces = PiecesOf(transfer.chunk);
        m_firstIn.push_back(next[transfer.way]);
        next[transfer.way] = Behind(next[transfer.way], transfer.chunk);
        m_flagsOf.push_back(flags);
        flags += pieces;
        m_toReceive += pieces;
        m_toReceiveOf[transfer.way] += pieces;
        m_openOfStage[transfer.stage] += pieces;
    }
    uint64_t& counts = m_sizes.counts;
    for (const RankSchedule::Slot& slot : m_part->slots)
    {
        m_countsOf.push_back(counts);
        counts += PiecesOf(slot.chunk);
    }
    m_progress.resize(m_part->turns.size());
    m_hasTurn.assign(m_part->outgoing.size(), m_progress.empty());
    uint64_t& done = m_sizes.done;
    for (const RankSchedule::Transfer& transfer : m_part->outgoing)
    {
        m_doneOf.push_back(done);
        done += m_progress.empty() ? 0 : PiecesOf(transfer.chunk);
    }
}

void
CollectiveRun::KeepTrack()
{
    m_flags.resize(m_sizes.flags);
    m_counts.resize(m_sizes.counts);
    m_done.resize(m_sizes.done);
}

bool
CollectiveRun::HasCome(uint32_t incoming, uint32_t piece) const
{
    return !m_flags.empty() && m_flags[m_flagsOf[incoming] + piece];
}

bool
CollectiveRun::IsItsTurn(const RankSchedule::Transfer& transfer) const
{
    const Progress& its = m_progress[transfer.turn];
    return its.in.transfers >= transfer.afterIn && its.out.transfers >= transfer.afterOut;
}

void
CollectiveRun::GoOn(uint32_t turn)
{
    const auto count = [this](Row& row,
                              const std::vector<uint32_t>& places,
                              const std::vector<RankSchedule::Transfer>& transfers,
                              const std::vector<uint64_t>& begins,
                              const std::vector<bool>& flags) {
        while (row.transfers < places.size() && flags[begins[places[row.transfers]] + row.pieces])
        {
            ++row.pieces;
            if (row.pieces == PiecesOf(transfers[places[row.transfers]].chunk))
            {
                ++row.transfers;
                row.pieces = 0;
            }
        }
    };
    const RankSchedule::Turn& its = m_part->turns[turn];
    count(m_progress[turn].in, its.incoming, m_part->incoming, m_flagsOf, m_flags);
    count(m_progress[turn].out, its.outgoing, m_part->outgoing, m_doneOf, m_done);
    for (const uint32_t o : its.outgoing)
    {
        const RankSchedule::Transfer& out = m_part->outgoing[o];
        if (m_hasTurn[o] || !IsItsTurn(out))
        {
            continue;
        }
        m_hasTurn[o] = true;
        const uint32_t pieces = PiecesOf(out.chunk);
        for (uint32_t piece = 0; piece < pieces; ++piece)
        {
            if (m_counts[m_countsOf[out.slot] + piece] >= out.needs)
            {
                Ready(o, piece);
            }
        }
    }
}

uint32_t
CollectiveRun::Behind(uint64_t ordinal, uint32_t chunk) const
{
    const uint64_t pieces = PiecesOf(chunk);
    NS_ABORT_MSG_IF(pieces > MOST_MESSAGES - ordinal,
                    "CollectiveRun: an operation of "
                        << m_buffer << " bytes takes more than " << MOST_MESSAGES << " messages of "
                        << m_messageSize
                        << " bytes from a rank to another on a channel; raise MessageSize or "
                           "PointToPointMessageSize");
    return ordinal + pieces;
}

uint64_t
CollectiveRun::PiecesOf(uint32_t chunk) const
{
    const uint64_t bytes = m_part->schedule->GetBytes(chunk, m_buffer);
    return bytes == 0 ? 1 : (bytes - 1) / m_messageSize + 1;
}

uint64_t
CollectiveRun::BytesOf(uint32_t chunk, uint32_t piece) const
{
    const uint64_t bytes = m_part->schedule->GetBytes(chunk, m_buffer);
    return std::min(m_messageSize, bytes - piece * m_messageSize);
}

void
CollectiveRun::Start()
{
    KeepTrack();
    for (uint32_t turn = 0; turn < m_progress.size(); ++turn)
    {
        GoOn(turn);
    }
    for (uint32_t o = 0; m_progress.empty() && o < m_part->outgoing.size(); ++o)
    {
        const RankSchedule::Transfer& transfer = m_part->outgoing[o];
        const uint32_t pieces = transfer.needs == 0 ? PiecesOf(transfer.chunk) : 0;
        for (uint32_t p = 0; p < pieces; ++p)
        {
            Ready(o, p);
        }
    }
}

void
CollectiveRun::OpenStage(uint32_t stage)
{
    m_open[stage] = true;
    if (const auto failed = m_failed.extract(stage))
    {
        for (const auto& [outgoing, piece] : failed.mapped())
        {
            Send(outgoing, piece);
        }
    }
    std::vector<std::pair<uint32_t, uint32_t>> waiting;
    waiting.swap(m_waiting[stage]);
    for (const auto& [outgoing, piece] : waiting)
    {
        Send(outgoing, piece);
    }
}

void
CollectiveRun::CloseStage(uint32_t stage)
{
    m_open[stage] = false;
}

void
CollectiveRun::Ready(uint32_t outgoing, uint32_t piece)
{
    const RankSchedule::Transfer& transfer = m_part->outgoing[outgoing];
    if (m_part->waysOut[transfer.way].wires == Wires::RAIL && !m_open[transfer.stage])
    {
        m_waiting[transfer.stage].emplace_back(outgoing, piece);
        return;
    }
    Send(outgoing, piece);
}

void
CollectiveRun::Send(uint32_t outgoing, uint32_t piece)
{
    const RankSchedule::Transfer& transfer = m_part->outgoing[outgoing];
    const RankSchedule::Way& way = m_part->waysOut[transfer.way];
    Message message;
    message.peer = way.peer;
    message.channel = way.channel;
    message.wires = way.wires;
    message.ordinal = m_firstOut[outgoing] + piece;
    message.place = outgoing;
    const uint64_t data = BytesOf(transfer.chunk, piece);
    message.bytes = GetWireBytes(m_protocol, data);
    message.stage = transfer.stage;
    ++m_sent;
    m_unsettledOfStage[message.stage] += message.wires == Wires::RAIL ? 1 : 0;
    m_bytesSent += data;
    m_owner.SendMessage(*this, message);
}

const RankSchedule::Way*
CollectiveRun::FindWayIn(uint32_t peer, uint16_t channel) const
{
    return FindWay(m_part->waysIn, peer, channel);
}

void
CollectiveRun::Hold(uint32_t peer, uint16_t channel)
{
    ++m_onHoldOf[FindWayIn(peer, channel) - m_part->waysIn.data()];
}

void
CollectiveRun::Release(uint32_t peer, uint16_t channel)
{
    --m_onHoldOf[FindWayIn(peer, channel) - m_part->waysIn.data()];
}

bool
CollectiveRun::Awaits(uint32_t peer, uint16_t channel) const
{
    const RankSchedule::Way* way = FindWayIn(peer, channel);
    if (way == nullptr)
    {
        return false;
    }
    const std::size_t place = way - m_part->waysIn.data();
    return m_toReceiveOf[place] > m_onHoldOf[place];
}

std::string
CollectiveRun::Arrived(uint32_t peer, uint16_t channel, uint32_t ordinal, uint64_t bytes)
{
    const RankSchedule::Way* way = FindWayIn(peer, channel);
    const std::optional<uint32_t> incoming =
        way != nullptr ? FindAwaited(*way, ordinal, bytes) : std::nullopt;
    if (!incoming)
    {
        std::ostringstream why;
        why << "a message number " << ordinal << " of " << bytes << " bytes on channel " << channel
            << " is not what this operation expects from place " << peer
            << ": the ranks' calls differ in bytes, algorithm, protocol or message size";
        return why.str();
    }
    Take(*incoming, ordinal - m_firstIn[*incoming]);
    return "";
}

std::optional<uint32_t>
CollectiveRun::FindAwaited(const RankSchedule::Way& way, uint32_t ordinal, uint64_t bytes) const
{
    const uint32_t incoming = Find(way, m_firstIn, ordinal);
    const RankSchedule::Transfer& transfer = m_part->incoming[incoming];
    const uint32_t piece = ordinal - m_firstIn[incoming];
    const bool isAwaited = piece < PiecesOf(transfer.chunk) &&
                           GetWireBytes(m_protocol, BytesOf(transfer.chunk, piece)) == bytes &&
                           !HasCome(incoming, piece);
    return isAwaited ? std::optional<uint32_t>(incoming) : std::nullopt;
}

void
CollectiveRun::Take(uint32_t incoming, uint32_t piece)
{
    const RankSchedule::Transfer& transfer = m_part->incoming[incoming];
    if (m_flags.empty()) // it has come before the start
    {
        KeepTrack();
    }
    m_flags[m_flagsOf[incoming] + piece] = true;
    --m_toReceive;
    --m_toReceiveOf[transfer.way];
    --m_openOfStage[transfer.stage];
    ++m_come;
    m_bytesReceived += BytesOf(transfer.chunk, piece);
    const RankSchedule::Slot& slot = m_part->slots[transfer.slot];
    uint16_t& count = m_counts[m_countsOf[transfer.slot] + piece];
    const uint32_t before = count;
    while (count < slot.incoming.size() && m_flags[m_flagsOf[slot.incoming[count]] + piece])
    {
        ++count;
    }
    const uint32_t after = count;
    for (const uint32_t o : slot.outgoing)
    {
        const uint32_t needs = m_part->outgoing[o].needs;
        if (needs > before && needs <= after && m_hasTurn[o])
        {
            Ready(o, piece);
        }
    }
    if (!m_progress.empty())
    {
        GoOn(transfer.turn);
    }
}

void
CollectiveRun::Settled(uint32_t peer, uint16_t channel, uint32_t ordinal)
{
    ++m_settled;
    --m_toSettle;
    const RankSchedule::Way* way = FindWay(m_part->waysOut, peer, channel);
    if (way == nullptr)
    {
        return;
    }
    const uint32_t outgoing = Find(*way, m_firstOut, ordinal);
    const RankSchedule::Transfer& transfer = m_part->outgoing[outgoing];
    --m_openOfStage[transfer.stage];
    m_unsettledOfStage[transfer.stage] -= way->wires == Wires::RAIL ? 1 : 0;
    if (!m_progress.empty())
    {
        m_done[m_doneOf[outgoing] + ordinal - m_firstOut[outgoing]] = true;
        GoOn(transfer.turn);
    }
}

uint32_t
CollectiveRun::FindOutgoing(uint32_t peer, uint16_t channel, uint32_t ordinal) const
{
    const RankSchedule::Way* way = FindWay(m_part->waysOut, peer, channel);
    NS_ASSERT_MSG(way != nullptr && way->wires == Wires::RAIL, "only messages on a rail fail");
    return Find(*way, m_firstOut, ordinal);
}

uint32_t
CollectiveRun::GetStageOf(uint32_t peer, uint16_t channel, uint32_t ordinal) const
{
    return m_part->outgoing[FindOutgoing(peer, channel, ordinal)].stage;
}

void
CollectiveRun::Failed(uint32_t peer, uint16_t channel, uint32_t ordinal)
{
    const uint32_t outgoing = FindOutgoing(peer, channel, ordinal);
    const RankSchedule::Transfer& transfer = m_part->outgoing[outgoing];
    const uint32_t piece = ordinal - m_firstOut[outgoing];
    --m_sent;
    --m_unsettledOfStage[transfer.stage];
    m_bytesSent -= BytesOf(transfer.chunk, piece);
    m_failed[transfer.stage].emplace(outgoing, piece);
    CloseStage(transfer.stage);
}

uint32_t
CollectiveRun::Find(const RankSchedule::Way& way,
                    const std::vector<uint32_t>& first,
                    uint32_t ordinal)
{
    // the last transfer that begins at or before the ordinal
    const auto behind = std::upper_bound(way.transfers.begin(),
                                         way.transfers.end(),
                                         ordinal,
                                         [&first](uint32_t o, uint32_t t) { return o < first[t]; });
    return *(behind - 1);
}

uint64_t
CollectiveRun::GetBytesOut(uint32_t stage) const
{
    uint64_t bytes = 0;
    for (const RankSchedule::Transfer& transfer : m_part->outgoing)
    {
        if (transfer.stage == stage && m_part->waysOut[transfer.way].wires == Wires::RAIL)
        {
            bytes += m_part->schedule->GetBytes(transfer.chunk, m_buffer);
        }
    }
    return bytes;
}

std::vector<CollectiveRun::Missing>
CollectiveRun::GetMissing() const
{
    std::vector<Missing> all;
    for (const RankSchedule::Way& way : m_part->waysIn)
    {
        Missing missing;
        missing.peer = way.peer;
        missing.channel = way.channel;
        for (const uint32_t i : way.transfers)
        {
            const uint32_t pieces = PiecesOf(m_part->incoming[i].chunk);
            for (uint32_t p = 0; p < pieces; ++p)
            {
                if (!HasCome(i, p) && missing.messages++ == 0)
                {
                    missing.ordinal = m_firstIn[i] + p;
                    missing.chunk = m_part->incoming[i].chunk;
                }
            }
        }
        if (missing.messages > 0)
        {
            all.push_back(missing);
        }
    }
    return all;
}

uint64_t
CollectiveRun::GetWaiting() const
{
    uint64_t waiting = 0;
    for (const auto& stage : m_waiting)
    {
        waiting += stage.size();
    }
    for (const auto& [stage, failed] : m_failed)
    {
        waiting += failed.size();
    }
    return waiting;
}

} // namespace ns3
