/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "weighted-matching.h"

#include "ns3/assert.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

// The algorithm keeps a price for every vertex and every blossom (an odd cycle, shrunk to one
// node), such that an edge weighs no more than the prices of its ends and of the blossoms that it
// is inside of. An edge with equality is tight. It grows alternating trees of tight edges from all
// single nodes until two trees touch, which is a path to match one more pair along; when they can't
// grow, it changes prices until an edge becomes tight. When a single vertex's price is 0, the
// prices prove that no matching weighs more.
//
// Nodes are numbered from 1, as 0 is none: first the vertices, then blossoms. Prices are twice
// their value, so that halves are integers.

namespace ns3
{

namespace
{

using NodeNumber = uint32_t;

class BlossomMatching
{
  public:
    explicit BlossomMatching(const std::vector<std::vector<int64_t>>& weights)
        : m_vertices(weights.size()),
          m_nodes(m_vertices),
          m_table(m_vertices + m_vertices / 2 + 2),
          m_edges(m_table * m_table),
          m_member(m_table * m_table),
          m_price(m_table),
          m_label(m_table),
          m_cycle(m_table)
    {
        for (auto* column : {&m_match, &m_slackest, &m_outermost, &m_parent, &m_visited})
        {
            column->resize(m_table);
        }
        int64_t greatest = 0;
        for (NodeNumber u = 1; u <= m_vertices; ++u)
        {
            m_outermost[u] = u;
            Member(u, u) = u;
            for (NodeNumber v = 1; v <= m_vertices; ++v)
            {
                NS_ASSERT_MSG(weights[u - 1][v - 1] == weights[v - 1][u - 1], "not symmetric");
                const int64_t weight = u == v ? 0 : std::max<int64_t>(weights[u - 1][v - 1], 0);
                At(u, v) = {u, v, weight};
                greatest = std::max(greatest, weight);
            }
        }
        NS_ASSERT_MSG(greatest <= int64_t{1} << 60, "a weight beyond 2^60");
        std::fill_n(m_price.begin() + 1, m_vertices, greatest);
    }

    std::vector<uint32_t> Run()
    {
        while (MatchOneMore())
        {
        }
        std::vector<uint32_t> partners;
        for (NodeNumber u = 1; u <= m_vertices; ++u)
        {
            partners.push_back((m_match[u] == 0 ? u : m_match[u]) - 1);
        }
        return partners;
    }

  private:
    /** An edge of the graph; the edge of two nodes is the tightest of those of their vertices. */
    struct Edge
    {
        NodeNumber from{0};
        NodeNumber to{0};
        int64_t weight{0}; //!< 0: there is none
    };

    /** A node's place in the trees. */
    enum class Label : uint8_t
    {
        FREE, //!< in no tree
        EVEN, //!< an even number of edges from the root: the tree grows here
        ODD,
    };

    Edge& At(NodeNumber u, NodeNumber v)
    {
        return m_edges[std::size_t{u} * m_table + v];
    }

    /** The node of a blossom's cycle that a vertex is in; 0 if it is not in the blossom. */
    NodeNumber& Member(NodeNumber blossom, NodeNumber vertex)
    {
        return m_member[std::size_t{blossom} * m_table + vertex];
    }

    /** @return how much the prices of an edge's ends exceed its weight, twice */
    int64_t GetSlack(const Edge& edge)
    {
        return m_price[edge.from] + m_price[edge.to] - 2 * At(edge.from, edge.to).weight;
    }

    bool IsBlossom(NodeNumber node) const
    {
        return node > m_vertices;
    }

    bool IsOutermost(NodeNumber node) const
    {
        return m_outermost[node] == node;
    }

    /** Notes a vertex of an even node, if its edge to a node is the tightest one so far. */
    void NoteSlack(NodeNumber vertex, NodeNumber node)
    {
        NodeNumber& slackest = m_slackest[node];
        if (slackest == 0 || GetSlack(At(vertex, node)) < GetSlack(At(slackest, node)))
        {
            slackest = vertex;
        }
    }

    void FindSlack(NodeNumber node)
    {
        m_slackest[node] = 0;
        for (NodeNumber u = 1; u <= m_vertices; ++u)
        {
            if (At(u, node).weight > 0 && m_outermost[u] != node &&
                m_label[m_outermost[u]] == Label::EVEN)
            {
                NoteSlack(u, node);
            }
        }
    }

    /** Queues the vertices of a node for the search for tight edges. */
    void Enqueue(NodeNumber node)
    {
        if (!IsBlossom(node))
        {
            m_queue.push_back(node);
            return;
        }
        for (const NodeNumber inner : m_cycle[node])
        {
            Enqueue(inner);
        }
    }

    void SetOutermost(NodeNumber node, NodeNumber outermost)
    {
        m_outermost[node] = outermost;
        if (IsBlossom(node))
        {
            for (const NodeNumber inner : m_cycle[node])
            {
                SetOutermost(inner, outermost);
            }
        }
    }

    /**
     * Reverses a cycle if necessary, so that the way from its base is even.
     * @return the place of the node
     */
    std::size_t FindEvenWay(NodeNumber blossom, NodeNumber inner)
    {
        std::vector<NodeNumber>& cycle = m_cycle[blossom];
        if ((std::find(cycle.begin(), cycle.end(), inner) - cycle.begin()) % 2 != 0)
        {
            std::reverse(cycle.begin() + 1, cycle.end());
        }
        return std::find(cycle.begin(), cycle.end(), inner) - cycle.begin();
    }

    /** Matches a node along its edge to another, and the nodes inside it accordingly. */
    void SetMatch(NodeNumber u, NodeNumber v)
    {
        const Edge edge = At(u, v);
        m_match[u] = edge.to;
        if (IsBlossom(u))
        {
            const NodeNumber inner = Member(u, edge.from);
            const std::size_t place = FindEvenWay(u, inner);
            std::vector<NodeNumber>& cycle = m_cycle[u];
            for (std::size_t i = 0; i < place; ++i)
            {
                SetMatch(cycle[i], cycle[i ^ 1]);
            }
            SetMatch(inner, v);
            std::rotate(cycle.begin(), cycle.begin() + place, cycle.end());
        }
    }

    /** Exchanges matched and unmatched edges from an even node to its root. */
    void Augment(NodeNumber u, NodeNumber v)
    {
        const NodeNumber mate = m_outermost[m_match[u]];
        SetMatch(u, v);
        if (mate != 0)
        {
            const NodeNumber next = m_outermost[m_parent[mate]];
            SetMatch(mate, next);
            Augment(next, mate);
        }
    }

    /** @return the even node where the ways of two nodes to their roots meet, or 0 */
    NodeNumber FindMeeting(NodeNumber u, NodeNumber v)
    {
        for (++m_visit; u != 0 || v != 0; std::swap(u, v))
        {
            if (u != 0 && m_visited[u] == m_visit)
            {
                return u;
            }
            m_visited[u] = m_visit;
            const NodeNumber mate = u == 0 ? 0 : m_outermost[m_match[u]];
            u = mate == 0 ? 0 : m_outermost[m_parent[mate]];
        }
        return 0;
    }

    /** Appends the nodes from one up to a blossom's base to its cycle; odd ones become even. */
    void AddToCycle(NodeNumber blossom, NodeNumber from, NodeNumber base)
    {
        while (from != base)
        {
            const NodeNumber mate = m_outermost[m_match[from]];
            m_cycle[blossom].insert(m_cycle[blossom].end(), {from, mate});
            Enqueue(mate);
            from = m_outermost[m_parent[mate]];
        }
    }

    /** Shrinks the odd cycle that two touching even nodes of a tree close. */
    void Shrink(NodeNumber u, NodeNumber base, NodeNumber v)
    {
        const auto unused = std::find(m_outermost.begin() + m_vertices + 1, m_outermost.end(), 0U);
        const NodeNumber blossom = unused - m_outermost.begin();
        m_nodes = std::max(m_nodes, blossom);
        m_price[blossom] = 0;
        m_label[blossom] = Label::EVEN;
        m_match[blossom] = m_match[base];
        m_parent[blossom] = m_parent[base];
        m_cycle[blossom] = {base};
        AddToCycle(blossom, u, base);
        std::reverse(m_cycle[blossom].begin() + 1, m_cycle[blossom].end());
        AddToCycle(blossom, v, base);
        SetOutermost(blossom, blossom);
        CollectEdges(blossom);
        FindSlack(blossom);
    }

    /** Sets a new blossom's edge to each node to the tightest one of its members'. */
    void CollectEdges(NodeNumber blossom)
    {
        for (NodeNumber x = 1; x <= m_nodes; ++x)
        {
            At(blossom, x).weight = At(x, blossom).weight = 0;
            Member(blossom, x) = 0;
        }
        for (const NodeNumber inner : m_cycle[blossom])
        {
            for (NodeNumber x = 1; x <= m_nodes; ++x)
            {
                if (At(inner, x).weight > 0 && (At(blossom, x).weight == 0 ||
                                                GetSlack(At(inner, x)) < GetSlack(At(blossom, x))))
                {
                    At(blossom, x) = At(inner, x);
                    At(x, blossom) = At(x, inner);
                }
                if (x <= m_vertices && Member(inner, x) != 0)
                {
                    Member(blossom, x) = inner;
                }
            }
        }
    }

    /** Takes an odd blossom of price 0 apart; the even way of its cycle stays in the tree. */
    void Expand(NodeNumber blossom)
    {
        for (const NodeNumber inner : m_cycle[blossom])
        {
            SetOutermost(inner, inner);
        }
        const NodeNumber entry = Member(blossom, At(blossom, m_parent[blossom]).from);
        const std::size_t place = FindEvenWay(blossom, entry);
        const std::vector<NodeNumber>& cycle = m_cycle[blossom];
        for (std::size_t i = 0; i < place; i += 2)
        {
            const NodeNumber odd = cycle[i];
            const NodeNumber even = cycle[i + 1];
            m_parent[odd] = At(even, odd).from;
            m_label[odd] = Label::ODD;
            m_label[even] = Label::EVEN;
            m_slackest[odd] = 0;
            FindSlack(even);
            Enqueue(even);
        }
        m_label[entry] = Label::ODD;
        m_parent[entry] = m_parent[blossom];
        for (std::size_t i = place + 1; i < cycle.size(); ++i)
        {
            m_label[cycle[i]] = Label::FREE;
            FindSlack(cycle[i]);
        }
        m_outermost[blossom] = 0;
    }

    /** Follows a tight edge out of a tree. @return whether one more pair is matched */
    bool Follow(const Edge& edge)
    {
        const NodeNumber u = m_outermost[edge.from];
        const NodeNumber v = m_outermost[edge.to];
        if (m_label[v] == Label::FREE)
        {
            const NodeNumber mate = m_outermost[m_match[v]];
            m_parent[v] = edge.from;
            m_label[v] = Label::ODD;
            m_slackest[v] = m_slackest[mate] = 0;
            m_label[mate] = Label::EVEN;
            Enqueue(mate);
        }
        else if (m_label[v] == Label::EVEN)
        {
            const NodeNumber base = FindMeeting(u, v);
            if (base == 0)
            {
                Augment(u, v);
                Augment(v, u);
                return true;
            }
            Shrink(u, base, v);
        }
        return false;
    }

    /** Grows trees along tight edges. @return whether one more pair is matched */
    bool Grow()
    {
        while (!m_queue.empty())
        {
            const NodeNumber u = m_queue.front();
            m_queue.pop_front();
            if (m_label[m_outermost[u]] == Label::ODD)
            {
                continue;
            }
            for (NodeNumber v = 1; v <= m_vertices; ++v)
            {
                if (At(u, v).weight == 0 || m_outermost[u] == m_outermost[v])
                {
                    continue;
                }
                if (GetSlack(At(u, v)) > 0)
                {
                    NoteSlack(u, m_outermost[v]);
                }
                else if (Follow(At(u, v)))
                {
                    return true;
                }
            }
        }
        return false;
    }

    /** @return the step of prices until an edge becomes tight or a price becomes 0 */
    int64_t FindStep()
    {
        int64_t step = std::numeric_limits<int64_t>::max();
        for (NodeNumber x = 1; x <= m_nodes; ++x)
        {
            const Label label = m_label[m_outermost[x]];
            if (!IsBlossom(x) && label == Label::EVEN)
            {
                step = std::min(step, m_price[x]);
            }
            if (IsBlossom(x) && IsOutermost(x) && label == Label::ODD)
            {
                step = std::min(step, m_price[x] / 2);
            }
            if (IsOutermost(x) && m_slackest[x] != 0 && label != Label::ODD)
            {
                const int64_t slack = GetSlack(At(m_slackest[x], x));
                step = std::min(step, label == Label::FREE ? slack : slack / 2);
            }
        }
        return step;
    }

    /** @return false if a single vertex's price has become 0: no better matching exists */
    bool ChangePrices(int64_t step)
    {
        for (NodeNumber x = 1; x <= m_nodes; ++x)
        {
            const bool blossom = IsBlossom(x);
            const Label label = m_label[m_outermost[x]];
            if (!blossom && label == Label::EVEN && m_price[x] <= step)
            {
                return false;
            }
            if (label != Label::FREE && (!blossom || IsOutermost(x)))
            {
                // the edges inside a blossom stay as tight as they are
                const int64_t change = label == Label::EVEN ? -step : step;
                m_price[x] += blossom ? -2 * change : change;
            }
        }
        return true;
    }

    /** Follows the edges that have become tight. @return whether one more pair is matched */
    bool FollowTight()
    {
        for (NodeNumber x = 1; x <= m_nodes; ++x)
        {
            if (IsOutermost(x) && m_slackest[x] != 0 && m_outermost[m_slackest[x]] != x &&
                GetSlack(At(m_slackest[x], x)) == 0 && Follow(At(m_slackest[x], x)))
            {
                return true;
            }
        }
        for (NodeNumber b = m_vertices + 1; b <= m_nodes; ++b)
        {
            if (IsOutermost(b) && m_label[b] == Label::ODD && m_price[b] == 0)
            {
                Expand(b);
            }
        }
        return false;
    }

    /** @return false if the matching is the best */
    bool MatchOneMore()
    {
        std::fill(m_label.begin(), m_label.end(), Label::FREE);
        std::fill(m_slackest.begin(), m_slackest.end(), 0);
        m_queue.clear();
        for (NodeNumber x = 1; x <= m_nodes; ++x)
        {
            if (IsOutermost(x) && m_match[x] == 0)
            {
                m_parent[x] = 0;
                m_label[x] = Label::EVEN;
                Enqueue(x);
            }
        }
        if (m_queue.empty())
        {
            return false;
        }
        while (!Grow())
        {
            if (!ChangePrices(FindStep()))
            {
                return false;
            }
            if (FollowTight())
            {
                return true;
            }
        }
        return true;
    }

    NodeNumber m_vertices;               //!< number of vertices
    NodeNumber m_nodes;                  //!< the highest number of a node
    std::size_t m_table;                 //!< the length of a row
    std::vector<Edge> m_edges;           //!< by node and node
    std::vector<NodeNumber> m_member;    //!< by blossom and vertex
    std::vector<int64_t> m_price;        //!< by node
    std::vector<NodeNumber> m_match;     //!< by node: the vertex that it is matched to
    std::vector<NodeNumber> m_slackest;  //!< by node: the vertex of the tightest edge to it
    std::vector<NodeNumber> m_outermost; //!< by node: the blossom around all; 0: not in use
    std::vector<NodeNumber> m_parent;    //!< by odd node: the vertex through which it is reached
    std::vector<Label> m_label;          //!< by outermost node
    std::vector<uint32_t> m_visited;     //!< by node: number of the last visit
    std::vector<std::vector<NodeNumber>> m_cycle; //!< by blossom: its nodes, from the base
    std::deque<NodeNumber> m_queue;               //!< even vertices to search from
    uint32_t m_visit{0};
};

} // namespace

std::vector<uint32_t>
GetMaximumWeightMatching(const std::vector<std::vector<int64_t>>& weights)
{
    return BlossomMatching(weights).Run();
}

} // namespace ns3
