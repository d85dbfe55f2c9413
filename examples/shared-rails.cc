/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Training jobs that come and go on the same rails: who waits for whom, and what sharing costs.
//
//     server 0  ...  server 3    server 4  ...  server 7      4 GPUs each: GPU l is on rail l
//     [ job 0             ]      [ job 1             ]
//        |              |           |              |
//        +--------------+--- rail 0 +--------------+          job 2 waits until one of them ends
//
// Each job takes four servers: Llama3-8B with tensor parallelism inside servers, two copies of two
// stages over rails. A job arrives, waits for servers, gets them with all ports of their GPUs, and
// gives them back at its end, when its controller has taken its circuits down. Jobs share the
// switches and no port, so the iterations of each are those of the job alone, to the picosecond:
// the price of sharing is the wait for servers. Each job is run alone too, and compared.
//
// Try: ./rails run shared-rails
//      ./rails run shared-rails --servers=12                 (nobody waits)
//      ./rails run shared-rails --arrivals=0s,10ms --on=0,0  (both on servers 0 to 3)
//      ./rails run shared-rails --policy=electrical
//      ./rails run shared-rails --plot=iterations.svg --circuit-map=circuits.svg
//      --circuit-map-at=1s

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iomanip>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t GPUS = 4;    // of a server
constexpr uint32_t SERVERS = 4; // of a job

/** What the command line can set. */
struct Options
{
    uint32_t servers{8};
    std::vector<Time> arrivals{Seconds(0), MilliSeconds(30), MilliSeconds(60)};
    std::vector<uint32_t> iterations{4, 3, 2};
    std::vector<uint32_t> on; //!< by job: its first server
    std::string policy{"provisioned"};
    Time reconfiguration{MilliSeconds(25)};
    NoiseOption noise;
    uint32_t layers{4};
    bool overtaking{false};
    bool waits{true};

    void Add(Scenario& scenario)
    {
        scenario.Add("servers", "Servers of the cluster, of 4 GPUs", servers).Between(4, 1024);
        scenario.Add("arrivals", "When jobs arrive, with commas; each takes 4 servers", arrivals)
            .MayRepeat();
        scenario
            .Add("iterations", "Of each job, with commas; the last is of all others", iterations)
            .MayRepeat();
        scenario.Add("on", "First server of each job, with commas; not given: any servers", on)
            .MayRepeat();
        scenario.Add("policy", "Whose circuits", policy)
            .OneOf(GetPolicyAliases())
            .MayHaveArgument();
        scenario.Add("reconfiguration", "Reconfiguration time of the switches", reconfiguration);
        noise.Add(scenario.GetOptions());
        scenario.Add("layers", "Layers of Llama3-8B that are trained", layers).Between(2, 32);
        scenario.Add("overtaking", "Whether later jobs may go first", overtaking);
        scenario.Add("waits",
                     "Whether jobs wait for servers; if not, jobs that would are refused",
                     waits);
    }

    uint32_t GetIterations(uint32_t job) const
    {
        return iterations[std::min<std::size_t>(job, iterations.size() - 1)];
    }
};

/** The result of a job. */
struct Result
{
    JobStay stay; //!< without its run
    std::vector<Time> iterations;
};

/** @return the builder of a job */
TrainingJobHelper
MakeHelper(const Options& options, uint32_t job)
{
    ParallelismPlan plan;
    plan.tp = plan.scaleUp = GPUS;
    plan.dp = plan.pp = 2;
    TrainingRecipe recipe;
    recipe.sequence = 1024;
    TrainingJobHelper helper;
    helper.SetModel("Llama3-8B");
    helper.SetLayers(options.layers);
    helper.SetParallelismPlan(plan);
    helper.SetRecipe(recipe);
    helper.SetGpu("A100", 0.2815); // of its peak
    helper.SetPolicy(options.policy);
    helper.SetReconfigurationTime(options.reconfiguration);
    if (options.noise.IsMeasured())
    {
        helper.SetMeasuredNoise();
    }
    helper.SetIterations(options.GetIterations(job));
    return helper;
}

/** @return the cluster, without jobs */
Ptr<SharedRails>
MakeCluster(const Options& options)
{
    const NodeContainer gpus(options.servers * GPUS);
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    photonic.SetReconfigurationTime(options.reconfiguration);
    options.noise.SetUp(photonic, options.reconfiguration);
    photonic.SetSwitchAttribute("Radix", UintegerValue(2 * options.servers));
    RailHelper& rails =
        options.policy == "electrical" ? static_cast<RailHelper&>(electrical) : photonic;
    rails.SetPorts(2, DataRate("100Gbps"));
    const Ptr<SharedRails> cluster = CreateObject<SharedRails>();
    cluster->SetAttribute("Overtaking", BooleanValue(options.overtaking));
    cluster->SetAttribute("Waits", BooleanValue(options.waits));
    cluster->SetRails(rails.InstallRails(gpus, GPUS));
    return cluster;
}

/** Adds a job. @param servers for it; empty: any */
void
AddJob(const Options& options,
       SharedRails& cluster,
       uint32_t job,
       const std::vector<uint32_t>& servers)
{
    cluster.Add(std::to_string(job), MakeHelper(options, job), options.arrivals[job], servers);
}

/** @return the servers that the command line names for a job */
std::vector<uint32_t>
ServersOf(const Options& options, uint32_t job)
{
    std::vector<uint32_t> servers;
    if (job < options.on.size())
    {
        servers.resize(SERVERS);
        std::iota(servers.begin(), servers.end(), options.on[job]);
    }
    return servers;
}

/** Adds the iterations of a job to the plot. */
void
Plot(CurvePlot& plot, const Result& result)
{
    for (std::size_t i = 0; i < result.iterations.size(); ++i)
    {
        plot.AddPoint("job " + result.stay.name, i + 1, result.iterations[i].GetSeconds());
    }
}

/** Records a job in the database of results, from its start on. */
void
RecordJob(RunResults* results, uint32_t job, const JobStay& stay)
{
    if (stay.state == JobStay::State::RUNNING)
    {
        results->AddJob(stay.run, job, stay.servers);
    }
}

/**
 * Simulates the jobs of a cluster.
 * @param results record them
 * @param [in,out] trains counts frames
 * @return their results
 */
std::vector<Result>
Run(Ptr<SharedRails> cluster,
    const Ptr<RunResults>& results,
    RailNetDevice::Trains& trains,
    CircuitMapOption circuitMap)
{
    circuitMap.Record(cluster->GetRails().front(), "server");
    results->Add(cluster->GetRails());
    cluster->TraceConnectWithoutContext("StateChanged",
                                        MakeBoundCallback(&RecordJob, PeekPointer(results)));
    Scenario::Simulate();
    circuitMap.Write();
    cluster->Require();
    results->Finish();
    std::vector<Result> all;
    for (uint32_t job = 0; job < cluster->GetJobs(); ++job)
    {
        Result one;
        one.stay = cluster->GetStay(job);
        for (uint32_t i = 1; i <= one.stay.run->GetIterations(); ++i)
        {
            one.iterations.push_back(one.stay.run->GetIteration(i).end);
        }
        one.stay.run = nullptr;
        all.push_back(one);
    }
    trains.Add(GetTrainsOf(cluster->GetRails()));
    cluster->Dispose();
    Simulator::Destroy();
    return all;
}

/** @return by how much the iterations of a job are longer than those of the job alone */
Time
FindStretch(const Result& shared, const Result& alone)
{
    const Time zero(0);
    return std::accumulate(shared.iterations.begin(), shared.iterations.end(), zero) -
           std::accumulate(alone.iterations.begin(), alone.iterations.end(), zero);
}

void
Print(const std::vector<Result>& shared, const std::vector<Result>& alone)
{
    std::cout << "job  servers        arrives (s)  waits (s)  last iteration (s)  alone (s)  "
                 "all longer by (ps)  stay (s)  alone (s)"
              << std::endl
              << std::fixed;
    for (std::size_t job = 0; job < shared.size(); ++job)
    {
        std::string servers;
        for (const uint32_t server : shared[job].stay.servers)
        {
            servers += (servers.empty() ? "" : " ") + std::to_string(server);
        }
        const auto stay = [](const JobStay& one) { return one.returned - one.arrival; };
        std::cout << std::setw(3) << job << "  " << std::left << std::setw(14) << servers
                  << std::right << std::setprecision(3) << std::setw(12)
                  << shared[job].stay.arrival.GetSeconds() << std::setw(11)
                  << shared[job].stay.GetWait().GetSeconds() << std::setprecision(6)
                  << std::setw(20) << shared[job].iterations.back().GetSeconds() << std::setw(11)
                  << alone[job].iterations.back().GetSeconds() << std::setw(20)
                  << FindStretch(shared[job], alone[job]).GetPicoSeconds() << std::setprecision(3)
                  << std::setw(10) << stay(shared[job].stay).GetSeconds() << std::setw(11)
                  << stay(alone[job].stay).GetSeconds() << std::endl;
    }
    for (const Result& one : shared)
    {
        if (!one.stay.whyNot.empty())
        {
            std::cout << "job " << one.stay.name << " waited: " << one.stay.whyNot << std::endl;
        }
    }
}

void
WriteJob(JsonWriter& json, const Result& shared, const Result& alone)
{
    json.BeginArray("servers");
    for (const uint32_t server : shared.stay.servers)
    {
        json.Value(server);
    }
    json.EndArray();
    json.Field("arrival_s", shared.stay.arrival.GetSeconds());
    json.Field("wait_s", shared.stay.GetWait().GetSeconds());
    json.Field("why_wait", shared.stay.whyNot);
    json.Field("stay_s", (shared.stay.returned - shared.stay.arrival).GetSeconds());
    json.Field("alone_stay_s", (alone.stay.returned - alone.stay.arrival).GetSeconds());
    json.BeginArray("iteration_s");
    for (const Time& iteration : shared.iterations)
    {
        json.Value(iteration.GetSeconds());
    }
    json.EndArray();
    json.Field("longer_ps", FindStretch(shared, alone).GetPicoSeconds());
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    Options options;
    options.Add(scenario);
    CircuitMapOption circuitMap;
    circuitMap.Add(scenario.GetOptions());
    scenario.AddPlot();
    return scenario.Run(argc, argv, [&] {
        circuitMap.Check(scenario.GetOptions(), options.policy != "electrical");
        scenario.Require(!options.arrivals.empty(), "arrivals", "give one for each job");
        scenario.Require(!options.iterations.empty(), "iterations", "give 1 or more");
        Ptr<SharedRails> cluster = MakeCluster(options);
        for (uint32_t job = 0; job < options.arrivals.size(); ++job)
        {
            AddJob(options, *cluster, job, ServersOf(options, job));
        }
        scenario.Begin();
        RailNetDevice::Trains trains;
        const auto begin = [&](const std::string& name, bool isMain) {
            return scenario.BeginRun({name, options.policy, options.reconfiguration, isMain});
        };
        const std::vector<Result> shared =
            Run(cluster, begin("all jobs", true), trains, circuitMap);
        std::vector<Result> alone;
        for (uint32_t job = 0; job < shared.size(); ++job)
        {
            cluster = MakeCluster(options);
            AddJob(options, *cluster, job, shared[job].stay.servers);
            const std::string name = "job " + std::to_string(job) + " alone";
            alone.push_back(Run(cluster, begin(name, false), trains, CircuitMapOption()).front());
        }
        if (scenario.PrintsTables())
        {
            Print(shared, alone);
        }
        scenario.GetPlot().SetTitle("Iterations of jobs on shared rails, " + options.policy);
        scenario.GetPlot().SetX({"iteration of the job"});
        scenario.GetPlot().SetY({"time of the iteration (s)"});
        for (std::size_t job = 0; job < shared.size(); ++job)
        {
            Plot(scenario.GetPlot(), shared[job]);
            scenario.AddFigure("last iteration of job " + std::to_string(job),
                               "ms",
                               shared[job].iterations.back().GetTimeStep() / 1e9);
            scenario.AddRow("jobs",
                            [&](JsonWriter& json) { WriteJob(json, shared[job], alone[job]); });
        }
        scenario.Write([&](JsonWriter& json) { WriteFidelity(json, trains); });
    });
}
