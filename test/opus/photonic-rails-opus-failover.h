/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAILOVER_H
#define PHOTONIC_RAILS_OPUS_FAILOVER_H

#include "../support/photonic-rails-opus-bench.h"

#include "ns3/frame-drop-reason.h"
#include "ns3/nstime.h"
#include "ns3/opus-controller-app.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * A small job of two parallelisms on four servers, with faults in its control plane.
 */

namespace ns3
{

class Node;
struct WireFrame;

/** The job, and the controller in charge at each time. */
class FailoverBench : public OpusBench
{
  public:
    /** The setup of the job. */
    struct Job
    {
        uint32_t iterations{2};
        Time compute{MicroSeconds(30)};
        uint64_t bytes{1 << 18}; //!< of a buffer
    };

    /** @param one setup of the cluster @param job that runs on it */
    FailoverBench(const OpusCase& one, const Job& job);

    /** @return the faults of a run in which all goes well in the end */
    std::string RunToTheEnd();

    /** @return plans of a controller that was replaced */
    uint64_t CountStale() const;

    /** The first controller is cut off, and mended. @param at when @param span how long */
    void CutOff(Time at, Time span);

    /** Its links to the management network are cut. @param node any */
    void Cut(Ptr<Node> node);

    /** And mended. @param node any */
    void Mend(Ptr<Node> node);

    std::set<Picoseconds> instants;      //!< when the first controller sent or received a message
    std::set<Picoseconds> programs;      //!< when it sent a PROGRAM
    std::vector<Picoseconds> heartbeats; //!< when it sent one
    Picoseconds lastContact{0};          //!< the last message of it that the standby received
    Picoseconds stood{-1};               //!< the standby was a candidate for the first time
    Picoseconds tookOver{-1};            //!< and in charge
    bool isOnlySilence{true};            //!< no other event makes a candidate of it
    bool retired{false};
    uint64_t stalled{0};                         //!< ranks
    std::map<FrameDropReason, uint64_t> dropped; //!< at NICs and switches

  private:
    /** Connects to all traces below. */
    void Listen();

    void Sent(const OpusMessage& message, const OpusPeer&);

    void Received(const OpusMessage&, const OpusPeer&);

    void LastContact(const OpusMessage&, const OpusPeer& peer);

    void TookOver(OpusControllerApp::Role role, uint32_t);

    void Retired(OpusControllerApp::Role role, uint32_t);

    void Stalled(const std::string&);

    void Dropped(const WireFrame&, FrameDropReason reason);

    void DroppedAtSwitch(PortId, const WireFrame&, FrameDropReason reason);

    std::size_t m_operations{0};
};

/** @return four servers on a rail, with a standby */
OpusCase WithStandby(const std::string& policy);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAILOVER_H */
