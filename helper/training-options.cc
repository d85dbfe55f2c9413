/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-options.h"

#include "ns3/abort.h"
#include "ns3/string.h"

#include <map>
#include <sstream>

namespace ns3
{

namespace
{

/** Looks a word up. @return what is wrong; empty: it is there, and the value is set */
template <typename Value>
std::string
LookUp(const std::string& option,
       const std::string& word,
       const std::map<std::string, Value>& values,
       Value& value)
{
    const auto found = values.find(word);
    if (found != values.end())
    {
        value = found->second;
        return "";
    }
    std::string known;
    for (const auto& [name, one] : values)
    {
        known += (known.empty() ? "" : ", ") + name;
    }
    return "--" + option + "=" + word + ": give one of " + known;
}

} // namespace

std::vector<std::string>
SplitList(const std::string& list)
{
    std::vector<std::string> parts;
    std::istringstream text(list);
    for (std::string part; std::getline(text, part, ',');)
    {
        parts.push_back(part);
    }
    return parts;
}

TrainingOptions::TrainingOptions()
{
    plan.tp = 4;
    plan.dp = 2;
    plan.pp = 2;
    plan.scaleUp = 4;
    recipe.microBatchSize = 4;
}

void
TrainingOptions::Add(CommandLine& cmd)
{
    cmd.AddValue("model", "A model by name, or a JSON file of its shape", model);
    cmd.AddValue("layers", "Only so many of its layers; 0: all", layers);
    cmd.AddValue("tp", "Ranks that divide each matrix", plan.tp);
    cmd.AddValue("cp", "Ranks that divide each sequence", plan.cp);
    cmd.AddValue("dp", "Ranks that divide the sequences", plan.dp);
    cmd.AddValue("pp", "Ranks that divide the layers", plan.pp);
    cmd.AddValue("ep", "Ranks of --dp that divide the experts", plan.ep);
    cmd.AddValue("replicas", "Of sharded parameters, in --dp (HSDP)", plan.replicas);
    cmd.AddValue("order", "Of the parallelisms on ranks, fastest first", plan.order);
    cmd.AddValue("sequence-parallel", "Whether --tp divides tokens too", plan.sequenceParallel);
    cmd.AddValue("scale-up-size", "GPUs of a server", plan.scaleUp);
    cmd.AddValue("sharding", "Of parameters over --dp: fsdp or none", sharding);
    cmd.AddValue("microbatches", "Of an iteration", recipe.microBatches);
    cmd.AddValue("microbatch-size", "Sequences of a micro-batch", recipe.microBatchSize);
    cmd.AddValue("sequence", "Tokens of a sequence", recipe.sequence);
    cmd.AddValue("schedule", "Of the pipeline: gpipe, 1f1b, interleaved, zb-h1", recipe.schedule);
    cmd.AddValue("chunks", "Stages of a rank, with interleaved", recipe.chunks);
    cmd.AddValue("reshard", "Whether FSDP frees parameters after forward", recipe.reshard);
    cmd.AddValue("prefetch", "Whether FSDP gathers beside computing", recipe.prefetch);
    cmd.AddValue("recompute", "Activations: none, selective or full", recompute);
    cmd.AddValue("context", "Keys and values of --cp: all-gather or ring", context);
    cmd.AddValue("reduction", "Gradients without FSDP: per-layer or per-model", reduction);
    cmd.AddValue("algorithm",
                 "Of gathers, scatters and sums over a rail; empty: each run's choice",
                 recipe.railAlgorithm);
    cmd.AddValue("gpu", "Generation: A100, H100, H200, B200, GB200", gpu);
    cmd.AddValue("efficiency", "Share of the GPU's peak that is reached", efficiency);
    cmd.AddValue("trace", "CSV file of measured computing times, in place of FLOPs", trace);
    cmd.AddValue("jitter", "Random variable by which computing takes longer", jitter);
    cmd.AddValue("straggler", "RANK:FACTOR, a rank that computes longer", straggler);
    cmd.AddValue("technology",
                 "Of the optical switches; empty: as many ports as needed",
                 technology);
    cmd.AddValue("link-up",
                 "From light to a port that works: a time, or a random variable of seconds",
                 linkUp);
    cmd.AddValue("management-latency", "One way, on the management network", managementLatency);
    cmd.AddValue("port-rate", "Rate of a port; 0: the GPU's NIC over its ports", portRate);
    cmd.AddValue("ports", "NIC ports of a GPU; 0: 2", ports);
    cmd.AddValue("granularity", "Parallelisms share a rail (Group), or not (Rail)", granularity);
    cmd.AddValue("iterations", "Of training; shims learn in the first", iterations);
}

std::string
TrainingOptions::Complete()
{
    using Sharding = std::map<std::string, ParameterSharding>;
    using Recompute = std::map<std::string, Recomputation>;
    using Context = std::map<std::string, ContextExchange>;
    using Reduction = std::map<std::string, GradientReduction>;
    const std::vector<std::string> mistakes{
        LookUp("sharding",
               sharding,
               Sharding{{"fsdp", ParameterSharding::FULL}, {"none", ParameterSharding::NONE}},
               plan.sharding),
        LookUp("recompute",
               recompute,
               Recompute{{"none", Recomputation::NONE},
                         {"selective", Recomputation::SELECTIVE},
                         {"full", Recomputation::FULL}},
               recipe.recompute),
        LookUp(
            "context",
            context,
            Context{{"all-gather", ContextExchange::ALL_GATHER}, {"ring", ContextExchange::RING}},
            recipe.context),
        LookUp("reduction",
               reduction,
               Reduction{{"per-layer", GradientReduction::PER_LAYER},
                         {"per-model", GradientReduction::PER_MODEL}},
               recipe.reduction)};
    for (const std::string& mistake : mistakes)
    {
        if (!mistake.empty())
        {
            return mistake;
        }
    }
    std::ostringstream why;
    if (iterations < 1 || iterations > 1000)
    {
        why << "--iterations=" << iterations << ": give 1 to 1000";
    }
    else if (ports > 16)
    {
        why << "--ports=" << ports << ": give 1 to 16, or 0 for 2";
    }
    else if (granularity != "Group" && granularity != "Rail")
    {
        why << "--granularity=" << granularity << ": give Group or Rail";
    }
    else if (!(efficiency > 0 && efficiency <= 1))
    {
        why << "--efficiency=" << efficiency << ": give more than 0 and up to 1";
    }
    else if (!straggler.empty())
    {
        std::istringstream text(straggler);
        char colon = 0;
        if (!(text >> m_straggler >> colon >> m_factor) || colon != ':' || !text.eof() ||
            !(m_factor > 0) || m_straggler >= plan.GetRanks())
        {
            why << "--straggler=" << straggler << ": give RANK:FACTOR, such as 3:1.5, with a rank "
                << "below " << plan.GetRanks();
        }
    }
    return why.str();
}

void
TrainingOptions::SetUp(TrainingJobHelper& helper) const
{
    helper.SetModel(model);
    if (layers > 0)
    {
        helper.SetLayers(layers);
    }
    helper.SetPlan(plan);
    helper.SetRecipe(recipe);
    helper.SetGpu(gpu, efficiency);
    helper.SetIterations(iterations);
    helper.SetManagementLatency(managementLatency);
    helper.GetOpus().SetControllerAttribute("Granularity", StringValue(granularity));
    if (!trace.empty())
    {
        const MeasuredTimes measured = ReadComputeTimes(trace);
        NS_ABORT_MSG_UNLESS(measured.error.empty(), measured.error);
        helper.SetComputeTimes(measured.times);
    }
    if (!jitter.empty())
    {
        helper.SetJitter(jitter);
    }
    if (!straggler.empty())
    {
        helper.AddStraggler(m_straggler, m_factor);
    }
    if (!technology.empty())
    {
        helper.SetTechnology(technology);
    }
    if (!linkUp.empty())
    {
        const bool isVariable = linkUp.find("ns3::") != std::string::npos;
        std::ostringstream constant;
        constant.precision(17);
        constant << "ns3::ConstantRandomVariable[Constant="
                 << (isVariable ? 0.0 : Time(linkUp).GetSeconds()) << "]";
        helper.SetLinkUpTime(isVariable ? linkUp : constant.str());
    }
    if (ports > 0 || portRate.GetBitRate() > 0)
    {
        const uint32_t many = ports == 0 ? 2 : ports;
        const uint64_t nic = FindGpuGeneration(gpu)->nicBitsPerSecond;
        helper.SetPorts(many, portRate.GetBitRate() > 0 ? portRate : DataRate(nic / many));
    }
}

} // namespace ns3
