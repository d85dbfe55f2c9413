/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_JOB_HELPER_H
#define PHOTONIC_RAILS_TRAINING_JOB_HELPER_H

#include "collective-helper.h"
#include "opus-helper.h"
#include "training-run.h"

#include "ns3/compute-times.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/gpu-generation.h"
#include "ns3/management-network-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/rdma-helper.h"
#include "ns3/scale-up-helper.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

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
 * The policy `electrical` builds rails of packet switches, every other one rails of circuit
 * switches; nothing else differs. Ports of a GPU and their rate are those of the GPU's generation
 * (two ports of half its NIC), unless SetPorts() says otherwise. Waits of the control plane get
 * limits that exceed what the job computes in an iteration and what its switches take to
 * reconfigure.
 */
class TrainingJobHelper
{
  public:
    TrainingJobHelper();

    /** @param name of one of GetModelShapes(), or of a JSON file (it ends with .json) */
    void SetModel(const std::string& name);
    /** @param shape of the model */
    void SetModel(const ModelShape& shape);
    /** @param layers of the model that are trained: the first so many */
    void SetLayers(uint32_t layers);
    /** @param plan of the ranks */
    void SetParallelismPlan(const ParallelismPlan& plan);
    /** @param recipe what is done */
    void SetRecipe(const TrainingRecipe& recipe);
    /** @param iterations of training; control planes learn in the first */
    void SetIterations(uint32_t iterations);

    /**
     * @param generation one of GetGpuGenerations(), by name
     * @param efficiency the share of its peak that is reached, above 0 and up to 1
     */
    void SetGpu(const std::string& generation, double efficiency);
    /** @param times of computing in place of those that follow from FLOPs, such as measured ones */
    void SetComputeTimes(std::shared_ptr<const ComputeTimes> times);
    /** @param variable a random variable, by name: how much longer each computing takes */
    void SetJitter(const std::string& variable);
    /** @param rank one that is slower @param factor how much longer all its computing takes */
    void AddStraggler(uint32_t rank, double factor);

    /** @param name a short name or a type of a CircuitPolicy, with its attributes (TypeAliases) */
    void SetPolicy(const std::string& name);
    /** @param name of an OCS technology: its reconfiguration time, and its ports are the most that
     * a rail has; if none is set, 25 ms and as many ports as are needed */
    void SetTechnology(const std::string& name);
    /** @param time that switches take to reconfigure, in place of the technology's */
    void SetReconfigurationTime(Time time);
    /** @param variable a random variable, by name: seconds from light to a port that works */
    void SetLinkUpTime(const std::string& variable);
    /** @param ports of each GPU @param rate of each */
    void SetPorts(uint32_t ports, DataRate rate);
    /** @param latency one way, on the management network */
    void SetManagementLatency(Time latency);
    /** @param loss share of the packets that each link of the management network loses, 0 to 1 */
    void SetManagementLoss(double loss);

    /** @return the rails' helper for what is set beside that: the one of the policy */
    RailHelper& GetRails();
    /** @return the control plane's helper; its policy is set by SetPolicy() */
    OpusHelper& GetOpus();
    /** @return the collectives' helper, for attributes of CollectiveApplication */
    CollectiveHelper& GetCollectives();
    /** @return the helper of the fabrics in servers; the port rate is the GPU generation's */
    ScaleUpHelper& GetScaleUp();
    /** @return the helper of the RDMA engines */
    RdmaHelper& GetRdma();

    /** @return what is to be done, complete; what does not fit aborts, with all reasons */
    TrainingTask MakeTask() const;

    /** Builds it, once. @return the run, which listens to its ranks */
    Ptr<TrainingRun> Install();

    /**
     * Fixes all random draws of a job, in place of the streams that Install() gave.
     * @param run a job that such a helper built
     * @param stream the first stream number: of computing, by rank; then of rails; then of the
     *        management network
     * @return the number of streams used
     */
    static int64_t AssignStreams(const TrainingRun& run, int64_t stream);

  private:
    /** Sets limits that no healthy run exceeds. */
    void SetLimits(const TrainingJob& job);
    /** Sets ports, rates and switches. */
    void SetUpRails();
    /** Sets which ranks compute slower. */
    void SetFactors(const TrainingRun& run) const;

    ModelShape m_shape;
    ParallelismPlan m_plan;
    TrainingRecipe m_recipe;
    uint32_t m_iterations{2};
    GpuGeneration m_gpu;
    double m_efficiency{0.4};
    std::shared_ptr<const ComputeTimes> m_times;
    std::string m_jitter;
    std::map<uint32_t, double> m_stragglers;

    std::string m_policy{"on-demand"};
    std::string m_technology;
    Time m_reconfiguring; //!< that circuits take at most, as far as it is known
    uint32_t m_ports{0};
    DataRate m_rate;
    PhotonicRailHelper m_photonic;
    ElectricalRailHelper m_electrical;
    ManagementNetworkHelper m_network;
    OpusHelper m_opus;
    CollectiveHelper m_collectives;
    ScaleUpHelper m_scaleUp;
    RdmaHelper m_rdma;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_JOB_HELPER_H */
