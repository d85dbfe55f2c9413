/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-table.h"

#include "path-report.h"

#include "ns3/option-value.h"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <set>
#include <sstream>
#include <string>

namespace ns3
{

TrainingTable::TrainingTable(std::ostream& os, const std::vector<TrainingVariant>& variants)
    : m_os(os),
      m_variants(variants),
      m_state(variants.size(), State::RUNS),
      m_figures(variants.size())
{
}

void
TrainingTable::PrintHead()
{
    const std::string wider(GetPolicyWidth(m_variants) - 13, ' ');
    m_os << "\npolicy" << wider
         << "        reconfiguration  iteration      more   exposed    hidden     "
            " idle  reconfigurations  windows     frames    cpu\n"
         << wider
         << "                                     (s)       (s)       (s)       (s)     "
            "  (s)                     > 1 ms  (million)    (s)"
         << std::endl;
}

void
TrainingTable::Add(std::size_t which, const std::optional<TrainingFigures>& figures)
{
    m_state[which] = figures ? State::WAITS : State::PRINTED;
    m_figures[which] = figures;
    for (std::size_t i = 0; i < m_variants.size(); ++i)
    {
        const std::size_t base = FindBase(i);
        if (m_state[i] == State::WAITS && m_state[base] != State::RUNS)
        {
            Print(i, base);
            m_state[i] = State::PRINTED;
        }
    }
}

void
TrainingTable::PrintFoot()
{
    m_os << "\nof an iteration, the mean of all but the first; frames, cpu: of the run\n"
            "more: than with circuits that reconfigure at once; exposed: a rank waits for "
            "circuits; hidden: they reconfigure unnoticed;\nidle: a GPU does not compute; the "
            "mean of ranks"
         << std::endl;
    PrintLinkUps();
    PrintPaths();
    PrintFolds();
}

void
TrainingTable::PrintFolds()
{
    std::set<std::string> different;
    std::ostringstream lines;
    for (std::size_t i = 0; i < m_variants.size(); ++i)
    {
        if (m_figures[i])
        {
            const std::string fold = DescribeFold(*m_figures[i]);
            different.insert(fold);
            lines << m_variants[i].GetName() << ": " << fold << "\n";
        }
    }
    m_os << (different.size() == 1 ? *different.begin() + "\n" : lines.str()) << std::flush;
}

void
TrainingTable::PrintPaths()
{
    std::set<std::string> different;
    std::ostringstream lines;
    for (std::size_t i = 0; i < m_variants.size(); ++i)
    {
        if (m_figures[i])
        {
            const std::string paths = DescribePaths(m_figures[i]->paths);
            different.insert(paths);
            lines << "\n" << m_variants[i].GetName() << ": " << paths;
        }
    }
    m_os << "operations (and bytes) by path"
         << (different.size() == 1 ? ": " + *different.begin() : lines.str()) << std::endl;
}

void
TrainingTable::PrintLinkUps()
{
    for (std::size_t i = 0; i < m_variants.size(); ++i)
    {
        if (!m_figures[i] || m_figures[i]->exposedLinkUp + m_figures[i]->hiddenLinkUp == 0)
        {
            continue;
        }
        const TrainingFigures& one = *m_figures[i];
        m_os << m_variants[i].policy
             << (m_variants[i].delay ? ", " + ToOption(*m_variants[i].delay) : "") << std::fixed
             << std::setprecision(4) << ": exposed is " << one.exposed - one.exposedLinkUp
             << " s of switching and " << one.exposedLinkUp << " s of link-up, hidden "
             << one.hidden - one.hiddenLinkUp << " s and " << one.hiddenLinkUp << " s" << std::endl;
    }
}

std::size_t
TrainingTable::FindBase(std::size_t which) const
{
    for (std::size_t i = 0; i < m_variants.size(); ++i)
    {
        if (m_variants[i].policy == m_variants[which].policy && m_variants[i].delay &&
            m_variants[i].delay->IsZero())
        {
            return i;
        }
    }
    return which;
}

void
TrainingTable::Print(std::size_t which, std::size_t base)
{
    const TrainingVariant& run = m_variants[which];
    const TrainingFigures& one = *m_figures[which];
    const bool hasBase = run.delay && m_figures[base] && m_variants[base].delay->IsZero();
    std::ostringstream more;
    more << std::fixed << std::setprecision(4)
         << one.iteration - (hasBase ? m_figures[base]->iteration : 0);
    m_os << std::left << std::setw(GetPolicyWidth(m_variants)) << run.policy << std::right
         << std::fixed << std::setw(16) << (run.delay ? ToOption(*run.delay) : "-")
         << std::setprecision(4) << std::setw(11) << one.iteration << std::setw(10)
         << (hasBase ? more.str() : "-") << std::setw(10) << one.exposed << std::setw(10)
         << one.hidden << std::setw(10) << one.idle << std::setw(18) << one.reconfigurations
         << std::setprecision(0) << std::setw(7)
         << 100.0 * one.longWindows / std::max<uint64_t>(1, one.windows) << " %"
         << std::setprecision(1) << std::setw(11) << one.frames / 1e6 << std::setw(7) << one.cpu
         << std::endl;
}

} // namespace ns3
