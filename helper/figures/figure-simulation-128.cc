/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

namespace ns3
{

Figure
MakeSimulation128()
{
    Figure figure;
    SetStudy(figure);
    figure.title = "An 80B-class model on 128 H200: data 4 (plain), pipeline 4, tensor 8";
    figure.effort = "three minutes on two cores";
    figure.shape = MakeStudyModel80();
    figure.shapeFile = "80b-class.json";
    figure.options = ListStudyOptions("H200");
    // 256 sequences an iteration
    figure.options.insert(figure.options.end(),
                          {"--dp=4", "--pp=4", "--microbatch-size=64", "--sequence=4096"});
    figure.assumptions.push_back(figure.shape->source);
    // their electrical network is the union of links
    AddByDelay(figure,
               ListSimulationColumns({{"electrical-union", {{NO_DELAY, "11.931"}}},
                                      {"static-by-root", {{NO_DELAY, "12.172"}}},
                                      {"on-demand-network",
                                       {{"0s", "12.193"},
                                        {"10ms", "12.259"},
                                        {"50ms", "12.630"},
                                        {"100ms", "13.130"},
                                        {"250ms", "14.630"},
                                        {"500ms", "17.130"},
                                        {"750ms", "19.630"},
                                        {"1s", "22.130"}}},
                                      {"provisioned-network",
                                       {{"0s", "12.193"},
                                        {"10ms", "12.223"},
                                        {"50ms", "12.343"},
                                        {"100ms", "12.565"},
                                        {"250ms", "13.465"},
                                        {"500ms", "14.965"},
                                        {"750ms", "16.465"},
                                        {"1s", "17.965"}}}}),
               ListDelays());
    return figure;
}

} // namespace ns3
