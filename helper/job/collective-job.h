/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_JOB_H
#define PHOTONIC_RAILS_COLLECTIVE_JOB_H

#include "ns3/application-container.h"
#include "ns3/callback.h"
#include "ns3/collective-application.h"
#include "ns3/collective-kind.h"
#include "ns3/communication-group.h"
#include "ns3/forwarding-transport.h"
#include "ns3/multi-hop-transport.h"
#include "ns3/operation-memo.h"
#include "ns3/ptr.h"
#include "ns3/rail-links.h"
#include "ns3/rank-program.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A job of collective operations, as CollectiveHelper installed it: the application of each
 * rank, and the groups of ranks that communicate.
 *
 * Ranks are numbered from 0, in the order of the GPUs on the rails. The job numbers its groups, so
 * a group belongs to the job that made it. Each rank takes one program, before it starts.
 *
 * @code
 * const Ptr<CollectiveJob> job = CollectiveHelper().Install(rails);
 * job->TraceConnect("OperationEnded", MakeCallback(&PrintRecord));
 * const auto all = job->MakeGroup("all"); // or of some ranks: MakeGroup("pair", {0, 8})
 * job->Call(all, CollectiveKind::ALL_REDUCE, 1 << 30); // by each rank of the group, once
 * job->GetApplications().Start(MilliSeconds(1));
 * @endcode
 */
class CollectiveJob : public SimpleRefCount<CollectiveJob>
{
  public:
    /**
     * @param links of the ranks; the applications of the ranks are added later
     * @param memo of the operations on circuits
     */
    CollectiveJob(std::shared_ptr<const RailLinks> links, Ptr<OperationMemo> memo);

    /**
     * Adds the next rank.
     * @param application runs the rank's program
     * @param rail forwards messages of other ranks of the rail
     * @param forwarder forwards messages of other ranks of the server; null: none does
     */
    void Add(Ptr<CollectiveApplication> application,
             Ptr<MultiHopTransport> rail,
             Ptr<ForwardingTransport> forwarder);

    /**
     * @param name shown in reports
     * @param ranks of the job, in order
     * @param perServer consecutive ranks of each server
     * @return a group with an id of its own
     */
    std::shared_ptr<const CommunicationGroup> MakeGroup(const std::string& name,
                                                        const std::vector<uint32_t>& ranks,
                                                        uint32_t perServer = 1);

    /** @return a group of all ranks */
    std::shared_ptr<const CommunicationGroup> MakeGroup(const std::string& name);

    /**
     * Sets the program of a rank.
     * @param groups by the program's group number
     */
    void SetProgram(uint32_t rank,
                    std::shared_ptr<const RankProgram> program,
                    const CollectiveApplication::Groups& groups) const;

    /**
     * Sets a program of one operation for every rank of a group.
     * @param algorithm name of the algorithm; empty: chosen for each rank
     */
    void Call(const std::shared_ptr<const CommunicationGroup>& group,
              CollectiveKind kind,
              uint64_t bytes,
              const std::string& algorithm = "") const;

    /** Connects a callback without context to a trace source of each rank's application. */
    void TraceConnect(const std::string& source, const CallbackBase& callback) const;

    /** Connects a callback without context to each message that a rank forwards for others. */
    void TraceForwarded(const CallbackBase& callback) const;

    /** @return the applications, by rank */
    const ApplicationContainer& GetApplications() const;

    /** @return the application of a rank */
    Ptr<CollectiveApplication> Get(uint32_t rank) const;

    /** @return the bytes that ranks have forwarded for others of their servers so far */
    uint64_t GetForwardedBytes() const;
    /** @return the bytes that ranks have forwarded for others of their rails so far, at each hop */
    uint64_t GetMultiHopBytes() const;

    /** @return the counts of operations on circuits that took after earlier ones */
    const OperationMemo::Counters& GetMemoCounters() const;

    /** @return the rail connections of ranks, and their places */
    std::shared_ptr<const RailLinks> GetLinks() const;

  private:
    std::shared_ptr<const RailLinks> m_links;
    Ptr<OperationMemo> m_memo;
    ApplicationContainer m_applications;                //!< by rank
    std::vector<Ptr<MultiHopTransport>> m_rails;        //!< by rank
    std::vector<Ptr<ForwardingTransport>> m_forwarders; //!< of the ranks that have one
    uint32_t m_groups{0};                               //!< number of groups made
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_JOB_H */
