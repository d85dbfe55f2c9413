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
 * @brief Proves, at the end of a run, that nothing was lost unseen: every frame, message and byte
 * is accounted for.
 *
 * It holds the counters of independent parts against each other. Each frame that a NIC counted as
 * sent must be one that its fiber counted; what a fiber delivered, its end must have taken or
 * dropped with a reason; what a switch took, it must have passed on or dropped. Each message is
 * settled or failed, and what is settled has arrived. No queue pair, plan or frame is left in the
 * midst of something. Each operation of a rank's program that began is over or failed, and what
 * ranks sent in operations is what ranks got.
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
    /** What has become of everything, in sum. */
    struct Totals
    {
        uint64_t framesSent{0};     //!< by NIC ports
        uint64_t framesReceived{0}; //!< by NIC ports
        uint64_t framesDropped{0};  //!< in NIC ports, fibers and switches, after they were sent
        uint64_t packetsRefused{0}; //!< of the host stack, that never were sent
        uint64_t messagesPosted{0};
        uint64_t messagesSettled{0};
        uint64_t messagesFailed{0};
        uint64_t messagesArrived{0};
        uint64_t bytesPosted{0};
        uint64_t bytesSettled{0};
        uint64_t bytesFailed{0};
        uint64_t bytesArrived{0};
        uint64_t operationsStarted{0}; //!< by ranks, computing included
        uint64_t operationsEnded{0};
        uint64_t operationsFailed{0};
        uint64_t operationBytesSent{0}; //!< in those that ended
        uint64_t operationBytesReceived{0};
    };

    /** Adds a rail, and the RDMA engines of its GPUs. */
    void Add(const Rail& rail);

    /**
     * Adds what ranks do.
     * @param applications of ranks, as CollectiveHelper makes them; others are passed over
     */
    void Add(const ApplicationContainer& applications);

    /** @return what does not add up, in words; nothing if all does */
    std::vector<std::string> Check() const;

    /** Aborts, with all that does not add up, if anything does not. */
    void Require() const;

    /** @return what has become of everything */
    Totals GetTotals() const;

    /** Writes the totals as an object "audit". */
    void Write(JsonWriter& json) const;

  private:
    std::vector<Rail> m_rails;
    std::vector<Ptr<RdmaEngine>> m_engines;
    std::vector<Ptr<CollectiveApplication>> m_applications;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_AUDIT_H */
