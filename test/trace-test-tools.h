/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_TEST_TOOLS_H
#define PHOTONIC_RAILS_TRACE_TEST_TOOLS_H

#include "ns3/trace-collection.h"
#include "ns3/trace-node.h"
#include "ns3/trace-programs.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <streambuf>
#include <string>
#include <sys/resource.h>
#include <tuple>
#include <utility>
#include <vector>

/** Keeps all that a reader finds. */
class TraceRecorder : public ns3::TraceConsumer
{
  public:
    std::string Ranks(uint32_t ranks) override
    {
        count = ranks;
        return "";
    }

    std::string Group(const std::string& name, const std::vector<uint32_t>& ranks) override
    {
        groups.emplace_back(name, ranks);
        return "";
    }

    std::string Node(uint32_t rank, const ns3::TraceNode& node) override
    {
        nodes[rank].push_back(node);
        return "";
    }

    uint32_t count{0};
    std::vector<std::pair<std::string, std::vector<uint32_t>>> groups;
    std::map<uint32_t, std::vector<ns3::TraceNode>> nodes;
};

/** Counts what a reader finds, and keeps nothing. */
class TraceCounter : public ns3::TraceConsumer
{
  public:
    std::string Node(uint32_t, const ns3::TraceNode& node) override
    {
        ++nodes;
        computing += node.duration;
        return "";
    }

    uint64_t nodes{0};
    int64_t computing{0};
};

/** A text that is made while it is read: a beginning, and a piece again and again. */
class RepeatedText : public std::streambuf
{
  public:
    RepeatedText(std::string first, std::string piece, uint64_t times)
        : m_now(std::move(first)),
          m_piece(std::move(piece)),
          m_times(times)
    {
        setg(&m_now[0], &m_now[0], &m_now[0] + m_now.size());
    }

  protected:
    int_type underflow() override
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

  private:
    std::string m_now;
    std::string m_piece;
    uint64_t m_times;
};

/** @return the most memory that this process has had so far, in bytes */
inline uint64_t
GetPeakMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

/** Writes protobuf by its specification, independently of any library. */
class ProtoBytes
{
  public:
    ProtoBytes& Varint(uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
        {
            bytes += static_cast<char>(0x80 | (value & 0x7f));
        }
        bytes += static_cast<char>(value);
        return *this;
    }

    ProtoBytes& Number(uint32_t field, uint64_t value)
    {
        return Varint(field << 3).Varint(value);
    }

    ProtoBytes& Text(uint32_t field, const std::string& text)
    {
        Varint(field << 3 | 2).Varint(text.size());
        bytes += text;
        return *this;
    }

    ProtoBytes& Fixed(uint32_t field, uint64_t value, uint32_t size)
    {
        Varint(field << 3 | (size == 4 ? 5 : 1));
        for (uint32_t octet = 0; octet < size; ++octet)
        {
            bytes += static_cast<char>(value >> (8 * octet));
        }
        return *this;
    }

    /** A whole number as an attribute. @param field of AttributeProto */
    ProtoBytes& Attribute(const std::string& name, uint64_t value, uint32_t field = 9)
    {
        return Text(10, ProtoBytes().Text(1, name).Number(field, value).bytes);
    }

    /** @return it behind its length, as a file holds it */
    std::string Delimited() const
    {
        return ProtoBytes().Varint(bytes.size()).bytes + bytes;
    }

    std::string bytes;
};

/** Runs a job without time: what may happen does, until nothing may. */
class JobPlayer
{
  public:
    explicit JobPlayer(const ns3::JobPrograms& job)
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

    /** @return whether all operations come to their end, and calls that meet are of equal bytes */
    bool Play()
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

  private:
    /** A flow: group, from, to; of a collective the last two are equal. */
    using FlowKey = std::tuple<uint32_t, uint32_t, uint32_t>;

    const std::vector<ns3::RankOperation>& Get(uint32_t rank) const
    {
        return m_job.ranks[rank].program->GetOperations();
    }

    FlowKey GetFlowKey(uint32_t rank, const ns3::RankOperation& call) const
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

    /** Does what may be done of an operation. @return whether anything was */
    bool Try(uint32_t rank, uint32_t operation)
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

    bool MayBegin(uint32_t rank, uint32_t operation) const
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

    const ns3::JobPrograms& m_job;
    bool m_isSame{true};
    std::map<std::pair<FlowKey, uint32_t>, uint64_t> m_bytes; //!< of who came first
    std::vector<std::vector<bool>> m_begun;
    std::vector<std::vector<bool>> m_done;
    std::map<std::pair<uint32_t, FlowKey>, uint32_t> m_over; //!< by rank: how many are over
    std::map<std::pair<FlowKey, uint32_t>, std::size_t> m_come;
};

#endif /* PHOTONIC_RAILS_TRACE_TEST_TOOLS_H */
