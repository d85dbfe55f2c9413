/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_BROKER_H
#define PHOTONIC_RAILS_OPUS_BROKER_H

#include "call-pattern.h"
#include "link-up-watch.h"
#include "local-shim.h"
#include "shim-settings.h"

#include "ns3/as-of.h"
#include "ns3/cabling.h"
#include "ns3/circuit-broker.h"
#include "ns3/circuit-planner.h"
#include "ns3/circuit-policy.h"
#include "ns3/giant-rings.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/opus-contents.h"
#include "ns3/rail-net-device.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class ShimLink;

/**
 * @ingroup photonic-rails
 * @brief The broker of a rank: passes each call to the shim of its server, HostLatency later, and
 * the answer back, HostLatency later.
 *
 * It is on the rank's node, and watches the carrier of the rank's NIC ports there. A rank that has
 * an answer, and no carrier yet, waits for the link (LinkUpWatch); the shim gets that wait
 * HostLatency after its end. Ports without a LinkUpTime have carrier with the light, and are not
 * watched.
 *
 * OpusShimApp::MakeBroker() creates one.
 */
class OpusBroker : public CircuitBroker
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    OpusBroker() = default;

    /**
     * @param shim of the rank's server
     * @param rank that it serves
     * @param gpu the rank's node
     * @param job of the rank
     * @param cabling of the fibers, as at the set-up of the job
     */
    OpusBroker(Ptr<LocalShim> shim,
               RankId rank,
               Ptr<Node> gpu,
               JobId job,
               std::shared_ptr<const Cabling> cabling);

    /** @param policy of the controllers, which may never join some pairs; null: not known */
    void SetPolicy(Ptr<const CircuitPolicy> policy);
    /** @param link to a shim on another process of a distributed simulation */
    void SetLink(Ptr<ShimLink> link);
    /** @param rings of the job, around which messages may go */
    void SetRings(std::shared_ptr<const GiantRings> rings);
    /** @param ports of the rank's NIC, all of them, by number */
    void SetPorts(const std::vector<Ptr<RailNetDevice>>& ports);

    /**
     * The shim's answer arrives.
     * @param request of the rank
     * @param answer to it
     * @param exposed the time that the rank has waited for circuits
     */
    void HandleAnswer(const CircuitRequest& request, const CircuitAnswer& answer, Time exposed);
    /** The shim's answer to an ACQUIRE arrives. @param request of the rank @param answer to it */
    void HandleHintAnswer(const CircuitRequest& request, const CircuitAnswer& answer);

    /** The sample of an operation arrives, which the rank has called. */
    void HandleSample(const ShimSample& sample);

    /** The shim wants to be notified when a NIC port is up; it may be up already. */
    void Watch(const CarrierWatch& watch);

    /** @return the rank */
    RankId GetRank() const
    {
        return m_rank;
    }

    /** @return the rank's node */
    Ptr<Node> GetNode() const;

    // CircuitBroker
    std::string GetWhyNot(const std::vector<RankId>& ranks,
                          const std::vector<std::pair<RankId, RankId>>& pairs) const override;
    void Request(const CircuitRequest& request, AnswerCallback callback) override;
    void Finished(const CircuitRequest& request) override;
    bool LinkFailed(const CircuitRequest& request, const TransportMessage& message) override;
    void Join(RankId rank, const CommunicationGroup& group) override;
    void BeginIteration(RankId rank) override;
    void Leave(RankId rank) override;
    void Hint(const CircuitHint& hint, AnswerCallback callback) override;
    bool ComparesCalls() const override;
    void Called(const CallNotice& notice, SampleCallback callback) override;
    PathCosts GetCosts(const CostQuestion& question) const override;
    bool HasOwnCosts() const override;
    /**
     * @param pairs of ranks
     * @return whether the rank was last granted circuits to all its partners in the pairs, before
     *         the present instant. It does not know the circuits of other ranks, and expects that
     *         they are in the same state. Giant rings join any
     */
    bool Stands(const std::vector<JoinedRanks>& pairs) const override;
    bool CanChange() const override;
    std::size_t CountHops(RankId one, RankId other) const override;
    bool AreIntraNode(RankId one, RankId other) const override;

  protected:
    void DoDispose() override;

  private:
    /** A request that waits for an answer, or that may lose its circuits after it. */
    struct Pending
    {
        CircuitRequest request;
        AnswerCallback callback;
        uint64_t number{0}; //!< among the requests
    };

    using PendingList = std::vector<Pending>;

    /** A call whose sample the rank wants. */
    struct AwaitedSample
    {
        uint64_t operation{0};
        SampleCallback callback;
    };

    /** Calls a method of the shim, GetLatencyToShim() from now. */
    template <auto Method, typename... Arguments>
    void CallShim(const Arguments&... arguments);
    /** @return the latency from the rank to its shim, without the instant in which it is taken */
    Time GetLatencyToShim() const;
    /** @return the place of a request in a list, the list's end if it is not there */
    static PendingList::iterator Find(PendingList& list, const CircuitRequest& request);

    /** The carrier of a port changes. */
    void HandleCarrier(uint32_t port, bool carrier);
    /** The NIC notifies its host of a change of carrier. */
    void HandlePortEvent(uint32_t port, bool isUp);
    /** Notifies the shim that a port is up. */
    void ReportUp(const CarrierWatch& watch);
    /** Remembers the circuits of the rank's ports. */
    void Remember(const CircuitRequest& request, const CircuitAnswer& answer);
    /** Watches the link-up of the circuits of an answer. */
    void WatchLinkUp(const Pending& pending, const CircuitAnswer& answer, Time exposed);
    /** Reports a wait for the link that has ended, and the link-up. */
    void ReportLinkUp(const CircuitRequest& request, const LinkUpWatch::Outcome& outcome);

    Ptr<LocalShim> m_shim;
    Ptr<ShimLink> m_link; //!< null: the shim is in this process
    RankId m_rank;
    Ptr<Node> m_gpu;
    JobId m_job;
    std::shared_ptr<const Cabling> m_cabling;
    Ptr<const CircuitPolicy> m_policy;         //!< null: not known
    std::shared_ptr<const GiantRings> m_rings; //!< null: not known
    std::unique_ptr<CircuitPlanner> m_planner;
    PendingList m_requests; //!< a few: the concurrent ones of a rank
    PendingList m_hints;
    /** By group and slot: the last call whose sample has not come. */
    std::map<std::pair<GroupId, uint32_t>, AwaitedSample> m_samples;
    CallPattern m_pattern;
    std::vector<Ptr<RailNetDevice>> m_ports;
    LinkUpWatch m_linkUps;
    std::multimap<uint32_t, CarrierWatch> m_watches; //!< by port
    uint64_t m_numbers{0};                           //!< of requests so far
    /** By port: the rank to which it was last granted a circuit. */
    AsOf<std::map<uint32_t, RankId>> m_partners{{}};
    Picoseconds m_failedAt{0};                            //!< the last failure of a message
    std::set<std::pair<OpusPhase, RankCircuit>> m_failed; //!< reported in that instant
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_BROKER_H */
