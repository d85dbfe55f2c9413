/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_HELPER_H
#define PHOTONIC_RAILS_COLLECTIVE_HELPER_H

#include "collective-job.h"

#include "ns3/application-container.h"
#include "ns3/circuit-broker.h"
#include "ns3/collective-settings.h"
#include "ns3/host-network-helper.h"
#include "ns3/nstime.h"
#include "ns3/rail.h"
#include "ns3/scale-up-domain.h"
#include "ns3/suggestible-factory.h"
#include "ns3/transport-times.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Installs a CollectiveApplication on every GPU of rails, with its paths to the others.
 *
 * @code
 * const std::vector<Rail> rails = helper.InstallRails(gpus, 8);
 * RdmaHelper().Install(gpus);
 * const Ptr<CollectiveJob> job = CollectiveHelper().Install(rails);
 * const auto all = job->MakeGroup("all", {0, 8, 16, 24}); // ranks on rail 0
 * job->Call(all, CollectiveKind::ALL_REDUCE, 1 << 30);    // by each of them, once
 * Simulator::Run();
 * @endcode
 *
 * Rank k is the GPU k, counted server by server; with R rails it is on rail k modulo R. The nodes
 * need an RdmaEngine. By default the broker uses existing circuits (StandingCircuits). The helper
 * keeps nothing of what it installed: it installs any number of jobs, which share no state.
 */
class CollectiveHelper
{
  public:
    CollectiveHelper();

    /**
     * @param name an attribute of CollectiveApplication; if they are not set here, Ports is set
     *        to the ports of a GPU, Channels to as many or, if they are 3, 5 or more odd ones, to
     *        twice as many, and BytesPerSecond to their rate
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /** Sets an attribute that the user has not set. */
    void SuggestAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Sets the attributes of the times that the library of a rank takes, such as RailStepTime.
     * @param times by network; those that are 0 stay as the attributes have them
     */
    void SetTimes(const CollectiveTimes& times);

    /** @param broker replaces StandingCircuits */
    void SetBroker(Ptr<CircuitBroker> broker);

    /** @param brokers by rank: a control plane has one for each */
    void SetBrokers(const std::vector<Ptr<CircuitBroker>>& brokers);

    /**
     * Sets whether ranks of a rail without a circuit reach each other over GPUs between them
     * (RailLinks). False by default. A broker that is set decides for itself.
     */
    void SetMultiHop(bool multiHop);

    /**
     * @param latency of receipts for the messages of queue pairs that fail (RdmaTransport); 0, the
     *        default: there are none
     */
    void SetReceiptLatency(Time latency);

    /**
     * Connects the ranks of a server by its scale-up fabric. They then reach other rails through
     * each other. A fabric serves one job.
     * @param domains the fabric of each server, from ScaleUpHelper: GPU l is member l
     */
    void SetScaleUp(const std::vector<Ptr<ScaleUpDomain>>& domains);

    /**
     * Sets the network for messages between ranks without a path over rails. It serves one job.
     * @param network has a server for each place on a rail
     */
    void SetHostNetwork(const HostNetwork& network);

    /**
     * @param ports of each GPU
     * @return the settings that all ranks of a job get
     */
    CollectiveSettings MakeSettings(uint32_t ports) const;

    /**
     * Makes the applications of a job. They start at 0 s by default.
     * @param rails all rails of the job, each with as many GPUs
     * @return the job
     */
    Ptr<CollectiveJob> Install(const std::vector<Rail>& rails) const;

    /** The same, for a single rail. @return the job */
    Ptr<CollectiveJob> Install(const Rail& rail) const;

    /**
     * Fixes the draws of ComputeFactor. Each application gets a random variable of its own.
     * @param applications those of type CollectiveApplication draw from a stream each, in order
     * @param stream the first stream number
     * @return the number of streams used
     */
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

  private:
    /** Aborts unless fabrics, host network and brokers match the ranks of the rails. */
    void RequireMatch(const RailLinks& links, const std::vector<Rail>& rails) const;
    /** @return the broker of all ranks, if the user gave none */
    Ptr<CircuitBroker> MakeBroker(const std::shared_ptr<const RailLinks>& links) const;

    SuggestibleFactory m_factory;
    std::vector<Ptr<CircuitBroker>> m_brokers; //!< by rank
    Ptr<CircuitBroker> m_broker;               //!< for all ranks, if m_brokers is empty
    std::vector<Ptr<ScaleUpDomain>> m_domains; //!< by server; empty: no fabrics
    HostNetwork m_hosts;
    bool m_hasHosts{false};
    bool m_multiHop{false};
    Time m_receiptLatency{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_HELPER_H */
