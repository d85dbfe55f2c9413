/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "demand-decomposition.h"

#include "ns3/assert.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edge_coloring.hpp>
#include <utility>

namespace ns3
{

namespace
{

bool
HasDemand(const DemandMatrix& demand, const RankPair& pair)
{
    return demand.Get(pair.first, pair.second) > 0 || demand.Get(pair.second, pair.first) > 0;
}

/** @return the matchings of the method of Misra and Gries, some of which may be empty */
std::vector<RankMatching>
ColourEdges(const DemandMatrix& demand)
{
    using Colour = boost::property<boost::edge_index_t, std::size_t>;
    using Graph = boost::
        adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Colour>;
    Graph graph(demand.GetRanks());
    for (uint32_t low = 0; low < demand.GetRanks(); ++low)
    {
        for (uint32_t high = low + 1; high < demand.GetRanks(); ++high)
        {
            if (HasDemand(demand, {low, high}))
            {
                boost::add_edge(low, high, graph);
            }
        }
    }
    const auto colours = boost::get(boost::edge_index, graph);
    std::vector<RankMatching> matchings(boost::edge_coloring(graph, colours));
    for (auto [edge, end] = boost::edges(graph); edge != end; ++edge)
    {
        const uint32_t one = boost::source(*edge, graph);
        const uint32_t other = boost::target(*edge, graph);
        matchings[boost::get(colours, *edge)].push_back(std::minmax(one, other));
    }
    return matchings;
}

void
DropEmpty(std::vector<RankMatching>& matchings)
{
    matchings.erase(std::remove_if(matchings.begin(),
                                   matchings.end(),
                                   [](const RankMatching& one) { return one.empty(); }),
                    matchings.end());
}

/** Keeps a perfect matching of rows to columns on the positive entries of a shrinking matrix. */
class PerfectMatching
{
  public:
    explicit PerfectMatching(const DemandMatrix& matrix)
        : m_matrix(matrix),
          m_column(matrix.GetRanks(), NONE),
          m_row(matrix.GetRanks(), NONE)
    {
    }

    /**
     * Removes entries that have become zero, and completes the matching by augmenting paths: an
     * entry becomes zero once, so all terms of a decomposition together need at most n^2 searches.
     */
    void Mend()
    {
        for (uint32_t row = 0; row < m_column.size(); ++row)
        {
            if (m_column[row] != NONE && m_matrix.Get(row, m_column[row]) == 0)
            {
                m_row[m_column[row]] = NONE;
                m_column[row] = NONE;
            }
        }
        for (uint32_t row = 0; row < m_column.size(); ++row)
        {
            if (m_column[row] == NONE)
            {
                m_seen.assign(m_column.size(), false);
                [[maybe_unused]] const bool found = Augment(row);
                NS_ASSERT_MSG(found, "equal sums have a perfect matching");
            }
        }
    }

    /** @return the column of each row */
    const std::vector<uint32_t>& Get() const
    {
        return m_column;
    }

  private:
    static constexpr uint32_t NONE = UINT32_MAX;

    bool Augment(uint32_t row)
    {
        for (uint32_t column = 0; column < m_row.size(); ++column)
        {
            if (m_matrix.Get(row, column) > 0 && !m_seen[column])
            {
                m_seen[column] = true;
                if (m_row[column] == NONE || Augment(m_row[column]))
                {
                    m_row[column] = row;
                    m_column[row] = column;
                    return true;
                }
            }
        }
        return false;
    }

    const DemandMatrix& m_matrix;
    std::vector<uint32_t> m_column; //!< by row
    std::vector<uint32_t> m_row;    //!< by column
    std::vector<bool> m_seen;       //!< columns of this search
};

} // namespace

std::vector<RankMatching>
ColourIntoMatchings(const DemandMatrix& demand)
{
    std::vector<RankMatching> coloured = ColourEdges(demand);
    std::vector<RankMatching> tournament = MakeTournament(demand.GetRanks());
    for (RankMatching& round : tournament)
    {
        round.erase(std::remove_if(round.begin(),
                                   round.end(),
                                   [&](const RankPair& pair) { return !HasDemand(demand, pair); }),
                    round.end());
    }
    DropEmpty(coloured);
    DropEmpty(tournament);
    // where all ranks have data for all, the tournament has one round less
    return tournament.size() <= coloured.size() ? tournament : coloured;
}

DemandMatrix
PadToEqualSums(const DemandMatrix& demand)
{
    const uint32_t n = demand.GetRanks();
    DemandMatrix padded(n);
    std::vector<uint64_t> rows(n);
    std::vector<uint64_t> columns(n);
    for (uint32_t from = 0; from < n; ++from)
    {
        for (uint32_t to = 0; to < n; ++to)
        {
            const uint64_t bytes = from == to ? 0 : demand.Get(from, to);
            padded.Set(from, to, bytes);
            rows[from] += bytes;
            columns[to] += bytes;
        }
    }
    uint64_t sum = 0;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        sum = std::max({sum, rows[rank], columns[rank]});
    }
    // first the diagonal; then each row fills the lack of columns, whose sum equals its own
    for (uint32_t ahead = 0; ahead < n; ++ahead)
    {
        for (uint32_t from = 0; from < n; ++from)
        {
            const uint32_t to = (from + ahead) % n;
            const uint64_t pad = sum - std::max(rows[from], columns[to]);
            padded.Set(from, to, padded.Get(from, to) + pad);
            rows[from] += pad;
            columns[to] += pad;
        }
    }
    return padded;
}

std::vector<WeightedPermutation>
DecomposeIntoPermutations(const DemandMatrix& demand)
{
    const uint32_t n = demand.GetRanks();
    DemandMatrix left = PadToEqualSums(demand);
    uint64_t sum = 0;
    for (uint32_t to = 0; to < n; ++to)
    {
        sum += left.Get(0, to);
    }
    std::vector<WeightedPermutation> terms;
    PerfectMatching matching(left);
    while (sum > 0)
    {
        matching.Mend();
        WeightedPermutation term{sum, matching.Get()};
        for (uint32_t from = 0; from < n; ++from)
        {
            term.bytes = std::min(term.bytes, left.Get(from, term.to[from]));
        }
        for (uint32_t from = 0; from < n; ++from)
        {
            left.Set(from, term.to[from], left.Get(from, term.to[from]) - term.bytes);
        }
        sum -= term.bytes;
        terms.push_back(std::move(term));
    }
    return terms;
}

} // namespace ns3
