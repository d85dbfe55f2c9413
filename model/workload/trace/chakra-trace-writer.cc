/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "chakra-trace-writer.h"

#include "chakra-message.h"
#include "job-export.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace ns3
{

namespace
{

/** The most numbers of a matrix, which the reader takes. */
constexpr uint64_t MOST_OF_MATRIX = 1'000'000;

/** NodeType of et_def.proto. */
enum ChakraNodeType : uint64_t
{
    METADATA_NODE = 1,
    COMP_NODE = 4,
    COMM_SEND_NODE = 5,
    COMM_RECV_NODE = 6,
    COMM_COLL_NODE = 7,
};

/** @return CollectiveCommType of et_def.proto; none: the schema has no such collective */
std::optional<uint64_t>
FindCommType(CollectiveKind kind)
{
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return 0;
    case CollectiveKind::REDUCE:
        return 1;
    case CollectiveKind::ALL_GATHER:
        return 2;
    case CollectiveKind::BROADCAST:
        return 5;
    case CollectiveKind::ALL_TO_ALL:
    case CollectiveKind::ALL_TO_ALL_V:
        return 6;
    case CollectiveKind::REDUCE_SCATTER:
        return 7;
    case CollectiveKind::BARRIER:
        return 9;
    case CollectiveKind::SEND_RECV:
        break;
    }
    return {};
}

/** @return a text as a string of JSON inside a string of Python */
std::string
QuoteInPython(const std::string& text)
{
    static const char* const DIGITS = "0123456789abcdef";
    std::string quoted;
    for (const char letter : text)
    {
        const auto code = static_cast<unsigned char>(letter);
        if (code < 0x20 || letter == '"' || letter == '\'' || letter == '\\')
        {
            quoted += std::string("\\\\u00") + DIGITS[code / 16] + DIGITS[code % 16];
        }
        else
        {
            quoted += letter;
        }
    }
    return "\"" + quoted + "\"";
}

/** Writes the nodes of one rank. */
class RankWriter
{
  public:
    RankWriter(const JobPrograms& job, uint32_t rank, const ChakraTraceWriter::Sink& sink)
        : m_job(job),
          m_rank(rank),
          m_own(job.ranks[rank]),
          m_sink(sink)
    {
    }

    void Write()
    {
        ChakraMessage metadata;
        metadata.Text(1, "0.0.4").Truth("whole_program", true, 2);
        Add(metadata);
        WriteGroups();
        const std::vector<RankOperation>& operations = m_own.program->GetOperations();
        for (uint32_t number = 0; number < operations.size(); ++number)
        {
            WriteOperation(number, operations[number]);
        }
        m_sink(m_bytes);
    }

  private:
    /** Adds a message to the file. */
    void Add(const ChakraMessage& message)
    {
        constexpr std::size_t PIECE = 1 << 16;
        m_bytes += message.Delimit();
        if (m_bytes.size() >= PIECE)
        {
            m_sink(m_bytes);
            m_bytes.clear();
        }
    }

    /** Writes the node of the process groups. */
    void WriteGroups()
    {
        std::string json;
        for (const uint32_t number : m_own.groups)
        {
            const JobPrograms::Group& group = m_job.groups[number];
            json += (json.empty() ? "[" : ", ") + std::string("{\"pg_name\": \"") +
                    std::to_string(number) + "\", \"pg_desc\": " + QuoteInPython(group.name) +
                    ", \"ranks\": [";
            for (const uint32_t rank : group.ranks)
            {
                json += (json.back() == '[' ? "" : ", ") + std::to_string(rank);
            }
            json += "], \"group_size\": " + std::to_string(group.ranks.size()) + "}";
        }
        json += json.empty() ? "[]" : "]";
        const std::string inputs = ChakraMessage()
                                       .Text(1, "['" + json + "']")
                                       .Text(2, "[[]]")
                                       .Text(3, "['String']")
                                       .GetBytes();
        ChakraMessage node;
        node.Number(1, 0).Text(2, "## process_group:init ##").Number(3, METADATA_NODE);
        Add(node.Text(8, inputs).Truth("is_cpu_op", false));
    }

    void WriteOperation(uint32_t number, const RankOperation& operation)
    {
        ChakraMessage node;
        node.Number(1, GetId(number)).Text(2, operation.label).Number(3, GetType(operation));
        node.Numbers(5, FindEarlier(number, operation));
        if (operation.kind == RankOperation::Kind::COMPUTE)
        {
            constexpr uint64_t MICROSECOND = 1'000'000;
            const auto picoseconds = static_cast<uint64_t>(operation.duration.GetTimeStep());
            node.Number(7, picoseconds / MICROSECOND + (picoseconds % MICROSECOND != 0 ? 1 : 0));
            if (picoseconds % MICROSECOND != 0)
            {
                node.Attribute("duration_ps", picoseconds);
            }
        }
        node.Truth("is_cpu_op", false);
        if (operation.stream != 0)
        {
            node.Attribute("stream", operation.stream);
        }
        switch (operation.kind)
        {
        case RankOperation::Kind::ITERATION:
            node.Truth("iteration", true);
            break;
        case RankOperation::Kind::SEND:
        case RankOperation::Kind::RECEIVE:
            AddMessage(node, operation);
            break;
        case RankOperation::Kind::COLLECTIVE:
            AddCollective(node, number, operation);
            break;
        default:
            break;
        }
        Add(node);
    }

    /** @return the id of an operation's node */
    static uint64_t GetId(uint32_t operation)
    {
        return uint64_t{operation} + 1;
    }

    static uint64_t GetType(const RankOperation& operation)
    {
        switch (operation.kind)
        {
        case RankOperation::Kind::SEND:
            return COMM_SEND_NODE;
        case RankOperation::Kind::RECEIVE:
            return COMM_RECV_NODE;
        case RankOperation::Kind::COLLECTIVE:
            return COMM_COLL_NODE;
        case RankOperation::Kind::ITERATION:
            return METADATA_NODE;
        default:
            return COMP_NODE;
        }
    }

    /** @return the ids of the nodes that an operation follows */
    std::vector<uint64_t> FindEarlier(uint32_t number, const RankOperation& operation)
    {
        std::vector<uint64_t> ids;
        for (const uint32_t earlier : m_order.Follow(number, operation))
        {
            ids.push_back(GetId(earlier));
        }
        return ids;
    }

    /** Adds the attributes of a send or receive. */
    void AddMessage(ChakraMessage& node, const RankOperation& operation) const
    {
        const uint32_t group = m_own.groups[operation.group];
        const uint32_t peer = m_job.groups[group].ranks[operation.place];
        const bool sends = operation.kind == RankOperation::Kind::SEND;
        node.Attribute("comm_size", operation.bytes);
        node.Attribute32("comm_src", sends ? m_rank : peer);
        node.Attribute32("comm_dst", sends ? peer : m_rank);
        node.Attribute32("comm_tag", group).Attribute("pg_name", std::to_string(group));
    }

    /** Adds the attributes of a collective. */
    void AddCollective(ChakraMessage& node, uint32_t number, const RankOperation& operation)
    {
        const uint32_t group = m_own.groups[operation.group];
        const std::vector<uint32_t>& ranks = m_job.groups[group].ranks;
        node.Attribute("comm_type", FindCommType(operation.collective).value_or(0));
        const bool isGather = operation.collective == CollectiveKind::ALL_GATHER;
        const bool isByMatrix = operation.collective == CollectiveKind::ALL_TO_ALL_V;
        node.Attribute("comm_size",
                       isGather     ? operation.bytes / ranks.size()
                       : isByMatrix ? CountSent(ranks, *operation.demand)
                                    : operation.bytes);
        node.Attribute("pg_name", std::to_string(group));
        if (isByMatrix || (isGather && operation.bytes % ranks.size() != 0))
        {
            node.Attribute("comm_buffer", operation.bytes);
        }
        if (operation.collective == CollectiveKind::BROADCAST)
        {
            node.Attribute32("comm_src", ranks[operation.place]);
        }
        if (operation.collective == CollectiveKind::REDUCE)
        {
            node.Attribute32("comm_dst", ranks[operation.place]);
        }
        if (!operation.algorithm.empty())
        {
            node.Attribute("comm_algorithm", operation.algorithm);
        }
        if (operation.straggler != 0)
        {
            node.Attribute("comm_straggler", operation.straggler);
        }
        if (isByMatrix)
        {
            AddMatrix(node, number, operation.demand.get());
        }
    }

    /** @return the bytes that the rank sends */
    uint64_t CountSent(const std::vector<uint32_t>& ranks, const DemandMatrix& demand) const
    {
        const uint32_t own = std::find(ranks.begin(), ranks.end(), m_rank) - ranks.begin();
        uint64_t bytes = 0;
        for (uint32_t to = 0; to < ranks.size(); ++to)
        {
            bytes += to == own ? 0 : demand.Get(own, to);
        }
        return bytes;
    }

    /** Adds a matrix, or the earlier node that has it. */
    void AddMatrix(ChakraMessage& node, uint32_t number, const DemandMatrix* demand)
    {
        const auto [known, isNew] = m_matrices.emplace(demand, number);
        if (!isNew)
        {
            node.Attribute("comm_matrix_of", GetId(known->second));
            return;
        }
        std::vector<uint64_t> bytes;
        for (uint32_t from = 0; from < demand->GetRanks(); ++from)
        {
            for (uint32_t to = 0; to < demand->GetRanks(); ++to)
            {
                bytes.push_back(demand->Get(from, to));
            }
        }
        node.Attribute("comm_matrix", bytes);
    }

    const JobPrograms& m_job;
    uint32_t m_rank;
    const JobPrograms::Rank& m_own;
    const ChakraTraceWriter::Sink& m_sink;
    std::string m_bytes;                                //!< not in the sink yet
    StreamOrder m_order;                                //!< of the operations so far
    std::map<const DemandMatrix*, uint32_t> m_matrices; //!< first operation with it
};

} // namespace

ChakraTraceWriter::ChakraTraceWriter(const JobPrograms& job)
    : m_job(job)
{
}

std::string
ChakraTraceWriter::FindWhyNot() const
{
    return FindFirst(m_job, [](const RankOperation& operation) -> std::string {
        if (operation.kind == RankOperation::Kind::CIRCUITS)
        {
            return "a circuit hint, which Chakra has no node for (the policy co-scheduled adds its "
                   "own)";
        }
        if (operation.kind != RankOperation::Kind::COLLECTIVE)
        {
            return "";
        }
        if (!FindCommType(operation.collective))
        {
            return std::string("a collective ") + ToString(operation.collective) +
                   ", which Chakra has no type for";
        }
        const uint64_t ranks = operation.demand ? operation.demand->GetRanks() : 0;
        return ranks * ranks > MOST_OF_MATRIX
                   ? "a matrix of " + std::to_string(ranks * ranks) + " numbers, where " +
                         std::to_string(MOST_OF_MATRIX) + " are the most"
                   : "";
    });
}

void
ChakraTraceWriter::Write(uint32_t rank, const Sink& sink) const
{
    RankWriter(m_job, rank, sink).Write();
}

} // namespace ns3
