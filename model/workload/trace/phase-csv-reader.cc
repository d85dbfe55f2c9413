/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-csv-reader.h"

#include "trace-text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** The columns that a table may have. */
enum class Column : uint8_t
{
    RANK,
    KIND,
    COLLECTIVE,
    PARALLELISM,
    GROUP,
    BYTES,
    DURATION,
    PEER,
    TAG,
    ROOT,
    STREAM,
    NAME,
};

/** Their names, in that order. */
constexpr std::array<const char*, 12> COLUMNS{"rank",
                                              "kind",
                                              "collective",
                                              "parallelism",
                                              "group",
                                              "bytes",
                                              "duration_us",
                                              "peer",
                                              "tag",
                                              "root",
                                              "stream",
                                              "name"};

/** @return all names of columns, for an error */
std::string
ListColumns()
{
    std::string words;
    for (const char* name : COLUMNS)
    {
        words += (words.empty() ? "" : ", ") + std::string(name);
    }
    return words;
}

/** @return text without the blanks round it */
std::string
Trim(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    const std::size_t last = text.find_last_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/** @return the cells of a line; none if there is nothing but a comment */
std::vector<std::string>
Cut(const std::string& line)
{
    const std::string text = line.substr(0, line.find('#'));
    std::vector<std::string> cells;
    if (Trim(text).empty())
    {
        return cells;
    }
    for (std::size_t first = 0; first <= text.size();)
    {
        const std::size_t end = std::min(text.find(',', first), text.size());
        cells.push_back(Trim(text.substr(first, end - first)));
        first = end + 1;
    }
    return cells;
}

/** Reads the table. */
class PhaseReader
{
  public:
    PhaseReader(TraceText& text, TraceConsumer& consumer)
        : m_text(text),
          m_consumer(consumer)
    {
    }

    void Read()
    {
        bool hasHeader = false;
        while (m_text.Next())
        {
            const std::vector<std::string> cells = Cut(m_text.GetLine());
            if (cells.empty())
            {
                continue;
            }
            if (hasHeader)
            {
                ReadRow(cells);
            }
            else if (m_ranks == 0)
            {
                ReadRanks(cells);
            }
            else if (cells[0] == "group")
            {
                ReadGroup(cells);
            }
            else
            {
                ReadHeader(cells);
                hasHeader = true;
            }
        }
        if (!hasHeader)
        {
            throw TraceMistake(m_ranks == 0 ? "\"ranks,\" and how many" : "the names of columns",
                               "the end of the file");
        }
    }

  private:
    /** Reads the number of ranks. */
    void ReadRanks(const std::vector<std::string>& cells)
    {
        if (cells[0] != "ranks" || cells.size() != 2)
        {
            throw TraceMistake("\"ranks,\" and how many", QuoteTraceText(m_text.GetLine()));
        }
        const uint64_t ranks = ReadTraceNumber(cells[1], MAX_TRACE_RANKS, "the number of ranks");
        TraceMistake::ThrowIf(m_consumer.Ranks(static_cast<uint32_t>(ranks)));
        m_ranks = static_cast<uint32_t>(ranks);
    }

    /** Reads a group. */
    void ReadGroup(const std::vector<std::string>& cells)
    {
        if (cells.size() != 3)
        {
            throw TraceMistake("\"group,\" a name, and ranks with blanks between them",
                               QuoteTraceText(m_text.GetLine()));
        }
        std::vector<uint32_t> ranks;
        std::string word;
        for (const char letter : cells[2] + " ")
        {
            if (letter != ' ' && letter != '\t')
            {
                word += letter;
            }
            else if (!word.empty())
            {
                ranks.push_back(ReadTraceNumber(word, m_ranks - 1, "a rank"));
                word.clear();
            }
        }
        TraceMistake::ThrowIf(m_consumer.Group(cells[1], ranks));
    }

    /** Reads the names of the columns. */
    void ReadHeader(const std::vector<std::string>& cells)
    {
        for (const std::string& cell : cells)
        {
            const auto found = std::find(COLUMNS.begin(), COLUMNS.end(), cell);
            const auto column = static_cast<Column>(found - COLUMNS.begin());
            if (found == COLUMNS.end() || Has(column))
            {
                throw TraceMistake("\"group,...\" or columns, each once, of: " + ListColumns(),
                                   QuoteTraceText(cell));
            }
            m_columns.push_back(column);
        }
        if (!Has(Column::RANK) || !Has(Column::KIND))
        {
            throw TraceMistake("the columns rank and kind", QuoteTraceText(m_text.GetLine()));
        }
    }

    /** @return whether the table has a column */
    bool Has(Column column) const
    {
        return std::find(m_columns.begin(), m_columns.end(), column) != m_columns.end();
    }

    /** Takes a cell of the row, and empties it. */
    std::string Take(Column column)
    {
        return std::exchange(m_cells[static_cast<std::size_t>(column)], "");
    }

    /** Takes a number of the row. @return the number, or no value if the cell is empty */
    std::optional<uint64_t> TakeNumber(Column column, uint64_t most)
    {
        const std::string cell = Take(column);
        return cell.empty() ? std::nullopt
                            : std::make_optional(ReadTraceNumber(cell, most, GetName(column)));
    }

    /** Takes a mandatory number. @return the number */
    uint64_t TakeDue(Column column, uint64_t most)
    {
        const std::optional<uint64_t> number = TakeNumber(column, most);
        if (!number)
        {
            throw TraceMistake("a number in column " + GetName(column), "an empty cell");
        }
        return *number;
    }

    static std::string GetName(Column column)
    {
        return COLUMNS.at(static_cast<std::size_t>(column));
    }

    /** Reads a row. */
    void ReadRow(const std::vector<std::string>& cells)
    {
        if (cells.size() != m_columns.size())
        {
            throw TraceMistake(std::to_string(m_columns.size()) + " cells",
                               std::to_string(cells.size()));
        }
        for (std::size_t column = 0; column < cells.size(); ++column)
        {
            m_cells[static_cast<std::size_t>(m_columns[column])] = cells[column];
        }
        const auto rank = static_cast<uint32_t>(TakeDue(Column::RANK, m_ranks - 1));
        const auto stream =
            static_cast<uint32_t>(TakeNumber(Column::STREAM, UINT32_MAX).value_or(0));
        TraceNode node;
        node.place = m_text.GetNumber();
        node.name = Take(Column::NAME);
        const std::string parallelism = Take(Column::PARALLELISM);
        node.name += (node.name.empty() || parallelism.empty() ? "" : " ") + parallelism;
        ReadKind(node);
        for (const Column column : m_columns)
        {
            const std::string cell = Take(column);
            if (!cell.empty())
            {
                throw TraceMistake("an empty cell in column " + GetName(column) +
                                       ", for which a row of this kind has no use",
                                   QuoteTraceText(cell));
            }
        }
        uint64_t& rows = m_rows[rank];
        node.id = rows++;
        node.stream = stream;
        const auto last = m_last.emplace(std::make_pair(rank, stream), node.id);
        if (!last.second)
        {
            node.after.push_back(last.first->second);
            last.first->second = node.id;
        }
        TraceMistake::ThrowIf(m_consumer.Node(rank, node));
    }

    /** Takes the cells of a row by its kind. */
    void ReadKind(TraceNode& node)
    {
        const std::string kind = Take(Column::KIND);
        if (kind == "compute")
        {
            node.duration = ReadTraceTime(Take(Column::DURATION), 6, GetName(Column::DURATION));
        }
        else if (kind == "collective")
        {
            ReadCollective(node);
        }
        else if (kind == "send" || kind == "receive")
        {
            node.kind = kind == "send" ? TraceNode::Kind::SEND : TraceNode::Kind::RECEIVE;
            node.bytes = TakeDue(Column::BYTES, UINT64_MAX);
            node.peer = static_cast<uint32_t>(TakeDue(Column::PEER, m_ranks - 1));
            node.tag = TakeNumber(Column::TAG, UINT64_MAX).value_or(0);
        }
        else
        {
            throw TraceMistake("compute, collective, send or receive in column kind",
                               QuoteTraceText(kind));
        }
    }

    /** Takes the cells of a collective. */
    void ReadCollective(TraceNode& node)
    {
        node.kind = TraceNode::Kind::COLLECTIVE;
        const std::string cell = Take(Column::COLLECTIVE);
        const std::optional<CollectiveKind> collective = FindCollectiveKind(cell);
        if (!collective || *collective == CollectiveKind::ALL_TO_ALL_V ||
            *collective == CollectiveKind::SEND_RECV)
        {
            throw TraceMistake("all-reduce, all-gather, reduce-scatter, broadcast, reduce, "
                               "all-to-all or barrier in column collective",
                               QuoteTraceText(cell));
        }
        node.collective = *collective;
        node.group = Take(Column::GROUP);
        if (*collective != CollectiveKind::BARRIER)
        {
            node.bytes = TakeDue(Column::BYTES, UINT64_MAX);
        }
        if (*collective == CollectiveKind::BROADCAST || *collective == CollectiveKind::REDUCE)
        {
            const std::optional<uint64_t> root = TakeNumber(Column::ROOT, m_ranks - 1);
            node.root = root ? std::make_optional(static_cast<uint32_t>(*root)) : std::nullopt;
        }
    }

    TraceText& m_text;
    TraceConsumer& m_consumer;
    uint32_t m_ranks{0};
    std::vector<Column> m_columns;
    std::array<std::string, COLUMNS.size()> m_cells;          //!< of the row, by column
    std::map<uint32_t, uint64_t> m_rows;                      //!< by rank
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_last; //!< by rank and stream: its id
};

} // namespace

TraceResult
ReadPhaseCsv(std::istream& in, const std::string& name, TraceConsumer& consumer)
{
    consumer.File(name, true);
    TraceText text(in, name);
    return text.Guard([&text, &consumer]() { PhaseReader(text, consumer).Read(); });
}

} // namespace ns3
