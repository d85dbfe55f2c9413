/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_HELPER_H
#define PHOTONIC_RAILS_OPUS_HELPER_H

#include "collective-helper.h"
#include "opus-limits.h"

#include "ns3/attribute-check.h"
#include "ns3/circuit-policy.h"
#include "ns3/collective-settings.h"
#include "ns3/host-network-helper.h"
#include "ns3/job-programs.h"
#include "ns3/management-network-helper.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/opus-control-plane.h"
#include "ns3/policy-names.h"
#include "ns3/rail.h"
#include "ns3/suggestible-factory.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Builds the control plane of rails: a shim on every server, an agent on every switch, a
 * controller, an optional standby, and the management network between them.
 *
 * @code
 * const std::vector<Rail> rails = PhotonicRailHelper().InstallRails(gpus, 4);
 * RdmaHelper().Install(gpus);
 * OpusHelper opus;
 * opus.SetPolicy("provisioned");
 * const OpusControlPlane control = opus.Install(rails);
 * CollectiveHelper collectives;
 * collectives.SetBrokers(control.brokers);
 * const Ptr<CollectiveJob> job = collectives.Install(rails);
 * @endcode
 *
 * A policy decides the circuits of a phase. The attribute Mode of OpusShimApp decides when shims
 * send requests; the policies `provisioned` and `co-scheduled` set it. With `electrical` there is
 * no control plane at all, and the same script runs on rails of packet switches.
 *
 * Shims choose the path of an operation by the time of a reconfiguration. Install() sets it
 * (OpusShimApp::ReconfigurationTime) by the switches, the NIC ports and the management network: see
 * EstimateReconfiguration().
 *
 * Ranks are the GPUs, counted server by server. All ranks belong to job 0 unless AddJob() is
 * called.
 */
class OpusHelper
{
  public:
    OpusHelper();

    /**
     * Sets the attribute Policy of OpusControllerApp.
     * @code
     * opus.SetPolicy("rotor:200us");
     * opus.SetPolicy("ns3::RotorPolicy", "Slot", TimeValue(MicroSeconds(200)));
     * opus.SetPolicy("ns3::MyPolicy"); // of the user's own file
     * @endcode
     * @param policy a type that derives from ns3::CircuitPolicy, or a short name (GetPolicyNames())
     * @param attributes names and values of its attributes, alternating
     */
    template <typename... Attributes>
    void SetPolicy(const std::string& policy, const Attributes&... attributes)
    {
        ObjectFactory factory = MakePolicyFactory(policy);
        SetCheckedAttributes(factory, attributes...);
        SetControllerAttribute("Policy", ObjectFactoryValue(factory));
    }

    /** @param name an attribute of OpusShimApp; Mode follows the policy if it is not set here */
    void SetShimAttribute(const std::string& name, const AttributeValue& value);
    /** @param name an attribute of OpusControllerApp */
    void SetControllerAttribute(const std::string& name, const AttributeValue& value);
    /** @param name an attribute of OcsAgent */
    void SetAgentAttribute(const std::string& name, const AttributeValue& value);
    /** Sets an attribute of OpusShimApp that the user has not set. */
    void SuggestShimAttribute(const std::string& name, const AttributeValue& value);
    /** Sets an attribute of OpusControllerApp that the user has not set. */
    void SuggestControllerAttribute(const std::string& name, const AttributeValue& value);
    /**
     * Sets limits that the user has not set.
     * @param limits of shims and controllers; the caller sets the limit of the ranks
     */
    void SuggestLimits(const OpusLimits& limits);
    /** @param network latency, rate and loss of the management network */
    void SetManagementNetwork(const ManagementNetworkHelper& network);
    /** @return the same, to change some of it */
    ManagementNetworkHelper& GetManagementNetwork();
    const ManagementNetworkHelper& GetManagementNetwork() const;
    /**
     * @param forwarding whether a fabric inside each server joins its GPUs
     *        (CollectiveHelper::SetScaleUp()), so that they forward messages for other rails. No by
     *        default: then no pair of ranks on two rails can be joined
     */
    void SetForwarding(bool forwarding);
    /**
     * Sets the network of the hosts. Shims choose it for operations that it carries sooner than
     * circuits (HostBytesPerSecond, HostHopLatency), and for those whose circuits are refused
     * (HostNetwork). Rails of packet switches carry everything, and have none.
     * @param network for InstallHosts(); empty, by default: there is none
     */
    void SetHostNetwork(const std::optional<HostNetworkHelper>& network);

    /** @return whether a network joins the servers, beside the rails */
    bool HasHostNetwork() const
    {
        return m_hosts.has_value();
    }

    /**
     * Sets the addresses of the management network and of the network of the hosts, for several
     * control planes in a simulation.
     * @param number of the control plane: 0, by default, has the networks' own addresses; others
     *        have two of 10.0.0.0/8, up to MOST_PLANES
     */
    void SetNetworkNumber(uint32_t number);
    /** The largest number of a control plane. */
    static constexpr uint32_t MOST_PLANES = 120;

    /**
     * @param nodes of the controller and the standby, which may have other applications; the helper
     * makes those that are missing, by default all
     */
    void SetControllerNodes(const NodeContainer& nodes);

    /** @param standby whether there is a standby controller; default: no */
    void SetStandby(bool standby);

    /**
     * Adds a job. Ports belong to the job of their rank.
     * @return the job, counted from 0
     */
    JobId AddJob(const std::vector<uint32_t>& ranks);

    /**
     * @param job that is about to be built, of all ranks
     * @param perServer GPUs of each server
     * @param ports of each GPU
     * @param settings of all ranks
     * @return the reason why the job can't run with the policy and these ports; empty if it can
     */
    std::string FindInfeasible(const JobPrograms& job,
                               uint32_t perServer,
                               uint32_t ports,
                               const CollectiveSettings& settings) const;

    /** @return whether the policy allows detours over other rails (CircuitPolicy) */
    bool AllowsDetours() const;

    /** @return whether shims request circuits by the hints of rank programs, for AddCircuitHints()
     */
    bool UsesHints() const;

    /** @return a factory of the controllers' policy, which is no policy until it has a cabling */
    ObjectFactory GetPolicyFactory() const;
    /** @return a policy object with the attributes that controllers use */
    Ptr<CircuitPolicy> MakePolicy(std::shared_ptr<const Cabling> cabling) const;

    /**
     * Builds the control plane.
     * @param rails all rails, each with the same number of GPUs; with optical switches, unless the
     *        policy needs none
     * @param servers nodes for the shims, one for each GPU of a rail; empty: the helper makes them
     * @return the control plane
     */
    OpusControlPlane Install(const std::vector<Rail>& rails, const NodeContainer& servers = {});

    /**
     * Builds the network of the hosts on the servers of a control plane, if there is one.
     * @param plane that Install() built
     * @param [in,out] collectives get the network for their ranks
     * @return the network; without servers if there is none
     */
    HostNetwork InstallHosts(const OpusControlPlane& plane, CollectiveHelper& collectives) const;

    /**
     * Fixes the random losses of the management network, and the random processing times.
     * @param plane built by an OpusHelper
     * @param stream the first stream number
     * @return the number of streams used
     */
    static int64_t AssignStreams(const OpusControlPlane& plane, int64_t stream);

  private:
    /** @return the cabling of rails, with the jobs of all ports */
    std::shared_ptr<const Cabling> MakeCabling(const std::vector<Rail>& rails) const;
    /** Makes brokers for rails without a control plane. */
    OpusControlPlane InstallNone(const std::vector<Rail>& rails) const;
    /** Makes a controller on a node of its own. */
    Ptr<OpusControllerApp> MakeController(Ptr<Node> node,
                                          const OpusControlPlane& plane,
                                          const std::vector<Rail>& rails);
    /** Sets the costs by which shims choose paths, unless the user has set them. */
    void SuggestCosts(const std::vector<Rail>& rails);
    /**
     * Sets how long the network gathers phases before it is reconfigured, unless the user has set
     * it: until a request of each rank may have come.
     */
    void SuggestGatherTime(const std::vector<Rail>& rails);
    /** Makes the shims and brokers. */
    void MakeShims(OpusControlPlane& plane, const std::vector<Rail>& rails);
    /** Sets the retransmission timeouts of endpoints, unless the user has set them. */
    void SetTimeouts(const OpusControlPlane& plane) const;
    /** Makes the agents. */
    void MakeAgents(OpusControlPlane& plane, const std::vector<Rail>& rails);
    /** Gives agents the shims at the ports of their switches. */
    void ConnectAgents(const OpusControlPlane& plane, const std::vector<Rail>& rails) const;

    SuggestibleFactory m_shims;
    SuggestibleFactory m_controllers;
    SuggestibleFactory m_agents;
    ManagementNetworkHelper m_network;
    uint32_t m_networkNumber{0};
    NodeContainer m_controllerNodes;
    bool m_standby{false};
    bool m_forwarding{false};
    std::optional<HostNetworkHelper> m_hosts;
    std::vector<std::vector<uint32_t>> m_jobs;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_HELPER_H */
