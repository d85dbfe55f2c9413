/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Finds stretches in the order of a program, which has them.

#include "program-order.h"
#include "program-stretches.h"
#include "rank-program.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/** What an operation does. */
using Deed =
    std::tuple<RankOperation::Kind, int64_t, CollectiveKind, uint64_t, std::string, uint32_t>;

Deed
MakeDeed(const RankOperation& call)
{
    return {call.kind,
            call.duration.GetTimeStep(),
            call.collective,
            call.bytes,
            call.algorithm,
            call.place};
}

/** Finds the stretches of a program. */
class StretchFinder
{
  public:
    StretchFinder(const RankProgram& program, const ProgramOrder& order)
        : m_operations(program.GetOperations()),
          m_order(order),
          m_isAwaited(m_operations.size())
    {
        std::vector<uint32_t> last(order.GetFlows().size(), ProgramOrder::NONE); // by flow
        for (uint32_t operation = 0; operation < m_operations.size(); ++operation)
        {
            for (const uint32_t earlier : m_operations[operation].after)
            {
                Await(operation, earlier);
            }
            if (m_operations[operation].IsExchange())
            {
                uint32_t& before = last[order.GetFlow(operation)];
                if (before != ProgramOrder::NONE)
                {
                    Await(operation, before);
                }
                before = operation;
            }
        }
    }

    std::vector<ProgramStretch> Find()
    {
        for (const std::vector<uint32_t>& stream : m_order.GetStreams())
        {
            for (const uint32_t operation : stream)
            {
                Take(operation);
            }
            Close();
        }
        return std::move(m_found);
    }

  private:
    /** An operation begins after an earlier one. */
    void Await(uint32_t operation, uint32_t earlier)
    {
        const bool isOther = m_operations[earlier].stream != m_operations[operation].stream;
        m_isAwaited[earlier] = m_isAwaited[earlier] || isOther;
    }

    /** Adds an operation to the stretch that is open, or begins another one. */
    void Take(uint32_t operation)
    {
        const RankOperation& call = m_operations[operation];
        if (!MayBeInOne(call))
        {
            Close();
            return;
        }
        if (DependsOnOthers(call) || !Continues(operation))
        {
            Close();
        }
        m_open.operations.push_back(operation);
        if (call.kind == RankOperation::Kind::COLLECTIVE)
        {
            m_open.group = call.group;
            m_open.firstCollective =
                m_collective == 0 ? m_open.operations.size() - 1 : m_open.firstCollective;
            m_next = m_order.GetNumber(operation) + 1;
            ++m_collective;
        }
        if (m_isAwaited[operation])
        {
            Close();
        }
    }

    static bool MayBeInOne(const RankOperation& call)
    {
        return !call.isBackground && !call.demand && !call.isOverHosts && !call.checkpoint &&
               (call.kind == RankOperation::Kind::COMPUTE ||
                call.kind == RankOperation::Kind::COLLECTIVE);
    }

    bool DependsOnOthers(const RankOperation& call) const
    {
        return std::any_of(call.after.begin(), call.after.end(), [&](uint32_t earlier) {
            return m_operations[earlier].stream != call.stream;
        });
    }

    /** @return whether an operation is of the group of the open stretch, and next in its flow */
    bool Continues(uint32_t operation) const
    {
        const RankOperation& call = m_operations[operation];
        return m_collective == 0 || call.kind == RankOperation::Kind::COMPUTE ||
               (call.group == m_open.group && m_order.GetNumber(operation) == m_next);
    }

    void Close()
    {
        if (m_collective >= 2)
        {
            std::vector<Deed> deeds;
            for (const uint32_t operation : m_open.operations)
            {
                deeds.push_back(MakeDeed(m_operations[operation]));
            }
            const auto key = std::make_pair(m_open.group, std::move(deeds));
            m_open.shape = m_shapes.try_emplace(key, m_shapes.size()).first->second;
            m_found.push_back(std::move(m_open));
        }
        m_open = {};
        m_collective = 0;
    }

    const std::vector<RankOperation>& m_operations;
    const ProgramOrder& m_order;
    std::vector<bool> m_isAwaited; //!< by operation: another stream depends on it
    std::vector<ProgramStretch> m_found;
    std::map<std::pair<uint32_t, std::vector<Deed>>, uint32_t> m_shapes;
    ProgramStretch m_open;
    uint32_t m_collective{0}; //!< operations of the open one
    uint64_t m_next{0};       //!< the number in the flow of its next one
};

} // namespace

ProgramStretches::ProgramStretches(const RankProgram& program, const ProgramOrder& order)
    : m_stretches(StretchFinder(program, order).Find()),
      m_at(program.GetOperations().size(), NONE)
{
    for (uint32_t s = 0; s < m_stretches.size(); ++s)
    {
        m_at[m_stretches[s].operations.front()] = s;
        m_shapes = std::max(m_shapes, m_stretches[s].shape + 1);
    }
}

} // namespace ns3
