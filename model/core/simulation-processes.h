/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SIMULATION_PROCESSES_H
#define PHOTONIC_RAILS_SIMULATION_PROCESSES_H

#include "ns3/callback.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The processes of a distributed simulation, by ns-3's MPI module: the only place of this
 * module that knows of it.
 *
 * Without MPI, and before Begin(), there is one process, and every node is on it. Every process
 * builds the whole network; the events of a node run on the process of its number
 * (Node::GetSystemId()) only.
 *
 * @code
 * SimulationProcesses::Begin(argc, argv); // first: it chooses ns-3's engine
 * ... CreateObject<Node>(process), applications of nodes by AddApplicationHere() ...
 * Simulator::Run();
 * const std::vector<std::string> all = SimulationProcesses::Gather(mine);
 * Simulator::Destroy();
 * SimulationProcesses::End();
 * @endcode
 */
class SimulationProcesses
{
  public:
    /** How processes wait for each other. */
    enum class Engine
    {
        WINDOWS,       //!< ns3::DistributedSimulatorImpl: all agree on the next window
        NULL_MESSAGES, //!< ns3::NullMessageSimulatorImpl: each tells the others how far it is
    };

    /** @return why this program has one process; empty: it may have several */
    static std::string FindWhyNot();

    /** @return whether a launcher of MPI has started several processes of this program */
    static bool AreLaunched();
    /** @return the number of this process, as the launcher tells before Begin(); else 0 */
    static uint32_t GetLaunched();
    /** @return the number of processes, as the launcher tells before Begin(); else 1 */
    static uint32_t CountLaunched();

    /**
     * Joins the other processes of this program, if a launcher has started several: call it before
     * anything that uses ns-3's Simulator. One that is alone takes ns-3's usual engine.
     */
    static void Begin(int argc, char* argv[], Engine engine = Engine::WINDOWS);

    /** Leaves the other processes, after Simulator::Destroy(). */
    static void End();

    /**
     * All processes call this the same number of times, also before Begin() and in the course of
     * an error. It returns when all have called it.
     * @param number of this process
     * @return the numbers of all, by process
     */
    static std::vector<int> Exchange(int number);

    /**
     * Between Begin() and End(), by an error of this process. It waits for no call of another one.
     * @return whether no other process has called it before
     */
    static bool IsFirst();

    /** All processes are about to end by an error of which all know: waits for the others. */
    static void EndTogether();

    /** Ends all processes, for an error of this one. Without others it returns. */
    static void Abort(int code);

    /** @return the number of processes, 1 or more */
    static uint32_t GetNumber();

    /** @return the number of this process, from 0 */
    static uint32_t GetHere();

    /**
     * @return whether the simulation ends when no process has events; else all must call
     * Simulator::Stop() for the same instant
     */
    static bool FindEnd();

    /** Aborts if there are several. @param what one process simulates only, such as "faults" */
    static void RequireOne(const std::string& what);

    /** @return whether the events of a node run in this process */
    static bool IsHere(const Ptr<const Node>& node);

    /**
     * Adds an application to its node. On another process it gets the node and never starts.
     * @param node of the application
     */
    static void AddApplication(const Ptr<Node>& node, const Ptr<Application>& application);

    /**
     * All processes call this, before Simulator::Destroy().
     * @param bytes of this process
     * @return at process 0 the bytes of all, by process; at others none
     */
    static std::vector<std::string> Gather(const std::string& bytes);

    /**
     * Sends a packet to a node of another process.
     * @param packet of 1,900 bytes or less
     * @param at the instant at which it is there, not before the lookahead is over
     * @param device of the node, with a receiver
     */
    static void Send(const Ptr<Packet>& packet, Time at, const Ptr<NetDevice>& device);

    /** @param receive is called with the packets for a device from other processes */
    static void SetReceiver(const Ptr<NetDevice>& device, Callback<void, Ptr<Packet>> receive);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SIMULATION_PROCESSES_H */
