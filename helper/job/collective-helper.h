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
 * @brief Puts a CollectiveApplication on every GPU of rails, with its way to the others.
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
 * need an RdmaEngine. Circuits are those that there are (StandingCircuits), unless another broker
 * is set.
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

    /** @param broker who gives circuits, in place of StandingCircuits */
    void SetBroker(Ptr<CircuitBroker> broker);

    /** @param brokers who gives circuits, by rank: a control plane has one for each */
    void SetBrokers(const std::vector<Ptr<CircuitBroker>>& brokers);

    /**
     * Ranks of a server talk over the fabric inside it, and reach other rails through each other.
     * @param domains the fabric of each server, as ScaleUpHelper makes them: GPU l is member l
     */
    void SetScaleUp(const std::vector<Ptr<ScaleUpDomain>>& domains);

    /**
     * Where rails have no way, messages go over the network of the hosts.
     * @param network it, with a server for each place on a rail
     */
    void SetHostNetwork(const HostNetwork& network);

    /**
     * Makes the applications. They start at 0 s unless they are told otherwise.
     * @param rails all rails of the job, each with as many GPUs
     * @return the applications, by rank
     */
    ApplicationContainer Install(const std::vector<Rail>& rails);

    /** The same, for a single rail. @return the applications, by rank */
    ApplicationContainer Install(const Rail& rail);

    /**
     * @param name for people
     * @param ranks of the job, in order
     * @param perServer ranks of each server, standing next to each other
     * @return a group with an id of its own
     */
    std::shared_ptr<const CommunicationGroup> MakeGroup(const std::string& name,
                                                        const std::vector<uint32_t>& ranks,
                                                        uint32_t perServer = 1);

    /**
     * Gives a rank its program.
     * @param program what it does
     * @param groups which groups it means
     */
    void SetProgram(uint32_t rank,
                    std::shared_ptr<const RankProgram> program,
                    const CollectiveApplication::Groups& groups);

    /**
     * Gives every rank of a group a program of one operation.
     * @param algorithm by name; empty: it is chosen
     */
    void Call(const std::shared_ptr<const CommunicationGroup>& group,
              CollectiveKind kind,
              uint64_t bytes,
              const std::string& algorithm = "");

    /** @return the application of a rank */
    Ptr<CollectiveApplication> Get(uint32_t rank) const;

    /**
     * Fixes the draws of ComputeFactor. Each application gets a random variable of its own.
     * @param applications those that are CollectiveApplication draw from a stream each, in order
     * @param stream the first stream number
     * @return the number of streams used
     */
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

    /** @return the bytes that ranks have sent on for others of their servers so far */
    uint64_t GetForwardedBytes() const;

    /** @return which ranks are joined, and where they are */
    std::shared_ptr<const RailLinks> GetLinks() const;

  private:
    /** Gives a rank its way through its server. @param rail its own rail */
    void AddScaleUp(Ptr<CollectiveApplication> application,
                    Ptr<ScaleUpTransport> inside,
                    Ptr<Transport> rail);

    SuggestibleFactory m_factory;
    std::vector<Ptr<CircuitBroker>> m_brokers; //!< by rank
    Ptr<CircuitBroker> m_broker;               //!< of all, if there is none of each
    std::vector<Ptr<ScaleUpDomain>> m_domains; //!< by server, if there are any
    HostNetwork m_hosts;
    bool m_hasHosts{false};
    std::shared_ptr<const RailLinks> m_links;
    ApplicationContainer m_applications;                //!< by rank
    std::vector<Ptr<ForwardingTransport>> m_forwarders; //!< by rank, if there are fabrics
    uint32_t m_groups{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_HELPER_H */
