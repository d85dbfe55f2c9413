/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_JOB_HELPER_H
#define PHOTONIC_RAILS_TRAINING_JOB_HELPER_H

#include "collective-helper.h"
#include "compute-factors.h"
#include "opus-helper.h"
#include "training-run.h"

#include "ns3/compute-times.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/gpu-generation.h"
#include "ns3/leaf-partition.h"
#include "ns3/node-container.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/process-cut.h"
#include "ns3/rail.h"
#include "ns3/rdma-helper.h"
#include "ns3/scale-up-helper.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Builds a whole training job: GPUs, rails of either kind, the fabrics in the servers, the
 * control plane with its management network, and a rank program for every GPU.
 *
 * @code
 * TrainingJobHelper helper;
 * helper.SetModel("Llama3-8B");
 * helper.SetParallelismPlan(plan);   // tp 4, dp 2, pp 2
 * helper.SetGpu("A100", 0.27);
 * helper.SetPolicy("provisioned");
 * helper.SetReconfigurationTime(MilliSeconds(25));
 * const Ptr<TrainingRun> run = helper.Install();
 * Simulator::Run();
 * std::cout << run->GetIterationSeconds(2) << std::endl;
 * Simulator::Destroy();
 * @endcode
 *
 * The policy `electrical` builds rails of packet switches, every other policy rails of circuit
 * switches; all else is equal. The policy `electrical-union` gives each GPU, in place of its NIC,
 * the links of all its parallelisms at once, each at the rate that it has alone (UnionPolicy): the
 * electrical network of the simulations of Opus, which is more than a NIC has. By default the ports
 * of a GPU follow from its generation: two ports, each with half the rate of its NIC. The limits on
 * waits of the control plane exceed the compute time of an iteration and the reconfiguration time
 * of the switches.
 *
 * A script may build a part of it itself: the nodes, or the nodes and the rails.
 * @code
 * NodeContainer gpus(16);
 * const std::vector<Rail> rails = photonic.InstallRails(gpus, 4);
 * const Ptr<TrainingRun> run = helper.Install(rails);
 * @endcode
 * The helper keeps nothing of what it installed.
 *
 * In a distributed simulation (SimulationProcesses) the nodes that it makes are on processes by
 * rail (RailPartition) or by leaf (SetCut(), LeafPartition), and JobRun::Gather() follows
 * Simulator::Run().
 */
class TrainingJobHelper
{
  public:
    TrainingJobHelper();

    /** @param name of one of GetModelShapes(), or of a JSON file (it ends with .json) */
    void SetModel(const std::string& name);
    /** @param shape of the model; heads that it leaves out are the usual (GetWithUsualHeads()) */
    void SetModel(const ModelShape& shape);
    /** @param layers number of layers that are trained, from the first on */
    void SetLayers(uint32_t layers);
    /** @param plan of the ranks */
    void SetParallelismPlan(const ParallelismPlan& plan);
    /** @param recipe of the training */
    void SetRecipe(const TrainingRecipe& recipe);
    /** @param change of the recipe during the training, at all ranks */
    void SetChange(const RecipeChange& change);
    /** @param iterations of training; control planes learn in the first */
    void SetIterations(uint32_t iterations);
    /**
     * @param interval iterations from a checkpoint to the next (CheckpointPlan); 0: none
     * @param atStart whether there is one before the first iteration, as after a failure
     */
    void SetCheckpoints(uint32_t interval, bool atStart = false);
    /**
     * @param network that checkpoints go over: by default the rails. The network of the hosts must
     *        be there (SetHostNetwork())
     */
    void SetCheckpointNetwork(CheckpointNetwork network);

    /**
     * @param generation one of GetGpuGenerations(), by name
     * @param efficiency the achieved share of its peak, above 0 and up to 1
     */
    void SetGpu(const std::string& generation, double efficiency);
    /**
     * @param gpu a GPU of the caller, such as one with another peak
     * @param efficiency the achieved share of its peak, above 0 and up to 1
     */
    void SetGpu(const GpuGeneration& gpu, double efficiency);
    /** @param times of computing in place of those that follow from FLOPs, such as measured ones */
    void SetComputeTimes(std::shared_ptr<const ComputeTimes> times);
    /** @param variable the text of a random variable: the factor of each compute time */
    void SetJitter(const std::string& variable);
    /** Has computing and reconfiguration times vary as MeasuredNoise, in place of a jitter. */
    void SetMeasuredNoise();
    /** @param rank the slower rank @param factor of all its compute times */
    void AddStraggler(uint32_t rank, double factor);

    /**
     * @param name a short name or a type of a CircuitPolicy, with its attributes (TypeAliases); or
     *        electrical-union
     */
    void SetPolicy(const std::string& name);
    /**
     * @param name of an OCS technology: sets the reconfiguration time, and the largest number of
     *        ports of a rail; default: 25 ms and no limit of ports
     */
    void SetTechnology(const std::string& name);
    /** @param time reconfiguration time, in place of the technology's */
    void SetReconfigurationTime(Time time);
    /** @param variable the text of a random variable: seconds from light to carrier */
    void SetLinkUpTime(const std::string& variable);
    /** @param time from light to carrier, always the same */
    void SetLinkUpTime(Time time);
    /** @param ports number of ports of each GPU @param rate of each port */
    void SetPorts(uint32_t ports, DataRate rate);
    /** @param delay that light takes through each fiber, on rails of either kind */
    void SetFiberDelay(Time delay);
    /** @param ports of each packet switch, see ElectricalRailHelper::SetRadix() */
    void SetSwitchRadix(uint32_t ports);
    /**
     * @param cut of the nodes that Install() makes, into the processes of a distributed simulation;
     *        by default by rails. Between switches it takes the policy electrical.
     */
    void SetCut(ProcessCut cut);
    /** @return why so many processes can't have the cut; empty: they can */
    std::string FindCutMisfit(uint32_t processes) const;
    /**
     * @param areCommon whether the packet switches of all rails draw marks of congestion equally
     *        (EcnStream), so that rails that do the same stay the same; false by default
     */
    void SetCommonMarks(bool areCommon);
    /**
     * Adds a network that joins the servers, beside the rails: it carries operations that take less
     * time there than over circuits, and those whose circuits are refused. Rails of packet switches
     * carry everything, and have none.
     * @param rate of the link of each server; 0: there is no such network
     */
    void SetHostNetwork(DataRate rate);
    /** @param latency of the management network from node to node, in one direction */
    void SetManagementLatency(Time latency);
    /** @param loss share of the packets that each link of the management network loses, 0 to 1 */
    void SetManagementLoss(double loss);

    /**
     * Has rails that do the same simulated once, as far as they do (RailFold). The results are
     * equal. A run that diverges from that stops with a report.
     * @param folds whether rails are folded if nothing makes them differ; false by default
     */
    void SetFold(bool folds);
    /**
     * @param ranks the largest number of ranks of a job whose operations the run records, for
     * phases and windows; TrainingRun::MOST_RANKS by default
     */
    void SetMostRecorded(uint32_t ranks);

    /** @return the rails' helper of the policy, for further attributes */
    RailHelper& GetRails();
    /** @return the control plane's helper; its policy is set by SetPolicy() */
    OpusHelper& GetOpus();
    /** @return the collectives' helper, for attributes of CollectiveApplication */
    CollectiveHelper& GetCollectives();
    /**
     * @return the helper of the fabrics in servers; the port rate follows from the GPU generation
     */
    ScaleUpHelper& GetScaleUp();
    /** @return the helper of the RDMA engines */
    RdmaHelper& GetRdma();

    /**
     * @param gpus number of GPUs
     * @param scaleUp number of GPUs of a server
     * @return a plan for the model, the recipe and the GPUs that are set (ns3::SuggestPlan())
     */
    ParallelismPlan SuggestPlan(uint32_t gpus, uint32_t scaleUp) const;

    /** @return the complete task; a misfit aborts with all reasons */
    TrainingTask MakeTask() const;

    /** Builds the job. @return the run, which is connected to its ranks */
    Ptr<TrainingRun> Install() const;

    /**
     * Builds the job on nodes of the caller.
     * @param gpus server by server, one for each rank of the plan
     * @return the run, which is connected to its ranks
     */
    Ptr<TrainingRun> Install(const NodeContainer& gpus) const;

    /**
     * Builds the job on rails of the caller. Attributes of rails, ports and technology that were
     * set here don't apply to them; the limits on waits follow from SetReconfigurationTime().
     * Nodes keep the RdmaEngine that they have.
     * @param rails rail r joins the GPUs of local rank r, as RailHelper::InstallRails() builds them
     * @param servers nodes for the shims, one for each server; empty: the helper makes them
     * @return the run, which is connected to its ranks
     */
    Ptr<TrainingRun> Install(const std::vector<Rail>& rails,
                             const NodeContainer& servers = NodeContainer()) const;

    /** @return the policy */
    const std::string& GetPolicy() const;
    /** @return whether the policy allows detours over other rails (CircuitPolicy) */
    bool AllowsDetours() const;
    /** @return whether the policy needs rails of packet switches */
    bool IsElectrical() const;
    /** @return whether all links of all parallelisms stand at once (UnionPolicy) */
    bool IsUnion() const;

    /** @return why the job can't run on GPUs with so many ports, in words; empty: it can */
    std::string FindWhyNot(uint32_t ports) const;

    /**
     * Checks the job, and builds nothing; a job that can't run aborts with all reasons.
     * @param ports of each GPU
     * @return the run, for InstallPrepared()
     */
    Ptr<TrainingRun> Prepare(uint32_t ports) const;

    /**
     * Builds a prepared job on rails of the caller, at any time. Random draws of the rails stay as
     * they are.
     * @param run that Prepare() returned
     * @param rails see Install()
     * @param servers nodes for the shims, one for each server, which may have those of earlier
     * jobs; empty: the helper makes them
     */
    void InstallPrepared(Ptr<TrainingRun> run,
                         const std::vector<Rail>& rails,
                         const NodeContainer& servers = NodeContainer()) const;

    /**
     * Builds another job on rails of the caller, at any time: with the settings of this one, but
     * for its programs.
     * @param job whose ranks fill servers of as many GPUs as there are rails
     * @param rails see Install()
     * @param servers see InstallPrepared()
     * @return the run
     */
    Ptr<JobRun> InstallOther(const JobPrograms& job,
                             const std::vector<Rail>& rails,
                             const NodeContainer& servers = NodeContainer()) const;

    /**
     * Fixes all random draws of a job, in place of the streams that Install() assigned.
     * @param run built by a TrainingJobHelper
     * @param stream the first stream number: of computing, by rank; then of rails; then of the
     *        management network
     * @return the number of streams used
     */
    static int64_t AssignStreams(const TrainingRun& run, int64_t stream);

  private:
    /** @return what decides on a cut between switches */
    LeafPartition::Shape GetLeafShape() const;
    /** @return nodes for the GPUs, each on its process */
    NodeContainer CreateGpus() const;
    /** @return why the model, the plan and the GPU don't fit; empty: they do */
    std::string FindMisfit(uint32_t ports) const;
    /** @return the task, without a check */
    TrainingTask AssembleTask() const;
    /** @return the complete task on GPUs with a number of ports @param ports of a GPU */
    TrainingTask MakeTask(uint32_t ports) const;
    /** @return limits that no healthy run exceeds */
    OpusLimits MakeLimits(const TrainingJob& job) const;
    /** @return the ports of a NIC */
    uint32_t GetNicPorts() const;
    /** @return the ports of a GPU on rails of this helper: those of its NIC, or of all its links */
    uint32_t CountPorts() const;
    /**
     * @param ports of a GPU
     * @param areOwn whether the nodes are the helper's: they have no internet stack
     * @return the rails of GPUs, by the policy and the GPU generation
     */
    std::vector<Rail> BuildRails(const NodeContainer& gpus, uint32_t ports, bool areOwn) const;
    /** @return the builder of the control plane */
    OpusHelper MakeOpus() const;
    /** @return why the job can't be simulated by several processes; empty: it can */
    std::string FindWhyNotDistributed() const;
    /** @return what makes rails differ, of the settings of this; empty: nothing */
    std::string FindWhyNotFolded() const;
    /** Builds all that is not on the rails already. */
    void Build(Ptr<TrainingRun> run, const NodeContainer& servers) const;
    /** Builds engines, fabrics, control plane and ranks of a run. @param limits of its waits */
    void BuildRanks(Ptr<JobRun> run, const OpusLimits& limits, const NodeContainer& servers) const;
    /** Builds it, and fixes the draws of rails and the management network. */
    Ptr<TrainingRun> Install(Ptr<TrainingRun> run, const NodeContainer& servers) const;

    ModelShape m_shape;
    ParallelismPlan m_plan;
    TrainingRecipe m_recipe;
    RecipeChange m_change;
    uint32_t m_iterations{2};
    uint32_t m_checkpoints{0};
    bool m_checkpointsAtStart{false};
    CheckpointNetwork m_checkpointNetwork{CheckpointNetwork::RAILS};
    GpuGeneration m_gpu;
    double m_efficiency{0.4};
    std::shared_ptr<const ComputeTimes> m_times;
    ComputeFactors m_factors;

    std::string m_policy{"on-demand"};
    std::string m_technology;
    Time m_reconfiguring; //!< largest reconfiguration time, as far as it is known
    uint32_t m_ports{0};
    DataRate m_rate;
    bool m_folds{false};
    uint32_t m_mostRecorded{TrainingRun::MOST_RANKS};
    PhotonicRailHelper m_photonic;
    ElectricalRailHelper m_electrical;
    ProcessCut m_cut{ProcessCut::RAILS};
    OpusHelper m_opus;
    CollectiveHelper m_collectives;
    ScaleUpHelper m_scaleUp;
    RdmaHelper m_rdma;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_JOB_HELPER_H */
