/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STAR_HOST_H
#define PHOTONIC_RAILS_STAR_HOST_H

#include "ns3/address.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/net-device.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A node's ends of star networks, for UDP datagrams that leave and come without its IP
 * stack.
 *
 * A datagram has the bytes that the stack would have given it, and leaves at the same instant, but
 * the stack's trace sources do not see it: a quarter of the CPU time. What is not plain goes
 * through the stack: addresses of no star, of the node itself, datagrams that need fragments,
 * checksums, ports without a listener here, anything but UDP. Identifications of packets to
 * one address count from 0, apart from those that the stack sends there. Nothing leaves or comes
 * while the interface is down; when it is up again, the stack needs a route anew, and this does
 * not.
 *
 * A star's end has the second of the four addresses of its link, see StarRouting.
 */
class StarHost : public Object
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    /** Takes the payload of a datagram, and the address and the port that it comes from. */
    using Taker = std::function<void(Ptr<Packet>, Ipv4Address, uint16_t)>;

    /**
     * Adds the node's link to a star. Its device brings IPv4 packets here from now on, and no
     * others to anybody.
     * @param ipv4 of the node
     * @param device its end of the link, which has an address
     * @param network the first address of the star
     * @param mask of the star
     */
    void Add(Ptr<Ipv4L3Protocol> ipv4, Ptr<NetDevice> device, Ipv4Address network, Ipv4Mask mask);

    /** @param take takes what comes to a port, in place of who listened before */
    void Listen(uint16_t port, Taker take);

    /** Leaves a port to the stack. */
    void Leave(uint16_t port);

    /**
     * @param payload of a datagram, which gets its headers
     * @return whether it has left; else it is as it was, and one for a socket
     */
    bool Send(Ptr<Packet> payload, uint16_t from, Ipv4Address to, uint16_t port);

  protected:
    void DoDispose() override;

  private:
    /** The node's link to a star. */
    struct Link
    {
        Ipv4L3Protocol* ipv4{nullptr}; //!< of the same node, and as long there
        Ptr<Ipv4Interface> interface;
        Ptr<NetDevice> device;
        Address other; //!< of the link's other end
        Ipv4Address own;
        Ipv4Address network;
        Ipv4Mask mask;
        uint8_t ttl{0}; //!< of what it sends
        /** The identifications of the next packets, by destination, as the stack counts. */
        std::unordered_map<uint32_t, uint16_t> identifications;
    };

    /** Who takes what comes to a port. */
    struct Listener
    {
        uint16_t port{0};
        Taker take;
    };

    /** The end of a link, to which a device brings its packets. */
    struct End
    {
        StarHost* host{nullptr};
        std::size_t link{0};

        bool operator==(const End& other) const
        {
            return host == other.host && link == other.link;
        }

        bool operator!=(const End& other) const
        {
            return !(*this == other);
        }
    };

    /** Takes a packet of a device. @return whether it is an IPv4 packet */
    static bool Receive(End end,
                        Ptr<NetDevice> device,
                        Ptr<const Packet> packet,
                        uint16_t protocol,
                        const Address& from);
    /** @return whether a listener has taken a packet with its IPv4 header */
    bool Take(const Link& link, Ptr<const Packet> packet) const;
    /** @return whether an address is that of another end of the link's star */
    static bool IsEnd(const Link& link, Ipv4Address address);

    std::vector<Link> m_links;
    std::vector<Listener> m_listeners;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STAR_HOST_H */
