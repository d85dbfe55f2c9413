/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_HELPER_H
#define PHOTONIC_RAILS_COLLECTIVE_HELPER_H

#include "ns3/application-container.h"
#include "ns3/circuit-broker.h"
#include "ns3/collective-application.h"
#include "ns3/communication-group.h"
#include "ns3/forwarding-transport.h"
#include "ns3/host-network-helper.h"
#include "ns3/rail-links.h"
#include "ns3/rail.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-transport.h"
#include "ns3/suggestible-factory.h"

#include <functional>
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
 * CollectiveHelper collectives;
 * collectives.Install(rails);
 * const auto all = collectives.MakeGroup("all", {0, 8, 16, 24}); // ranks on rail 0
 * collectives.Call(all, CollectiveKind::ALL_REDUCE, 1 << 30);    // by each of them, once
 * Simulator::Run();
 * @endcode
 *
 * Rank k is the GPU k, counted server by server; with R rails it is on rail k modulo R. The nodes
 * need an RdmaEngine. By default the broker uses existing circuits (StandingCircuits).
 */
class CollectiveHelper
{
  public:
    CollectiveHelper();

    /**
     * @param name an attribute of CollectiveApplication; Channels is set to the ports of a GPU if
     *        it is not set here, and BytesPerSecond to their rate
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /** Sets an attribute that the user has not set. */
    void SuggestAttribute(const std::string& name, const AttributeValue& value);

    /** @param broker replaces StandingCircuits */
    void SetBroker(Ptr<CircuitBroker> broker);

    /** @param brokers by rank: a control plane has one for each */
    void SetBrokers(const std::vector<Ptr<CircuitBroker>>& brokers);

    /**
     * Connects the ranks of a server by its scale-up fabric. They then reach other rails through
     * each other.
     * @param domains the fabric of each server, from ScaleUpHelper: GPU l is member l
     */
    void SetScaleUp(const std::vector<Ptr<ScaleUpDomain>>& domains);

    /**
     * Sets the network for messages between ranks without a path over rails.
     * @param network has a server for each place on a rail
     */
    void SetHostNetwork(const HostNetwork& network);

    /**
     * Makes the applications. They start at 0 s by default.
     * @param rails all rails of the job, each with as many GPUs
     * @return the applications, by rank
     */
    ApplicationContainer Install(const std::vector<Rail>& rails);

    /** The same, for a single rail. @return the applications, by rank */
    ApplicationContainer Install(const Rail& rail);

    /**
     * @param name shown in reports
     * @param ranks of the job, in order
     * @param perServer consecutive ranks of each server
     * @return a group with an id of its own
     */
    std::shared_ptr<const CommunicationGroup> MakeGroup(const std::string& name,
                                                        const std::vector<uint32_t>& ranks,
                                                        uint32_t perServer = 1);

    /**
     * Sets the program of a rank.
     * @param groups by the program's group number
     */
    void SetProgram(uint32_t rank,
                    std::shared_ptr<const RankProgram> program,
                    const CollectiveApplication::Groups& groups);

    /**
     * Sets a program of one operation for every rank of a group.
     * @param algorithm name of the algorithm; empty: chosen for each rank
     */
    void Call(const std::shared_ptr<const CommunicationGroup>& group,
              CollectiveKind kind,
              uint64_t bytes,
              const std::string& algorithm = "");

    /** @return the application of a rank */
    Ptr<CollectiveApplication> Get(uint32_t rank) const;

    /**
     * Fixes the draws of ComputeFactor. Each application gets a random variable of its own.
     * @param applications those of type CollectiveApplication draw from a stream each, in order
     * @param stream the first stream number
     * @return the number of streams used
     */
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

    /** @return the bytes that ranks have forwarded for others of their servers so far */
    uint64_t GetForwardedBytes() const;

    /** @return the rail connections of ranks, and their places */
    std::shared_ptr<const RailLinks> GetLinks() const;

  private:
    /** Connects a rank to the scale-up fabric of its server. @param rail its own rail */
    void AddScaleUp(Ptr<CollectiveApplication> application,
                    Ptr<ScaleUpTransport> inside,
                    Ptr<Transport> rail);

    SuggestibleFactory m_factory;
    std::vector<Ptr<CircuitBroker>> m_brokers; //!< by rank
    Ptr<CircuitBroker> m_broker;               //!< for all ranks, if m_brokers is empty
    std::vector<Ptr<ScaleUpDomain>> m_domains; //!< by server; empty: no fabrics
    HostNetwork m_hosts;
    bool m_hasHosts{false};
    std::shared_ptr<const RailLinks> m_links;
    ApplicationContainer m_applications;                //!< by rank
    std::vector<Ptr<ForwardingTransport>> m_forwarders; //!< by rank; empty: no fabrics
    uint32_t m_groups{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_HELPER_H */
