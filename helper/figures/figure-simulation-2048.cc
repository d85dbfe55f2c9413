/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

namespace ns3
{

Figure
MakeSimulation2048()
{
    Figure figure;
    SetStudy(figure);
    figure.title = "Llama3.1-405B on 2,048 GB200: data 8 (plain), pipeline 8, tensor 32";
    figure.effort = "ten minutes on two cores for the values of electrical, on-demand and "
                    "provisioned; the others an hour and more";
    figure.shape = MakeStudyModel405();
    figure.shapeFile = "405b-class.json";
    figure.options = ListStudyOptions("GB200");
    figure.options.insert(figure.options.end(),
                          {"--dp=8", "--pp=8", "--microbatch-size=32", "--sequence=8192"});
    figure.assumptions.push_back(figure.shape->source);
    figure.assumptions.emplace_back("256 sequences an iteration, as in simulation-128");
    AddByDelay(figure, ListSimulationColumns(), ListDelays());
    return figure;
}

} // namespace ns3
