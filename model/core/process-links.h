/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROCESS_LINKS_H
#define PHOTONIC_RAILS_PROCESS_LINKS_H

#include "byte-reader.h"
#include "byte-writer.h"

#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class PointToPointChannel;

/**
 * @ingroup photonic-rails
 * @brief The messages between objects whose nodes are on different processes of a distributed
 * simulation (SimulationProcesses): from a GPU to another of its server, from a GPU to its shim.
 *
 * A message takes a time that the sender gives, no less than the least of its listener. The least
 * of all is the Delay of the links, which ns-3's engines take as lookahead: each process has a node
 * with a point-to-point link to every other one. Messages travel as packets through ns-3's
 * MpiInterface. Large ones are cut into pieces, which all arrive at the same instant.
 *
 * All processes build the same network in the same order, so a listener has one number in all.
 *
 * @code
 * m_listener = ProcessLinks::Get()->Listen(latency, [this](ByteReader& message) { ... });
 * ByteWriter message;
 * message.Put(...);
 * ProcessLinks::Get()->Send(process, latency, m_listener, message);
 * @endcode
 */
class ProcessLinks : public SimpleRefCount<ProcessLinks>
{
  public:
    /** Takes a message that has arrived. */
    using Listener = std::function<void(ByteReader& message)>;

    /** @return the links of this simulation, which live until Simulator::Destroy() */
    static Ptr<ProcessLinks> Get();

    /** Makes the links. */
    ProcessLinks();

    /**
     * Adds a listener, in the same order in all processes.
     * @param least time of its messages, 1 ps or more
     * @param listener takes the messages that arrive in this process
     * @return its number
     */
    uint32_t Listen(Time least, const Listener& listener);

    /** Removes what a listener refers to: later messages have no effect. */
    void StopListening(uint32_t listener);

    /**
     * Sends a message.
     * @param process another one
     * @param delay until it is there
     * @param listener number of Listen()
     */
    void Send(uint32_t process, Time delay, uint32_t listener, const ByteWriter& message);

    /** @return the least time of all listeners; none: Time::Max() */
    Time GetLeast() const
    {
        return m_least;
    }

    /** @return the messages that this process has sent */
    uint64_t GetSent() const
    {
        return m_sent;
    }

  private:
    /** A message of which not all pieces have come. */
    struct Incoming
    {
        std::map<uint32_t, std::string> pieces; //!< by place
    };

    /** @return a new device at the node of a process, at an end of the link */
    Ptr<NetDevice> Attach(const Ptr<PointToPointChannel>& channel, uint32_t process);

    /** Takes a piece. */
    void Receive(Ptr<Packet> packet);

    NodeContainer m_nodes;                                        //!< by process
    std::vector<std::vector<Ptr<NetDevice>>> m_devices;           //!< of a process, to another one
    Time m_least{Time::Max()};                                    //!< of all listeners
    std::vector<Listener> m_listeners;                            //!< by number
    std::map<std::pair<uint32_t, uint64_t>, Incoming> m_incoming; //!< by process and number
    uint64_t m_sent{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROCESS_LINKS_H */
