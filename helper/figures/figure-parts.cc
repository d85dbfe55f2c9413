/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-parts.h"

namespace ns3
{

namespace
{

/** Adds the seconds an iteration of a job, with the options of its row and of its column. */
void
AddPoint(Figure& figure,
         const std::string& row,
         const JobColumn& column,
         const std::vector<std::string>& options,
         const std::string& delay)
{
    FigurePoint point{row, column.name, FindPublished(column.published, row)};
    point.options = options;
    point.options.insert(point.options.end(), column.options.begin(), column.options.end());
    if (column.byDelay)
    {
        point.options.push_back("--reconfiguration=" + delay);
    }
    point.measure = &GetIterationSeconds;
    figure.points.push_back(point);
}

} // namespace

const char* const FigureSources::RAILS = "Photonic Rails in ML Datacenters, arXiv 2507.08119";
const char* const FigureSources::OPUS =
    "Photonic Rails in ML Datacenters with Opus, arXiv 2602.12521, and its artifact";
const char* const NO_DELAY = "none";

std::string
FindPublished(const PublishedColumn& published, const std::string& row)
{
    const auto found = published.find(row);
    return found == published.end() ? "" : found->second;
}

double
GetIterationSeconds(const FigureRun& run)
{
    return run.figures.iteration;
}

std::vector<JobColumn>
ListSimulationColumns(const std::map<std::string, PublishedColumn>& published)
{
    // a GPU has two ports, as their circuits need; a split divides the same rate over eight
    std::vector<JobColumn> columns{
        {"electrical", {"--policy=electrical", "--switch-radix=0", "--marks=common"}},
        {"electrical-union", {"--policy=electrical-union"}},
        {"static-by-root", {"--policy=static-split-by-root", "--ports=8"}},
        {"static-by-bytes", {"--policy=static-split-by-traffic", "--ports=8"}},
        {"on-demand", {"--policy=on-demand"}, true},
        {"provisioned", {"--policy=provisioned"}, true},
        {"on-demand-network", {"--policy=on-demand", "--granularity=Network"}, true},
        {"provisioned-network", {"--policy=provisioned", "--granularity=Network"}, true},
    };
    for (JobColumn& column : columns)
    {
        const auto found = published.find(column.name);
        column.published = found == published.end() ? PublishedColumn() : found->second;
    }
    return columns;
}

void
AddByDelay(Figure& figure,
           const std::vector<JobColumn>& columns,
           const std::vector<std::string>& delays)
{
    std::vector<std::string> rows{NO_DELAY};
    rows.insert(rows.end(), delays.begin(), delays.end());
    for (const std::string& row : rows)
    {
        for (const JobColumn& column : columns)
        {
            if (column.byDelay != (row == NO_DELAY))
            {
                AddPoint(figure, row, column, {}, row);
            }
        }
    }
}

void
AddRow(Figure& figure,
       const std::string& row,
       const std::vector<JobColumn>& columns,
       const std::vector<std::string>& options,
       const std::string& delay)
{
    for (const JobColumn& column : columns)
    {
        AddPoint(figure, row, column, options, delay);
    }
}

std::vector<std::string>
ListDelays()
{
    return {"0s", "10ms", "50ms", "100ms", "250ms", "500ms", "750ms", "1s"};
}

ModelShape
MakeStudyModel80()
{
    ModelShape shape;
    shape.name = "80B-class";
    shape.source = "96 layers, as published; width and the rest chosen to make 78 billion "
                   "parameters";
    shape.layers = 96;
    shape.hidden = 8192;
    shape.heads = shape.keyHeads = 64;
    shape.headSize = 128;
    shape.feedForward = 32768;
    shape.vocabulary = 32000;
    shape.gated = false;
    return shape;
}

ModelShape
MakeStudyModel405()
{
    ModelShape shape;
    shape.name = "405B-class";
    shape.source = "artifact of Opus; 32 key heads stand for the copies of 8 on 32 ranks of tp";
    shape.layers = 128;
    shape.hidden = 16384;
    shape.heads = 128;
    shape.keyHeads = 32;
    shape.headSize = 128;
    shape.feedForward = 53248;
    shape.vocabulary = 32000;
    return shape;
}

std::vector<std::string>
ListStudyOptions(const std::string& gpu)
{
    const bool isH200 = gpu == "H200";
    return {"--gpu=" + gpu,
            isH200 ? "--gpu-peak=989" : "--gpu-peak=1250",
            isH200 ? "--gpu-memory-rate=4800GB/s" : "--gpu-memory-rate=8000GB/s",
            "--efficiency=1",
            isH200 ? "--scale-up-rate=450GB/s" : "--scale-up-rate=1800GB/s",
            isH200 ? "--tp=8" : "--tp=32",
            isH200 ? "--scale-up-size=8" : "--scale-up-size=32",
            "--fiber-delay=468125ps",
            "--sharding=none",
            "--microbatches=1",
            isH200 ? "--nic-rate=50GB/s" : "--nic-rate=100GB/s"};
}

void
SetStudy(Figure& figure)
{
    figure.source = FigureSources::OPUS;
    figure.rows = "delay";
    figure.unit = "s an iteration";
    figure.isCurve = true;
    figure.calibrated = "nothing: the GPU computes at its peak, as in the artifact";
    figure.assumptions = {
        "electrical is one NIC a GPU; electrical-union is the union of all links at full rate, "
        "which the artifact calls electrical",
        "each electrical rail is one packet switch, and all draw marks of congestion equally "
        "(--switch-radix=0 --marks=common)",
        "static splits divide the rate of the NIC over eight ports, by the square root of traffic "
        "(the artifact's best split) or by bytes",
        "on-demand and provisioned reconfigure the ports of a group; with -network all rails "
        "reconfigure as one, after a drain, as in the artifact",
        "the 936.25 ns of a link are two fibers of 468.125 ns"};
}

} // namespace ns3
