/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CONTROL_PLANE_H
#define PHOTONIC_RAILS_OPUS_CONTROL_PLANE_H

#include "management-network.h"
#include "ocs-agent.h"

#include "ns3/cabling.h"
#include "ns3/circuit-broker.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-shim-app.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** What a job's ranks have waited for, and what circuits turned for them, all together. */
struct OpusTimes
{
    Picoseconds exposed{0};     //!< waited for circuits, the mean over its ranks
    Picoseconds exposedMost{0}; //!< the same, of the server that waited longest
    Picoseconds hidden{0};      //!< for which circuits turned unnoticed, the mean over its ranks
    uint64_t wrongPredictions{0};
    uint64_t requests{0}; //!< messages that ask
    uint64_t covered{0};  //!< asks that needed no message
};

/**
 * @ingroup photonic-rails
 * @brief A control plane, as OpusHelper built it. A value: copies mean the same applications.
 *
 * With the policy `electrical` there is no controller and nothing to wait for: only brokers.
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

    /** @return the one that decides now; null: there is none */
    Ptr<OpusControllerApp> GetInCharge() const;

    /**
     * Tells the controller, before the run, what a job will send: policies that divide ports once
     * and for all need it.
     * @param demand of the job
     */
    void Describe(const JobDemand& demand) const;

    /**
     * A job that the controller refuses from now on ends the program with its words.
     * @param context what stands before them
     */
    void AbortOnRefusal(const std::string& context) const;

    /** @return messages that all of them have handed to their channels */
    uint64_t GetMessages() const;

    /** @return what became of the ranks of a job @param job it */
    OpusTimes GetTimes(JobId job = JobId(0)) const;

    /**
     * Fixes the random draws of the management network.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTROL_PLANE_H */
