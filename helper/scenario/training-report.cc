/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-report.h"

#include "path-report.h"
#include "process-usage.h"

#include "ns3/collective-application.h"
#include "ns3/collective-job.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

constexpr Picoseconds LONG_WINDOW = 1'000'000'000; // 1 ms

void
WriteWindow(JsonWriter& json, const CommunicationWindow& window)
{
    json.BeginObject();
    json.Field("rank", window.rank->Get());
    json.Field("rail", window.rail.Get());
    json.Field("start", window.start.GetTimeStep() / 1e12);
    json.Field("length", window.length.GetTimeStep() / 1e12);
    json.Field("next_bytes", window.nextBytes);
    json.EndObject();
}

/** @return a count of the operations of all ranks @param member of the counters */
uint64_t
CountOperations(const TrainingRun& run, uint64_t CollectiveApplication::Counters::*member)
{
    uint64_t count = 0;
    for (uint32_t rank = 0; rank < run.applications.GetN(); ++rank)
    {
        count += run.collectives->Get(rank)->GetCounters().*member;
    }
    return count;
}

/** @return why each rail was simulated; empty if it was not */
std::string
DescribeWhyNot(const TrainingRun& run)
{
    if (run.HasFolded())
    {
        return "";
    }
    if (run.GetFold())
    {
        return "frames or messages are observed";
    }
    return run.GetWhyNotFolded().empty() ? "off" : run.GetWhyNotFolded();
}

} // namespace

TrainingFigures
GetFigures(const TrainingRun& run)
{
    TrainingFigures figures;
    const JobTally steady = run.GetSteady();
    figures.iteration = steady.end.GetTimeStep() / 1e12;
    figures.exposed = steady.exposed.GetTimeStep() / 1e12;
    figures.exposedLinkUp = steady.exposedLinkUp.GetTimeStep() / 1e12;
    figures.hidden = steady.hidden.GetTimeStep() / 1e12;
    figures.hiddenLinkUp = steady.hiddenLinkUp.GetTimeStep() / 1e12;
    figures.idle = run.GetIdleSeconds();
    figures.reconfigurations = steady.reconfigurations;
    figures.messages = steady.messages;
    figures.paths = steady.paths;
    figures.frames = run.GetOnWire().frames;
    figures.events = Simulator::GetEventCount();
    figures.rails = run.rails.size();
    if (run.HasFolded())
    {
        figures.followed = run.GetFold()->GetCounters().followed;
        figures.notFollowed = run.GetFold()->GetCounters().own;
    }
    for (const CommunicationWindow& window : run.GetWindows())
    {
        ++figures.windows;
        figures.longWindows += window.length > ToTime(LONG_WINDOW) ? 1 : 0;
    }
    const ProcessUsage used = ProcessUsage::Get();
    figures.cpu = used.cpuSeconds;
    figures.megabytes = used.peakMegabytes;
    return figures;
}

std::string
DescribeFold(const TrainingFigures& figures)
{
    std::ostringstream words;
    words << "rails: ";
    if (figures.followed == 0)
    {
        words << figures.rails << " simulated";
        return words.str();
    }
    const uint64_t all = figures.followed + figures.notFollowed;
    words << "1 of " << figures.rails << " simulated; on the others " << std::fixed
          << std::setprecision(0) << 100.0 * figures.followed / all
          << " % of the operations follow it";
    return words.str();
}

std::vector<IterationFigures>
GetIterationFigures(const TrainingRun& run)
{
    std::vector<IterationFigures> figures;
    for (uint32_t i = 1; i <= run.GetIterations(); ++i)
    {
        const JobTally one = run.GetIteration(i);
        figures.push_back({one.end.GetTimeStep() / 1e12,
                           one.exposed.GetTimeStep() / 1e12,
                           one.reconfigurations,
                           one.wrongPredictions});
    }
    return figures;
}

void
WriteTrainingOutcome(JsonWriter& json, const TrainingRun& run, const TrainingFigures& figures)
{
    const FrameCounter::Counts wire = run.GetOnWire();
    JobTally all;
    uint64_t multiHop = 0;
    json.BeginArray("iteration_s");
    for (uint32_t i = 1; i <= run.GetIterations(); ++i)
    {
        const JobTally one = run.GetIteration(i);
        json.Value(one.end.GetTimeStep() / 1e12);
        all.messages += one.messages;
        all.bytesForwarded += one.bytesForwarded;
        multiHop += one.paths[static_cast<std::size_t>(TrafficPath::MULTI_HOP)].forwarded;
    }
    json.EndArray();
    const std::vector<IterationFigures> iterations = GetIterationFigures(run);
    json.BeginArray("iteration_exposed_s");
    for (const IterationFigures& one : iterations)
    {
        json.Value(one.exposed);
    }
    json.EndArray();
    json.BeginArray("iteration_wrong_predictions");
    for (const IterationFigures& one : iterations)
    {
        json.Value(one.wrongPredictions);
    }
    json.EndArray();
    json.Field("steady_iteration_s", figures.iteration);
    json.Field("reconfigurations", figures.reconfigurations);
    json.Field("exposed_s", figures.exposed);
    json.Field("exposed_link_up_s", figures.exposedLinkUp);
    json.Field("hidden_s", figures.hidden);
    json.Field("hidden_link_up_s", figures.hiddenLinkUp);
    json.Field("gpu_idle_s", figures.idle);
    json.Field("wrong_predictions", run.GetSteady().wrongPredictions);
    json.Field("control_messages", run.GetSteady().controlMessages);
    json.BeginArray("windows_s");
    for (const CommunicationWindow& window : run.GetWindows())
    {
        WriteWindow(json, window);
    }
    json.EndArray();
    const ExpertVisits visits = run.GetJob().CountVisits();
    json.Field("tokens_routed", visits.routed);
    json.Field("tokens_sent", visits.sent);
    json.Field("tokens_local", visits.local);
    json.Field("tokens_dropped", visits.dropped);
    json.Field("bytes_on_wire", wire.wireBytes);
    json.Field("bytes_forwarded", all.bytesForwarded);
    json.Field("bytes_multi_hop", multiHop);
    json.Field("bandwidth_tax", GetBandwidthTax(figures.paths));
    WritePaths(json, figures.paths);
    json.Field("frames", wire.frames);
    json.Field("messages", all.messages);
}

void
WriteTrainingRun(JsonWriter& json, const TrainingRun& run, const TrainingFigures& figures)
{
    WriteTrainingOutcome(json, run, figures);
    using Counters = CollectiveApplication::Counters;
    json.Field("operations_as_one", CountOperations(run, &Counters::asOne));
    json.Field("operations_straggl_ar", CountOperations(run, &Counters::stragglAr));
    json.BeginObject("fold");
    json.Field("rails", figures.rails);
    json.Field("operations_followed", figures.followed);
    json.Field("operations_not_followed", figures.notFollowed);
    json.Field("why_not", DescribeWhyNot(run));
    json.EndObject();
    json.Field("events", figures.events);
    json.Field("cpu_s", figures.cpu);
    json.Field("max_rss_mb", figures.megabytes);
}

void
WriteParallelisms(JsonWriter& json, const std::vector<ParallelismSummary>& rows)
{
    json.BeginArray("parallelisms");
    for (const ParallelismSummary& row : rows)
    {
        json.BeginObject();
        json.Field("parallelism", row.parallelism);
        json.Field("name", row.name);
        json.Field("degree", row.degree);
        json.Field("path", row.path);
        json.Field("work_divided_by", row.work);
        json.BeginObject("memory_divided_by");
        for (const ParallelismSummary::Division& one : row.memory)
        {
            std::string key = one.what;
            std::replace(key.begin(), key.end(), ' ', '_');
            json.Field(key, one.factor);
        }
        json.EndObject();
        json.BeginArray("exchanges");
        for (const ParallelismSummary::Exchange& one : row.exchanges)
        {
            json.BeginObject();
            json.Field("pass", one.pass);
            json.Field("kind", one.kind);
            json.Field("calls", one.calls);
            json.Field("bytes", one.bytes);
            json.Field("often", one.often);
            json.Field("per", one.frequency);
            json.EndObject();
        }
        json.EndArray();
        json.EndObject();
    }
    json.EndArray();
}

void
WriteProgram(JsonWriter& json, const std::vector<ProgramLine>& lines)
{
    json.BeginArray("rank_program");
    for (const ProgramLine& line : lines)
    {
        json.BeginObject();
        json.Field("stream", line.stream);
        json.Field("kind", line.kind);
        json.Field("collective", line.collective);
        json.Field("parallelism", line.parallelism);
        json.Field("bytes", line.bytes);
        json.EndObject();
    }
    json.EndArray();
}

std::vector<ProgramLine>
ListLastIteration(const TrainingJob& job, uint32_t rank)
{
    return ListIteration(job, rank, job.GetTask().iterations);
}

std::string
DescribeRouting(const TrainingJob& job)
{
    const ExpertRouter& router = job.GetTask().recipe.router;
    if (router.IsEven())
    {
        return "";
    }
    const ExpertVisits visits = job.CountVisits();
    const auto percent = [&visits](uint64_t part) {
        return 100.0 * part / std::max<uint64_t>(1, visits.routed);
    };
    std::ostringstream words;
    words << std::fixed << std::setprecision(1) << "tokens are routed by "
          << (router.counts ? "counts" : router.skew.GetName()) << ": " << percent(visits.sent)
          << " % go to other ranks, " << percent(visits.local) << " % stay, "
          << percent(visits.dropped) << " % are dropped; the busiest rank's experts have "
          << std::setprecision(2) << job.FindLargestLoad() << " times an even share";
    return words.str();
}

std::vector<std::string>
ListInScaleUp(const TrainingJob& job)
{
    std::set<std::string> inside;
    std::set<std::string> outside;
    for (const JobGroup& group : job.GetGroups().GetGroups())
    {
        (group.inScaleUp ? inside : outside).insert(ParallelismNameOf(group.name));
    }
    std::vector<std::string> parallelisms;
    std::set_difference(inside.begin(),
                        inside.end(),
                        outside.begin(),
                        outside.end(),
                        std::back_inserter(parallelisms));
    return parallelisms;
}

} // namespace ns3
