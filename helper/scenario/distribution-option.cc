/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "distribution-option.h"

#include "error-line.h"
#include "scenario.h"

#include "ns3/rail-partition.h"
#include "ns3/simulation-processes.h"

#include <cstdio>
#include <unistd.h>

namespace ns3
{

namespace
{

/** Seconds in which process 0 reports an error that all have. */
constexpr unsigned LATER = 5;

} // namespace

DistributionOption::DistributionOption(int argc, char* argv[])
    : m_argc(argc),
      m_argv(argv)
{
    if (SimulationProcesses::FindWhyNot().empty() && SimulationProcesses::GetLaunched() > 0)
    {
        m_errors = dup(STDERR_FILENO);
        [[maybe_unused]] const auto* out = std::freopen("/dev/null", "w", stdout);
        [[maybe_unused]] const auto* errors = std::freopen("/dev/null", "w", stderr);
        ErrorLine::SetDelay(LATER);
    }
}

void
DistributionOption::Add(Scenario& scenario)
{
    scenario
        .Add("engine",
             "How several processes wait for each other: all agree on the next window, or each "
             "sends null messages",
             m_engine)
        .OneOf({"windows", "null-messages"}, "engine");
}

void
DistributionOption::Begin(Scenario& scenario, uint32_t rails) const
{
    const bool isLaunched =
        SimulationProcesses::FindWhyNot().empty() && SimulationProcesses::AreLaunched();
    scenario.Require(!isLaunched || !scenario.GetOptions().IsGiven("runs"),
                     "runs",
                     "mpirun starts the processes of one run; leave it out, or start the program "
                     "without mpirun");
    const std::string misfit =
        RailPartition::FindMisfit(rails, isLaunched ? SimulationProcesses::CountLaunched() : 1);
    if (!misfit.empty())
    {
        Scenario::Refuse(misfit);
    }
    SimulationProcesses::Begin(m_argc,
                               m_argv,
                               m_engine == "windows" ? SimulationProcesses::Engine::WINDOWS
                                                     : SimulationProcesses::Engine::NULL_MESSAGES);
    if (SimulationProcesses::GetHere() > 0)
    {
        scenario.BeSilent([errors = m_errors] {
            dup2(errors, STDERR_FILENO);
            ErrorLine::SetDelay(0);
        });
    }
}

std::string
DistributionOption::Describe(uint32_t rails)
{
    const std::string words = rails == 1 ? "1 rail" : std::to_string(rails) + " rails";
    const uint32_t processes = SimulationProcesses::GetNumber();
    if (processes > 1)
    {
        return std::to_string(processes) + " processes simulate " + words;
    }
    const std::string why = SimulationProcesses::FindWhyNot();
    return "1 process simulates " + words + ": " +
           (why.empty() ? "mpirun -np 2 or more starts several" : why);
}

void
DistributionOption::End() const
{
    SimulationProcesses::End();
}

} // namespace ns3
