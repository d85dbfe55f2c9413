/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "goal-trace-reader.h"

#include "goal-directive.h"
#include "goal-words.h"
#include "trace-text.h"

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** Reads the text. */
class GoalReader
{
  public:
    GoalReader(TraceText& text, TraceConsumer& consumer)
        : m_text(text),
          m_words(text),
          m_consumer(consumer)
    {
    }

    void Read()
    {
        m_words.SkipLines();
        m_isWhole = m_words.Takes(GoalDirective::HEADER);
        if (!m_isWhole)
        {
            m_words.IgnoreDirectives();
        }
        m_words.SkipLines();
        m_words.Expect("num_ranks");
        m_ranks = static_cast<uint32_t>(m_words.TakeNumber(MAX_TRACE_RANKS, "the number of ranks"));
        TraceMistake::ThrowIf(m_consumer.Ranks(m_ranks));
        ReadGroups();
        m_isRead.resize(m_ranks);
        uint32_t described = 0;
        for (m_words.SkipLines(); !m_words.Peek().empty(); m_words.SkipLines())
        {
            m_words.Expect("rank");
            ReadRank();
            ++described;
        }
        if (described < m_ranks)
        {
            uint32_t missing = 0;
            while (m_isRead[missing])
            {
                ++missing;
            }
            throw TraceMistake("a block for each of " + std::to_string(m_ranks) + " ranks",
                               "none for rank " + std::to_string(missing));
        }
    }

  private:
    /** A group of a whole program. */
    struct Group
    {
        std::string name;
        std::vector<uint32_t> ranks;
    };

    /** Reads the groups of whole programs, and passes them on. */
    void ReadGroups()
    {
        for (m_words.SkipLines(); m_words.IsDirective(); m_words.SkipLines())
        {
            GoalDirective directive(m_words.Take());
            const std::string word = directive.Take();
            if (word != "group" && word != "ranks")
            {
                throw TraceMistake("//! group or //! ranks", QuoteTraceText(word));
            }
            Group& group = m_groups[TakeGroup(directive)];
            if (word == "group")
            {
                group.name = directive.TakeText();
            }
            while (!directive.IsOver())
            {
                group.ranks.push_back(
                    static_cast<uint32_t>(directive.TakeNumber(m_ranks - 1, "a rank")));
            }
        }
        for (const auto& [number, group] : m_groups)
        {
            TraceMistake::ThrowIf(m_consumer.Group(std::to_string(number), group.ranks));
        }
    }

    static uint32_t TakeGroup(GoalDirective& directive)
    {
        return static_cast<uint32_t>(directive.TakeNumber(UINT32_MAX - 1, "the number of a group"));
    }

    /** Reads the block of a rank. */
    void ReadRank()
    {
        const auto rank = static_cast<uint32_t>(m_words.TakeNumber(m_ranks - 1, "a rank"));
        if (m_isRead[rank])
        {
            throw TraceMistake("each rank once", "rank " + std::to_string(rank) + " again");
        }
        m_isRead[rank] = true;
        m_words.SkipLines();
        m_words.Expect("{");
        m_nodes.clear();
        m_labels.clear();
        m_own.clear();
        m_matrices.clear();
        m_next = Next();
        for (m_words.SkipLines(); !m_words.Takes("}"); m_words.SkipLines())
        {
            if (m_words.IsDirective())
            {
                ReadDirective();
            }
            else
            {
                ReadStatement();
            }
        }
        if (m_block)
        {
            throw TraceMistake("//! end after //! collective", "the end of the rank");
        }
        if (m_isWhole)
        {
            TraceMistake::ThrowIf(m_consumer.Program(rank, m_own));
        }
        for (const TraceNode& node : m_nodes)
        {
            TraceMistake::ThrowIf(m_consumer.Node(rank, node));
        }
    }

    /** Reads a directive in the block of a rank. */
    void ReadDirective()
    {
        GoalDirective directive(m_words.Take());
        const std::string word = directive.Take();
        if (word == "groups")
        {
            while (!directive.IsOver())
            {
                const uint32_t number = TakeGroup(directive);
                m_own.push_back({number, m_groups[number].name, m_text.GetNumber()});
            }
        }
        else if (word == "matrix")
        {
            ReadMatrix(directive);
        }
        else if (word == "next")
        {
            ReadNext(directive);
        }
        else if (word == "collective" && !m_block)
        {
            ReadCollective(directive);
        }
        else if (word == "end" && m_block)
        {
            m_block.reset();
        }
        else
        {
            throw TraceMistake("//! groups, matrix, next, collective or end", QuoteTraceText(word));
        }
    }

    /** Reads the beginning or a part of a matrix: bytes from each place to each. */
    void ReadMatrix(GoalDirective& directive)
    {
        constexpr uint64_t MOST = 1'000; // ranks, as in Chakra
        Matrix& matrix = m_matrices[directive.TakeNumber(UINT32_MAX, "the number of a matrix")];
        if (matrix.ranks == 0)
        {
            matrix.ranks =
                static_cast<uint32_t>(directive.TakeNumber(MOST, "the ranks of a matrix"));
            return;
        }
        const std::size_t due = std::size_t{matrix.ranks} * matrix.ranks;
        while (!directive.IsOver())
        {
            matrix.bytes.push_back(directive.TakeNumber(UINT64_MAX, "bytes"));
            if (matrix.bytes.size() > due || matrix.demand)
            {
                throw TraceMistake(std::to_string(due) + " numbers of a matrix", "more");
            }
        }
        if (matrix.bytes.size() == due)
        {
            const auto demand = std::make_shared<DemandMatrix>(matrix.ranks);
            for (std::size_t k = 0; k < due; ++k)
            {
                demand->Set(k / matrix.ranks, k % matrix.ranks, matrix.bytes[k]);
            }
            matrix.demand = demand;
            matrix.bytes = {};
        }
    }

    /** Reads what the next operation has beside its words. */
    void ReadNext(GoalDirective& directive)
    {
        while (!directive.IsOver())
        {
            const std::string key = directive.Take();
            if (key == "ps")
            {
                m_next.duration = static_cast<Picoseconds>(
                    directive.TakeNumber(static_cast<uint64_t>(NEVER) - 1, "picoseconds"));
            }
            else if (key == "stream")
            {
                m_next.stream = TakeStream(directive);
            }
            else if (key == "group")
            {
                m_next.group = std::to_string(TakeGroup(directive));
            }
            else if (key == "iteration")
            {
                m_next.isIteration = true;
            }
            else if (key == "label")
            {
                m_next.name = directive.TakeText();
            }
            else
            {
                throw TraceMistake("ps, stream, group, iteration or label", QuoteTraceText(key));
            }
        }
    }

    static uint32_t TakeStream(GoalDirective& directive)
    {
        return static_cast<uint32_t>(directive.TakeNumber(UINT32_MAX - 1, "a stream"));
    }

    /** Reads a collective; until //! end its sends and receives follow, and are left out. */
    void ReadCollective(GoalDirective& directive)
    {
        TraceNode node;
        node.id = m_nodes.size();
        node.place = m_text.GetNumber();
        node.kind = TraceNode::Kind::COLLECTIVE;
        const std::string name = directive.TakeWord("a collective");
        const std::optional<CollectiveKind> kind = FindCollectiveKind(name);
        if (!kind)
        {
            throw TraceMistake("a collective such as all-reduce", QuoteTraceText(name));
        }
        node.collective = *kind;
        while (!directive.IsOver())
        {
            ReadOfCollective(directive, node);
        }
        m_block = m_nodes.size();
        m_nodes.push_back(std::move(node));
    }

    /** Reads one key of a collective. */
    void ReadOfCollective(GoalDirective& directive, TraceNode& node)
    {
        const std::string key = directive.Take();
        if (key == "group")
        {
            node.group = std::to_string(TakeGroup(directive));
        }
        else if (key == "bytes")
        {
            node.bytes = directive.TakeNumber(UINT64_MAX, "bytes");
        }
        else if (key == "stream")
        {
            node.stream = TakeStream(directive);
        }
        else if (key == "root")
        {
            node.root = static_cast<uint32_t>(directive.TakeNumber(m_ranks - 1, "a rank"));
        }
        else if (key == "straggler")
        {
            node.straggler =
                static_cast<uint32_t>(directive.TakeNumber(m_ranks - 1, "a place in the group"));
        }
        else if (key == "algorithm")
        {
            node.algorithm = directive.TakeWord("an algorithm");
        }
        else if (key == "matrix")
        {
            const auto matrix = m_matrices.find(directive.TakeNumber(UINT32_MAX, "a matrix"));
            if (matrix == m_matrices.end() || !matrix->second.demand)
            {
                throw TraceMistake("a matrix that is above", "none, or a part of it");
            }
            node.demand = matrix->second.demand;
        }
        else if (key == "label")
        {
            node.name = directive.TakeText();
        }
        else
        {
            throw TraceMistake("group, bytes, stream, root, straggler, algorithm, matrix or label",
                               QuoteTraceText(key));
        }
    }

    /** Reads an operation or a dependency. */
    void ReadStatement()
    {
        std::string label;
        const std::string& next = m_words.Peek();
        if (next != "calc" && next != "send" && next != "recv")
        {
            if (!GoalWords::IsName(next))
            {
                m_words.Fail("\"calc\", \"send\", \"recv\", a label or \"}\"");
            }
            label = m_words.Take();
            if (m_words.Peek() == "requires" || m_words.Peek() == "irequires")
            {
                ReadDependency(label);
                return;
            }
            if (!m_words.Takes(":"))
            {
                m_words.Fail("\":\", \"requires\" or \"irequires\"");
            }
        }
        ReadOperation(label);
    }

    /** Reads a dependency after its first label. */
    void ReadDependency(const std::string& label)
    {
        const bool isStart = m_words.Take() == "irequires";
        const std::string other = m_words.TakeLabel();
        const uint64_t later = Find(label);
        const uint64_t earlier = Find(other);
        if (m_isWhole && later == earlier)
        {
            End(); // inside a collective
            return;
        }
        (isStart ? m_nodes[later].begun : m_nodes[later].after).push_back(earlier);
        End();
    }

    /** Reads an operation after its label. */
    void ReadOperation(const std::string& label)
    {
        TraceNode node;
        node.id = m_nodes.size();
        node.name = label;
        node.place = m_text.GetNumber();
        if (m_words.Takes("calc"))
        {
            constexpr uint64_t MOST = static_cast<uint64_t>(NEVER - 1) / 1000;
            const uint64_t nanoseconds = m_words.TakeNumber(MOST, "nanoseconds");
            node.duration = static_cast<Picoseconds>(nanoseconds * 1000);
        }
        else if (m_words.Peek() == "send" || m_words.Peek() == "recv")
        {
            const bool sends = m_words.Take() == "send";
            node.kind = sends ? TraceNode::Kind::SEND : TraceNode::Kind::RECEIVE;
            node.bytes = m_words.TakeNumber(UINT64_MAX, "a size in bytes");
            m_words.Expect("b");
            m_words.Expect(sends ? "to" : "from");
            node.peer = static_cast<uint32_t>(
                m_words.TakeNumber(m_ranks - 1, "a rank (-1 for any is not supported)"));
        }
        else
        {
            m_words.Fail("\"calc\", \"send\" or \"recv\"");
        }
        ReadOptions(node);
        node.id = m_block.value_or(node.id);
        if (!label.empty() && !m_labels.emplace(label, node.id).second)
        {
            throw TraceMistake("each label once in a rank", QuoteTraceText(label) + " again");
        }
        if (m_block)
        {
            return;
        }
        if (m_isWhole)
        {
            TakeNext(node);
        }
        m_nodes.push_back(std::move(node));
    }

    /** Sets what directives say of an operation. */
    void TakeNext(TraceNode& node)
    {
        const Next next = std::exchange(m_next, Next());
        node.name = next.name;
        node.group = next.group;
        node.duration = next.duration.value_or(node.duration);
        node.stream = next.stream.value_or(m_cpu);
        node.kind = next.isIteration ? TraceNode::Kind::ITERATION : node.kind;
    }

    /** Reads the options of an operation, and its end. */
    void ReadOptions(TraceNode& node)
    {
        const bool isExchange = node.kind != TraceNode::Kind::COMPUTE;
        m_cpu = 0;
        for (bool isMore = true; isMore;)
        {
            if (m_words.Takes("cpu"))
            {
                m_cpu = static_cast<uint32_t>(m_words.TakeNumber(UINT8_MAX, "a cpu"));
                node.stream = isExchange ? 0 : m_cpu;
            }
            else if (isExchange && m_words.Takes("nic"))
            {
                m_words.TakeNumber(UINT8_MAX, "a nic");
            }
            else if (isExchange && m_words.Takes("tag"))
            {
                node.tag = m_words.TakeNumber(UINT32_MAX, "a tag (-1 for any is not supported)");
            }
            else
            {
                isMore = false;
            }
        }
        const std::string& next = m_words.Peek();
        if (next != "\n" && next != ";" && next != "}")
        {
            m_words.Fail(isExchange ? "\"tag\", \"cpu\", \"nic\" or the end of the line"
                                    : "\"cpu\" or the end of the line");
        }
    }

    /** Requires the end of the statement. */
    void End()
    {
        const std::string& next = m_words.Peek();
        if (next != "\n" && next != ";" && next != "}")
        {
            m_words.Fail("the end of the line");
        }
    }

    /** @return the node of a label */
    uint64_t Find(const std::string& label) const
    {
        const auto found = m_labels.find(label);
        if (found == m_labels.end())
        {
            throw TraceMistake("a label that an operation of this rank has above",
                               QuoteTraceText(label));
        }
        return found->second;
    }

    TraceText& m_text;
    GoalWords m_words;
    TraceConsumer& m_consumer;

    /** What directives say of the next operation. */
    struct Next
    {
        std::optional<Picoseconds> duration{};
        std::optional<uint32_t> stream{};
        std::string group{};
        std::string name{};
        bool isIteration{false};
    };

    /** A matrix: bytes from each place to each. */
    struct Matrix
    {
        uint32_t ranks{0};
        std::vector<uint64_t> bytes{}; //!< so far
        std::shared_ptr<const DemandMatrix> demand{};
    };

    uint32_t m_ranks{0};
    bool m_isWhole{false};              //!< whether there are directives
    std::map<uint32_t, Group> m_groups; //!< of whole programs, by number
    std::vector<bool> m_isRead;         //!< by rank
    // of the present rank
    std::vector<TraceNode> m_nodes;
    std::unordered_map<std::string, uint64_t> m_labels;
    std::vector<TraceProgramGroup> m_own;
    std::map<uint64_t, Matrix> m_matrices;
    Next m_next;
    uint32_t m_cpu{0};               //!< of the present operation
    std::optional<uint64_t> m_block; //!< the collective whose sends and receives follow
};

} // namespace

TraceResult
ReadGoalTrace(std::istream& in, const std::string& name, TraceConsumer& consumer)
{
    consumer.File(name, true);
    TraceText text(in, name);
    return text.Guard([&text, &consumer]() { GoalReader(text, consumer).Read(); });
}

} // namespace ns3
