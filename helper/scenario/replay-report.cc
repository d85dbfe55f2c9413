/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "replay-report.h"

#include "fidelity-option.h"
#include "path-report.h"

#include "ns3/collective-application.h"
#include "ns3/controller-core.h"
#include "ns3/span-text.h"

#include <iomanip>

namespace ns3
{

ReplayReport::ReplayReport(const JobRun& run, const RailAudit& settled)
    : all(run.GetAll()),
      bytesForwarded(run.collectives->GetForwardedBytes()),
      bytesMultiHop(run.collectives->GetMultiHopBytes()),
      audit(settled),
      trains(GetTrainsOf(run.rails))
{
    for (uint32_t rank = 0; rank < run.applications.GetN(); ++rank)
    {
        const CollectiveApplication::Counters& counters = run.collectives->Get(rank)->GetCounters();
        messages += counters.messagesSent;
        bytes += counters.bytesSent;
    }
    if (run.plane.controller)
    {
        wrongPredictions = run.plane.GetTimes().wrongPredictions;
        reconfigurations = run.plane.GetInCharge()->GetCore().GetCounters().reconfigurations;
        controlMessages = run.plane.GetMessages();
    }
    for (uint32_t pass = 1; pass <= run.GetIterations(); ++pass)
    {
        passes.push_back(run.GetIteration(pass));
    }
}

void
ReplayReport::Print(std::ostream& os) const
{
    os << std::endl
       << "pass        time   exposed    hidden  computed" << std::endl
       << "            (ms)      (ms)      (ms)      (ms)" << std::endl;
    for (std::size_t i = 0; i < passes.size(); ++i)
    {
        const JobTally& one = passes[i];
        os << std::setw(4) << i + 1;
        int width = 12;
        for (const Time& span : {one.end, one.exposed, one.hidden, one.computed})
        {
            os << std::setw(width) << ToMillisecondsOrSeconds(span.GetTimeStep());
            width = 10;
        }
        os << std::endl;
    }
    const RailAudit::Totals totals = audit.GetTotals();
    os << std::endl
       << "the last rank ended at " << ToSpanText(all.end.GetTimeStep()) << "; " << messages
       << " messages with " << bytes << " bytes, " << reconfigurations << " reconfigurations"
       << std::endl
       << "operations (and bytes) by path: " << DescribePaths(all.paths) << std::endl
       << "all is accounted for: " << totals.framesSent << " frames, " << totals.messagesSettled
       << " messages over rails, " << totals.operationsEnded << " operations" << std::endl
       << "exposed, hidden, computed: the mean of ranks" << std::endl;
}

void
ReplayReport::Plot(CurvePlot& plot) const
{
    plot.SetX({"pass"});
    plot.SetY({"time (ms)", 1e-3, PlotQuantity::NUMBERS, false, true});
    for (std::size_t i = 0; i < passes.size(); ++i)
    {
        const double pass = i + 1;
        plot.AddPoint("time", pass, passes[i].end.GetTimeStep() / 1e12);
        plot.AddPoint("exposed", pass, passes[i].exposed.GetTimeStep() / 1e12);
        plot.AddPoint("hidden", pass, passes[i].hidden.GetTimeStep() / 1e12);
        plot.AddPoint("computed", pass, passes[i].computed.GetTimeStep() / 1e12);
    }
}

void
ReplayReport::WriteTimes(JsonWriter& json) const
{
    json.Field("makespan_s", all.end.GetTimeStep() / 1e12);
    json.Field("makespan_ps", all.end.GetTimeStep());
    json.Field("exposed_s", all.exposed.GetTimeStep() / 1e12);
    json.Field("hidden_s", all.hidden.GetTimeStep() / 1e12);
    json.Field("computed_s", all.computed.GetTimeStep() / 1e12);
    json.BeginArray("passes");
    for (const JobTally& one : passes)
    {
        json.BeginObject();
        json.Field("time_s", one.end.GetTimeStep() / 1e12);
        json.Field("exposed_s", one.exposed.GetTimeStep() / 1e12);
        json.Field("hidden_s", one.hidden.GetTimeStep() / 1e12);
        json.Field("computed_s", one.computed.GetTimeStep() / 1e12);
        json.EndObject();
    }
    json.EndArray();
}

void
ReplayReport::WriteCounts(JsonWriter& json) const
{
    json.Field("messages", messages);
    json.Field("bytes", bytes);
    json.Field("bytes_forwarded", bytesForwarded);
    json.Field("bytes_multi_hop", bytesMultiHop);
    json.Field("bandwidth_tax", GetBandwidthTax(all.paths));
    WritePaths(json, all.paths);
    json.Field("reconfigurations", reconfigurations);
    json.Field("wrong_predictions", wrongPredictions);
    json.Field("control_messages", controlMessages);
    audit.Write(json);
    WriteFidelity(json, trains);
}

} // namespace ns3
