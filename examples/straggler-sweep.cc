/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An all-reduce behind a rank that is late, by a ring and by StragglAR: sizes, delays, switches.
//
//     iteration    rank 0      compute |all-reduce .........|          the others wait for the last
//                   ...        compute |all-reduce .........|          rank: by a ring all the
//                   time,
//                  rank n - 1  compute + delay     |all-reduce|        by StragglAR they begin
//
// With --place=server the ranks are the GPUs of a server, joined by its fabric. With
// --place=electrical and --place=optical each is in a server of its own, on one rail: a packet
// switch, or circuits that a control plane changes on demand, for a list of reconfiguration times.
//
// Each row is three runs of the same programs: by "ring", by "straggl-ar", and with StragglerAware,
// where ranks report their calls, and choose. In the last run nobody is told who is late, and the
// first iterations are for learning.
//
// Times are those of the last iteration, from the call of the last rank to the last end. "less" is
// by how much StragglAR takes less time than the ring. "by form" are both by the closed forms of
// StragglerCosts, and "pays from" the delay at which both are equal, by these. "chosen" is what the
// third run has chosen in its last iteration, and "time" the time of that.
//
// What to look at: a small delay does not hide what the others do in the meantime, and a ring
// wins; from "pays from" on StragglAR does. On circuits each of its rounds is a reconfiguration:
// it wins only if the switch is fast, or the buffer large.
//
// Try: ./rails run straggler-sweep
//      ./rails run straggler-sweep --times=nccl
//      ./rails run straggler-sweep --place=optical --reconfigurations=0s,1us,10us,100us
//      --delays=5ms
//      ./rails run straggler-sweep --plot=straggler.svg
//      ./rails run straggler-sweep --ranks=6 --place=electrical --sizes=256M

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/** What the command line can set. */
struct Options
{
    std::string place{"server"};
    uint32_t ranks{8};
    std::string generation{"nvlink4"};
    uint32_t ports{2};
    DataRate portRate{"200Gbps"};
    std::vector<uint64_t> sizes{16 << 20, 64 << 20, 256 << 20, 1 << 30};
    std::vector<Time> delays{MicroSeconds(100), MilliSeconds(1), MilliSeconds(10)};
    std::vector<Time> reconfigurations{MicroSeconds(10)};
    uint32_t straggler{7};
    Time compute{MilliSeconds(1)};
    uint32_t iterations{4};
    CollectiveTimesOptions times;

    void Add(Scenario& scenario)
    {
        scenario.Add("place", "Where the ranks are: server, electrical or optical", place)
            .OneOf({"server", "electrical", "optical"}, "place");
        scenario.Add("ranks", "GPUs", ranks).Between(3, 256);
        scenario.Add("generation", "Of the fabric in the server", generation)
            .OneOf(GetNamesOf(ScaleUpGeneration::GetAll()), "generation");
        scenario.Add("ports", "NIC ports of a GPU, on a rail", ports).Between(2, 16);
        scenario.Add("port-rate", "Rate of a port", portRate);
        scenario.Add("sizes", "Buffers, bytes, with commas", sizes);
        scenario.Add("delays", "How much later the last rank computes, with commas", delays);
        scenario.Add("reconfigurations",
                     "Reconfiguration times of the optical switch, with commas",
                     reconfigurations);
        scenario.Add("straggler", "The rank that is late", straggler);
        scenario.Add("compute", "Computing of all ranks before the operation", compute)
            .Between(Seconds(0), Hours(1));
        scenario.Add("iterations", "Of the run that chooses", iterations).Between(2, 100);
        times.Add(scenario.GetOptions());
    }

    void Complete(Scenario& scenario)
    {
        times.Complete(scenario.GetOptions());
        scenario.Require(straggler < ranks,
                         "straggler",
                         "there are " + std::to_string(ranks) + " ranks, counted from 0");
        scenario.Require(place != "server" || ranks <= GetFabric().largestDomain,
                         "ranks",
                         "a server of " + generation + " has " +
                             std::to_string(GetFabric().largestDomain) + " at most");
        for (const uint64_t size : sizes)
        {
            scenario.Require(size > 0 && size <= 16ULL << 30, "sizes", "give 1 to 16G");
        }
        RequireTimes(scenario, "delays", delays);
        RequireTimes(scenario, "reconfigurations", reconfigurations);
        if (place != "optical")
        {
            reconfigurations = {Time(0)};
        }
    }

    /** Refuses times that no run could wait for. */
    static void RequireTimes(Scenario& scenario,
                             const std::string& name,
                             const std::vector<Time>& times)
    {
        for (const Time& time : times)
        {
            scenario.Require(time >= Time(0) && time <= Hours(1), name, "give 0s to 1h");
        }
    }

    /** @return the fabric in the server */
    const ScaleUpGeneration& GetFabric() const
    {
        return ScaleUpGeneration::Get(generation);
    }

    bool IsInServer() const
    {
        return place == "server";
    }
};

/** A row of the table. */
struct Cell
{
    uint64_t size{0};
    Time delay{0};
    Time reconfiguration{0};
};

/** The times of a run, and how it came to them. */
struct Outcome
{
    Time time{0}; //!< of the last iteration, from the last call to the last end
    std::string algorithm;
    std::string reason;
    StragglerCosts costs; //!< as the ranks see them
};

/** The ranks, with their programs. */
class Case
{
  public:
    /** @param algorithm of the all-reduces; empty: the ranks choose between two */
    Case(const Options& options, const Cell& cell, const std::string& algorithm)
        : m_isAware(algorithm.empty()),
          m_gpus(options.ranks)
    {
        InstallRails(options, cell);
        CollectiveHelper collectives;
        options.times.SetUp(collectives);
        collectives.SetAttribute("StragglerAware", BooleanValue(m_isAware));
        OpusWaits waits;
        waits.reconfiguration = cell.reconfiguration;
        waits.computing = options.compute + cell.delay;
        const OpusLimits limits = OpusLimits().GetWith(waits);
        collectives.SuggestAttribute("StallLimit", TimeValue(limits.stall));
        if (options.IsInServer())
        {
            ScaleUpHelper fabric;
            fabric.SetAttribute("PortRate",
                                DataRateValue(DataRate(options.GetFabric().bitsPerSecond)));
            collectives.SetScaleUp(fabric.Install(m_gpus, options.ranks));
        }
        else
        {
            OpusHelper opus;
            opus.SetPolicy(options.place == "optical" ? "on-demand" : "electrical");
            opus.SuggestLimits(limits);
            m_plane = opus.Install(m_rails);
            collectives.SetBrokers(m_plane.brokers);
        }
        m_job = collectives.Install(m_rails);
        SetPrograms(options, cell, m_isAware ? "ring" : algorithm);
        m_job->TraceConnect("OperationEnded", MakeCallback(&Case::TakeEnd, this));
    }

    /** Runs it. @param results record it @return what came of it */
    Outcome Run(RunResults& results)
    {
        RailAudit audit;
        for (const Rail& rail : m_rails)
        {
            audit.Add(rail);
        }
        audit.Add(m_job->GetApplications());
        results.Add(m_rails);
        results.Add(m_job->GetApplications());
        results.Add(m_plane);
        Scenario::Simulate();
        audit.Require();
        results.Finish();
        m_outcome.time = m_lastEnd - m_lastCall;
        for (const Rail& rail : m_rails)
        {
            trains.Add(GetTrainsOf(rail));
        }
        return m_outcome;
    }

    ~Case()
    {
        Simulator::Destroy();
    }

    RailNetDevice::Trains trains;

  private:
    void InstallRails(const Options& options, const Cell& cell)
    {
        PhotonicRailHelper photonic;
        ElectricalRailHelper electrical;
        RailHelper& rails =
            options.place == "optical" ? static_cast<RailHelper&>(photonic) : electrical;
        rails.SetPorts(options.ports, options.portRate);
        photonic.SetSwitchAttribute("Radix", UintegerValue(options.ranks * options.ports));
        photonic.SetReconfigurationTime(cell.reconfiguration);
        electrical.SetRadix(0); // one switch, with as many ports as it takes
        m_rails = rails.InstallRails(m_gpus, options.IsInServer() ? options.ranks : 1);
        RdmaHelper().Install(m_gpus);
    }

    void SetPrograms(const Options& options, const Cell& cell, const std::string& algorithm)
    {
        std::vector<uint32_t> ranks(options.ranks);
        for (uint32_t rank = 0; rank < options.ranks; ++rank)
        {
            ranks[rank] = rank;
        }
        const auto group = m_job->MakeGroup("all", ranks, options.IsInServer() ? options.ranks : 1);
        for (const uint32_t rank : ranks)
        {
            auto program = std::make_shared<RankProgram>();
            for (uint32_t iteration = 0; iteration < options.iterations; ++iteration)
            {
                program->BeginIteration();
                program->Compute(0,
                                 options.compute +
                                     (rank == options.straggler ? cell.delay : Time(0)));
                m_last =
                    program->Collective(0, 0, CollectiveKind::ALL_REDUCE, cell.size, algorithm);
                program->Edit(m_last).straggler = options.straggler; // if StragglAR is named
            }
            m_job->SetProgram(rank, program, {group});
        }
    }

    void TakeEnd(const OperationRecord& record)
    {
        if (record.operation == m_last)
        {
            m_lastCall = std::max(m_lastCall, record.start);
            m_lastEnd = std::max(m_lastEnd, record.end);
            m_outcome.algorithm = record.algorithm;
            m_outcome.reason = record.reason;
        }
    }

    bool m_isAware;
    NodeContainer m_gpus;
    std::vector<Rail> m_rails;
    OpusControlPlane m_plane;
    Ptr<CollectiveJob> m_job;
    uint32_t m_last{0}; //!< the last all-reduce of a program
    Time m_lastCall{0};
    Time m_lastEnd{0};
    Outcome m_outcome;
};

/** @return the costs of a row in closed form, as ranks see them */
StragglerCosts
MakeCosts(const Options& options, const Cell& cell)
{
    const Time step = options.IsInServer() ? options.times.scaleUpStep : options.times.railStep;
    const uint64_t rate = options.IsInServer() ? options.GetFabric().bitsPerSecond / 8
                                               : options.ports * options.portRate.GetBitRate() / 8;
    StragglerCosts costs =
        StragglerCosts::OfFabric(options.ranks, cell.size, rate, MicroSeconds(1) + step);
    if (options.place == "optical")
    {
        costs.reconfiguration = cell.reconfiguration;
        costs.changes = costs.rounds;
        costs.scatterChanges = 1;
    }
    return costs;
}

std::string
InMicroseconds(Time time)
{
    if (time == Time::Max())
    {
        return "never";
    }
    std::ostringstream words;
    words << std::fixed << std::setprecision(1) << time.GetTimeStep() / 1e6;
    return words.str();
}

void
PrintHead(const Options& options)
{
    std::cout << options.ranks << " GPUs "
              << (options.IsInServer() ? "in a server, " + options.generation
                                       : "on " + options.place + " rail, " +
                                             std::to_string(options.ports) + " ports")
              << ", rank " << options.straggler << " is late, "
              << GetStragglerPlan(options.ranks).rounds << " rounds of StragglAR" << std::endl
              << std::endl
              << std::setw(11) << "size" << std::setw(10) << "delay" << std::setw(10) << "switch"
              << std::setw(11) << "ring" << std::setw(12) << "straggl-ar" << std::setw(8) << "less"
              << "  | by form  " << std::setw(11) << "straggl-ar" << std::setw(11) << "pays from"
              << "  | chosen" << std::setw(15) << "time" << std::endl
              << std::setw(11) << "(B)" << std::setw(10) << "(us)" << std::setw(10) << "(us)"
              << std::setw(11) << "(us)" << std::setw(12) << "(us)" << std::setw(8) << "(%)"
              << "  |     ring (us)" << std::setw(7) << "(us)" << std::setw(11) << "(us)"
              << "  |       " << std::setw(15) << "(us)" << std::endl;
}

/** The quantity over which times are drawn: the one with the most values. */
enum class Over
{
    SIZES,
    DELAYS,
    RECONFIGURATIONS,
};

Over
FindOver(const Options& options)
{
    const std::size_t sizes = options.sizes.size();
    const std::size_t delays = options.delays.size();
    const std::size_t reconfigurations = options.reconfigurations.size();
    return reconfigurations > std::max(sizes, delays) ? Over::RECONFIGURATIONS
           : delays > sizes                           ? Over::DELAYS
                                                      : Over::SIZES;
}

/** Sets the quantities of the plot. */
void
SetUpPlot(CurvePlot& plot, const Options& options)
{
    const Over over = FindOver(options);
    plot.SetTitle("All-reduce behind a late rank, by ring and by StragglAR: " +
                  std::to_string(options.ranks) + " GPUs");
    plot.SetX(over == Over::SIZES
                  ? PlotQuantity{"size (logarithmic)", 1, PlotQuantity::BYTES, true}
                  : PlotQuantity{over == Over::DELAYS ? "delay of the late rank (logarithmic)"
                                                      : "reconfiguration time (logarithmic)",
                                 1e12,
                                 PlotQuantity::SECONDS,
                                 true});
    plot.SetY({"from the last call to the last end (us)", 1e6, PlotQuantity::NUMBERS, true});
}

/** Adds the times of a row to the plot. */
void
Plot(CurvePlot& plot, const Options& options, const Cell& cell, Time ring, Time stragglAr)
{
    const Over over = FindOver(options);
    const double x = over == Over::SIZES    ? static_cast<double>(cell.size)
                     : over == Over::DELAYS ? cell.delay.GetTimeStep()
                                            : cell.reconfiguration.GetTimeStep();
    std::string name;
    if (over != Over::SIZES && options.sizes.size() > 1)
    {
        name += ", " + std::to_string(cell.size) + " bytes";
    }
    if (over != Over::DELAYS && options.delays.size() > 1)
    {
        name += ", " + ToOption(cell.delay) + " late";
    }
    if (over != Over::RECONFIGURATIONS && options.reconfigurations.size() > 1)
    {
        name += ", switch of " + ToOption(cell.reconfiguration);
    }
    plot.AddPoint("ring" + name, x, ring.GetTimeStep());
    plot.AddPoint("straggl-ar" + name, x, stragglAr.GetTimeStep());
}

/** Runs a row. */
void
RunCell(Scenario& scenario, const Options& options, const Cell& cell, RailNetDevice::Trains& trains)
{
    std::vector<Outcome> outcomes;
    const std::string name = std::to_string(cell.size) + " bytes, " + InMicroseconds(cell.delay) +
                             " us late, " + InMicroseconds(cell.reconfiguration) + " us";
    for (const std::string algorithm : {"ring", "straggl-ar", ""})
    {
        Case one(options, cell, algorithm);
        const std::string run = (algorithm.empty() ? "chosen" : algorithm) + ", " + name;
        outcomes.push_back(one.Run(*scenario.BeginRun({run, options.place, cell.reconfiguration})));
        trains.Add(one.trains);
    }
    const auto& [ring, stragglAr, aware] = std::tie(outcomes[0], outcomes[1], outcomes[2]);
    const StragglerCosts costs = MakeCosts(options, cell);
    const Time formStragglAr = costs.GetStragglAr(cell.delay) - cell.delay;
    const double less = 100 - 100.0 * stragglAr.time.GetTimeStep() / ring.time.GetTimeStep();
    if (scenario.PrintsTables())
    {
        std::cout << std::setw(11) << cell.size << std::setw(10) << InMicroseconds(cell.delay)
                  << std::setw(10) << InMicroseconds(cell.reconfiguration) << std::setw(11)
                  << InMicroseconds(ring.time) << std::setw(12) << InMicroseconds(stragglAr.time)
                  << std::setw(8) << std::fixed << std::setprecision(1) << less << "  | "
                  << std::setw(8) << InMicroseconds(costs.GetRing()) << std::setw(12)
                  << InMicroseconds(formStragglAr) << std::setw(11)
                  << InMicroseconds(costs.GetCrossover()) << "  | " << std::left << std::setw(11)
                  << aware.algorithm << std::right << std::setw(10) << InMicroseconds(aware.time)
                  << std::endl;
    }
    scenario.AddFigure("ring, " + name, "us", ring.time.GetTimeStep() / 1e6);
    scenario.AddFigure("straggl-ar, " + name, "us", stragglAr.time.GetTimeStep() / 1e6);
    Plot(scenario.GetPlot(), options, cell, ring.time, stragglAr.time);
    scenario.AddRow("rows", [&](JsonWriter& json) {
        json.Field("bytes", cell.size);
        json.Field("delay_ps", cell.delay.GetTimeStep());
        json.Field("reconfiguration_ps", cell.reconfiguration.GetTimeStep());
        json.Field("ring_ps", ring.time.GetTimeStep());
        json.Field("straggl_ar_ps", stragglAr.time.GetTimeStep());
        json.Field("ring_by_form_ps", costs.GetRing().GetTimeStep());
        json.Field("straggl_ar_by_form_ps", formStragglAr.GetTimeStep());
        json.Field("pays_from_ps",
                   costs.GetCrossover() == Time::Max() ? -1 : costs.GetCrossover().GetTimeStep());
        json.Field("chosen", aware.algorithm);
        json.Field("reason", aware.reason);
        json.Field("chosen_ps", aware.time.GetTimeStep());
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario);
    scenario.AddPlot();
    return scenario.Run(argc, argv, [&] {
        options.Complete(scenario);
        const Cell first{options.sizes.front(),
                         options.delays.front(),
                         options.reconfigurations[0]};
        Scenario::Rehearse([&] { return std::make_unique<Case>(options, first, "ring"); });
        scenario.Begin();
        if (scenario.PrintsTables())
        {
            PrintHead(options);
        }
        SetUpPlot(scenario.GetPlot(), options);
        RailNetDevice::Trains trains;
        for (const uint64_t size : options.sizes)
        {
            for (const Time& reconfiguration : options.reconfigurations)
            {
                for (const Time& delay : options.delays)
                {
                    Scenario::ShowAction(std::to_string(size) + " bytes");
                    RunCell(scenario, options, {size, delay, reconfiguration}, trains);
                }
            }
        }
        scenario.Write([&](JsonWriter& json) {
            json.Field("ranks", options.ranks);
            json.Field("rounds", GetStragglerPlan(options.ranks).rounds);
            WriteFidelity(json, trains);
        });
    });
}
