/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Faults in a cluster, and what becomes of the job that runs there.
//
//     server 0     server 1     server 2     server 3      8 GPUs: GPU l of each server is on rail
//     l [gpu gpu]    [gpu gpu]    [gpu gpu]    [gpu gpu]
//        |            |            |            |
//        +------------+--- rail 0: an optical switch, its agent         and rail 1 alike
//                                  |
//                 controller --- management network --- standby
//
// The job has two stages on two servers each (as opus-control-plane): a data-parallel ring and
// pipeline sends take turns on the circuits. --fault names faults, --faults is a file with them.
// The table shows each fault, its repair, the controllers that take over, and the ranks that give
// up. The last line has the time of the job, with the faults and without.
//
// What to look at: a fiber that is spliced soon costs what it lasts, and the timeouts of the lost
// frames; a controller that crashes has all requests wait until the standby takes over; a GPU that
// fails requests no circuits any more, and its peers are refused after the VoteLimit of 30 s, or
// find out by the retry limits of their messages.
//
// Try: ./rails run fault-injection
//      ./rails run fault-injection --fault=gpu-slow:at=1ms,duration=5ms,server=2,factor=3
//      ./rails run fault-injection --fault=gpu-failure:at=2ms,server=3,gpu=1
//      ./rails run fault-injection --netanim=faults.xml

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iostream>

using namespace ns3;

namespace
{

constexpr uint32_t RAILS = 2;            // each of the four servers has a GPU on each
constexpr int64_t RECONFIGURATION = 100; // us

const char* const FAULTS = "fiber-cut:at=1ms,duration=500us,server=1;"
                           "controller-crash:at=2ms,duration=70ms;"
                           "nic-port-flapping:at=3ms,duration=1ms,server=2,port=1,period=200us;"
                           "agent-restart:at=60ms,duration=2ms,rail=1";

/** A rank can't go on. */
void
RankFailed(FaultJournal* journal, const OperationRecord& record)
{
    journal->Add("failed", "rank " + std::to_string(record.rank.Get()), record.why);
}

/** A rank has waited for too long. */
void
RankStalled(FaultJournal* journal, const std::string& report)
{
    journal->Add("stalled", report.substr(0, report.find(':')), "it waits for ranks that are gone");
}

/** A controller has another role. */
void
RoleChanged(FaultJournal* journal, OpusControllerApp::Role role, uint32_t term)
{
    journal->Add(ToString(role), "a controller", "term " + std::to_string(term));
}

/** @return the job on its cluster */
Ptr<JobRun>
MakeRun(const TwoStageJob& job)
{
    JobHelper helper;
    helper.SetGpusPerServer(RAILS);
    helper.SetPorts(2, DataRate("200Gbps"));
    helper.SetReconfigurationTime(MicroSeconds(RECONFIGURATION));
    helper.GetOpus().SetPolicy("on-demand");
    helper.GetOpus().SetStandby(true);
    return helper.Install(job.Make(RAILS));
}

/**
 * Runs the job.
 * @param results record it
 * @param [in,out] trains counts frames
 * @param animation of the run with faults; the other one has none
 * @return how long it takes, in milliseconds; negative: it does not end
 */
double
RunJob(const TwoStageJob& job,
       const FaultOption& faults,
       FaultJournal* journal,
       RunResults& results,
       RailNetDevice::Trains& trains,
       CircuitMapOption circuitMap,
       RailAnimation* animation)
{
    const Ptr<JobRun> run = MakeRun(job);
    run->plane.AssignStreams(1);
    if (journal != nullptr)
    {
        const Ptr<FaultInjector> injector = faults.Install(*run);
        journal->Observe(injector);
        animation->Add(run->rails);
        animation->Add(run->applications);
        animation->Add(run->plane);
        animation->Add(injector);
        results.Add(injector);
        run->collectives->TraceConnect("OperationFailed", MakeBoundCallback(&RankFailed, journal));
        run->collectives->TraceConnect("Stalled", MakeBoundCallback(&RankStalled, journal));
        for (const auto& controller : {run->plane.controller, run->plane.standby})
        {
            controller->TraceConnectWithoutContext("RoleChanged",
                                                   MakeBoundCallback(&RoleChanged, journal));
        }
    }
    circuitMap.Record(run->rails.front(), "server");
    results.AddJob(run);
    Scenario::Simulate();
    circuitMap.Write();
    results.Finish();
    const bool isOver = run->GetIterations() == job.iterations;
    const double end = isOver ? run->GetAll().end.ToDouble(Time::MS) : -1;
    trains.Add(GetTrainsOf(run->rails));
    Simulator::Destroy();
    return end;
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    TwoStageJob job{4, MicroSeconds(500), 4 << 20, 1 << 20};
    FaultOption faults(FAULTS);
    scenario.Add("iterations", "Of training", job.iterations).Between(1, 1000);
    scenario.Add("forward", "A stage computes forward for one micro-batch", job.forward)
        .Between(PicoSeconds(1), Hours(1));
    faults.Add(scenario.GetOptions());
    CircuitMapOption circuitMap;
    circuitMap.Add(scenario.GetOptions());
    scenario.AddAnimation();
    return scenario.Run(argc, argv, [&] {
        faults.Check(scenario.GetOptions());
        circuitMap.Check(scenario.GetOptions());
        Scenario::Rehearse([&] {
            const Ptr<JobRun> run = MakeRun(job);
            faults.Install(*run);
            return run;
        });
        scenario.Begin();
        FaultJournal journal;
        RailNetDevice::Trains trains;
        RailAnimation& animation = scenario.GetAnimation();
        const auto begin = [&](const std::string& name, bool isMain) {
            return scenario.BeginRun({name, "on-demand", MicroSeconds(RECONFIGURATION), isMain});
        };
        const Ptr<RunResults> faulty = begin("with faults", true);
        const double with = RunJob(job, faults, &journal, *faulty, trains, circuitMap, &animation);
        const Ptr<RunResults> sound = begin("without faults", false);
        const double without =
            RunJob(job, faults, nullptr, *sound, trains, CircuitMapOption(), nullptr);
        if (scenario.PrintsTables())
        {
            journal.Print(std::cout);
            std::cout << "the job takes " << without << " ms without faults, and with them ";
            with < 0 ? std::cout << "does not end" : std::cout << with << " ms";
            std::cout << std::endl;
        }
        scenario.AddFigure("the job without faults", "ms", without);
        if (with >= 0)
        {
            scenario.AddFigure("the job with faults", "ms", with);
        }
        scenario.Write([&](JsonWriter& json) {
            journal.Write(json);
            json.Field("ended", with >= 0);
            json.Field("time_ms", with);
            json.Field("time_without_ms", without);
            WriteFidelity(json, trains);
        });
    });
}
