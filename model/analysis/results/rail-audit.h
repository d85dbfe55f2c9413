/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_AUDIT_H
#define PHOTONIC_RAILS_RAIL_AUDIT_H

#include "json-writer.h"

#include "ns3/application-container.h"
#include "ns3/collective-application.h"
#include "ns3/rail.h"
#include "ns3/rdma-engine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Checks, at the end of a run, that every frame, message and byte is accounted for.
 *
 * It compares the counters of independent parts. A NIC and its fiber must count the same sent
 * frames. The end of a fiber must have accepted every delivered frame, or dropped it with a reason.
 * A switch must have forwarded or dropped every frame. Each message is settled or failed, and each
 * settled message has arrived. No queue pair, plan or frame is incomplete. Each operation of a
 * rank's program that began has ended or failed, and ranks received as many bytes in operations as
 * ranks sent. What was under way at a GPU that has failed (CollectiveApplication::Halt(),
 * RdmaEngine::Silence()) counts for no port.
 *
 * @code
 * RailAudit audit;
 * audit.Add(rail);
 * Simulator::Run();
 * audit.Require(); // before Simulator::Destroy(): aborts with all that does not add up
 * @endcode
 */
class RailAudit
{
  public:
    /** The sums of all counters. */
    struct Totals
    {
        uint64_t framesSent{0};     //!< by NIC ports
        uint64_t framesReceived{0}; //!< by NIC ports
        uint64_t framesDropped{0};  //!< in NIC ports, fibers and switches, after they were sent
        uint64_t packetsRefused{0}; //!< of the host stack, that were never sent
        uint64_t messagesPosted{0};
        uint64_t messagesSettled{0};
        uint64_t messagesFailed{0};
        uint64_t messagesArrived{0};
        uint64_t bytesPosted{0};
        uint64_t bytesSettled{0};
        uint64_t bytesFailed{0};
        uint64_t bytesArrived{0};
        uint64_t framesCrossing{0};    //!< into fibers to another process
        uint64_t framesCrossed{0};     //!< out of them, or lost there
        uint64_t pauses{0};            //!< pause frames that NICs and packet switches received
        uint64_t marks{0};             //!< frames that packet switches marked
        uint64_t operationsStarted{0}; //!< by ranks, computing included
        uint64_t operationsEnded{0};
        uint64_t operationsFailed{0};
        uint64_t operationBytesSent{0}; //!< in those that ended
        uint64_t operationBytesReceived{0};

        /** Adds others. */
        Totals& operator+=(const Totals& more);
    };

    /** Adds a rail, and the RDMA engines of its GPUs. */
    void Add(const Rail& rail);

    /**
     * Adds a rail that does the same as another one, whose operations have followed (RailFold): its
     * totals are those of the other.
     */
    void Add(const Rail& rail, const Rail& leader);

    /**
     * Adds the operations of ranks.
     * @param applications those that CollectiveHelper makes; others are skipped
     */
    void Add(const ApplicationContainer& applications);

    /**
     * What is added is the part of one process of a distributed simulation: bytes that ranks sent
     * in operations are not compared with those that ranks received, which may be on another one.
     * Nor are frames and messages of rails whose GPUs are on several processes.
     */
    void SetPart();

    /** Adds the totals of other processes. */
    void Add(const Totals& elsewhere);

    /** @return the differences, as text; empty if there are none */
    std::vector<std::string> Check() const;

    /** Aborts with a list of all differences, if there are any. */
    void Require() const;

    /** @return the sums of all counters */
    Totals GetTotals() const;

    /** Writes the totals as an object "audit". */
    void Write(JsonWriter& json) const;

  private:
    /** Adds engines of a rail that are not in a list. */
    static void AddEngines(const Rail& rail, std::vector<Ptr<RdmaEngine>>& engines);

    std::vector<Rail> m_rails;
    std::vector<Ptr<RdmaEngine>> m_engines;
    std::vector<Rail> m_counted;                   //!< rails of the totals
    std::vector<Ptr<RdmaEngine>> m_countedEngines; //!< engines of the totals
    std::vector<Ptr<CollectiveApplication>> m_applications;
    bool m_isPart{false};
    Totals m_elsewhere; //!< of other processes
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_AUDIT_H */
