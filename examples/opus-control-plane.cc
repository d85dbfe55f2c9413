/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A job of two parallelisms on photonic rails, and the control plane that reconfigures circuits.
//
//     stage 0                        stage 1
//     server 0     server 1          server 2     server 3        8 GPUs: GPU l of each server is
//     on [gpu gpu]    [gpu gpu]         [gpu gpu]    [gpu gpu]       rail l
//        |            |                 |            |
//        +------------+-- rail 0: an optical switch -+            and rail 1 alike
//
// Servers 0 and 1 hold the same layers, and so do 2 and 3: data parallelism joins 0-1 and 2-3. The
// second half of the layers is on servers 2 and 3: pipeline parallelism joins 0-2 and 1-3. A GPU
// has all its ports for one of them at a time. Each iteration a rank gathers its parameters (dp),
// sends or receives activations and gradients of two micro-batches (pp), and scatters gradients
// (dp).
//
// A shim on every server takes the ranks' calls and requests circuits from the controller. The
// controller has the switches' agents reconfigure them, and grants them: real packets on a
// management network. On demand, a rank waits for all of that at every shift; provisioned, shims
// have learned the calls in the first iteration, and send requests while the GPUs compute.
//
// The chart shows the messages about rail 0 in one iteration. The table shows times: "exposed" is
// the time that ranks waited for circuits, "hidden" the reconfiguration time without a waiting
// rank.
//
// Try: ./rails run opus-control-plane
//      ./rails run opus-control-plane --reconfiguration=100us --chart=0
//      ./rails run opus-control-plane --policies=static-split,one-shot,rotor:500us --chart=0
//      ./rails run opus-control-plane --policies=provisioned --timeline=timeline.json
//      ./rails run opus-control-plane --iterations=8 --plot=iterations.svg
//      ./rails run opus-control-plane --circuit-map=circuits.svg --circuit-map-at=100ms
//      ./rails run opus-control-plane --standby --crash=60ms

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t RAILS = 2; // each of the four servers has a GPU on each
constexpr uint32_t SERVERS = 4;
constexpr double LONGEST_JOB = 8e6; //!< s: times in picoseconds end after 9.2e6 s

/** What the command line can set, beside the control plane. */
struct Options
{
    ControlPlaneOptions plane;
    TwoStageJob job; // 4 iterations, forward 8 ms, parameters 256 MiB, activations 32 MiB
    uint32_t ports{2};
    DataRate portRate{"200Gbps"};
    uint32_t chart{2};
    std::string timeline;
    CircuitMapOption circuitMap;
    AnimationOption animation;

    void Add(Scenario& scenario)
    {
        plane.Add(scenario);
        scenario.Add("ports", "NIC ports of a GPU", ports).Between(1, 16);
        scenario.Add("port-rate", "Rate of a port", portRate);
        scenario.Add("iterations", "Of training; the first is learned from", job.iterations)
            .Between(2, 1000);
        scenario.Add("forward", "A stage computes forward for one micro-batch", job.forward)
            .Between(PicoSeconds(1), Hours(1));
        scenario.Add("parameters", "Of a stage, bytes a GPU gathers, such as 256M", job.parameters)
            .Between(1, 64ULL << 30);
        scenario.Add("activations", "Of a micro-batch, bytes, such as 32M", job.activations)
            .Between(1, 64ULL << 30);
        scenario.Add("chart", "Iteration whose messages are shown, from 1; 0: none", chart);
        scenario
            .Add("timeline", "A file for a timeline of each policy, for ui.perfetto.dev", timeline)
            .Writes(); // one a policy, which is why it is not AddTimeline()
        circuitMap.Add(scenario.GetOptions());
        scenario.AddPlot();
        animation.Add(scenario.GetOptions());
    }

    /** Refuses what does not go together. */
    void Check(Scenario& scenario)
    {
        scenario.Require(chart <= job.iterations,
                         "chart",
                         "there are " + std::to_string(job.iterations) + " iterations");
        plane.Check(scenario);
        animation.Check(scenario.GetOptions(), RAILS, SERVERS, ports);
        animation.Claim(scenario.GetOptions(), plane.policies);
        const double longest =
            12 * job.iterations * (job.forward + plane.reconfiguration + plane.linkUp).GetSeconds();
        scenario.Require(longest <= LONGEST_JOB,
                         "iterations",
                         "with --forward, --reconfiguration and --link-up the job may take " +
                             std::to_string(std::llround(longest)) + " s, more than " +
                             std::to_string(std::llround(LONGEST_JOB)) + " s");
        std::vector<std::string> ofCircuits;
        for (const std::string& policy : plane.policies)
        {
            if (policy != "electrical")
            {
                ofCircuits.push_back(NameForFile(policy));
            }
            if (!timeline.empty())
            {
                scenario.Claim("timeline", {GetTimelineFile(policy)});
            }
        }
        circuitMap.Check(scenario.GetOptions(), !ofCircuits.empty());
        if (plane.policies.size() > 1)
        {
            circuitMap.Claim(scenario.GetOptions(), ofCircuits);
        }
    }

    /** @return the name of a policy as a part of the name of a file */
    static std::string NameForFile(std::string policy)
    {
        std::replace(policy.begin(), policy.end(), '/', '-'); // recorded:folder/plan.txt
        return policy;
    }

    /** @return the timeline's file of a policy, with its name in it if there are several */
    std::string GetTimelineFile(const std::string& policy) const
    {
        return plane.policies.size() == 1 ? timeline
                                          : OutputFile::GetNameOf(timeline, NameForFile(policy));
    }
};

/** The job on rails of a policy's circuits: set up, and then run. */
class Case
{
  public:
    /** @param timeline a file; empty: none @param animation of the run; null: none */
    Case(const Options& options,
         const std::string& policy,
         const std::string& timeline,
         std::unique_ptr<RailAnimation> animation)
        : m_options(options),
          m_policy(policy)
    {
        JobHelper helper;
        helper.SetGpusPerServer(RAILS);
        helper.SetElectrical(policy == "electrical");
        helper.SetPorts(options.ports, options.portRate);
        helper.SetReconfigurationTime(options.plane.reconfiguration);
        helper.SetLinkUpTime(options.plane.linkUp);
        if (options.plane.noise.IsMeasured())
        {
            helper.SetMeasuredNoise();
        }
        helper.SetHostNetwork(options.plane.hostNetwork.Get());
        helper.GetOpus().SetPolicy(policy);
        options.plane.SetUp(helper.GetOpus());
        OpusWaits waits; // stages compute, and others may reconfigure the switches first
        waits.reconfiguration =
            options.plane.noise.GetLongest(options.plane.reconfiguration) + options.plane.linkUp;
        waits.computing = 20 * options.job.forward;
        helper.SetLimits(OpusLimits().GetWith(waits));
        m_run = helper.Install(options.job.Make(RAILS));
        m_run->plane.AssignStreams(1);
        if (m_run->plane.controller)
        {
            m_chart.Listen(m_run->plane);
            options.plane.ScheduleCrash(m_run->plane);
        }
        if (!timeline.empty())
        {
            m_timeline = std::make_unique<TimelineRecorder>(timeline);
            m_timeline->Add(m_run->applications);
            m_timeline->Add(m_run->rails);
            m_timeline->Add(m_run->plane);
        }
        if (animation)
        {
            m_animation = std::move(animation);
            m_animation->Add(m_run->rails);
            m_animation->Add(m_run->applications);
            m_animation->Add(m_run->plane);
        }
    }

    ~Case()
    {
        Simulator::Destroy();
    }

    /** Ends the program if the controller refuses the job. */
    void AbortOnRefusal() const
    {
        m_run->plane.AbortOnRefusal("--policies: " + m_policy + ": ");
    }

    /** Runs it. @param results record it @return what came of it */
    ControlPlaneReport Run(RunResults& results)
    {
        const RailAudit audit = m_run->GetAudit();
        m_options.circuitMap.Record(m_run->rails.front(), "server");
        results.AddJob(m_run);
        Scenario::Simulate();
        audit.Require();
        m_options.circuitMap.Write(
            m_options.plane.policies.size() > 1 ? Options::NameForFile(m_policy) : "");
        results.Finish();
        return {m_policy, m_options.plane.reconfiguration, *m_run};
    }

    /** Prints the messages about rail 0 in an iteration, if there is a control plane. */
    void PrintChart(uint32_t iteration) const
    {
        if (m_chart.IsEmpty())
        {
            return;
        }
        const Time begin = iteration == 1 ? Time(0) : m_run->GetEnd(iteration - 1);
        const SequenceChart chart = m_chart.Draw(RailId(0), begin, m_run->GetEnd(iteration));
        std::cout << std::endl
                  << m_policy << ": iteration " << iteration << ", rail 0, " << chart.GetRows()
                  << " messages; 0 us is " << begin.GetTimeStep() / 1e9 << " ms" << std::endl;
        chart.Print(std::cout, begin);
    }

  private:
    Options m_options;
    std::string m_policy;
    Ptr<JobRun> m_run;
    ControlPlaneChart m_chart;
    std::unique_ptr<TimelineRecorder> m_timeline;
    std::unique_ptr<RailAnimation> m_animation;
};

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario);
    return scenario.Run(argc, argv, [&] {
        options.Check(scenario);
        for (const std::string& policy : options.plane.policies)
        {
            Scenario::Rehearse([&] {
                auto one = std::make_unique<Case>(options, policy, "", nullptr);
                one->AbortOnRefusal();
                return one;
            });
        }
        scenario.Begin();
        scenario.GetPlot().SetTitle("Iterations of a job of two stages, by policy");
        scenario.GetPlot().SetX({"iteration"});
        scenario.GetPlot().SetY({"time of the iteration (ms)", 1e-3});
        std::vector<ControlPlaneReport> reports;
        RailNetDevice::Trains trains;
        for (const std::string& policy : options.plane.policies)
        {
            Scenario::ShowAction(policy);
            const std::string name = options.plane.policies.size() > 1 ? policy : "";
            Case one(options,
                     policy,
                     options.GetTimelineFile(policy),
                     options.animation.Make(name));
            reports.push_back(
                one.Run(*scenario.BeginRun({policy, policy, options.plane.reconfiguration})));
            const ControlPlaneReport& report = reports.back();
            trains.Add(report.trains);
            scenario.AddFigure("iteration, " + policy, "ms", report.GetMeanIteration() * 1e3);
            report.Plot(scenario.GetPlot());
            scenario.AddRow("policies", [&](JsonWriter& json) { report.Write(json); });
            if (scenario.PrintsTables() && options.chart > 0)
            {
                one.PrintChart(options.chart);
            }
            else if (scenario.PrintsTables())
            {
                if (reports.size() == 1)
                {
                    ControlPlaneReport::PrintHead(std::cout);
                }
                report.PrintRow(std::cout);
            }
        }
        if (scenario.PrintsTables())
        {
            if (options.chart > 0)
            {
                ControlPlaneReport::PrintTable(std::cout, reports);
            }
            ControlPlaneReport::PrintNotes(std::cout, reports);
        }
        scenario.Write([&](JsonWriter& json) { WriteFidelity(json, trains); });
    });
}
