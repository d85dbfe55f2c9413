/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-options.h"

#include "memory-estimate.h"
#include "scenario-options.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collective-algorithm.h"
#include "ns3/known-names.h"
#include "ns3/ocs-technology.h"
#include "ns3/option-value.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/random-variable-words.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

using Shardings = std::map<std::string, ParameterSharding>;
using Recomputations = std::map<std::string, Recomputation>;
using Exchanges = std::map<std::string, ContextExchange>;
using Reductions = std::map<std::string, GradientReduction>;
using Scatters = std::map<std::string, GradientScatter>;

const Shardings SHARDINGS{{"fsdp", ParameterSharding::FULL}, {"none", ParameterSharding::NONE}};
const Recomputations RECOMPUTATIONS{{"none", Recomputation::NONE},
                                    {"selective", Recomputation::SELECTIVE},
                                    {"full", Recomputation::FULL}};
const Exchanges EXCHANGES{{"all-gather", ContextExchange::ALL_GATHER},
                          {"ring", ContextExchange::RING}};
const Reductions REDUCTIONS{{"per-layer", GradientReduction::PER_LAYER},
                            {"per-model", GradientReduction::PER_MODEL}};
const Scatters SCATTERS{{"auto", GradientScatter::BY_STAGES},
                        {"after-backward", GradientScatter::AFTER_BACKWARD},
                        {"per-layer", GradientScatter::PER_LAYER}};

/** @return the names of a table */
template <typename Value>
std::vector<std::string>
NamesOf(const std::map<std::string, Value>& table)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : table)
    {
        names.push_back(name);
    }
    return names;
}

/** @return names, with `auto` before them */
std::vector<std::string>
WithAuto(std::vector<std::string> names)
{
    names.insert(names.begin(), "auto");
    return names;
}

/** Makes a value empty that is `auto`. */
void
EmptyAuto(std::string& value)
{
    value = value == "auto" ? "" : value;
}

/** @return whether an algorithm exists for a kind, and for groups of one rank a server */
bool
DoesOverRails(const std::string& name, CollectiveKind kind)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    const CollectiveAlgorithm* const found = CollectiveAlgorithm::Find(kind, name);
    return found && found->GetWhyNot(parameters).empty();
}

/** @return algorithms for some collectives of a job over rails */
std::vector<std::string>
ListRailAlgorithms()
{
    std::vector<std::string> names;
    for (const CollectiveKind kind :
         {CollectiveKind::ALL_GATHER, CollectiveKind::REDUCE_SCATTER, CollectiveKind::ALL_REDUCE})
    {
        for (const CollectiveAlgorithm* one : CollectiveAlgorithm::GetAll(kind))
        {
            const bool isListed = std::find(names.begin(), names.end(), one->name) != names.end();
            if (!isListed && DoesOverRails(one->name, kind))
            {
                names.push_back(one->name);
            }
        }
    }
    return WithAuto(names);
}

} // namespace

TrainingOptions::TrainingOptions()
{
    plan.tp = 4;
    plan.dp = 2;
    plan.pp = 2;
    plan.scaleUp = 4;
    recipe.microBatchSize = 4;
}

void
TrainingOptions::Add(ScenarioOptions& options)
{
    constexpr uint32_t MOST = 1 << 20;
    options.Add("model", "A model by name, or a JSON file of its shape", model)
        .OneOf(GetNamesOf(GetModelShapes()), "model")
        .OrFile(".json");
    options.Add("layers", "Only so many of its layers; 0: all", layers);
    options
        .Add("plan",
             "Degrees of parallelism: those below (given), or chosen for --gpus by a rule of thumb "
             "(auto)",
             planBy)
        .OneOf({"given", "auto"}, "plan");
    options.Add("gpus", "GPUs of --plan=auto", gpus).Between(1, MOST);
    options.Add("tp", "Ranks that divide each matrix", plan.tp).Between(1, MOST);
    options.Add("cp", "Ranks that divide each sequence", plan.cp).Between(1, MOST);
    options.Add("dp", "Ranks that divide the sequences", plan.dp).Between(1, MOST);
    options.Add("pp", "Ranks that divide the layers", plan.pp).Between(1, MOST);
    options.Add("ep", "Ranks of --dp that divide the experts", plan.ep).Between(1, MOST);
    options.Add("replicas", "Of sharded parameters, in --dp (HSDP)", plan.replicas)
        .Between(1, MOST);
    options.Add("order", "Of the parallelisms on ranks, fastest first", plan.order);
    options.Add("sequence-parallel", "Whether --tp divides tokens too", plan.sequenceParallel);
    options.Add("scale-up-size", "GPUs of a server that the job uses", plan.scaleUp)
        .Between(1, MOST);
    options.Add("sharding", "Of parameters over --dp", sharding)
        .OneOf(NamesOf(SHARDINGS), "sharding");
    options.Add("microbatches", "Of an iteration", recipe.microBatches).Between(1, 1 << 16);
    options.Add("microbatch-size", "Sequences of a micro-batch", recipe.microBatchSize)
        .Between(1, MOST);
    options.Add("sequence", "Tokens of a sequence", recipe.sequence).Between(1, 1 << 30);
    options.Add("schedule", "Of the pipeline", recipe.schedule)
        .OneOf({"gpipe", "1f1b", "interleaved", "zb-h1"}, "schedule");
    options.Add("chunks", "Stages of a rank, with interleaved", recipe.chunks).Between(1, MOST);
    options.Add("reshard", "Whether FSDP frees parameters after forward", recipe.reshard);
    options.Add("prefetch", "Whether FSDP gathers beside computing", recipe.prefetch);
    options.Add("recompute", "Activations", recompute)
        .OneOf(NamesOf(RECOMPUTATIONS), "recomputation");
    options.Add("context", "Keys and values of --cp", context)
        .OneOf(NamesOf(EXCHANGES), "exchange of keys and values");
    options.Add("reduction", "Gradients without FSDP", reduction)
        .OneOf(NamesOf(REDUCTIONS), "reduction");
    options
        .Add("reduce-scatter",
             "Gradients with FSDP: after the last backward pass of a stage (after-backward), or of "
             "each layer in it (per-layer); auto: after-backward in a pipeline of several stages",
             reduceScatter)
        .OneOf(NamesOf(SCATTERS), "instant");
    options
        .Add("algorithm",
             "Of gathers, scatters and sums over a rail that have it, others are rings; auto: each "
             "run's choice",
             recipe.railAlgorithm)
        .OneOfListed(&ListRailAlgorithms, "algorithm for any of these");
    options.Add("gpu", "Generation", gpu).OneOf(GetNamesOf(GetGpuGenerations()), "GPU");
    options.Add("efficiency", "Share of the GPU's peak that is reached", efficiency)
        .Between(1e-6, 1);
    options.Add("gpu-peak", "TFLOP/s of a GPU; 0: its data sheet's", gpuPeak).Between(0, 1e6);
    options.Add("gpu-memory-rate",
                "Of a GPU's memory, such as 4800GB/s; auto: its data sheet's",
                gpuMemoryRate);
    options.Add("nic-rate",
                "Of a GPU's NIC, all its ports together; auto: its data sheet's",
                nicRate);
    options.Add("scale-up-rate",
                "Of a GPU to the others of its server, one way, such as 450GB/s; auto: its data "
                "sheet's",
                scaleUpRate);
    options.Add("scale-up-latency", "From GPU to GPU of a server", scaleUpLatency)
        .Between(PicoSeconds(1), Seconds(1));
    options.Add("trace", "CSV file of measured computing times, in place of FLOPs", trace).Reads();
    options.Add("experts-skew",
                "Of tokens: uniform, zipf:EXPONENT, dirichlet:CONCENTRATION; :SEED may follow",
                skew);
    options.Add("routing", "CSV file of routed tokens, in place of --experts-skew", routing)
        .Reads();
    options
        .Add("capacity-factor",
             "Of an expert, over its even share; tokens beyond are dropped; 0: no limit",
             recipe.router.capacityFactor)
        .Between(0, 1000);
    options.Add("jitter", "Random variable by which computing takes longer", jitter);
    options.Add("straggler", "RANK:FACTOR, a rank that computes longer", straggler);
    options.Add("straggler-aware",
                "All-reduces by StragglAR where a rank is expected late enough for it",
                stragglerAware);
    noise.Add(options);
    options.Add("technology", "Of the optical switches; auto: as many ports as needed", technology)
        .OneOf(WithAuto(GetNamesOf(OcsTechnology::GetAll())), "technology");
    options.Add("link-up",
                "From light to a port that works: a time, or a random variable of seconds",
                linkUp);
    hostNetwork.Add(options);
    checkpoints.Add(options);
    fold.Add(options);
    options.Add("done-when", "Plans are done (Reconfigured or Carrier)", doneWhen)
        .OneOf({"Reconfigured", "Carrier"}, "instant");
    options.Add("management-latency", "One way, on the management network", managementLatency)
        .Between(PicoSeconds(3), Seconds(1));
    options.Add("port-rate",
                "Rate of a port, such as 200Gbps; auto: the GPU's NIC over its ports",
                portRate);
    options.Add("ports", "NIC ports of a GPU; 0: 2", ports).Between(0, 16);
    options.Add("fiber-delay", "Of each fiber; a message passes two", fiberDelay)
        .Between(Time(0), Seconds(1));
    packetSwitches.Add(options);
    options
        .Add("granularity",
             "Parallelisms share a rail (Group), or not (Rail), or all rails change as one "
             "(Network)",
             granularity)
        .OneOf({"Group", "Rail", "Network"}, "granularity");
    options.Add("iterations", "Of training; shims learn in the first", iterations).Between(1, 1000);
    options.Add("change-at", "Iteration from which on --change holds; 0: none", changeAt)
        .Between(0, 1000);
    options
        .Add("change",
             "At --change-at, of all ranks, with commas: microbatches:8, schedule:gpipe; auto: "
             "twice as many micro-batches",
             changes)
        .OneOf({"auto", "microbatches", "schedule"}, "change")
        .MayHaveArgument();
}

void
TrainingOptions::Complete(ScenarioOptions& options)
{
    EmptyAuto(recipe.railAlgorithm);
    EmptyAuto(technology);
    EmptyAuto(portRate);
    EmptyAuto(nicRate);
    EmptyAuto(scaleUpRate);
    EmptyAuto(gpuMemoryRate);
    plan.sharding = SHARDINGS.at(sharding);
    recipe.recompute = RECOMPUTATIONS.at(recompute);
    recipe.context = EXCHANGES.at(context);
    recipe.reduction = REDUCTIONS.at(reduction);
    recipe.reduceScatter = SCATTERS.at(reduceScatter);
    CompletePlan(options);
    const std::string mistake = FindMistake(plan);
    if (!mistake.empty())
    {
        throw OptionMistake(mistake);
    }
    ReadRouter(options);
    if (!straggler.empty())
    {
        ReadStraggler(options);
    }
    options.Require(!noise.IsMeasured() || jitter.empty(),
                    "jitter",
                    "--noise=measured has a jitter of its own; give one of the two");
    if (!jitter.empty())
    {
        const std::string why = FindRandomVariableMistake(jitter);
        options.Require(why.empty(), "jitter", why);
    }
    if (!linkUp.empty())
    {
        const bool isVariable = linkUp.find("ns3::") != std::string::npos;
        const std::string why =
            isVariable ? FindRandomVariableMistake(linkUp) : ParseTime(linkUp).why;
        options.Require(why.empty(), "link-up", why);
    }
    packetSwitches.Require(options);
    const std::string notHosts = hostNetwork.FindMistake();
    options.Require(notHosts.empty(), "host-network", notHosts);
    for (const auto& [name, words] : {std::make_pair("port-rate", portRate),
                                      std::make_pair("nic-rate", nicRate),
                                      std::make_pair("scale-up-rate", scaleUpRate),
                                      std::make_pair("gpu-memory-rate", gpuMemoryRate)})
    {
        const std::string why = words.empty() ? "" : ParseRate(words).why;
        options.Require(why.empty(), name, why);
    }
    ReadChange(options);
    const double bytes = EstimateTrainingMemory(plan);
    const double free = GetFreeMemory();
    std::ostringstream why;
    why << plan.GetRanks() << " ranks take about " << std::ceil(bytes / 1e9)
        << " GB of memory, and " << std::floor(free / 1e9)
        << " GB are free; give fewer, or --tp in larger servers";
    if (bytes > free)
    {
        throw OptionMistake(why.str());
    }
}

void
TrainingOptions::ReadRouter(const ScenarioOptions& options)
{
    const OptionValue<ExpertSkew> read = ParseExpertSkew(skew);
    options.Require(read.why.empty(), "experts-skew", read.why);
    recipe.router.skew = read.value;
    if (!routing.empty())
    {
        const RoutingFile file = ReadRoutingCounts(routing);
        options.Require(file.error.empty(), "routing", file.error);
        recipe.router.counts = file.counts;
    }
    const std::string mistake = FindMistake(recipe.router);
    if (!mistake.empty())
    {
        throw OptionMistake(mistake);
    }
}

void
TrainingOptions::CompletePlan(ScenarioOptions& options)
{
    if (planBy == "given")
    {
        options.Require(!options.IsGiven("gpus"),
                        "gpus",
                        "give --plan=auto, or the degrees of parallelism");
        return;
    }
    const std::vector<std::string> degrees{"tp", "cp", "dp", "pp", "ep"};
    for (const std::string& one : degrees)
    {
        options.Require(!options.IsGiven(one), one, "--plan=auto chooses it; leave it out");
    }
    TrainingJobHelper helper;
    helper.SetModel(model);
    if (layers > 0)
    {
        helper.SetLayers(layers);
    }
    helper.SetRecipe(recipe);
    helper.SetGpu(GetGpu(), efficiency);
    const ParallelismPlan suggested = helper.SuggestPlan(gpus, plan.scaleUp);
    plan.tp = suggested.tp;
    plan.cp = suggested.cp;
    plan.dp = suggested.dp;
    plan.pp = suggested.pp;
    plan.ep = suggested.ep;
    for (const std::string& one : degrees)
    {
        options.Refresh(one);
    }
}

void
TrainingOptions::ReadStraggler(const ScenarioOptions& options)
{
    const std::size_t colon = std::min(straggler.find(':'), straggler.size());
    const OptionValue<uint64_t> rank = ParseCount(straggler.substr(0, colon), UINT32_MAX);
    const OptionValue<double> factor =
        ParseReal(colon == straggler.size() ? "" : straggler.substr(colon + 1));
    const std::string number = std::to_string(plan.GetRanks());
    options.Require(rank.why.empty() && factor.why.empty() && rank.value < plan.GetRanks() &&
                        factor.value > 0 && factor.value <= 1e6,
                    "straggler",
                    "give RANK:FACTOR, such as 3:1.5, with a rank below " + number +
                        " and a factor above 0, up to 1e6");
    m_straggler = rank.value;
    m_factor = factor.value;
}

void
TrainingOptions::ReadChange(ScenarioOptions& options)
{
    if (changeAt == 0)
    {
        options.Require(!options.IsGiven("change"), "change", "give its iteration, --change-at");
        return;
    }
    if (!options.IsGiven("iterations"))
    {
        iterations = changeAt + 2; // one that differs from what was learned, and one after
        options.Refresh("iterations");
    }
    m_change.iteration = changeAt;
    for (const std::string& part : changes)
    {
        ReadChangePart(options, part);
    }
    const std::string mistake = FindMistake(m_change, recipe, iterations);
    if (!mistake.empty())
    {
        throw OptionMistake(mistake);
    }
}

void
TrainingOptions::ReadChangePart(const ScenarioOptions& options, const std::string& part)
{
    const std::size_t colon = std::min(part.find(':'), part.size());
    const std::string name = part.substr(0, colon);
    const std::string value = colon < part.size() ? part.substr(colon + 1) : "";
    if (name == "schedule")
    {
        const KnownName known = FindKnownName(value, GetPipelineSchedules(), "schedule");
        options.Require(known.why.empty(), "change", "schedule: " + known.why);
        m_change.schedule = known.name;
        return;
    }
    if (name == "auto")
    {
        options.Require(colon == part.size(), "change", "auto has no argument");
        m_change.microBatches = 2 * recipe.microBatches;
        return;
    }
    const OptionValue<uint64_t> count = ParseCount(value, 1 << 16);
    options.Require(count.why.empty() && count.value > 0,
                    "change",
                    "give a number of micro-batches, 1 to 65536, such as microbatches:8");
    m_change.microBatches = count.value;
}

GpuGeneration
TrainingOptions::GetGpu() const
{
    GpuGeneration one = *FindGpuGeneration(gpu);
    if (gpuPeak > 0)
    {
        one.flopsPerSecond = gpuPeak * 1e12;
    }
    if (!gpuMemoryRate.empty())
    {
        one.memoryBytesPerSecond = ParseRate(gpuMemoryRate).value.GetBitRate() / 8.0;
    }
    if (!nicRate.empty())
    {
        one.nicBitsPerSecond = ParseRate(nicRate).value.GetBitRate();
    }
    if (!scaleUpRate.empty())
    {
        one.scaleUpBytesPerSecond = ParseRate(scaleUpRate).value.GetBitRate() / 8;
    }
    return one;
}

void
TrainingOptions::SetUp(TrainingJobHelper& helper) const
{
    shape ? helper.SetModel(*shape) : helper.SetModel(model);
    if (layers > 0)
    {
        helper.SetLayers(layers);
    }
    helper.SetParallelismPlan(plan);
    helper.SetRecipe(recipe);
    helper.SetGpu(GetGpu(), efficiency);
    helper.GetScaleUp().SetAttribute("Latency", TimeValue(scaleUpLatency));
    helper.SetFiberDelay(fiberDelay);
    helper.SetIterations(iterations);
    helper.SetChange(m_change);
    helper.SetManagementLatency(managementLatency);
    helper.GetOpus().SetControllerAttribute("Granularity", StringValue(granularity));
    helper.GetOpus().SetAgentAttribute("DoneWhen", StringValue(doneWhen));
    if (!trace.empty())
    {
        const MeasuredTimes measured = ReadComputeTimes(trace);
        NS_ABORT_MSG_UNLESS(measured.error.empty(), measured.error);
        helper.SetComputeTimes(measured.times);
    }
    if (noise.IsMeasured())
    {
        helper.SetMeasuredNoise();
    }
    if (!jitter.empty())
    {
        helper.SetJitter(jitter);
    }
    if (!straggler.empty())
    {
        helper.AddStraggler(m_straggler, m_factor);
    }
    if (stragglerAware)
    {
        helper.GetCollectives().SetAttribute("StragglerAware", BooleanValue(true));
    }
    if (!technology.empty())
    {
        helper.SetTechnology(technology);
    }
    if (linkUp.find("ns3::") != std::string::npos)
    {
        helper.SetLinkUpTime(linkUp);
    }
    else if (!linkUp.empty())
    {
        helper.SetLinkUpTime(ParseTime(linkUp).value);
    }
    packetSwitches.SetUp(helper);
    helper.SetHostNetwork(hostNetwork.Get());
    checkpoints.SetUp(helper);
    if (ports > 0 || !portRate.empty())
    {
        const uint32_t many = ports == 0 ? 2 : ports;
        const uint64_t nic = GetGpu().nicBitsPerSecond;
        helper.SetPorts(many, portRate.empty() ? DataRate(nic / many) : ParseRate(portRate).value);
    }
}

} // namespace ns3
