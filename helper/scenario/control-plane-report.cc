/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "control-plane-report.h"

#include "fidelity-option.h"
#include "path-report.h"

#include "ns3/controller-core.h"
#include "ns3/shim-core.h"
#include "ns3/span-text.h"

#include <iomanip>
#include <numeric>

namespace ns3
{

ControlPlaneReport::ControlPlaneReport(const std::string& policyName,
                                       Time reconfigurationTime,
                                       const JobRun& run)
    : policy(policyName),
      reconfiguration(reconfigurationTime),
      ranks(run.applications.GetN()),
      trains(GetTrainsOf(run.rails))
{
    for (uint32_t i = 1; i <= run.GetIterations(); ++i)
    {
        iterations.push_back(run.GetIteration(i).end);
    }
    paths = run.GetAll().paths;
    if (!run.plane.controller)
    {
        return;
    }
    times = run.plane.GetTimes();
    controller = run.plane.GetInCharge()->GetCore().GetCounters();
    load = run.plane.GetInCharge()->GetLoad();
    messages = run.plane.GetMessages();
    for (const Ptr<OpusShimApp>& shim : run.plane.shims)
    {
        for (const auto& [parallelism, one] : shim->GetCore().GetCounters().parallelisms)
        {
            ParallelismTimes& sum = parallelisms[parallelism];
            sum.answers += one.answers;
            sum.summedWaits += one.summedWaits;
            sum.hidden += one.hidden;
            sum.hiddenLinkUp += one.hiddenLinkUp;
        }
    }
}

void
ControlPlaneReport::PrintHead(std::ostream& os)
{
    os << std::endl
       << "policy            iteration   exposed    hidden  requests    grants  reconf"
          "igurations  messages  wrong"
       << std::endl
       << "                       (ms)      (ms)      (ms)" << std::endl;
}

double
ControlPlaneReport::GetMeanIteration() const
{
    const Time later = std::accumulate(iterations.begin() + 1, iterations.end(), Time(0));
    return later.GetTimeStep() / 1e12 / (iterations.size() - 1);
}

void
ControlPlaneReport::PrintRow(std::ostream& os) const
{
    const double mean = GetMeanIteration();
    os << std::left << std::setw(16) << policy << std::right << std::fixed << std::setw(11)
       << ToMillisecondsOrSeconds(mean * 1e12) << std::setw(10)
       << ToMillisecondsOrSeconds(times.exposed.GetTimeStep()) << std::setw(10)
       << ToMillisecondsOrSeconds(times.hidden.GetTimeStep()) << std::setw(10)
       << controller.requests << std::setw(10) << controller.grants << std::setw(18)
       << controller.reconfigurations << std::setw(10) << messages << std::setw(7)
       << times.wrongPredictions << std::endl;
}

void
ControlPlaneReport::PrintTable(std::ostream& os, const std::vector<ControlPlaneReport>& reports)
{
    PrintHead(os);
    for (const ControlPlaneReport& one : reports)
    {
        one.PrintRow(os);
    }
}

void
ControlPlaneReport::PrintNotes(std::ostream& os, const std::vector<ControlPlaneReport>& reports)
{
    os << std::endl
       << "iteration: the mean but for the first; exposed, hidden: the mean of ranks; all "
          "but the first: of the whole run"
       << std::endl
       << "sum of waits: for circuits, the mean of ranks; waits of a rank at once count each"
       << std::endl;
    for (const ControlPlaneReport& one : reports)
    {
        one.PrintParallelisms(os);
        one.PrintLinkUp(os);
        one.PrintLoad(os);
        os << one.policy << ": operations (and bytes) by path: " << DescribePaths(one.paths)
           << std::endl;
    }
}

double
ControlPlaneReport::GetBusyShare() const
{
    const Time all = std::accumulate(iterations.begin(), iterations.end(), Time(0));
    return all.IsZero() ? 0 : static_cast<double>(load.busy) / all.GetTimeStep();
}

void
ControlPlaneReport::PrintLinkUp(std::ostream& os) const
{
    if (times.exposedLinkUp.IsZero() && times.hiddenLinkUp.IsZero())
    {
        return;
    }
    os << policy << ": exposed is "
       << ToSpanText((times.exposed - times.exposedLinkUp).GetTimeStep()) << " of switching and "
       << ToSpanText(times.exposedLinkUp.GetTimeStep()) << " of link-up, hidden "
       << ToSpanText((times.hidden - times.hiddenLinkUp).GetTimeStep()) << " and "
       << ToSpanText(times.hiddenLinkUp.GetTimeStep()) << std::endl;
}

void
ControlPlaneReport::PrintLoad(std::ostream& os) const
{
    if (load.inputs == 0)
    {
        return;
    }
    os << policy << ": the controller processed " << load.inputs << " messages, in " << std::fixed
       << std::setprecision(2) << 100 * GetBusyShare() << " % of the run; longest queue "
       << load.longest << ", mean wait "
       << ToSpanText(static_cast<double>(load.waited) / load.inputs) << ", longest wait "
       << ToSpanText(load.waitedMost) << std::endl;
}

void
ControlPlaneReport::PrintParallelisms(std::ostream& os) const
{
    for (const auto& [parallelism, sum] : parallelisms)
    {
        const double all = ranks;
        os << policy << ", " << parallelism << ": " << sum.answers << " requests, sum of waits "
           << ToSpanText(sum.summedWaits.GetTimeStep() / all) << ", hidden "
           << ToSpanText(sum.hidden.GetTimeStep() / all) << std::endl;
    }
}

void
ControlPlaneReport::Plot(CurvePlot& plot) const
{
    for (std::size_t i = 0; i < iterations.size(); ++i)
    {
        plot.AddPoint(policy, i + 1, iterations[i].GetTimeStep() / 1e12);
    }
}

void
ControlPlaneReport::Write(JsonWriter& json) const
{
    json.Field("policy", policy);
    json.Field("reconfiguration_s", reconfiguration.GetSeconds());
    json.Field("requests", controller.requests);
    json.Field("grants", controller.grants);
    json.Field("refusals", controller.refusals);
    json.Field("reconfigurations", controller.reconfigurations);
    json.Field("conflicts", controller.conflicts);
    json.Field("exposed_s", times.exposed.GetTimeStep() / 1e12);
    json.Field("exposed_most_s", times.exposedMost.GetTimeStep() / 1e12);
    json.Field("exposed_link_up_s", times.exposedLinkUp.GetTimeStep() / 1e12);
    json.Field("hidden_s", times.hidden.GetTimeStep() / 1e12);
    json.Field("hidden_link_up_s", times.hiddenLinkUp.GetTimeStep() / 1e12);
    json.Field("controller_busy", GetBusyShare());
    json.Field("controller_queue", load.longest);
    json.Field("controller_wait_most_s", load.waitedMost / 1e12);
    json.Field("wrong_predictions", times.wrongPredictions);
    json.Field("control_messages", messages);
    WritePaths(json, paths);
    json.BeginArray("iteration_s");
    for (const Time& iteration : iterations)
    {
        json.Value(iteration.GetTimeStep() / 1e12);
    }
    json.EndArray();
}

} // namespace ns3
