/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CONTROL_PLANE_H
#define PHOTONIC_RAILS_OPUS_CONTROL_PLANE_H

#include "management-network.h"
#include "ocs-agent.h"

#include "ns3/cabling.h"
#include "ns3/circuit-broker.h"
#include "ns3/nstime.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-shim-app.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The times that a job's ranks waited for circuits, the reconfiguration times, and the requests of
 * all of them.
 */
struct OpusTimes
{
    Time exposed{0};       //!< wait for circuits, see ShimStatistics; the mean over the ranks
    Time exposedMost{0};   //!< the same, of the server with the longest wait
    Time exposedLinkUp{0}; //!< of exposed, link-up; the rest is switching
    Time hidden{0};        //!< set-up of circuits without a wait, the mean over the ranks
    Time hiddenLinkUp{0};  //!< of hidden, link-up
    uint64_t wrongPredictions{0};
    uint64_t requests{0}; //!< REQUEST messages
    uint64_t covered{0};  //!< requests that needed no message
};

/**
 * @ingroup photonic-rails
 * @brief A control plane that OpusHelper has built. It is a value: copies refer to the same
 * applications.
 *
 * With the policy `electrical` it has brokers only, no controller and no waits.
 */
struct OpusControlPlane
{
    Ptr<OpusControllerApp> controller;       //!< in charge at first; null: there is none
    Ptr<OpusControllerApp> standby;          //!< null: there is none
    std::vector<Ptr<OpusShimApp>> shims;     //!< by job and server
    std::vector<Ptr<OcsAgent>> agents;       //!< by rail
    std::vector<Ptr<CircuitBroker>> brokers; //!< by rank, for CollectiveHelper::SetBrokers()
    NodeContainer servers;                   //!< nodes of the shims
    ManagementNetwork network;
    std::shared_ptr<const Cabling> cabling;

    /** @return the controller in charge now; null: there is none */
    Ptr<OpusControllerApp> GetInCharge() const;

    /**
     * Gives the controller the traffic of a job before the run: policies that divide ports once
     * need it.
     * @param demand of the job
     */
    void Describe(const JobDemand& demand) const;

    /**
     * Aborts the program, with the controller's words, when the controller refuses a job from now
     * on.
     * @param context text before these words
     */
    void AbortOnRefusal(const std::string& context) const;

    /** @return the number of messages that all its applications have given to their channels */
    uint64_t GetMessages() const;
    /** @return the same of earlier instants only, which does not depend on the order of events */
    uint64_t GetMessagesBefore() const;

    /** @return its shims, agents and controllers */
    std::vector<Ptr<OpusEndpoint>> GetEndpoints() const;

    /** @return the times of the ranks of a job */
    OpusTimes GetTimes(JobId job = JobId(0)) const;

    /** @return the times of the ranks of a shim: sums, not means */
    static OpusTimes GetSums(const OpusShimApp& shim);

    /**
     * Fixes the random draws of the management network and of processing times.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTROL_PLANE_H */
