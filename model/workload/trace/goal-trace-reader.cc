/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "goal-trace-reader.h"

#include "trace-text.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

bool
IsLetter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

bool
IsDigit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/** Divides lines into words: names, numbers, signs, and "\n" for the end of a line. */
class GoalWords
{
  public:
    explicit GoalWords(TraceText& text)
        : m_text(text)
    {
    }

    /** @return the next word, without consuming it; empty: end of the text */
    const std::string& Peek()
    {
        if (!m_word)
        {
            m_word = Read();
        }
        return *m_word;
    }

    /** Consumes the next word. @return it */
    std::string Take()
    {
        std::string word = Peek();
        m_word.reset();
        return word;
    }

    /** Consumes a word if it is the next one. @return whether it is */
    bool Takes(const std::string& word)
    {
        const bool isNext = Peek() == word;
        if (isNext)
        {
            m_word.reset();
        }
        return isNext;
    }

    /** Consumes a word, which must be the next one. */
    void Expect(const std::string& word)
    {
        if (!Takes(word))
        {
            Fail("\"" + word + "\"");
        }
    }

    /** @return the next word, which must be a number */
    uint64_t TakeNumber(uint64_t most, const std::string& what)
    {
        if (Peek().empty() || !IsDigit(Peek()[0]))
        {
            Fail(what + ", a whole number up to " + std::to_string(most));
        }
        return ReadTraceNumber(Take(), most, what);
    }

    /** @return the next word, which must be a label */
    std::string TakeLabel()
    {
        if (Peek().empty() || !IsLetter(Peek()[0]))
        {
            Fail("a label");
        }
        return Take();
    }

    /** Skips ends of lines. */
    void SkipLines()
    {
        while (Takes("\n") || Takes(";"))
        {
        }
    }

    /** Throws an error at an unexpected word. */
    [[noreturn]] void Fail(const std::string& expected)
    {
        const std::string& word = Peek();
        throw TraceMistake(expected,
                           word.empty()   ? "the end of the file"
                           : word == "\n" ? "the end of the line"
                                          : QuoteTraceText(word));
    }

  private:
    /** @return the next word */
    std::string Read()
    {
        for (;;)
        {
            if (!m_hasLine)
            {
                m_hasLine = m_text.Next();
                m_next = 0;
                if (!m_hasLine)
                {
                    if (m_isComment)
                    {
                        throw TraceMistake("\"*/\" after \"/*\"", "the end of the file");
                    }
                    return "";
                }
            }
            const std::string& line = m_text.GetLine();
            SkipBlanks(line);
            if (m_next == line.size())
            {
                m_hasLine = false;
                if (m_isComment)
                {
                    continue;
                }
                return "\n";
            }
            return Cut(line);
        }
    }

    /** Skips blanks and comments. */
    void SkipBlanks(const std::string& line)
    {
        while (m_next < line.size())
        {
            if (m_isComment)
            {
                const std::size_t end = line.find("*/", m_next);
                m_isComment = end == std::string::npos;
                m_next = m_isComment ? line.size() : end + 2;
            }
            else if (line.compare(m_next, 2, "/*") == 0)
            {
                m_isComment = true;
                m_next += 2;
            }
            else if (line.compare(m_next, 2, "//") == 0)
            {
                m_next = line.size();
            }
            else if (line[m_next] == ' ' || line[m_next] == '\t')
            {
                ++m_next;
            }
            else
            {
                return;
            }
        }
    }

    /** @return the word that begins here */
    std::string Cut(const std::string& line)
    {
        const std::size_t first = m_next++;
        if (IsDigit(line[first]))
        {
            while (m_next < line.size() && IsDigit(line[m_next]))
            {
                ++m_next;
            }
        }
        else if (IsLetter(line[first]))
        {
            while (m_next < line.size() &&
                   (IsLetter(line[m_next]) || IsDigit(line[m_next]) || line[m_next] == '_'))
            {
                ++m_next;
            }
        }
        return line.substr(first, m_next - first);
    }

    TraceText& m_text;
    bool m_hasLine{false};
    bool m_isComment{false};
    std::size_t m_next{0}; //!< in the line
    std::optional<std::string> m_word;
};

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
        m_words.Expect("num_ranks");
        m_ranks = static_cast<uint32_t>(m_words.TakeNumber(MAX_TRACE_RANKS, "the number of ranks"));
        TraceMistake::ThrowIf(m_consumer.Ranks(m_ranks));
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
        for (m_words.SkipLines(); !m_words.Takes("}"); m_words.SkipLines())
        {
            ReadStatement();
        }
        for (const TraceNode& node : m_nodes)
        {
            TraceMistake::ThrowIf(m_consumer.Node(rank, node));
        }
    }

    /** Reads an operation or a dependency. */
    void ReadStatement()
    {
        std::string label;
        const std::string& next = m_words.Peek();
        if (next != "calc" && next != "send" && next != "recv")
        {
            if (next.empty() || !IsLetter(next[0]))
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
        if (!label.empty() && !m_labels.emplace(label, node.id).second)
        {
            throw TraceMistake("each label once in a rank", QuoteTraceText(label) + " again");
        }
        m_nodes.push_back(std::move(node));
    }

    /** Reads the options of an operation, and its end. */
    void ReadOptions(TraceNode& node)
    {
        const bool isExchange = node.kind != TraceNode::Kind::COMPUTE;
        for (bool isMore = true; isMore;)
        {
            if (m_words.Takes("cpu"))
            {
                const uint64_t cpu = m_words.TakeNumber(UINT8_MAX, "a cpu");
                node.stream = isExchange ? 0 : static_cast<uint32_t>(cpu);
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
    uint32_t m_ranks{0};
    std::vector<bool> m_isRead; //!< by rank
    std::vector<TraceNode> m_nodes;
    std::unordered_map<std::string, uint64_t> m_labels;
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
