/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "distribution-option.h"

#include "error-line.h"
#include "scenario.h"

#include "ns3/simulation-processes.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <unistd.h>
#include <vector>

namespace ns3
{

namespace
{

/** @return the process whose mistake is reported, the first that has one; none: the size */
std::size_t
FindMistaken(const std::vector<int>& codes)
{
    return std::find_if(codes.begin(), codes.end(), [](int code) { return code != 0; }) -
           codes.begin();
}

/** @return the name of this process before its errors */
std::string
NameProcess()
{
    const uint32_t here = SimulationProcesses::GetLaunched();
    return here == 0 ? "" : "process " + std::to_string(here);
}

/** Waits for all processes. If one has a mistake, this one ends too. */
void
RequireAll()
{
    const std::vector<int> codes = SimulationProcesses::Exchange(0);
    const std::size_t mistaken = FindMistaken(codes);
    if (mistaken < codes.size())
    {
        SimulationProcesses::EndTogether(); // that one has its line
        _exit(codes[mistaken]);
    }
}

} // namespace

DistributionOption::DistributionOption(int argc, char* argv[])
    : m_argc(argc),
      m_argv(argv),
      m_isLaunched(SimulationProcesses::FindWhyNot().empty() && SimulationProcesses::AreLaunched())
{
    if (!m_isLaunched)
    {
        return;
    }
    if (SimulationProcesses::GetLaunched() > 0)
    {
        m_errors = dup(STDERR_FILENO);
        [[maybe_unused]] const auto* out = std::freopen("/dev/null", "w", stdout);
        [[maybe_unused]] const auto* errors = std::freopen("/dev/null", "w", stderr);
    }
    ErrorLine::Companions companions;
    companions.name = NameProcess();
    companions.errors = m_errors;
    companions.isMine = [](int code) {
        return FindMistaken(SimulationProcesses::Exchange(code)) ==
               SimulationProcesses::GetLaunched();
    };
    companions.leave = [](int) { SimulationProcesses::EndTogether(); };
    ErrorLine::SetCompanions(companions);
}

DistributionOption::~DistributionOption()
{
    SimulationProcesses::End(); // of a program whose options were checked only
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
DistributionOption::Begin(Scenario& scenario,
                          const std::function<std::string(uint32_t processes)>& findMisfit) const
{
    scenario.Require(!m_isLaunched || !scenario.GetOptions().IsGiven("runs"),
                     "runs",
                     "mpirun starts the processes of one run; leave it out, or start the program "
                     "without mpirun");
    const std::string misfit = findMisfit(m_isLaunched ? SimulationProcesses::CountLaunched() : 1);
    if (!misfit.empty())
    {
        Scenario::Refuse(misfit);
    }
    if (m_isLaunched)
    {
        RequireAll(); // all connect
    }
    SimulationProcesses::Begin(m_argc,
                               m_argv,
                               m_engine == "windows" ? SimulationProcesses::Engine::WINDOWS
                                                     : SimulationProcesses::Engine::NULL_MESSAGES);
    if (m_isLaunched)
    {
        scenario.SetChecked([errors = m_errors] { EndCommonPart(errors); });
    }
    if (SimulationProcesses::GetHere() > 0)
    {
        scenario.BeSilent();
    }
}

void
DistributionOption::EndCommonPart(int errors)
{
    RequireAll();
    ErrorLine::Companions companions;
    companions.name = NameProcess();
    companions.errors = errors;
    const auto isFirst = std::make_shared<bool>(true);
    companions.isMine = [isFirst](int) { return *isFirst = SimulationProcesses::IsFirst(); };
    companions.leave = [isFirst](int code) {
        // the first one ends the others, when its line is out
        *isFirst ? SimulationProcesses::Abort(code) : SimulationProcesses::EndTogether();
    };
    ErrorLine::SetCompanions(companions);
    if (errors >= 0)
    {
        dup2(errors, STDERR_FILENO);
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
DistributionOption::End()
{
    SimulationProcesses::End();
}

} // namespace ns3
