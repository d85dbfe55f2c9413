/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_HELPER_H
#define PHOTONIC_RAILS_JOB_HELPER_H

#include "collective-helper.h"
#include "compute-factors.h"
#include "job-run.h"
#include "opus-helper.h"
#include "opus-limits.h"

#include "ns3/data-rate.h"
#include "ns3/job-programs.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/rdma-helper.h"
#include "ns3/scale-up-helper.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Builds the cluster of a job: GPUs, rails of either kind, RDMA engines, the control plane
 * and the ranks with their programs.
 *
 * A rail has one switch, with a port for each NIC port. The servers have no fabric of their own
 * unless SetScaleUp() gives them one.
 * @code
 * JobHelper helper;
 * helper.SetGpusPerServer(8);
 * helper.SetReconfigurationTime(MilliSeconds(25));
 * helper.GetOpus().SetPolicy("provisioned");
 * const Ptr<JobRun> run = helper.Install(RepeatJob(job, 4));
 * Simulator::Run();
 * run->Require();
 * @endcode
 */
class JobHelper
{
  public:
    /** @param gpus of a server, each on a rail of its own; default: 1 */
    void SetGpusPerServer(uint32_t gpus);
    /** @param scaleUp whether a fabric joins the GPUs of a server (ScaleUpHelper); default: no */
    void SetScaleUp(bool scaleUp);
    /** @param electrical whether the switches are packet switches; default: no */
    void SetElectrical(bool electrical);
    /**
     * Sets the NIC of a GPU.
     * @param ports of a GPU on its rail; default: 2
     * @param rate of a port; default: 200 Gb/s
     */
    void SetPorts(uint32_t ports, DataRate rate);
    /** @param time of optical switches; default: 10 ms */
    void SetReconfigurationTime(Time time);
    /** Has computing and reconfiguration times vary as MeasuredNoise. */
    void SetMeasuredNoise();
    /** @param time of NIC ports, from light to carrier; default: none */
    void SetLinkUpTime(Time time);
    /**
     * Adds a network that joins the servers, beside rails of optical switches: it carries
     * operations that take less time there than over circuits, and those whose circuits are
     * refused.
     * @param rate of the link of each server; 0: there is no such network
     */
    void SetHostNetwork(DataRate rate);
    /** Sets limits of control plane and ranks, where the user has set none. */
    void SetLimits(const OpusLimits& limits);

    /** @return the helper of the control plane, for the policy and other settings */
    OpusHelper& GetOpus();
    /** @return the helper of the ranks, for their attributes */
    CollectiveHelper& GetCollectives();
    /** @return the helper of the RDMA engines, for their attributes */
    RdmaHelper& GetRdma();
    /** @return the helper of the fabric in a server, for its rate; see SetScaleUp() */
    ScaleUpHelper& GetScaleUp();

    /**
     * Builds all of it, once.
     * @param job whose ranks fill the servers
     * @return the run; Simulator::Run() runs it
     */
    Ptr<JobRun> Install(const JobPrograms& job);

  private:
    /** Aborts unless ranks fill servers. */
    void RequireServers(uint32_t ranks) const;
    /** Builds rails, and the GPUs on them with their engines. @return the GPUs */
    NodeContainer InstallRails(JobRun& run, uint32_t ranks) const;

    uint32_t m_gpusPerServer{1};
    bool m_scaleUp{false};
    bool m_electrical{false};
    uint32_t m_ports{2};
    DataRate m_rate{"200Gbps"};
    Time m_reconfiguration{MilliSeconds(10)};
    Time m_linkUp{0};
    ComputeFactors m_factors;
    OpusHelper m_opus;
    CollectiveHelper m_collectives;
    RdmaHelper m_rdma;
    ScaleUpHelper m_fabric;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_HELPER_H */
