/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-control.h"

#include <algorithm>
#include <set>
#include <vector>

namespace ns3
{

namespace
{

/** Indices of nodes, by id. */
using Numbers = std::unordered_map<uint64_t, uint32_t>;

/** The nodes of a rank, begun in an order that their dependencies allow. */
class ControlOrder
{
  public:
    ControlOrder(std::vector<TraceNode>& nodes, const Numbers& numbers)
        : m_nodes(nodes),
          m_numbers(numbers),
          m_waits(nodes.size()),
          m_followers(nodes.size()),
          m_isOver(nodes.size())
    {
        for (uint32_t node = 0; node < nodes.size(); ++node)
        {
            RemoveMissing(nodes[node].control);
            Follow(node, nodes[node].after, &Waits::data);
            Follow(node, nodes[node].control, &Waits::control);
            Sort(node);
        }
    }

    /** Begins all nodes. @return what was left out */
    TraceLeftOut Run()
    {
        while (!m_ready.empty() || !m_held.empty())
        {
            std::set<uint32_t>& next = m_ready.empty() ? m_held : m_ready;
            const uint32_t node = *next.begin();
            next.erase(next.begin());
            Begin(node);
        }
        for (TraceNode& node : m_nodes)
        {
            node.after.insert(node.after.end(), node.control.begin(), node.control.end());
            node.control.clear();
        }
        return m_leftOut;
    }

  private:
    /** The dependencies of a node that are not over. */
    struct Waits
    {
        uint32_t data{0};
        uint32_t control{0};
    };

    /** A node that comes after another. */
    struct Follower
    {
        uint32_t node;
        uint32_t Waits::*kind;
    };

    /** Removes control dependencies on nodes that the rank does not have. */
    void RemoveMissing(std::vector<uint64_t>& ids)
    {
        const auto end = std::remove_if(ids.begin(), ids.end(), [this](uint64_t id) {
            return m_numbers.count(id) == 0;
        });
        m_leftOut.missing += ids.end() - end;
        ids.erase(end, ids.end());
    }

    void Follow(uint32_t node, const std::vector<uint64_t>& ids, uint32_t Waits::*kind)
    {
        for (const uint64_t id : ids)
        {
            const auto earlier = m_numbers.find(id);
            if (earlier != m_numbers.end()) // MakeTraceOrder() has the error of missing data
            {
                m_followers[earlier->second].push_back({node, kind});
                ++(m_waits[node].*kind);
            }
        }
    }

    /** Notes that a node may begin, or that only control dependencies hold it. */
    void Sort(uint32_t node)
    {
        const Waits& waits = m_waits[node];
        if (waits.data == 0 && !m_isOver[node])
        {
            (waits.control == 0 ? m_ready : m_held).insert(node);
        }
    }

    /** A node begins, without the control dependencies that are not over. */
    void Begin(uint32_t node)
    {
        std::vector<uint64_t>& control = m_nodes[node].control;
        const auto end = std::remove_if(control.begin(), control.end(), [this](uint64_t id) {
            return !m_isOver[m_numbers.at(id)];
        });
        m_leftOut.circular += control.end() - end;
        control.erase(end, control.end());
        m_isOver[node] = true;
        for (const Follower& follower : m_followers[node])
        {
            --(m_waits[follower.node].*follower.kind);
            m_held.erase(follower.node);
            Sort(follower.node);
        }
    }

    std::vector<TraceNode>& m_nodes;
    const Numbers& m_numbers;
    TraceLeftOut m_leftOut;
    std::vector<Waits> m_waits;                     //!< by node
    std::vector<std::vector<Follower>> m_followers; //!< by node
    std::vector<bool> m_isOver;                     //!< by node
    std::set<uint32_t> m_ready;                     //!< nodes that wait for none
    std::set<uint32_t> m_held;                      //!< by control dependencies only
};

} // namespace

TraceLeftOut
MergeControl(std::vector<TraceNode>& nodes, const std::unordered_map<uint64_t, uint32_t>& numbers)
{
    const bool isThere = std::any_of(nodes.begin(), nodes.end(), [](const TraceNode& node) {
        return !node.control.empty();
    });
    return isThere ? ControlOrder(nodes, numbers).Run() : TraceLeftOut();
}

} // namespace ns3
