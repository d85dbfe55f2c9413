/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a fabric costs, and what it draws: packet switches against optical circuit switches.
//
//     electrical rails    GPU ==o---o== edge ==o---o== aggregation ==o---o== spine
//     photonic rails      GPU ==o----- OCS
//
//     ==o  a transceiver, which turns bits into light; --- fiber; an OCS needs none
//
// Light goes through an optical switch as it is: there is nothing to convert, to buffer or to
// compute there. So a photonic rail has one transceiver a GPU, where a fabric of packet switches
// has one more at each of its ports. Look at the transceivers and the ports in the table: they are
// what the fabrics differ in. Then look at what a photonic rail cannot do: its switch must have two
// ports for each server, so the radix limits the cluster, and large switches turn slowly.
//
// Nothing is simulated here. All inputs are printed, with their sources.
//
// Try: ./rails run cost-and-power
//      ./rails run cost-and-power --plot=technologies.svg
//      ./rails run cost-and-power --servers=64 --transceiver-price=879
//      ./rails run cost-and-power --servers=64 --generation=gb200
//      ./rails run cost-and-power --servers=64 --generation=gb200 --switch-optics=false

#include "ns3/core-module.h"
#include "ns3/photonic-rails-module.h"

#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** What the command line can set. */
struct Options
{
    uint32_t servers{512};
    uint32_t gpusPerServer{0};
    std::string generation{"h200"};
    double transceiverPrice{-1};
    bool switchOptics{true};

    void Add(Scenario& scenario)
    {
        std::vector<std::string> generations;
        for (const NetworkInputs& one : NetworkInputs::GetAll())
        {
            generations.push_back(one.name);
        }
        scenario.Add("servers", "Servers of the cluster", servers).Between(1, 1'000'000);
        scenario.Add("gpus-per-server", "GPUs of each; 0: the generation's", gpusPerServer)
            .Between(0, 1024);
        scenario.Add("generation", "Switches and optics", generation)
            .OneOf(generations, "generation");
        scenario
            .Add("transceiver-price",
                 "Dollars a transceiver; negative: the generation's",
                 transceiverPrice)
            .Between(-1e6, 1e6);
        scenario.Add("switch-optics",
                     "Whether ports of packet switches have transceivers",
                     switchOptics);
    }

    /** Works out the figures, and what is left open. */
    NetworkInputs Complete()
    {
        NetworkInputs inputs = NetworkInputs::Get(generation);
        if (gpusPerServer == 0)
        {
            gpusPerServer = inputs.gpusPerServer.value;
        }
        if (!(transceiverPrice < 0))
        {
            inputs.transceiverDollars = {transceiverPrice, "--transceiver-price"};
        }
        if (!switchOptics)
        {
            inputs.transceiversAtSwitches = {false, "--switch-optics"};
        }
        return inputs;
    }
};

void
PrintInputs(const NetworkInputs& inputs)
{
    std::cout << std::left << std::setw(42) << "input" << std::right << std::setw(9) << "value"
              << std::endl;
    for (const NetworkInput& one : inputs.List())
    {
        std::cout << std::left << std::setw(42) << one.name << std::right << std::setw(9)
                  << std::setprecision(10) << one.value << " " << std::left << std::setw(9)
                  << one.unit << one.source << std::right << std::endl;
    }
}

void
PrintFabrics(const std::vector<FabricBill>& bills)
{
    std::cout << std::endl
              << "fabric                   ports  transceivers       kW  M dollars  parts that can "
                 "fail:"
              << std::endl
              << "                                                                  optical  "
                 "electrical"
              << std::endl
              << std::fixed;
    for (const FabricBill& bill : bills)
    {
        std::cout << std::left << std::setw(18) << bill.fabric << std::right << std::setw(12)
                  << bill.switchPorts + bill.opticalPorts << std::setw(14) << bill.transceivers
                  << std::setprecision(1) << std::setw(9) << bill.watts / 1e3
                  << std::setprecision(3) << std::setw(11) << bill.dollars / 1e6 << std::setw(9)
                  << bill.GetOpticalParts() << std::setw(12) << bill.GetElectricalParts()
                  << std::endl;
    }
    std::cout << std::endl;
    for (const FabricBill& bill : bills)
    {
        std::cout << bill.fabric << ": " << bill.remark << std::endl;
    }
}

/** Prints what photonic rails save against another fabric. */
void
PrintComparison(const FabricBill& photonic, const FabricBill& other)
{
    const FabricComparison saved = CompareFabrics(photonic, other);
    std::cout << std::setprecision(2) << other.fabric << " cost " << saved.costRatio
              << "x and draw " << saved.powerRatio
              << "x what photonic rails do: " << 100 * saved.costSaving << " % and "
              << 100 * saved.powerSaving << " % saved" << std::endl;
}

void
PrintTechnologies(const std::vector<OcsScale>& technologies, uint32_t servers)
{
    std::cout << std::endl
              << "technology      reconfiguration   radix  GPUs at most" << std::endl
              << "                           (ms)" << std::endl;
    for (const OcsScale& one : technologies)
    {
        std::cout << std::left << std::setw(15) << one.name << std::right << std::setprecision(5)
                  << std::setw(16) << one.reconfiguration.GetTimeStep() / 1e9 << std::setw(8)
                  << one.radix << std::setw(14) << one.gpus
                  << (one.servers < servers ? "  too small for this cluster" : "") << std::endl;
    }
}

/** Draws what a photonic rail cannot do: large switches reconfigure slowly. */
void
Plot(CurvePlot& plot, const std::vector<OcsScale>& technologies, uint32_t gpus)
{
    plot.SetTitle("Largest cluster of a switch technology, in servers of " + std::to_string(gpus) +
                  " GPUs");
    plot.SetX({"reconfiguration time (logarithmic)", 1e12, PlotQuantity::SECONDS, true});
    plot.SetY({"GPUs at most (logarithmic)", 1, PlotQuantity::NUMBERS, true});
    for (const OcsScale& one : technologies)
    {
        plot.AddPoint(one.name, one.reconfiguration.GetTimeStep(), one.gpus);
    }
}

void
WriteFabric(JsonWriter& json, const std::string& key, const FabricBill& bill)
{
    json.BeginObject(key);
    json.Field("switch_radix", bill.radix);
    json.Field("switches", bill.switches);
    json.Field("switch_ports", bill.switchPorts);
    json.Field("optical_switches", bill.opticalSwitches);
    json.Field("optical_ports", bill.opticalPorts);
    json.Field("transceivers", bill.transceivers);
    json.Field("watts", bill.watts);
    json.Field("dollars", bill.dollars);
    json.Field("optical_parts", bill.GetOpticalParts());
    json.Field("electrical_parts", bill.GetElectricalParts());
    json.EndObject();
}

void
WriteComparison(JsonWriter& json, const FabricComparison& saved)
{
    json.Field("cost_ratio", saved.costRatio);
    json.Field("power_ratio", saved.powerRatio);
    json.Field("cost_saving", saved.costSaving);
    json.Field("power_saving", saved.powerSaving);
}

void
WriteTables(JsonWriter& json,
            const NetworkInputs& inputs,
            const std::vector<OcsScale>& technologies)
{
    json.BeginArray("inputs");
    for (const NetworkInput& one : inputs.List())
    {
        json.BeginObject();
        json.Field("name", one.name);
        json.Field("value", one.value);
        json.Field("unit", one.unit);
        json.Field("source", one.source);
        json.EndObject();
    }
    json.EndArray();
    json.BeginArray("technologies");
    for (const OcsScale& one : technologies)
    {
        json.BeginObject();
        json.Field("name", one.name);
        json.Field("reconfiguration_ps", one.reconfiguration.GetTimeStep());
        json.Field("switch_radix", one.radix);
        json.Field("servers", one.servers);
        json.Field("gpus", one.gpus);
        json.EndObject();
    }
    json.EndArray();
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
        const NetworkInputs inputs = options.Complete();
        const uint32_t servers = options.servers;
        const uint32_t gpus = options.gpusPerServer;
        const std::string mistake = GetFabricMistake(inputs, servers, gpus);
        if (!mistake.empty())
        {
            Scenario::Refuse(mistake);
        }
        scenario.Begin();

        const FabricBill electrical = MakeElectricalRails(inputs, servers, gpus);
        const FabricBill tree = MakeFatTree(inputs, servers, gpus);
        const FabricBill photonic = MakePhotonicRails(inputs, servers, gpus);
        const auto technologies = ListOcsScale(gpus, inputs.ocsPortsPerGpu.value);
        if (scenario.PrintsTables())
        {
            std::cout << "servers x GPUs: " << servers << " x " << gpus << " = "
                      << uint64_t{servers} * gpus << "; " << inputs.product << std::endl
                      << std::endl;
            PrintInputs(inputs);
            PrintFabrics({electrical, tree, photonic});
            std::cout << std::endl;
            PrintComparison(photonic, electrical);
            PrintComparison(photonic, tree);
            PrintTechnologies(technologies, servers);
        }
        Plot(scenario.GetPlot(), technologies, gpus);
        const FabricComparison comparison = CompareFabrics(photonic, electrical);
        scenario.AddFigure("cost saved", "%", 100 * comparison.costSaving);
        scenario.AddFigure("power saved", "%", 100 * comparison.powerSaving);
        scenario.Write([&](JsonWriter& json) {
            json.Field("servers", servers);
            json.Field("gpus_per_server", gpus);
            json.Field("gpus", uint64_t{servers} * gpus);
            json.Field("generation", inputs.name);
            WriteComparison(json, CompareFabrics(photonic, electrical));
            WriteFabric(json, "electrical_rails", electrical);
            WriteFabric(json, "fat_tree", tree);
            WriteFabric(json, "photonic_rails", photonic);
            WriteTables(json, inputs, technologies);
            WriteFidelity(json, RailNetDevice::Trains{}); // every program says it; here are none
        });
    });
}
