/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-job-helper.h"

#include "job-rank-parts.h"
#include "measured-noise.h"

#include "ns3/abort.h"
#include "ns3/cabling.h"
#include "ns3/integer.h"
#include "ns3/job-demand.h"
#include "ns3/job-work.h"
#include "ns3/known-names.h"
#include "ns3/log.h"
#include "ns3/model-shape-file.h"
#include "ns3/ocs-technology.h"
#include "ns3/parallelism-fit.h"
#include "ns3/parallelism-presets.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-partition.h"
#include "ns3/random-variable-words.h"
#include "ns3/rdma-engine.h"
#include "ns3/saturating-sum.h"
#include "ns3/simulation-processes.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/union-policy.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TrainingJobHelper");

namespace
{

/** The ratio of the limits to the compute time of an iteration in a healthy run. */
constexpr int64_t LIMIT_FACTOR = 4;
/** The first stream of random draws; ranks have the streams below. */
constexpr int64_t FIRST_STREAM = 1 << 24;
/** The number of ports of a GPU, each with half the rate of its NIC. */
constexpr uint32_t DEFAULT_PORTS = 2;
/** The most stages of a pipeline whose reconfigurations are those of a plan (OpusWaits). */
constexpr uint32_t USUAL_STAGES = 4;
/** The policy by which all links stand at once. */
const char* const UNION = "electrical-union";

/** Aborts unless something is a random variable. */
void
RequireRandomVariable(const std::string& words, const std::string& where)
{
    const std::string why = FindRandomVariableMistake(words);
    NS_ABORT_MSG_UNLESS(why.empty(),
                        "TrainingJobHelper::" << where << "(" << words << "): " << why);
}

/** @return the GPUs of rails, server by server */
NodeContainer
ListGpus(const std::vector<Rail>& rails)
{
    NodeContainer gpus;
    for (uint32_t server = 0; server < rails[0].GetGpus(); ++server)
    {
        for (const Rail& rail : rails)
        {
            gpus.Add(rail.GetGpu(server));
        }
    }
    return gpus;
}

/** @return the nodes without an RdmaEngine */
NodeContainer
ListWithoutEngine(const NodeContainer& nodes)
{
    NodeContainer without;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        if (!(*node)->GetObject<RdmaEngine>())
        {
            without.Add(*node);
        }
    }
    return without;
}

/** Aborts unless rails join the GPUs of a plan. */
void
RequireRailsOf(const ParallelismPlan& plan, const std::vector<Rail>& rails)
{
    const uint32_t servers = plan.GetRanks() / plan.scaleUp;
    bool match = rails.size() == plan.scaleUp;
    for (const Rail& rail : rails)
    {
        match = match && rail.GetGpus() == servers;
    }
    NS_ABORT_MSG_UNLESS(
        match,
        "TrainingJobHelper: the plan has "
            << plan.GetRanks() << " ranks on " << servers << " servers, and " << rails.size()
            << " rails are given"
            << (rails.empty() ? std::string()
                              : ", rail 0 of " + std::to_string(rails[0].GetGpus()) + " GPUs")
            << "; give " << plan.scaleUp << " rails, each of " << servers << " GPUs");
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
    m_shape = GetWithUsualHeads(shape);
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
TrainingJobHelper::SetChange(const RecipeChange& change)
{
    m_change = change;
}

void
TrainingJobHelper::SetIterations(uint32_t iterations)
{
    m_iterations = iterations;
}

void
TrainingJobHelper::SetCheckpoints(uint32_t interval, bool atStart)
{
    m_checkpoints = interval;
    m_checkpointsAtStart = interval > 0 && atStart;
}

void
TrainingJobHelper::SetCheckpointNetwork(CheckpointNetwork network)
{
    m_checkpointNetwork = network;
}

void
TrainingJobHelper::SetGpu(const std::string& generation, double efficiency)
{
    const KnownName known = FindKnownName(generation, GetNamesOf(GetGpuGenerations()), "GPU");
    NS_ABORT_MSG_UNLESS(known.why.empty(),
                        "TrainingJobHelper: " << generation << ": " << known.why);
    SetGpu(*FindGpuGeneration(known.name), efficiency);
}

void
TrainingJobHelper::SetGpu(const GpuGeneration& gpu, double efficiency)
{
    NS_ABORT_MSG_UNLESS(efficiency > 0 && efficiency <= 1,
                        "an efficiency of " << efficiency << ": give more than 0 and up to 1");
    NS_ABORT_MSG_UNLESS(gpu.flopsPerSecond > 0 && gpu.memoryBytesPerSecond > 0 &&
                            gpu.scaleUpBytesPerSecond > 0 && gpu.nicBitsPerSecond > 0,
                        "the GPU " << gpu.name
                                   << " has a peak or a rate of 0; give it more, such as that of "
                                      "FindGpuGeneration(\"H200\")");
    m_gpu = gpu;
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
    m_factors.SetJitter(variable);
}

void
TrainingJobHelper::SetMeasuredNoise()
{
    m_factors.SetMeasuredNoise();
}

void
TrainingJobHelper::AddStraggler(uint32_t rank, double factor)
{
    m_factors.AddStraggler(rank, factor);
}

void
TrainingJobHelper::SetPolicy(const std::string& name)
{
    m_policy = name == UNION ? name : GetPolicyAliases().GetKnownName(name);
}

void
TrainingJobHelper::SetTechnology(const std::string& name)
{
    m_technology = name;
    m_photonic.SetTechnology(name);
    // the technology's time replaces an earlier one
    SetReconfigurationTime(OcsTechnology::Get(name).reconfiguration);
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
TrainingJobHelper::SetLinkUpTime(Time time)
{
    m_photonic.SetLinkUpTime(time);
}

void
TrainingJobHelper::SetPorts(uint32_t ports, DataRate rate)
{
    m_ports = ports;
    m_rate = rate;
}

void
TrainingJobHelper::SetFiberDelay(Time delay)
{
    m_photonic.SetFiberAttribute("Delay", TimeValue(delay));
    m_electrical.SetFiberAttribute("Delay", TimeValue(delay));
}

void
TrainingJobHelper::SetSwitchRadix(uint32_t ports)
{
    m_electrical.SetRadix(ports);
}

void
TrainingJobHelper::SetCut(ProcessCut cut)
{
    m_cut = cut;
}

void
TrainingJobHelper::SetCommonMarks(bool areCommon)
{
    m_electrical.SetSwitchAttribute("EcnStream", IntegerValue(areCommon ? 0 : -1));
}

void
TrainingJobHelper::SetHostNetwork(DataRate rate)
{
    m_opus.SetHostNetwork(HostNetworkHelper::OfRate(rate));
}

void
TrainingJobHelper::SetManagementLatency(Time latency)
{
    m_opus.GetManagementNetwork().SetLatency(latency);
}

void
TrainingJobHelper::SetManagementLoss(double loss)
{
    m_opus.GetManagementNetwork().SetLoss(loss);
}

void
TrainingJobHelper::SetFold(bool folds)
{
    m_folds = folds;
}

void
TrainingJobHelper::SetMostRecorded(uint32_t ranks)
{
    m_mostRecorded = ranks;
}

const std::string&
TrainingJobHelper::GetPolicy() const
{
    return m_policy;
}

bool
TrainingJobHelper::AllowsDetours() const
{
    return MakeOpus().AllowsDetours();
}

bool
TrainingJobHelper::IsElectrical() const
{
    return m_policy == "electrical";
}

bool
TrainingJobHelper::IsUnion() const
{
    return m_policy == UNION;
}

uint32_t
TrainingJobHelper::GetNicPorts() const
{
    return m_ports == 0 ? DEFAULT_PORTS : m_ports;
}

uint32_t
TrainingJobHelper::CountPorts() const
{
    const uint32_t ports = GetNicPorts();
    if (!IsUnion())
    {
        return ports;
    }
    const JobPrograms job = TrainingJob(MakeTask(ports)).MakePrograms();
    Cabling cabling = Cabling::OfRails(m_plan.GetRanks() / m_plan.scaleUp, m_plan.scaleUp, ports);
    if (m_plan.scaleUp > 1)
    {
        cabling.SetForwarding();
    }
    const auto parts = MakeRankParts(job, MakeGroupsOf(job, m_plan.scaleUp));
    const uint32_t all =
        CountPortsFor(ListUnionLinks(MakeJobDemand(JobId(0), parts, cabling), ports));
    return std::max(ports, all);
}

RailHelper&
TrainingJobHelper::GetRails()
{
    return IsElectrical() ? static_cast<RailHelper&>(m_electrical) : m_photonic;
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

ParallelismPlan
TrainingJobHelper::SuggestPlan(uint32_t gpus, uint32_t scaleUp) const
{
    return ns3::SuggestPlan(m_shape, gpus, scaleUp, m_gpu, m_recipe);
}

TrainingTask
TrainingJobHelper::MakeTask() const
{
    return MakeTask(GetNicPorts());
}

std::string
TrainingJobHelper::FindMisfit(uint32_t ports) const
{
    std::ostringstream why;
    const bool limited = !IsElectrical() && !IsUnion() && !m_technology.empty();
    const RailPorts its{limited ? OcsTechnology::Get(m_technology).radix : 0, ports};
    std::vector<TrainingRecipe> recipes{m_recipe};
    if (m_change.iteration > 0)
    {
        recipes.push_back(m_change.GetRecipe(m_recipe, m_change.iteration));
    }
    for (std::size_t r = 0; r < recipes.size() && why.str().empty(); ++r)
    {
        for (const std::string& reason : FindMisfits(m_shape, m_plan, recipes[r], m_gpu, its))
        {
            why << (why.str().empty() ? (r > 0 ? "after the change " : "") : "; ") << reason;
        }
    }
    const std::string tooLarge =
        IsElectrical() ? m_electrical.FindMisfit(m_plan.GetRanks() / m_plan.scaleUp * ports) : "";
    if (!tooLarge.empty())
    {
        why << (why.str().empty() ? "" : "; ") << tooLarge;
    }
    const bool overHosts = m_checkpointNetwork == CheckpointNetwork::HOSTS;
    if (overHosts && (IsElectrical() || !m_opus.HasHostNetwork()))
    {
        why << (why.str().empty() ? "" : "; ")
            << "its checkpoints, and state after a failure, go over the network of the hosts, and "
               "there is none; give that network a rate, beside rails of circuits, or have them "
               "go over the rails";
    }
    return why.str().empty() ? "" : m_shape.name + " can't be trained like that: " + why.str();
}

TrainingTask
TrainingJobHelper::MakeTask(uint32_t ports) const
{
    const std::string why = FindMisfit(ports);
    NS_ABORT_MSG_UNLESS(why.empty(), why);
    return AssembleTask();
}

TrainingTask
TrainingJobHelper::AssembleTask() const
{
    TrainingTask task;
    task.shape = m_shape;
    task.plan = m_plan;
    task.recipe = m_recipe;
    task.iterations = m_iterations;
    task.change = m_change;
    task.checkpointInterval = m_checkpoints;
    task.checkpointsAtStart = m_checkpointsAtStart;
    task.checkpointNetwork = m_checkpointNetwork;
    task.times =
        m_times ? m_times : MakeComputeTimes(m_shape, m_plan, m_recipe, m_gpu, m_efficiency);
    return task;
}

OpusLimits
TrainingJobHelper::MakeLimits(const TrainingJob& job) const
{
    // of an iteration; with a change they differ, and the whole program is longer than any
    const Picoseconds most = FindMostComputing(job.MakePrograms()).GetTimeStep() /
                             (m_change.iteration > 0 ? 1 : job.GetTask().iterations);
    OpusWaits waits;
    waits.reconfiguration = m_factors.AreMeasured()
                                ? MeasuredNoise::GetLongestReconfiguration(m_reconfiguring)
                                : m_reconfiguring;
    // a stage may wait for those of all others, one after another if the network changes as a whole
    waits.plans = m_plan.pp > USUAL_STAGES ? m_plan.pp / 2 : 1;
    waits.computing = ToTime(MultiplySaturating(most, LIMIT_FACTOR));
    // Votes, ports and traffic have a limit of 60 s and the waits of a phase each. A shim gives up
    // after the sum of the three, and a rank stalls later, after four times that limit.
    waits.halvesOfGivingUp = 2 * 3;
    waits.halvesOfStall = 2 * 4;
    OpusLimits least;
    least.program = Seconds(20); // twice the default
    least.votes = Seconds(60);   // as ports and traffic
    least.givingUp = Seconds(3 * 60);
    least.stall = Seconds(4 * 60);
    return least.GetWith(waits);
}

std::vector<Rail>
TrainingJobHelper::BuildRails(const NodeContainer& gpus, uint32_t ports, bool areOwn) const
{
    const DataRate rate = m_ports == 0 ? DataRate(m_gpu.nicBitsPerSecond / DEFAULT_PORTS) : m_rate;
    if (IsElectrical())
    {
        ElectricalRailHelper electrical = m_electrical;
        electrical.SetPorts(ports, rate);
        electrical.SetQueueInterfaces(!areOwn);
        return electrical.InstallRails(gpus, m_plan.scaleUp);
    }
    PhotonicRailHelper photonic = m_photonic;
    photonic.SetPorts(ports, rate);
    photonic.SetQueueInterfaces(!areOwn);
    const uint32_t servers = m_plan.GetRanks() / m_plan.scaleUp;
    if (m_factors.AreMeasured() && !IsUnion())
    {
        photonic.SetSwitchAttribute(
            "ReconfigurationTime",
            StringValue(MeasuredNoise::MakeReconfigurationTime(m_reconfiguring)));
    }
    if (IsUnion())
    {
        // no switch: its circuits stand as long as the job runs
        photonic.SetSwitchAttribute("Radix", UintegerValue(servers * ports));
        photonic.SetReconfigurationTime(Time(0));
    }
    else if (m_technology.empty())
    {
        photonic.SuggestSwitchAttribute(OpticalCircuitSwitch::GetTypeId(),
                                        "Radix",
                                        UintegerValue(servers * ports));
        // the initial value of m_reconfiguring
        photonic.SuggestSwitchAttribute(OpticalCircuitSwitch::GetTypeId(),
                                        "ReconfigurationTime",
                                        StringValue("ns3::ConstantRandomVariable[Constant=0.025]"));
    }
    return photonic.InstallRails(gpus, m_plan.scaleUp);
}

OpusHelper
TrainingJobHelper::MakeOpus() const
{
    OpusHelper opus = m_opus;
    opus.SetPolicy(IsUnion() ? "ns3::UnionPolicy[NicPorts=" + std::to_string(GetNicPorts()) + "]"
                             : m_policy);
    opus.SetForwarding(m_plan.scaleUp > 1);
    return opus;
}

std::string
TrainingJobHelper::FindWhyNot(uint32_t ports) const
{
    const std::string misfit = FindMisfit(ports);
    if (!misfit.empty())
    {
        return misfit;
    }
    const TrainingTask task = AssembleTask();
    const std::string mistake = FindMistake(task);
    return mistake.empty() ? MakeOpus().FindInfeasible(TrainingJob(task).MakePrograms(),
                                                       m_plan.scaleUp,
                                                       ports,
                                                       m_collectives.MakeSettings(ports))
                           : mistake;
}

Ptr<TrainingRun>
TrainingJobHelper::Prepare(uint32_t ports) const
{
    const Ptr<TrainingRun> run =
        Create<TrainingRun>(TrainingJob(MakeTask(ports)), MakeOpus().UsesHints());
    const std::string whyNot = MakeOpus().FindInfeasible(run->GetPrograms(),
                                                         m_plan.scaleUp,
                                                         ports,
                                                         m_collectives.MakeSettings(ports));
    NS_ABORT_MSG_UNLESS(whyNot.empty(), m_shape.name << " can't be trained like that: " << whyNot);
    return run;
}

LeafPartition::Shape
TrainingJobHelper::GetLeafShape() const
{
    return {m_plan.GetRanks() / m_plan.scaleUp, CountPorts(), m_electrical.GetRadix()};
}

std::string
TrainingJobHelper::FindCutMisfit(uint32_t processes) const
{
    if (m_cut == ProcessCut::RAILS || processes == 1)
    {
        return RailPartition::FindMisfit(m_plan.scaleUp, processes);
    }
    return IsElectrical() ? LeafPartition::FindMisfit(GetLeafShape(), processes)
                          : "the policy is " + m_policy +
                                ", and a cut between switches is of electrical rails; have the "
                                "policy electrical, or the cut by rails";
}

NodeContainer
TrainingJobHelper::CreateGpus() const
{
    const uint32_t processes = SimulationProcesses::GetNumber();
    const std::string misfit = FindCutMisfit(processes);
    NS_ABORT_MSG_UNLESS(misfit.empty(), "TrainingJobHelper: " << misfit);
    return m_cut == ProcessCut::RAILS
               ? RailPartition(m_plan.scaleUp, processes).CreateGpus(m_plan.GetRanks())
               : LeafPartition(GetLeafShape(), processes).CreateGpus(m_plan.scaleUp);
}

Ptr<TrainingRun>
TrainingJobHelper::Install() const
{
    const uint32_t ports = CountPorts();
    const Ptr<TrainingRun> run = Prepare(ports);
    run->rails = BuildRails(CreateGpus(), ports, true);
    return Install(run, NodeContainer());
}

Ptr<TrainingRun>
TrainingJobHelper::Install(const NodeContainer& gpus) const
{
    const uint32_t ports = CountPorts();
    const Ptr<TrainingRun> run = Prepare(ports);
    NS_ABORT_MSG_UNLESS(gpus.GetN() == m_plan.GetRanks(),
                        "TrainingJobHelper: the plan has "
                            << m_plan.GetRanks() << " ranks, and " << gpus.GetN()
                            << " nodes are given; give one for each rank");
    run->rails = BuildRails(gpus, ports, false);
    return Install(run, NodeContainer());
}

Ptr<TrainingRun>
TrainingJobHelper::Install(const std::vector<Rail>& rails, const NodeContainer& servers) const
{
    const Ptr<TrainingRun> run = Prepare(rails.empty() ? DEFAULT_PORTS : rails[0].GetPortsPerGpu());
    RequireRailsOf(m_plan, rails);
    run->rails = rails;
    return Install(run, servers);
}

Ptr<TrainingRun>
TrainingJobHelper::Install(Ptr<TrainingRun> run, const NodeContainer& servers) const
{
    Build(run, servers);
    // ranks have the streams below
    const int64_t used = RailHelper::AssignStreams(run->rails, FIRST_STREAM);
    OpusHelper::AssignStreams(run->plane, FIRST_STREAM + used);
    return run;
}

void
TrainingJobHelper::InstallPrepared(Ptr<TrainingRun> run,
                                   const std::vector<Rail>& rails,
                                   const NodeContainer& servers) const
{
    RequireRailsOf(m_plan, rails);
    run->rails = rails;
    Build(run, servers);
    OpusHelper::AssignStreams(run->plane, FIRST_STREAM);
}

Ptr<JobRun>
TrainingJobHelper::InstallOther(const JobPrograms& job,
                                const std::vector<Rail>& rails,
                                const NodeContainer& servers) const
{
    NS_LOG_FUNCTION(this << job.ranks.size() << rails.size());
    const Ptr<JobRun> run = Create<JobRun>(job, rails.size());
    run->rails = rails;
    BuildRanks(run, MakeLimits(TrainingJob(MakeTask())), servers);
    OpusHelper::AssignStreams(run->plane, FIRST_STREAM);
    return run;
}

void
TrainingJobHelper::Build(Ptr<TrainingRun> run, const NodeContainer& servers) const
{
    NS_LOG_FUNCTION(this << run->rails.size() << servers.GetN());
    BuildRanks(run, MakeLimits(run->GetJob()), servers);
    run->Observe(m_mostRecorded);
    NS_LOG_INFO(m_shape.name << " is trained by " << m_plan.GetRanks() << " GPUs on "
                             << run->rails.size() << " rails with policy " << m_policy);
    m_factors.Apply(run->applications, m_plan.scaleUp);
    if (m_folds)
    {
        run->Fold(FindWhyNotFolded());
    }
}

void
TrainingJobHelper::BuildRanks(Ptr<JobRun> run,
                              const OpusLimits& limits,
                              const NodeContainer& servers) const
{
    const std::string whyNot = FindWhyNotDistributed();
    NS_ABORT_MSG_UNLESS(whyNot.empty(), "TrainingJobHelper: several processes: " << whyNot);
    const std::vector<Rail>& rails = run->rails;
    const NodeContainer gpus = ListGpus(rails);
    m_rdma.Install(ListWithoutEngine(gpus));
    OpusHelper opus = MakeOpus();
    opus.SuggestLimits(limits);
    CollectiveHelper collectives = m_collectives;
    collectives.SuggestAttribute("StallLimit", TimeValue(limits.stall));
    if (m_plan.scaleUp > 1)
    {
        ScaleUpHelper scaleUp = m_scaleUp;
        scaleUp.SuggestAttribute("PortRate",
                                 DataRateValue(DataRate(8 * m_gpu.scaleUpBytesPerSecond)));
        run->domains = scaleUp.Install(gpus, m_plan.scaleUp);
        collectives.SetScaleUp(run->domains);
    }
    run->plane = opus.Install(rails, servers);
    collectives.SetBrokers(run->plane.brokers);
    run->hosts = opus.InstallHosts(run->plane, collectives);
    run->Install(collectives.Install(rails));
}

std::string
TrainingJobHelper::FindWhyNotDistributed() const
{
    if (SimulationProcesses::GetNumber() == 1)
    {
        return "";
    }
    static const std::set<std::string> known{"electrical", "on-demand", "provisioned"};
    if (known.count(m_policy) == 0)
    {
        return "the policy is " + m_policy +
               "; have one process, or the policy electrical, on-demand or provisioned";
    }
    return m_opus.HasHostNetwork()
               ? "there is a network of the hosts, which is on one; have one process, or leave "
                 "that network out"
               : "";
}

std::string
TrainingJobHelper::FindWhyNotFolded() const
{
    static const std::set<std::string> byRequest{"electrical",
                                                 "on-demand",
                                                 "provisioned",
                                                 "co-scheduled"};
    if (m_policy == UNION || m_policy == "static-split")
    {
        return "operations of several groups overlap on circuits that stand";
    }
    if (byRequest.count(m_policy) == 0)
    {
        return "the policy " + m_policy + " may change circuits without a request";
    }
    if (m_opus.HasHostNetwork())
    {
        return "operations may go over the network of the hosts";
    }
    return m_opus.GetManagementNetwork().GetLoss() > 0 ? "the management network loses packets"
                                                       : "";
}

int64_t
TrainingJobHelper::AssignStreams(const TrainingRun& run, int64_t stream)
{
    int64_t used = CollectiveHelper::AssignStreams(run.applications, stream);
    used += RailHelper::AssignStreams(run.rails, stream + used);
    used += OpusHelper::AssignStreams(run.plane, stream + used);
    return used;
}

} // namespace ns3
