/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-helper.h"

#include "measured-noise.h"

#include "ns3/abort.h"
#include "ns3/circuit-hint-edit.h"
#include "ns3/double.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rdma-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

/** The first stream of random draws of rails; ranks have the streams below. */
constexpr int64_t FIRST_RAIL_STREAM = 1 << 24;

} // namespace

void
JobHelper::SetGpusPerServer(uint32_t gpus)
{
    m_gpusPerServer = gpus;
}

void
JobHelper::SetScaleUp(bool scaleUp)
{
    m_scaleUp = scaleUp;
}

void
JobHelper::SetElectrical(bool electrical)
{
    m_electrical = electrical;
}

void
JobHelper::SetPorts(uint32_t ports, DataRate rate)
{
    m_ports = ports;
    m_rate = rate;
}

void
JobHelper::SetReconfigurationTime(Time time)
{
    m_reconfiguration = time;
}

void
JobHelper::SetMeasuredNoise()
{
    m_factors.SetMeasuredNoise();
}

void
JobHelper::SetLinkUpTime(Time time)
{
    m_linkUp = time;
}

void
JobHelper::SetLimits(const OpusLimits& limits)
{
    m_opus.SuggestLimits(limits);
    m_collectives.SuggestAttribute("StallLimit", TimeValue(limits.stall));
}

void
JobHelper::SetHostNetwork(DataRate rate)
{
    m_opus.SetHostNetwork(HostNetworkHelper::OfRate(rate));
}

OpusHelper&
JobHelper::GetOpus()
{
    return m_opus;
}

CollectiveHelper&
JobHelper::GetCollectives()
{
    return m_collectives;
}

RdmaHelper&
JobHelper::GetRdma()
{
    return m_rdma;
}

ScaleUpHelper&
JobHelper::GetScaleUp()
{
    return m_fabric;
}

void
JobHelper::RequireServers(uint32_t ranks) const
{
    NS_ABORT_MSG_IF(m_gpusPerServer == 0 || ranks % m_gpusPerServer != 0,
                    "JobHelper: a job of " << ranks << " ranks, and servers of " << m_gpusPerServer
                                           << " GPUs; give servers that the ranks fill");
}

NodeContainer
JobHelper::InstallRails(JobRun& run, uint32_t ranks) const
{
    NodeContainer gpus(ranks);
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    RailHelper& helper = m_electrical ? static_cast<RailHelper&>(electrical) : photonic;
    helper.SetPorts(m_ports, m_rate);
    const uint32_t servers = ranks / m_gpusPerServer;
    photonic.SetSwitchAttribute("Radix", UintegerValue(servers * m_ports));
    photonic.SetReconfigurationTime(m_reconfiguration);
    if (m_factors.AreMeasured())
    {
        photonic.SetSwitchAttribute(
            "ReconfigurationTime",
            StringValue(MeasuredNoise::MakeReconfigurationTime(m_reconfiguration)));
    }
    if (m_linkUp.IsStrictlyPositive())
    {
        photonic.SetLinkUpTime(m_linkUp);
    }
    electrical.SetRadix(0); // one switch, with as many ports as it takes
    run.rails = helper.InstallRails(gpus, m_gpusPerServer);
    m_rdma.Install(gpus);
    return gpus;
}

Ptr<JobRun>
JobHelper::Install(const JobPrograms& job)
{
    RequireServers(job.ranks.size());
    m_opus.SetForwarding(m_scaleUp);
    const std::string whyNot =
        m_opus.FindInfeasible(job, m_gpusPerServer, m_ports, m_collectives.MakeSettings(m_ports));
    NS_ABORT_MSG_UNLESS(whyNot.empty(), "JobHelper: the job can't run: " << whyNot);
    const Ptr<JobRun> run =
        Create<JobRun>(m_opus.UsesHints() ? AddCircuitHints(job, m_gpusPerServer) : job,
                       m_gpusPerServer);
    const NodeContainer gpus = InstallRails(*run, job.ranks.size());
    if (m_scaleUp)
    {
        run->domains = m_fabric.Install(gpus, m_gpusPerServer);
        m_collectives.SetScaleUp(run->domains);
    }
    run->plane = m_opus.Install(run->rails);
    m_collectives.SetBrokers(run->plane.brokers);
    run->hosts = m_opus.InstallHosts(run->plane, m_collectives);
    run->Install(m_collectives.Install(run->rails));
    if (m_factors.AreMeasured())
    {
        m_factors.Apply(run->applications, m_gpusPerServer);
        RailHelper::AssignStreams(run->rails, FIRST_RAIL_STREAM);
    }
    return run;
}

} // namespace ns3
