/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "goal-binary-reader.h"

#include "trace-text.h"

#include <array>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint64_t COOKIE = 4223;
constexpr uint64_t USED_COOKIE = 2342;
constexpr uint64_t BASE = 8;        //!< offsets of ranks are counted from here
constexpr uint64_t NODE_BYTES = 39; //!< 7 numbers of 4 bytes, one of 8, 3 of 1
constexpr uint32_t ANY = UINT32_MAX;

/** The type of a node. */
enum class GoalNode : uint8_t
{
    SEND = 1,
    RECEIVE = 2,
    CALC = 3,
};

/** Reads numbers of a file, one after another. */
class GoalBytes
{
  public:
    explicit GoalBytes(std::istream& in)
        : m_in(in)
    {
    }

    /** Goes to an offset. */
    void Seek(uint64_t offset)
    {
        m_in.clear();
        m_in.seekg(static_cast<std::streamoff>(offset));
        m_offset = offset;
    }

    /** @return a number of some bytes @param what its meaning, for the error */
    uint64_t Take(uint32_t bytes, const char* what)
    {
        std::array<char, 8> buffer{};
        if (!m_in.read(buffer.data(), bytes))
        {
            throw TraceMistake(what, "the end of the file");
        }
        m_offset += bytes;
        uint64_t number = 0;
        for (uint32_t k = bytes; k-- > 0;)
        {
            number = number << 8 | static_cast<unsigned char>(buffer[k]);
        }
        return number;
    }

    uint32_t Take32(const char* what)
    {
        return static_cast<uint32_t>(Take(4, what));
    }

    /** @return the offset of the next byte */
    uint64_t GetOffset() const
    {
        return m_offset;
    }

  private:
    std::istream& m_in;
    uint64_t m_offset{0};
};

/** A part of the list of nodes that wait for others. */
struct GoalList
{
    uint32_t count{0};
    uint32_t first{0}; //!< index in the list
};

/** Reads a file. */
class GoalBinaryReader
{
  public:
    GoalBinaryReader(GoalBytes& bytes, TraceConsumer& consumer)
        : m_bytes(bytes),
          m_consumer(consumer)
    {
    }

    void Read()
    {
        const uint64_t cookie = m_bytes.Take(8, "the number 4223 in the first 8 bytes");
        if (cookie != COOKIE)
        {
            throw TraceMistake("the number 4223 in the first 8 bytes",
                               std::to_string(cookie) +
                                   (cookie == USED_COOKIE
                                        ? ": a simulation with --save-mem has used the file up"
                                        : ""));
        }
        m_ranks = m_bytes.Take32("the number of ranks");
        TraceMistake::ThrowIf(m_consumer.Ranks(m_ranks));
        m_bytes.Take(2, "the largest cpu and nic");
        for (uint32_t rank = 0; rank < m_ranks; ++rank)
        {
            m_bytes.Seek(BASE + 6 + 16 * uint64_t{rank});
            const uint64_t first = m_bytes.Take(8, "the first byte of a rank");
            const uint64_t end = m_bytes.Take(8, "the end of a rank");
            if (first < 6 + 16 * uint64_t{m_ranks} || end < first || end > INT64_MAX - BASE)
            {
                throw TraceMistake("a part of rank " + std::to_string(rank) +
                                       " behind the table of ranks",
                                   std::to_string(first) + " to " + std::to_string(end));
            }
            m_bytes.Seek(BASE + first);
            ReadRank(rank, BASE + end);
        }
    }

  private:
    /** Reads the part of a rank. @param end of it in the file */
    void ReadRank(uint32_t rank, uint64_t end)
    {
        const uint32_t nodes = m_bytes.Take32("the number of nodes");
        const uint32_t roots = m_bytes.Take32("the number of nodes that wait for none");
        const uint64_t size =
            8 + 4 * uint64_t{roots} + NODE_BYTES * nodes; // without the list behind the nodes
        const uint64_t first = m_bytes.GetOffset() - 8;
        if (size > end - first)
        {
            throw TraceMistake(std::to_string(nodes) + " nodes in the " +
                                   std::to_string(end - first) + " bytes of rank " +
                                   std::to_string(rank),
                               std::to_string(size) + " that they take");
        }
        m_nodes.clear();
        m_waits.clear();
        m_after.clear();
        m_begun.clear();
        m_bytes.Seek(first + 8 + 4 * uint64_t{roots});
        for (uint32_t node = 0; node < nodes; ++node)
        {
            ReadNode(node);
        }
        ReadWaiting((end - first - size) / 4);
        for (uint32_t node = 0; node < nodes; ++node)
        {
            CheckWaits(node);
            TraceMistake::ThrowIf(m_consumer.Node(rank, m_nodes[node]));
            m_nodes[node] = TraceNode(); // the consumer has it
        }
    }

    /** Reads a node. */
    void ReadNode(uint32_t number)
    {
        TraceNode node;
        node.id = number;
        node.place = m_bytes.GetOffset();
        m_waits.push_back(m_bytes.Take32("a node"));
        const auto type = static_cast<GoalNode>(m_bytes.Take(1, "the type of a node"));
        const uint32_t peer = m_bytes.Take32("a peer");
        const uint64_t size = m_bytes.Take(8, "a size");
        const uint32_t tag = m_bytes.Take32("a tag");
        const auto cpu = static_cast<uint32_t>(m_bytes.Take(1, "a cpu"));
        m_bytes.Take(1, "a nic");
        switch (type)
        {
        case GoalNode::CALC:
            SetTime(node, size);
            node.stream = cpu;
            break;
        case GoalNode::SEND:
        case GoalNode::RECEIVE:
            node.kind = type == GoalNode::SEND ? TraceNode::Kind::SEND : TraceNode::Kind::RECEIVE;
            node.bytes = size;
            node.peer = TakeRank(peer);
            node.tag = tag;
            if (tag == ANY)
            {
                throw TraceMistake("a tag (-1 for any is not supported)", "-1");
            }
            break;
        default:
            throw TraceMistake("a node of type 1, 2 or 3",
                               std::to_string(static_cast<uint32_t>(type)));
        }
        m_after.push_back({m_bytes.Take32("dependencies"), m_bytes.Take32("dependencies")});
        m_begun.push_back({m_bytes.Take32("dependencies"), m_bytes.Take32("dependencies")});
        m_nodes.push_back(std::move(node));
    }

    static void SetTime(TraceNode& node, uint64_t nanoseconds)
    {
        constexpr uint64_t MOST = static_cast<uint64_t>(NEVER - 1) / 1000;
        if (nanoseconds > MOST)
        {
            throw TraceMistake("up to " + std::to_string(MOST) + " nanoseconds",
                               std::to_string(nanoseconds));
        }
        node.duration = static_cast<Picoseconds>(nanoseconds * 1000);
    }

    uint32_t TakeRank(uint32_t peer) const
    {
        if (peer >= m_ranks)
        {
            throw TraceMistake("a rank below " + std::to_string(m_ranks) +
                                   " (-1 for any is not supported)",
                               peer == ANY ? "-1" : std::to_string(peer));
        }
        return peer;
    }

    /** Reads the nodes that wait for others. @param count of them */
    void ReadWaiting(uint64_t count)
    {
        uint64_t next = 0; // in the list
        for (uint32_t node = 0; node < m_nodes.size(); ++node)
        {
            next = ReadWaitingFor(node, m_after[node], &TraceNode::after, next, count);
            next = ReadWaitingFor(node, m_begun[node], &TraceNode::begun, next, count);
        }
    }

    /** Reads the nodes that wait for one. @param next index in the list @return the one after */
    uint64_t ReadWaitingFor(uint32_t node,
                            const GoalList& list,
                            std::vector<uint64_t> TraceNode::*ids,
                            uint64_t next,
                            uint64_t count)
    {
        if (list.count == 0)
        {
            return next;
        }
        if (list.first != next || list.count > count - next)
        {
            throw TraceMistake(
                "the nodes that wait for node " + std::to_string(node) + " at place " +
                    std::to_string(next) + " of " + std::to_string(count) + ", in order",
                std::to_string(list.count) + " at place " + std::to_string(list.first));
        }
        for (uint32_t k = 0; k < list.count; ++k)
        {
            const uint32_t later = m_bytes.Take32("a node that waits");
            if (later >= m_nodes.size())
            {
                throw TraceMistake("a node below " + std::to_string(m_nodes.size()),
                                   std::to_string(later));
            }
            (m_nodes[later].*ids).push_back(node);
        }
        return next + list.count;
    }

    /** Refuses a node whose number of dependencies is not that of its list. */
    void CheckWaits(uint32_t node) const
    {
        const std::size_t waits = m_nodes[node].after.size() + m_nodes[node].begun.size();
        if (waits != m_waits[node])
        {
            throw TraceMistake(std::to_string(m_waits[node]) + " nodes that node " +
                                   std::to_string(node) + " waits for",
                               std::to_string(waits));
        }
    }

    GoalBytes& m_bytes;
    TraceConsumer& m_consumer;
    uint32_t m_ranks{0};
    // of the present rank, by node
    std::vector<TraceNode> m_nodes;
    std::vector<uint32_t> m_waits;
    std::vector<GoalList> m_after;
    std::vector<GoalList> m_begun;
};

} // namespace

TraceResult
ReadGoalBinary(std::istream& in, const std::string& name, TraceConsumer& consumer)
{
    consumer.File(name, false);
    GoalBytes bytes(in);
    try
    {
        GoalBinaryReader(bytes, consumer).Read();
    }
    catch (const TraceMistake& mistake)
    {
        TraceError error;
        error.file = name;
        error.offset = bytes.GetOffset();
        error.expected = mistake.GetExpected();
        error.found = mistake.GetFound();
        return error;
    }
    return {};
}

bool
IsGoalBinary(std::istream& in)
{
    // text begins with a letter, a blank or a comment, and has no byte of 0
    std::array<char, 8> first{};
    in.read(first.data(), first.size());
    const bool isBinary = in.gcount() == 8 && first[2] == 0 && first[7] == 0;
    in.clear();
    in.seekg(0);
    return isBinary;
}

} // namespace ns3
