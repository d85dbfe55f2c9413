/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STAR_ROUTING_H
#define PHOTONIC_RAILS_STAR_ROUTING_H

#include "ns3/as-of.h"
#include "ns3/instant-queue.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/output-stream-wrapper.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/** The types of the parameters of a member function, which differ between releases of ns-3. */
template <typename Member>
struct ParametersOf;

/** The same, for a member function that is not const. */
template <typename Class, typename Result, typename... Parameters>
struct ParametersOf<Result (Class::*)(Parameters...)>
{
    /** One of these types, by its place from 0. */
    template <std::size_t Place>
    using At = std::tuple_element_t<Place, std::tuple<Parameters...>>;
};

/**
 * @ingroup photonic-rails
 * @brief The routing of the node in the middle of a star. It computes the link to an address from
 * the address, in a time that does not grow with the number of links, unlike a search in a table.
 *
 * Packets that arrive at one instant are forwarded when the instant is over, in order of links: the
 * order of their events, which is no property of a network, has no effect.
 *
 * Pass() forwards without the router's stack: packets have the same bytes at the same instants, but
 * the trace sources of the router's Ipv4 do not see them.
 *
 * **Faults.** Links may have a further delay for a while, and the star may be divided into parts,
 * between which it drops all packets. A change affects packets that arrive after its instant.
 * Packets between two links keep their order: when a delay ends, later packets wait for the earlier
 * ones.
 *
 * Link n has the four addresses from network + 4 n on: the second is the end's, the third the
 * router's. Interfaces are in the order of links, behind loopback.
 */
class StarRouting : public Ipv4RoutingProtocol
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    StarRouting() = default;

    /**
     * @param network the first address
     * @param after delay behind an instant after which its packets are forwarded
     */
    StarRouting(Ipv4Address network, Picoseconds after);

    /** @param extra further delay of packets from and to a link, from now on; 0: none */
    void SetExtraDelay(uint32_t link, Time extra);

    /**
     * Sets losses, from now on. Which packets are lost is a function of the run's seed and number,
     * the links and the number of the packet on the link that it comes from.
     * @param loss share of the packets from and to a link, 0 to 1
     */
    void SetLoss(uint32_t link, double loss);

    /**
     * Divides the star, now.
     * @param parts sets of links; packets between a link of a set and one beside it are dropped.
     *        None: the star is whole
     */
    void Divide(const std::vector<std::set<uint32_t>>& parts);

    /**
     * Forwards a packet that has come in, from device to device.
     * @param from the link that it came from
     * @param packet with its IPv4 header
     * @return whether it has taken it; else it is one for the stack: not plain, or not to a link
     */
    bool Pass(uint32_t from, Ptr<const Packet> packet);

    /** @return the packets dropped because the star was divided */
    uint64_t GetDropped() const;

    // Ipv4RoutingProtocol
    Ptr<Ipv4Route> RouteOutput(Ptr<Packet> packet,
                               const Ipv4Header& header,
                               Ptr<NetDevice> device,
                               Socket::SocketErrno& error) override;
    bool RouteInput(Ptr<const Packet> packet,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> device,
                    ParametersOf<decltype(&Ipv4RoutingProtocol::RouteInput)>::At<3> forward,
                    ParametersOf<decltype(&Ipv4RoutingProtocol::RouteInput)>::At<4> multicast,
                    ParametersOf<decltype(&Ipv4RoutingProtocol::RouteInput)>::At<5> deliver,
                    ParametersOf<decltype(&Ipv4RoutingProtocol::RouteInput)>::At<6> fail) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream,
                           Time::Unit unit = Time::S) const override;

  protected:
    void DoDispose() override;

  private:
    /** @return the link to an address, which is up; none if there is none */
    std::optional<uint32_t> FindLink(Ipv4Address to) const;
    /** @return the route to an address over its link */
    Ptr<Ipv4Route> MakeRoute(uint32_t link, Ipv4Address to) const;

    /** A link's end here. */
    struct End
    {
        Ptr<Ipv4Interface> interface;
        Ptr<NetDevice> device;
    };

    /** @return the ends of all links */
    const std::vector<End>& GetEnds() const;
    /** Forwards a packet that has come in, or drops it. @param forward sends it on */
    void Forward(uint32_t from, uint32_t to, std::function<void()> forward);

    /** The faults of the star. */
    struct Faults
    {
        std::map<uint32_t, Picoseconds> extra; //!< by link; others have none
        std::map<uint32_t, double> loss;       //!< by link; others have none
        std::vector<std::set<uint32_t>> parts;

        /** @return whether there is none */
        bool IsNone() const
        {
            return extra.empty() && loss.empty() && parts.empty();
        }
    };

    /** @return whether the star was divided between two links at the end of the last instant */
    bool AreDivided(uint32_t from, uint32_t to) const;
    /** @return the further delay of a packet between two links that arrives now */
    Picoseconds GetExtra(uint32_t from, uint32_t to);
    /** @return whether a packet between two links that arrives now is lost @param number of it */
    bool IsLost(uint32_t from, uint32_t to, uint64_t number) const;
    /** Forwards a packet when the present instant is over. @param number of it, from its link */
    void WhenOver(uint32_t from, uint64_t number, std::function<void()> forward);

    Ipv4Address m_network;
    Ptr<Ipv4L3Protocol> m_ipv4;
    mutable std::vector<End> m_ends; //!< by link, as far as they were asked for
    InstantQueue m_arrived;
    AsOf<Faults> m_faults{Faults()};
    /** By link from which and to which a packet came with a further delay: when the last one goes.
     */
    std::map<std::pair<uint32_t, uint32_t>, Picoseconds> m_delayed;
    std::vector<uint64_t> m_packets; //!< that have arrived, by link
    uint64_t m_dropped{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STAR_ROUTING_H */
