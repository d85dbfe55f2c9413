/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/nstime.h"
#include "ns3/training-outcome.h"
#include "ns3/training-table.h"

#include <gtest/gtest.h>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

// In which order a comparison is printed, and how a result comes from one process to another.

using namespace ns3;

namespace
{

/** @return the figures of an iteration of so many seconds */
TrainingFigures
MakeFigures(double iteration)
{
    TrainingFigures figures;
    figures.iteration = iteration;
    return figures;
}

/** @return the first words of each line */
std::vector<std::string>
ListPolicies(const std::string& table)
{
    std::vector<std::string> policies;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);)
    {
        policies.push_back(line.substr(0, line.find(' ')));
    }
    return policies;
}

/** @return a run without circuits, and two whose circuits reconfigure: at once, and in 2 s */
std::vector<TrainingVariant>
MakeVariants()
{
    return {{"electrical", std::nullopt}, {"on-demand", Seconds(0)}, {"on-demand", Seconds(2)}};
}

} // namespace

TEST(TrainingTable, ARowWaitsForTheRunThatItIsComparedWith)
{
    std::ostringstream text;
    TrainingTable table(text, MakeVariants());
    table.Add(2, MakeFigures(3.5));
    EXPECT_EQ(text.str(), "");
    table.Add(0, MakeFigures(1));
    EXPECT_EQ(ListPolicies(text.str()), std::vector<std::string>{"electrical"});
    table.Add(1, MakeFigures(1.25));
    EXPECT_EQ(ListPolicies(text.str()),
              (std::vector<std::string>{"electrical", "on-demand", "on-demand"}));
    // 2.25 s longer than with circuits that reconfigure at once
    EXPECT_NE(text.str().find("    3.5000    2.2500 "), std::string::npos) << text.str();
}

TEST(TrainingTable, WithoutTheRunThatItIsComparedWithARowHasNoDifference)
{
    std::ostringstream text;
    TrainingTable table(text, MakeVariants());
    table.Add(2, MakeFigures(3.5));
    table.Add(1, std::nullopt); // it failed
    EXPECT_NE(text.str().find("    3.5000         - "), std::string::npos) << text.str();
}

TEST(TrainingOutcome, ComesOutOfItsBytesAsItWas)
{
    TrainingOutcome outcome;
    outcome.figures = MakeFigures(1.0 / 3);
    outcome.figures.frames = uint64_t{1} << 60;
    outcome.trains.frames = 1;
    outcome.trains.entered = 2;
    outcome.trains.left = 3;
    outcome.trains.refused = 4;
    outcome.json = std::string("{\0}", 3);
    const TrainingOutcome other = TrainingOutcome::Unpack(outcome.Pack());
    EXPECT_EQ(other.figures.iteration, 1.0 / 3);
    EXPECT_EQ(other.figures.frames, uint64_t{1} << 60);
    EXPECT_EQ(other.trains.frames, 1U);
    EXPECT_EQ(other.trains.entered, 2U);
    EXPECT_EQ(other.trains.left, 3U);
    EXPECT_EQ(other.trains.refused, 4U);
    EXPECT_EQ(other.json, outcome.json);
}

TEST(TrainingTable, RunsWithTheSamePathsShareALine)
{
    const auto print = [](uint64_t inHosts) {
        std::ostringstream text;
        TrainingTable table(text, MakeVariants());
        for (std::size_t i = 0; i < 3; ++i)
        {
            TrainingFigures figures = MakeFigures(1);
            figures.paths[static_cast<std::size_t>(TrafficPath::CIRCUITS)] = {3, 100};
            figures.paths[static_cast<std::size_t>(TrafficPath::HOST_NETWORK)] = {i == 2 ? inHosts
                                                                                         : 0,
                                                                                  0};
            table.Add(i, figures);
        }
        text.str("");
        table.PrintFoot();
        const std::string foot = text.str().substr(text.str().find("operations (and"));
        return foot.substr(0, foot.find("rails: "));
    };
    EXPECT_EQ(print(0), "operations (and bytes) by path: circuits 100.0 % (100.0 %)\n");
    EXPECT_EQ(print(1),
              "operations (and bytes) by path\n"
              "electrical: circuits 100.0 % (100.0 %)\n"
              "on-demand 0s: circuits 100.0 % (100.0 %)\n"
              "on-demand 2s: circuits 75.0 % (100.0 %), host-network 25.0 % (0.0 %)\n");
}
