/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_BROKER_H
#define PHOTONIC_RAILS_OPUS_BROKER_H

#include "call-pattern.h"
#include "local-shim.h"

#include "ns3/cabling.h"
#include "ns3/circuit-broker.h"
#include "ns3/circuit-planner.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/opus-contents.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What a rank calls in place of its communication library: hands each call to the shim on
 * its server, HostLatency later, and the answer back, HostLatency later.
 *
 * OpusShimApp::MakeBroker() makes one.
 */
class OpusBroker : public CircuitBroker
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    OpusBroker() = default;

    /**
     * @param shim of the rank's server
     * @param gpu the rank's node
     * @param job the rank's
     * @param cabling where fibers lead, as the job was told when it was set up
     */
    OpusBroker(Ptr<LocalShim> shim,
               Ptr<Node> gpu,
               JobId job,
               std::shared_ptr<const Cabling> cabling);

    /** The shim's answer is here. @param ask for what @param answer it */
    void HandleAnswer(const CircuitRequest& request, const CircuitAnswer& answer);
    /** The shim's answer to an ACQUIRE is here. @param ask for what @param answer it */
    void HandleHintAnswer(const CircuitRequest& request, const CircuitAnswer& answer);

    /** @return the rank's node */
    Ptr<Node> GetNode() const;

    // CircuitBroker
    std::string GetWhyNot(const std::vector<RankId>& ranks,
                          const std::vector<std::pair<RankId, RankId>>& pairs) const override;
    void Request(const CircuitRequest& request, AnswerCallback callback) override;
    void Finished(const CircuitRequest& request) override;
    void Join(RankId rank, const CommunicationGroup& group) override;
    void BeginIteration(RankId rank) override;
    void Leave(RankId rank) override;
    void Hint(const CircuitHint& hint, AnswerCallback callback) override;
    PathCosts GetCosts(const CostQuestion& question) const override;
    bool HasOwnCosts() const override;
    bool CanChange() const override;

  protected:
    void DoDispose() override;

  private:
    /** Something that waits for an answer, or whose answer may be withdrawn. */
    struct Pending
    {
        CircuitRequest request;
        AnswerCallback callback;
    };

    using PendingList = std::vector<Pending>;

    /** @return from the rank to its shim, but for the instant in which the shim takes it */
    Time GetLatencyToShim() const;
    /** @return the place of an ask in a list, its end if it is not there */
    static PendingList::iterator Find(PendingList& list, const CircuitRequest& request);

    Ptr<LocalShim> m_shim;
    Ptr<Node> m_gpu;
    JobId m_job;
    std::unique_ptr<CircuitPlanner> m_planner;
    PendingList m_requests; //!< a few: what goes on at a rank at a time
    PendingList m_hints;
    CallPattern m_pattern;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_BROKER_H */
