/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-test-tools.h"

#include <algorithm>
#include <sys/resource.h>

std::string
TraceRecorder::Ranks(uint32_t ranks)
{
    count = ranks;
    return "";
}

std::string
TraceRecorder::Group(const std::string& name, const std::vector<uint32_t>& ranks)
{
    groups.emplace_back(name, ranks);
    return "";
}

std::string
TraceRecorder::Node(uint32_t rank, const ns3::TraceNode& node)
{
    nodes[rank].push_back(node);
    return "";
}

std::string
TraceRecorder::Skip(const std::string& reason, uint64_t number)
{
    skipped[reason] += number;
    return "";
}

std::string
TraceCounter::Node(uint32_t, const ns3::TraceNode& node)
{
    ++nodes;
    computing += node.duration;
    return "";
}

RepeatedText::RepeatedText(std::string first, std::string piece, uint64_t times)
    : m_now(std::move(first)),
      m_piece(std::move(piece)),
      m_times(times)
{
    setg(&m_now[0], &m_now[0], &m_now[0] + m_now.size());
}

RepeatedText::int_type
RepeatedText::underflow()
{
    if (m_times == 0)
    {
        return traits_type::eof();
    }
    --m_times;
    m_now = m_piece;
    setg(&m_now[0], &m_now[0], &m_now[0] + m_now.size());
    return traits_type::to_int_type(m_now[0]);
}

uint64_t
GetPeakMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

ProtoBytes&
ProtoBytes::Varint(uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
    {
        bytes += static_cast<char>(0x80 | (value & 0x7f));
    }
    bytes += static_cast<char>(value);
    return *this;
}

ProtoBytes&
ProtoBytes::Text(uint32_t field, const std::string& text)
{
    Varint(field << 3 | 2).Varint(text.size());
    bytes += text;
    return *this;
}

ProtoBytes&
ProtoBytes::Fixed(uint32_t field, uint64_t value, uint32_t size)
{
    Varint(field << 3 | (size == 4 ? 5 : 1));
    for (uint32_t octet = 0; octet < size; ++octet)
    {
        bytes += static_cast<char>(value >> (8 * octet));
    }
    return *this;
}

JobPlayer::JobPlayer(const ns3::JobPrograms& job)
    : m_job(job),
      m_begun(job.ranks.size()),
      m_done(job.ranks.size())
{
    for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
    {
        m_begun[rank].resize(Get(rank).size());
        m_done[rank].resize(Get(rank).size());
    }
}

bool
JobPlayer::Play()
{
    for (bool isAny = true; isAny;)
    {
        isAny = false;
        for (uint32_t rank = 0; rank < m_job.ranks.size(); ++rank)
        {
            for (uint32_t operation = 0; operation < Get(rank).size(); ++operation)
            {
                isAny = Try(rank, operation) || isAny;
            }
        }
    }
    for (const std::vector<bool>& done : m_done)
    {
        if (std::count(done.begin(), done.end(), false) > 0)
        {
            return false;
        }
    }
    return m_isSame;
}

JobPlayer::FlowKey
JobPlayer::GetFlowKey(uint32_t rank, const ns3::RankOperation& call) const
{
    const uint32_t group = m_job.ranks[rank].groups[call.group];
    if (call.kind == ns3::RankOperation::Kind::COLLECTIVE)
    {
        return {group, 0, 0};
    }
    const auto& ranks = m_job.groups[group].ranks;
    const uint32_t other = ranks.at(call.place);
    return call.kind == ns3::RankOperation::Kind::SEND ? FlowKey{group, rank, other}
                                                       : FlowKey{group, other, rank};
}

bool
JobPlayer::Try(uint32_t rank, uint32_t operation)
{
    const ns3::RankOperation& call = Get(rank)[operation];
    if (m_done[rank][operation] || !MayBegin(rank, operation))
    {
        return false;
    }
    const bool isNew = !m_begun[rank][operation];
    m_begun[rank][operation] = true;
    if (call.IsExchange())
    {
        const FlowKey flow = GetFlowKey(rank, call);
        const std::pair<FlowKey, uint32_t> number{flow, m_over[{rank, flow}]};
        const bool isSend = call.kind == ns3::RankOperation::Kind::SEND;
        const bool isCollective = call.kind == ns3::RankOperation::Kind::COLLECTIVE;
        const auto size = m_job.groups[std::get<0>(flow)].ranks.size();
        m_isSame = m_isSame && m_bytes.emplace(number, call.bytes).first->second == call.bytes;
        m_come[number] += isNew && (isSend || isCollective) ? 1 : 0;
        if (m_come[number] < (isCollective ? size : 1))
        {
            return isNew;
        }
        ++m_over[{rank, flow}];
    }
    m_done[rank][operation] = true;
    return true;
}

bool
JobPlayer::MayBegin(uint32_t rank, uint32_t operation) const
{
    const auto& operations = Get(rank);
    const ns3::RankOperation& call = operations[operation];
    for (const uint32_t earlier : call.after)
    {
        if (!m_done[rank][earlier])
        {
            return false;
        }
    }
    for (uint32_t earlier = 0; earlier < operation; ++earlier)
    {
        const ns3::RankOperation& other = operations[earlier];
        const bool isSame =
            other.stream == call.stream || (other.IsExchange() && call.IsExchange() &&
                                            GetFlowKey(rank, other) == GetFlowKey(rank, call));
        if (isSame && !m_done[rank][earlier])
        {
            return false;
        }
    }
    return true;
}
