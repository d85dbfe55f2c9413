/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-option.h"

#include "scenario-options.h"

#include "ns3/boolean.h"
#include "ns3/collective-application.h"
#include "ns3/fault-schedule-file.h"

#include <sstream>

namespace ns3
{

void
FaultOption::Add(ScenarioOptions& options)
{
    options.Add("faults", "JSON file of faults", m_file).Reads();
    options.Add("fault",
                "Faults, with semicolons between them, as in "
                "fiber-cut:at=3ms,duration=5ms,server=1",
                m_words);
}

void
FaultOption::Check(const ScenarioOptions& options)
{
    m_schedule = FaultSchedule();
    if (!m_file.empty())
    {
        const TraceResult error = ReadFaultScheduleFile(m_file, m_schedule);
        options.Require(!error, "faults", error ? error->ToString() : "");
    }
    // the default gives way to a file
    std::istringstream words(m_file.empty() || options.IsGiven("fault") ? m_words : "");
    for (std::string one; std::getline(words, one, ';');)
    {
        const FaultText fault = ParseFault(one);
        options.Require(fault.why.empty(), "fault", fault.why);
        m_schedule.Add(fault.fault);
    }
}

bool
FaultOption::IsAny() const
{
    return !m_schedule.GetFaults().empty();
}

Ptr<FaultInjector>
FaultOption::Install(const JobRun& run) const
{
    const Ptr<FaultInjector> injector = CreateObject<FaultInjector>();
    injector->SetRails(run.rails);
    injector->AddControlPlane(run.plane);
    if (!IsAny())
    {
        return injector;
    }
    std::vector<Ptr<CollectiveApplication>> ranks;
    for (uint32_t rank = 0; rank < run.applications.GetN(); ++rank)
    {
        ranks.push_back(run.collectives->Get(rank));
        ranks.back()->SetAttribute("AbortOnFailure", BooleanValue(false));
    }
    injector->StopAfter(ranks);
    injector->Load(m_schedule);
    return injector;
}

} // namespace ns3
