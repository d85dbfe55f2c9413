/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-bill.h"

#include "ns3/fabric-bill.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** @return what photonic rails save against electrical rails */
FabricComparison
CompareRails(const NetworkInputs& inputs, uint32_t servers)
{
    const uint32_t gpus = inputs.gpusPerServer.value;
    return CompareFabrics(MakePhotonicRails(inputs, servers, gpus),
                          MakeElectricalRails(inputs, servers, gpus));
}

} // namespace

void
AddBill(Figure& figure,
        const NetworkInputs& inputs,
        uint32_t servers,
        uint32_t dollars,
        const PublishedColumn& published)
{
    NetworkInputs priced = inputs;
    priced.transceiverDollars = {static_cast<double>(dollars), "the row"};
    const FabricComparison saved = CompareRails(priced, servers);
    const std::vector<std::pair<std::string, double>> columns{
        {"cost-ratio", saved.costRatio},
        {"power-ratio", saved.powerRatio},
        {"cost-saved-%", 100 * saved.costSaving},
        {"power-saved-%", 100 * saved.powerSaving}};
    for (const auto& [column, value] : columns)
    {
        FigurePoint point{std::to_string(servers) + "-servers-at-" + std::to_string(dollars) +
                              "-dollars",
                          column};
        point.published = FindPublished(published, column);
        const double here = value;
        point.compute = [here] { return here; };
        figure.points.push_back(point);
    }
}

void
SetBill(Figure& figure)
{
    figure.source = FigureSources::OPUS;
    figure.rows = "servers, price of a transceiver";
    figure.unit = "electrical over photonic rails, and percent saved";
    figure.calibrated = "nothing";
    figure.effort = "no time: nothing is simulated";
    figure.decimals = 2;
}

} // namespace ns3
