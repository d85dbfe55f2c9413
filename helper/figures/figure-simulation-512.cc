/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

namespace ns3
{

Figure
MakeSimulation512()
{
    Figure figure;
    SetStudy(figure);
    figure.title = "An 80B-class model on 512 GB200: data 4 (plain), pipeline 4, tensor 32";
    figure.effort = "five minutes on two cores";
    figure.shape = MakeStudyModel80();
    figure.shapeFile = "80b-class.json";
    figure.options = ListStudyOptions("GB200");
    figure.options.insert(figure.options.end(),
                          {"--dp=4", "--pp=4", "--microbatch-size=64", "--sequence=4096"});
    figure.assumptions.push_back("the model and the batch are those of simulation-128: " +
                                 figure.shape->source);
    AddByDelay(figure, ListSimulationColumns(), ListDelays());
    return figure;
}

} // namespace ns3
