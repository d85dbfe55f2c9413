/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A switch on a photonic chip: is a mesh of 2x2 cells enough for all-to-all, and at what cost?
//
//      GPU 0 ---+   __    __   +--- GPU 4      each side of a hexagon is a cell (a Mach-Zehnder
//      GPU 1 ---+  /  \__/  \  +--- GPU 5      interferometer), set to bar or cross by phase
//      GPU 2 ---+  \__/  \__/  +--- GPU 6      shifters; circuits are routes through cells, and a
//      GPU 3 ---+  /  \__/  \  +--- GPU 7      cell carries two routes that need the same state
//
// Each GPU has one port, so it meets the others one after the other: n - 1 matchings, in which each
// pair meets once, are the fewest. The program searches the mesh for routes of all of them, as
// "PipSwitch" does (Ding and Singh, arXiv 2501.18136), then runs an all-to-all over them, and an
// all-reduce: each pair exchanges sums of its shares, matching by matching, then the finished
// shares in the opposite order. Circuits are set up by a control plane that knows everything at
// once, so the times are those of the fabric alone. The same GPUs, NICs and fibers run with a Benes
// network, with an ideal crossbar that takes as long to change, and with a packet switch, over
// which an all-to-all sends to all at once.
//
// What to look at: the mesh sets all matchings, so a stage takes no longer than on a crossbar, but
// for some hundred picoseconds of waveguide; what costs time is the tuning of phase shifters,
// between all matchings, which the electrical rail does not have. What costs more is light: each
// cell takes half a dB, and the longest route may lose more than any transceiver bears.
//
// With --transceiver circuits whose loss is too high get no light: the program says so. --rows and
// --columns set the mesh; one that is too small sets some matchings only. The table of sizes has
// what the search finds for 2 to 32 ports.
//
// Try: ./rails run pip-all-to-all
//      ./rails run pip-all-to-all --ranks=32 --size=256M --tuning=10us
//      ./rails run pip-all-to-all --transceiver=fr4 --cell-loss=0.05 --table=false
//      ./rails run pip-all-to-all --plot=cells-and-loss.svg
//      ./rails run pip-all-to-all --ranks=12 --rows=3 --columns=3 --table=false

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr const char* MATCHINGS = "tournament"; // the all-reduce that this program adds

/** The options. */
struct Options
{
    uint32_t ranks{16};
    uint64_t size{64 << 20};
    DataRate portRate{"400Gbps"};
    std::vector<std::string> fabrics{"hexagonal", "benes", "crossbar", "electrical"};
    uint32_t rows{0};
    uint32_t columns{0};
    double cellLoss{0.48};
    Time tuning{MicroSeconds(30)};
    std::string transceiver{"none"};
    bool table{true};
    uint32_t tries{40};

    void Add(ScenarioOptions& options)
    {
        options.Add("ranks", "GPUs, each with one port, 2 to 64", ranks).Between(2, 64);
        options.Add("size", "Bytes of the buffer of each rank", size).Between(1, uint64_t{1} << 40);
        options.Add("port-rate", "Rate of a port", portRate);
        options.Add("fabrics", "What runs the operations", fabrics)
            .OneOf({"hexagonal", "benes", "crossbar-mesh", "crossbar", "electrical"}, "fabric");
        options.Add("rows", "Rows of hexagons; 0: as many as the ports need", rows).Between(0, 100);
        options.Add("columns", "Hexagons in a row; 0: as many as the ports need", columns)
            .Between(0, 100);
        options.Add("cell-loss", "Loss of a cell, in dB", cellLoss).Between(0, 100);
        options.Add("tuning", "Time that phase shifters take, and the crossbar's too", tuning)
            .Between(Time(0), Seconds(1));
        options.Add("transceiver", "What limits the loss of a circuit", transceiver)
            .OneOf({"none", "dr4", "fr4", "lr4"}, "transceiver");
        options.Add("table", "Whether the table of sizes 2 to 32 is printed", table);
        options.Add("tries", "Places of the ranks to try, if a matching has no routes", tries)
            .Between(1, 10000);
    }

    void Check(const ScenarioOptions& options) const
    {
        const uint32_t side = HexagonalMeshFabric::GetSide(ranks);
        const uint32_t most = GetMostEnds(rows == 0 ? side : rows, columns == 0 ? side : columns);
        options.Require(ranks <= most,
                        "rows",
                        "the mesh has " + std::to_string(most) +
                            " arms that lead out, and --ranks is more: give more rows and columns");
    }
};

/** @return a fabric with the settings of the options, for so many ports */
ObjectFactory
MakeFabric(const Options& options, const std::string& name, bool isDefaultSize)
{
    ObjectFactory factory = MakeFabricFactory(name);
    if (name == "crossbar")
    {
        return factory;
    }
    factory.Set("CellLoss", DoubleValue(options.cellLoss));
    factory.Set("TuningTime", TimeValue(options.tuning));
    if (name == "hexagonal" && !isDefaultSize)
    {
        factory.Set("Rows", UintegerValue(options.rows));
        factory.Set("Columns", UintegerValue(options.columns));
    }
    return factory;
}

/** The matchings of a fabric, and what their routes come to. */
struct Search
{
    std::shared_ptr<const FabricDescription> fabric; //!< null: an ideal crossbar, or no circuits
    AllPairsMatchings matchings;
    uint32_t longest{0};     //!< cells
    Time slowest{0};         //!< delay of a route
    double worstLoss{0};     //!< dB
    double worstCrosstalk{}; //!< dB below the light
    double seconds{0};       //!< of the search, on this machine
};

/** Searches a fabric for the matchings of an all-to-all. */
Search
FindMatchings(const ObjectFactory& factory, uint32_t ports, uint32_t tries)
{
    Search search;
    search.fabric = factory.Create<SwitchFabric>()->Describe(ports);
    if (!search.fabric)
    {
        return search;
    }
    const double begin = GetMonotonicSeconds();
    search.matchings = FindAllPairsMatchings(*search.fabric, tries);
    search.seconds = GetMonotonicSeconds() - begin;
    search.worstCrosstalk = std::numeric_limits<double>::infinity();
    for (const std::vector<FabricRoute>& routes : search.matchings.routes)
    {
        for (const FabricRoute& route : routes)
        {
            const FabricPath path = search.fabric->GetPath(route, routes);
            search.longest = std::max(search.longest, path.cells);
            search.slowest = std::max(search.slowest, ToTime(path.delay));
            search.worstLoss = std::max(search.worstLoss, path.lossDb);
            search.worstCrosstalk = std::min(search.worstCrosstalk, path.crosstalkDb);
        }
    }
    return search;
}

/** Adds the all-reduce over matchings to the algorithms, which proves that it is one. */
void
RegisterAllReduce()
{
    CollectiveAlgorithm algorithm;
    algorithm.name = MATCHINGS;
    algorithm.kind = CollectiveKind::ALL_REDUCE;
    algorithm.help = "in each round each rank has another partner, for its sum and for its share";
    algorithm.write = [](ScheduleChannel& channel) {
        const std::vector<uint32_t> shares = channel.AddShares();
        const std::vector<RankMatching> rounds = MakeTournament(channel.GetRanks());
        const uint32_t count = rounds.size();
        for (uint32_t round = 0; round < 2 * count; ++round)
        {
            const bool sums = round < count;
            for (const auto& [one, other] : rounds[sums ? round : 2 * count - 1 - round])
            {
                if (sums)
                {
                    channel.Reduce(round, one, other, shares[other]);
                    channel.Reduce(round, other, one, shares[one]);
                }
                else
                {
                    channel.Copy(round, one, other, shares[one]);
                    channel.Copy(round, other, one, shares[other]);
                }
            }
        }
    };
    algorithm.bytesSent = [](const CollectiveParameters& p, uint32_t, uint64_t buffer) {
        return 2 * (p.ranks - 1) * (buffer / p.ranks);
    };
    CollectiveAlgorithm::Register(algorithm);
}

/** One collective operation of all ranks, on one rail. */
class Operation
{
  public:
    Operation(const Options& options,
              const std::string& fabric,
              const Search& search,
              CollectiveKind kind);

    /** Runs it to its end. */
    void Run();

    CollectiveMeasurement measurement;
    uint64_t reconfigurations{0};
    RailNetDevice::Trains trains;

  private:
    /** Makes the rail, whose GPUs are at the ports that the search has found for ranks. */
    void InstallRail(const Options& options, const std::string& fabric, const Search& search);

    NodeContainer m_gpus;
    Rail m_rail;
    Ptr<CircuitBroker> m_broker;
    Ptr<CollectiveJob> m_job;
    RailAudit m_audit;
};

Operation::Operation(const Options& options,
                     const std::string& fabric,
                     const Search& search,
                     CollectiveKind kind)
    : measurement(options.size),
      m_gpus(options.ranks)
{
    InstallRail(options, fabric, search);
    RdmaHelper().Install(m_gpus);
    const auto links = std::make_shared<RailLinks>(std::vector<Rail>{m_rail}, false);
    const bool isElectrical = fabric == "electrical";
    m_broker = isElectrical ? Ptr<CircuitBroker>(CreateObject<StandingCircuits>(links))
                            : Ptr<CircuitBroker>(CreateObject<InstantCircuits>(links));
    CollectiveHelper collectives;
    collectives.SetAttribute("Fallback", BooleanValue(false));
    collectives.SetBroker(m_broker);
    m_job = collectives.Install({m_rail});
    measurement.Observe(m_job->GetApplications());
    std::vector<uint32_t> ranks(options.ranks);
    std::iota(ranks.begin(), ranks.end(), 0);
    const auto group = m_job->MakeGroup("all", ranks, 1);
    const std::string algorithm = kind == CollectiveKind::ALL_REDUCE ? MATCHINGS
                                  : isElectrical                     ? "direct"
                                                                     : "matchings";
    for (const uint32_t rank : ranks)
    {
        auto program = std::make_shared<RankProgram>();
        program->Collective(0, 0, kind, options.size, algorithm);
        m_job->SetProgram(rank, program, {group});
    }
    m_audit.Add(m_rail);
    m_audit.Add(m_job->GetApplications());
}

void
Operation::InstallRail(const Options& options, const std::string& fabric, const Search& search)
{
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    electrical.SetRadix(0); // one switch, with as many ports as it takes
    RailHelper& rails = fabric == "electrical" ? static_cast<RailHelper&>(electrical) : photonic;
    rails.SetPorts(1, options.portRate);
    if (fabric != "electrical")
    {
        photonic.SetSwitchAttribute("Fabric",
                                    ObjectFactoryValue(MakeFabric(options, fabric, false)));
        photonic.SetReconfigurationTime(options.tuning);
    }
    if (options.transceiver != "none")
    {
        photonic.SetTransceiver(options.transceiver);
    }
    m_rail = rails.Install(m_gpus);
    if (search.fabric)
    {
        m_rail = m_rail.Select(search.matchings.ports);
    }
}

void
Operation::Run()
{
    Scenario::Simulate();
    m_audit.Require();
    trains.Add(GetTrainsOf(m_rail));
    const auto changes = DynamicCast<InstantCircuits>(m_broker);
    reconfigurations = changes ? changes->GetReconfigurations() : 0;
    Simulator::Destroy();
}

/** @return the reason why a fabric can't run the operations; empty if it can */
std::string
GetWhyNot(const Options& options, const Search& search)
{
    if (!search.fabric)
    {
        return "";
    }
    std::ostringstream why;
    if (!search.matchings.AreComplete())
    {
        why << "it sets " << search.matchings.settable << " of "
            << search.matchings.matchings.size() << " matchings";
    }
    else if (options.transceiver != "none" &&
             search.worstLoss > TransceiverStandard::Get(options.transceiver).GetBudget())
    {
        why << "a circuit loses " << std::fixed << std::setprecision(2) << search.worstLoss
            << " dB, and " << options.transceiver << " bears "
            << TransceiverStandard::Get(options.transceiver).GetBudget();
    }
    return why.str();
}

/** @return the transceivers that bear a loss */
std::string
ListTransceivers(double loss)
{
    std::string names;
    for (const TransceiverStandard& one : TransceiverStandard::GetAll())
    {
        names += loss <= one.GetBudget() ? (names.empty() ? "" : ",") + one.name : "";
    }
    return names.empty() ? "none" : names;
}

/** @return a mesh of hexagons in words: "5 x 5" */
std::string
GetSides(const Options& options, uint32_t ports, bool isDefaultSize)
{
    const uint32_t side = HexagonalMeshFabric::GetSide(ports);
    const bool isOwn = !isDefaultSize;
    return std::to_string(isOwn && options.rows != 0 ? options.rows : side) + " x " +
           std::to_string(isOwn && options.columns != 0 ? options.columns : side);
}

/** What the operations came to on a fabric. */
struct Result
{
    std::string fabric;
    Search search;
    std::string whyNot; //!< the reason why they did not run; empty: they did
    Time allToAll{0};
    Time allReduce{0};
    uint64_t changes{0}; //!< of circuits, of both
};

/** Runs the operations on each fabric. @param own search of the hexagonal mesh */
std::vector<Result>
RunFabrics(Scenario& scenario,
           const Options& options,
           const Search& own,
           RailNetDevice::Trains& trains)
{
    std::vector<Result> results;
    for (const std::string& fabric : options.fabrics)
    {
        Result& result = results.emplace_back();
        result.fabric = fabric;
        if (fabric == "hexagonal")
        {
            result.search = own;
        }
        else if (fabric != "electrical")
        {
            result.search =
                FindMatchings(MakeFabric(options, fabric, false), options.ranks, options.tries);
        }
        result.whyNot = GetWhyNot(options, result.search);
        for (const CollectiveKind kind : {CollectiveKind::ALL_TO_ALL, CollectiveKind::ALL_REDUCE})
        {
            if (!result.whyNot.empty())
            {
                continue;
            }
            const std::string name = std::string(ToString(kind)) + " on " + fabric;
            Scenario::ShowAction(name);
            Operation operation(options, fabric, result.search, kind);
            operation.Run();
            const Time time = operation.measurement.GetTime();
            (kind == CollectiveKind::ALL_TO_ALL ? result.allToAll : result.allReduce) = time;
            result.changes += operation.reconfigurations;
            trains.Add(operation.trains);
            scenario.AddFigure(name, "us", time.GetTimeStep() / 1e6);
        }
    }
    return results;
}

/** @return the result on a fabric that ran; null: it did not */
const Result*
Find(const std::vector<Result>& results, const std::string& fabric)
{
    const auto found = std::find_if(results.begin(), results.end(), [&](const Result& result) {
        return result.fabric == fabric && result.whyNot.empty();
    });
    return found == results.end() ? nullptr : &*found;
}

/** Answers the question of a reader of the paper. */
void
PrintAnswer(const Options& options, const Search& own, const std::vector<Result>& results)
{
    const AllPairsMatchings& all = own.matchings;
    std::cout << "Is a mesh of " << GetSides(options, options.ranks, false)
              << " hexagons enough for all-to-all of " << options.ranks << " ports? "
              << (all.AreComplete() ? "Yes" : "No") << ": it sets" << std::endl
              << all.settable << " of the " << all.matchings.size()
              << " matchings in which each two ports meet once, which are the fewest." << std::endl
              << std::fixed << std::setprecision(2);
    const Result* mesh = Find(results, "hexagonal");
    if (mesh == nullptr)
    {
        std::cout << (all.AreComplete() ? "" : "Give it more --rows and --columns.\n") << std::endl;
        return;
    }
    std::cout << "What does it cost in time? An all-to-all takes "
              << mesh->allToAll.GetTimeStep() / 1e6 << " us";
    for (const char* fabric : {"crossbar", "electrical"})
    {
        if (const Result* other = Find(results, fabric))
        {
            const double more = (mesh->allToAll - other->allToAll).GetTimeStep() / 1e6;
            const bool isFirst = fabric == std::string("crossbar");
            std::cout << (isFirst ? ":" : ",") << std::endl
                      << more << " us more than on "
                      << (isFirst
                              ? "an ideal crossbar that changes as fast"
                              : "an electrical rail, with " + std::to_string(all.matchings.size()) +
                                    (all.matchings.size() == 1 ? " change of " : " changes of ") +
                                    ToOption(options.tuning));
        }
    }
    std::cout << "." << std::endl
              << "What does it cost in light? Up to " << own.worstLoss << " dB. Transceivers of "
              << "400 Gb/s that bear it: " << ListTransceivers(own.worstLoss) << "." << std::endl
              << std::endl;
}

/** Prints the figures of the paper beside those of this program. */
void
PrintPublished(const Options& options, const Search& here)
{
    std::cout << "at 32 ports                  PipSwitch      here" << std::endl
              << "matchings that are set              31  " << std::setw(8)
              << here.matchings.settable << "  (the fewest: n - 1)" << std::endl
              << "mesh                             9 x 9  " << std::setw(8)
              << GetSides(options, 32, true) << std::endl
              << "cells                         hundreds  " << std::setw(8)
              << here.fabric->GetCells() << std::endl
              << "cells of the longest route              " << std::setw(8) << here.longest
              << "  (routes by negotiation, theirs by an integer program)" << std::endl
              << "worst loss, dB                          " << std::setw(8) << here.worstLoss
              << "  (by --cell-loss)" << std::endl
              << std::endl;
}

/** Prints what the operations took on each fabric. */
void
PrintFabrics(const Options& options, const std::vector<Result>& results)
{
    std::cout << options.size << " bytes of " << options.ranks << " ranks, one port of "
              << options.portRate.GetBitRate() / 1000000000 << " Gb/s each" << std::endl
              << std::endl
              << "               all-to-all  all-reduce  changes  longest   delay    loss  "
                 "crosstalk  transceivers"
              << std::endl
              << "                     (us)        (us)            route    (ps)    (dB)      "
                 " (dB)  that bear it"
              << std::endl;
    for (const Result& result : results)
    {
        std::cout << std::left << std::setw(13) << result.fabric << std::right;
        if (!result.whyNot.empty())
        {
            std::cout << "  " << result.whyNot << std::endl;
            continue;
        }
        std::cout << std::setw(12) << result.allToAll.GetTimeStep() / 1e6 << std::setw(12)
                  << result.allReduce.GetTimeStep() / 1e6 << std::setw(9) << result.changes;
        if (result.search.fabric)
        {
            std::cout << std::setw(9) << result.search.longest << std::setw(8)
                      << result.search.slowest.GetTimeStep() << std::setw(8)
                      << result.search.worstLoss << std::setw(11) << result.search.worstCrosstalk
                      << "  " << ListTransceivers(result.search.worstLoss);
        }
        std::cout << std::endl;
    }
}

/** Writes what the operations took on each fabric. */
void
WriteFabrics(Scenario& scenario, const std::vector<Result>& results)
{
    for (const Result& result : results)
    {
        scenario.AddRow("fabrics", [&](JsonWriter& json) {
            json.Field("fabric", result.fabric);
            json.Field("why_not", result.whyNot);
            json.Field("cells", result.search.fabric ? result.search.fabric->GetCells() : 0);
            json.Field("matchings", result.search.matchings.matchings.size());
            json.Field("settable", result.search.matchings.settable);
            json.Field("all_to_all_ps", result.allToAll.GetTimeStep());
            json.Field("all_reduce_ps", result.allReduce.GetTimeStep());
            json.Field("reconfigurations", result.changes);
            json.Field("longest_route", result.search.longest);
            json.Field("longest_delay_ps", result.search.slowest.GetTimeStep());
            json.Field("worst_loss_db", result.search.worstLoss);
        });
    }
}

/** Sets the quantities of the plots over the number of ports: cells, and loss. */
void
SetUpPlots(Scenario& scenario)
{
    CurvePlot& cells = scenario.GetPlot(0);
    cells.SetTitle("Cells that a switch of so many ports takes");
    cells.SetX({"ports"});
    cells.SetY({"2x2 cells", 1, PlotQuantity::NUMBERS, false, true});
    CurvePlot& loss = scenario.GetPlot(1);
    loss.SetTitle("Loss of the worst circuit in the hexagonal mesh");
    loss.SetX({"ports"});
    loss.SetY({"loss (dB)", 1, PlotQuantity::NUMBERS, false, true});
}

/** Prints and writes what the search finds for 2 to 32 ports. */
void
ShowSizes(Scenario& scenario, const Options& options)
{
    SetUpPlots(scenario);
    if (scenario.PrintsTables())
    {
        std::cout << std::endl
                  << "ports     mesh  cells  matchings  set  longest  worst loss  crossbar  Benes  "
                     "    search"
                  << std::endl
                  << "                                        route        (dB)     cells  cells  "
                     "      (ms)"
                  << std::endl;
    }
    for (uint32_t ports = 2; ports <= 32; ports += ports < 12 ? 1 : 4)
    {
        const Search mesh =
            FindMatchings(MakeFabric(options, "hexagonal", true), ports, options.tries);
        const auto cellsOf = [&](const char* name) {
            return MakeFabric(options, name, true)
                .Create<SwitchFabric>()
                ->Describe(ports)
                ->GetCells();
        };
        if (scenario.PrintsTables())
        {
            std::cout << std::setw(5) << ports << std::setw(9) << GetSides(options, ports, true)
                      << std::setw(7) << mesh.fabric->GetCells() << std::setw(11)
                      << mesh.matchings.matchings.size() << std::setw(5) << mesh.matchings.settable
                      << std::setw(9) << mesh.longest << std::fixed << std::setprecision(2)
                      << std::setw(12) << mesh.worstLoss << std::setw(10)
                      << cellsOf("crossbar-mesh") << std::setw(7) << cellsOf("benes")
                      << std::setw(12) << mesh.seconds * 1e3 << std::endl;
        }
        scenario.GetPlot(0).AddPoint("hexagonal mesh", ports, mesh.fabric->GetCells());
        scenario.GetPlot(0).AddPoint("crossbar of cells", ports, cellsOf("crossbar-mesh"));
        scenario.GetPlot(0).AddPoint("Benes network", ports, cellsOf("benes"));
        scenario.GetPlot(1).AddPoint("hexagonal mesh", ports, mesh.worstLoss);
        scenario.AddRow("sizes", [&](JsonWriter& json) {
            json.Field("ports", ports);
            json.Field("cells", mesh.fabric->GetCells());
            json.Field("matchings", mesh.matchings.matchings.size());
            json.Field("settable", mesh.matchings.settable);
            json.Field("tries", mesh.matchings.tries);
            json.Field("longest_route", mesh.longest);
            json.Field("worst_loss_db", mesh.worstLoss);
            json.Field("cells_of_crossbar", cellsOf("crossbar-mesh"));
            json.Field("cells_of_benes", cellsOf("benes"));
            json.Field("search_steps", mesh.matchings.steps);
            json.Field("cpu_s", mesh.seconds);
        });
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario.GetOptions());
    scenario.AddPlot();
    return scenario.Run(argc, argv, [&] {
        options.Check(scenario.GetOptions());
        scenario.Require(options.table || !scenario.IsPlotted(),
                         "plot",
                         "--table=false leaves out the sizes, so there is no curve");
        RegisterAllReduce();
        scenario.Begin();
        const Search own =
            FindMatchings(MakeFabric(options, "hexagonal", false), options.ranks, options.tries);
        const Search published =
            FindMatchings(MakeFabric(options, "hexagonal", true), 32, options.tries);
        RailNetDevice::Trains trains;
        const std::vector<Result> results = RunFabrics(scenario, options, own, trains);
        if (scenario.PrintsTables())
        {
            PrintAnswer(options, own, results);
            PrintPublished(options, published);
            PrintFabrics(options, results);
        }
        WriteFabrics(scenario, results);
        if (options.table)
        {
            ShowSizes(scenario, options);
        }
        scenario.Write([&](JsonWriter& json) {
            json.Field("is_enough", own.matchings.AreComplete());
            json.Field("settable_of_32_ports", published.matchings.settable);
            WriteFidelity(json, trains);
        });
    });
}
