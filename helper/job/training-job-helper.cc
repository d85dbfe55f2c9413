/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-job-helper.h"

#include "ns3/abort.h"
#include "ns3/collective-application.h"
#include "ns3/double.h"
#include "ns3/job-work.h"
#include "ns3/known-names.h"
#include "ns3/model-shape-file.h"
#include "ns3/ocs-technology.h"
#include "ns3/parallelism-fit.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/random-variable-words.h"
#include "ns3/saturating-sum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

/** The ratio of the limits to the compute time of an iteration in a healthy run. */
constexpr int64_t LIMIT_FACTOR = 4;
/** The first stream of random draws; ranks have the streams below. */
constexpr int64_t FIRST_STREAM = 1 << 24;

/** Aborts unless something is a random variable. */
void
RequireRandomVariable(const std::string& words, const std::string& where)
{
    const std::string why = FindRandomVariableMistake(words);
    NS_ABORT_MSG_UNLESS(why.empty(),
                        "TrainingJobHelper::" << where << "(" << words << "): " << why);
}

} // namespace

TrainingJobHelper::TrainingJobHelper()
    : m_shape(*FindModelShape("Llama3-8B")),
      m_gpu(*FindGpuGeneration("A100")),
      m_reconfiguring(MilliSeconds(25)),
      m_rate(0)
{
}

void
TrainingJobHelper::SetModel(const std::string& name)
{
    if (name.size() > 5 && name.substr(name.size() - 5) == ".json")
    {
        const ModelShapeFile file = ReadModelShape(name);
        NS_ABORT_MSG_UNLESS(file.error.empty(), file.error);
        m_shape = *file.shape;
        return;
    }
    const KnownName known =
        FindKnownName(name, GetNamesOf(GetModelShapes()), "model (or file *.json)");
    NS_ABORT_MSG_UNLESS(known.why.empty(), "TrainingJobHelper: " << name << ": " << known.why);
    m_shape = *FindModelShape(known.name);
}

void
TrainingJobHelper::SetModel(const ModelShape& shape)
{
    m_shape = shape;
}

void
TrainingJobHelper::SetLayers(uint32_t layers)
{
    NS_ABORT_MSG_UNLESS(layers > 0 && layers <= m_shape.layers,
                        m_shape.name << " has " << m_shape.layers << " layers; " << layers
                                     << " of them can't be trained");
    m_shape.name += ", " + std::to_string(layers) + " layers";
    m_shape.layers = layers;
    m_shape.denseLayers = std::min(m_shape.denseLayers, layers);
}

void
TrainingJobHelper::SetParallelismPlan(const ParallelismPlan& plan)
{
    m_plan = plan;
}

void
TrainingJobHelper::SetRecipe(const TrainingRecipe& recipe)
{
    m_recipe = recipe;
}

void
TrainingJobHelper::SetIterations(uint32_t iterations)
{
    m_iterations = iterations;
}

void
TrainingJobHelper::SetGpu(const std::string& generation, double efficiency)
{
    const KnownName known = FindKnownName(generation, GetNamesOf(GetGpuGenerations()), "GPU");
    NS_ABORT_MSG_UNLESS(known.why.empty(),
                        "TrainingJobHelper: " << generation << ": " << known.why);
    NS_ABORT_MSG_UNLESS(efficiency > 0 && efficiency <= 1,
                        "an efficiency of " << efficiency << ": give more than 0 and up to 1");
    m_gpu = *FindGpuGeneration(known.name);
    m_efficiency = efficiency;
}

void
TrainingJobHelper::SetComputeTimes(std::shared_ptr<const ComputeTimes> times)
{
    m_times = std::move(times);
}

void
TrainingJobHelper::SetJitter(const std::string& variable)
{
    RequireRandomVariable(variable, "SetJitter");
    m_jitter = variable;
}

void
TrainingJobHelper::AddStraggler(uint32_t rank, double factor)
{
    m_stragglers[rank] = factor;
}

void
TrainingJobHelper::SetPolicy(const std::string& name)
{
    m_policy = GetPolicyAliases().GetKnownName(name);
}

void
TrainingJobHelper::SetTechnology(const std::string& name)
{
    m_technology = name;
    m_photonic.SetTechnology(name);
    // the technology's time replaces an earlier one
    SetReconfigurationTime(ToTime(OcsTechnology::Get(name).reconfiguration));
}

void
TrainingJobHelper::SetReconfigurationTime(Time time)
{
    m_photonic.SetReconfigurationTime(time);
    m_reconfiguring = time;
}

void
TrainingJobHelper::SetLinkUpTime(const std::string& variable)
{
    RequireRandomVariable(variable, "SetLinkUpTime");
    m_photonic.SetNicAttribute("LinkUpTime", StringValue(variable));
}

void
TrainingJobHelper::SetPorts(uint32_t ports, DataRate rate)
{
    m_ports = ports;
    m_rate = rate;
}

void
TrainingJobHelper::SetManagementLatency(Time latency)
{
    m_network.SetLatency(latency);
}

void
TrainingJobHelper::SetManagementLoss(double loss)
{
    m_network.SetLoss(loss);
}

RailHelper&
TrainingJobHelper::GetRails()
{
    return m_policy == "electrical" ? static_cast<RailHelper&>(m_electrical) : m_photonic;
}

OpusHelper&
TrainingJobHelper::GetOpus()
{
    return m_opus;
}

CollectiveHelper&
TrainingJobHelper::GetCollectives()
{
    return m_collectives;
}

ScaleUpHelper&
TrainingJobHelper::GetScaleUp()
{
    return m_scaleUp;
}

RdmaHelper&
TrainingJobHelper::GetRdma()
{
    return m_rdma;
}

TrainingTask
TrainingJobHelper::MakeTask() const
{
    std::ostringstream why;
    const bool optical = m_policy != "electrical" && !m_technology.empty();
    const RailPorts ports{optical ? OcsTechnology::Get(m_technology).radix : 0,
                          m_ports == 0 ? 2 : m_ports};
    for (const std::string& reason : FindMisfits(m_shape, m_plan, m_recipe, m_gpu, ports))
    {
        why << (why.str().empty() ? "" : "; ") << reason;
    }
    NS_ABORT_MSG_UNLESS(why.str().empty(),
                        m_shape.name << " can't be trained like that: " << why.str());
    TrainingTask task;
    task.shape = m_shape;
    task.plan = m_plan;
    task.recipe = m_recipe;
    task.iterations = m_iterations;
    task.times =
        m_times ? m_times : MakeComputeTimes(m_shape, m_plan, m_recipe, m_gpu, m_efficiency);
    return task;
}

void
TrainingJobHelper::SetLimits(const TrainingJob& job)
{
    const Picoseconds most =
        FindMostComputing(job.MakePrograms()) / job.GetTask().iterations; // of an iteration
    OpusWaits waits;
    waits.reconfiguration = m_reconfiguring;
    waits.computing = ToTime(MultiplySaturating(most, LIMIT_FACTOR));
    waits.halvesOfGivingUp = 6;
    waits.halvesOfStall = 8;
    OpusLimits least;
    least.program = Seconds(20);
    least.votes = Seconds(60);
    least.givingUp = Seconds(180);
    least.stall = Seconds(240);
    const OpusLimits limits = least.GetWith(waits);
    m_opus.SuggestLimits(limits);
    m_collectives.SuggestAttribute("StallLimit", TimeValue(limits.stall));
}

void
TrainingJobHelper::SetUpRails()
{
    if (m_ports == 0)
    {
        m_ports = 2;
        m_rate = DataRate(m_gpu.nicBitsPerSecond / 2);
    }
    GetRails().SetPorts(m_ports, m_rate);
    if (m_technology.empty())
    {
        const uint32_t servers = m_plan.GetRanks() / m_plan.scaleUp;
        m_photonic.SuggestSwitchAttribute(OpticalCircuitSwitch::GetTypeId(),
                                          "Radix",
                                          UintegerValue(servers * m_ports));
        m_photonic.SuggestSwitchAttribute(
            OpticalCircuitSwitch::GetTypeId(),
            "ReconfigurationTime",
            StringValue("ns3::ConstantRandomVariable[Constant=0.025]"));
    }
    m_scaleUp.SuggestAttribute("PortRate",
                               DataRateValue(DataRate(8 * m_gpu.scaleUpBytesPerSecond)));
}

Ptr<TrainingRun>
TrainingJobHelper::Install()
{
    const Ptr<TrainingRun> run = Create<TrainingRun>(TrainingJob(MakeTask()));
    const uint32_t perServer = m_plan.scaleUp;
    SetLimits(run->GetJob());
    SetUpRails();

    NodeContainer gpus(m_plan.GetRanks());
    run->rails = GetRails().InstallRails(gpus, perServer);
    m_rdma.Install(gpus);
    m_opus.SetPolicy(m_policy);
    m_opus.SetManagementNetwork(m_network);
    run->plane = m_opus.Install(run->rails);
    if (perServer > 1)
    {
        run->domains = m_scaleUp.Install(gpus, perServer);
        m_collectives.SetScaleUp(run->domains);
    }
    m_collectives.SetBrokers(run->plane.brokers);
    run->applications = m_collectives.Install(run->rails);
    run->Install(m_collectives);
    run->Observe();
    SetFactors(*run);
    return run;
}

void
TrainingJobHelper::SetFactors(const TrainingRun& run) const
{
    for (uint32_t rank = 0; rank < run.applications.GetN(); ++rank)
    {
        if (!m_jitter.empty())
        {
            run.applications.Get(rank)->SetAttribute("ComputeFactor", StringValue(m_jitter));
        }
    }
    for (const auto& [rank, factor] : m_stragglers)
    {
        NS_ABORT_MSG_UNLESS(rank < run.applications.GetN(),
                            "TrainingJobHelper: rank "
                                << rank << " is to be a straggler, and there are "
                                << run.applications.GetN() << ", counted from 0");
        const Ptr<ConstantRandomVariable> constant = CreateObject<ConstantRandomVariable>();
        constant->SetAttribute("Constant", DoubleValue(factor));
        run.applications.Get(rank)->SetAttribute("ComputeFactor", PointerValue(constant));
    }
    // Automatic streams depend on other objects and on earlier runs: policies and delays would not
    // be comparable.
    for (uint32_t rank = 0; rank < run.applications.GetN(); ++rank)
    {
        DynamicCast<CollectiveApplication>(run.applications.Get(rank))->AssignComputeStream(rank);
    }
    int64_t stream = FIRST_STREAM;
    for (const Rail& rail : run.rails)
    {
        stream += RailHelper::AssignStreams(rail, stream);
    }
    run.plane.AssignStreams(stream);
}

int64_t
TrainingJobHelper::AssignStreams(const TrainingRun& run, int64_t stream)
{
    int64_t used = CollectiveHelper::AssignStreams(run.applications, stream);
    for (const Rail& rail : run.rails)
    {
        used += RailHelper::AssignStreams(rail, stream + used);
    }
    used += OpusHelper::AssignStreams(run.plane, stream + used);
    return used;
}

} // namespace ns3
