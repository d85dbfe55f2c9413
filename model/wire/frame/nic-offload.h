/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NIC_OFFLOAD_H
#define PHOTONIC_RAILS_NIC_OFFLOAD_H

#include "frame-run.h"
#include "run-clock.h"
#include "wire-frame.h"

#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The interface between a NIC port and a transport inside the NIC.
 *
 * The NIC pulls: when its wire is free it requests the next run of frames of a class, commits the
 * number of frames that it takes, and reports arrivals as runs with times. The offload never
 * pushes; it calls RailNetDevice::NotifyOffloadReady() when a run has become ready and the wire may
 * be idle.
 *
 * Order. Queue pairs have numbers of 1 or more. The NIC serves the queue pairs of a class in turn,
 * in an order that the offload defines, so PeekRun() names the number after which the search begins
 * and wraps around.
 *
 * Time. A query for ready frames has an instant `seen`: only frames that were ready at that instant
 * or before it count. So the result does not depend on the order in which the events of the present
 * instant run.
 *
 * One offload serves one port; a transport over several ports has one for each. BatchOffload adds
 * the interface that the batch mode of a circuit needs.
 */
class NicOffload
{
  public:
    virtual ~NicOffload() = default;

    /** @return a bit for each class that may have a run; PeekRun() is not called for others */
    virtual uint32_t GetReadyClasses() const = 0;

    /**
     * The next run of a class.
     * @param trafficClass 0 to 7
     * @param after the queue pair served last: those after it come first, then from the first; 0 is
     * before all, and a number that no queue pair has is after all
     * @param seen only runs that were ready at this instant count
     * @param [out] run the run, of one frame or more; `wrapped` if it is not after that queue pair
     * @return false if no run of that class was ready
     */
    virtual bool PeekRun(uint8_t trafficClass, uint32_t after, Picoseconds seen, FrameRun& run) = 0;

    /**
     * The NIC puts the first frames of the run that was peeked on the wire.
     * @param taken the frames taken: the head of that run
     * @param seen the instant for which it was peeked
     * @param times when they are on the wire
     * @param [out] head the first frame: its destination and its headers
     * @param [out] tail the headers of the last frame, if there are several; else null
     */
    virtual void CommitRun(const FrameRun& taken,
                           Picoseconds seen,
                           const RunClock& times,
                           WireFrame& head,
                           RoceFrame* tail) = 0;

    /**
     * A frame for this port has arrived whole.
     * @param frame the frame; its times are those at this port
     * @return false if this offload does not process frames of this kind
     */
    virtual bool ReceiveFrame(const WireFrame& frame) = 0;

    /**
     * Frames of a run for this port have arrived whole, and nothing between them.
     * @param head the first frame, with the run
     * @param tail the headers of the last frame
     * @param times when they passed this port
     * @return false if this offload does not process frames of this kind
     */
    virtual bool ReceiveRun(const WireFrame& head,
                            const RoceFrame& tail,
                            const RunClock& times) = 0;

    /**
     * The carrier of the port has changed.
     * @param carrier whether there is carrier from now on
     */
    virtual void NotifyCarrier(bool carrier) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NIC_OFFLOAD_H */
