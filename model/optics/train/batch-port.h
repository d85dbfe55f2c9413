/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BATCH_PORT_H
#define PHOTONIC_RAILS_BATCH_PORT_H

#include "ns3/batch-mode.h"
#include "ns3/batch-offload.h"
#include "ns3/data-rate.h"
#include "ns3/fiber-port.h"
#include "ns3/frame-sink.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/transmitter-state.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A NIC port whose circuit can enter batch mode: it hands over its transmitter and its
 * offload, and takes the transmitter back.
 *
 * CircuitTrain uses NIC ports only through this interface.
 */
class BatchPort : public FiberPort
{
  public:
    /**
     * @param [out] why the reason if not
     * @return whether the port is in a state in which trains can take over
     */
    virtual bool MayGoInTrains(std::string& why) const = 0;

    /** @return the instant since which the receiver is locked; there must be carrier */
    virtual Picoseconds GetLockedSince() const = 0;

    /** @return the rate of the port, preambles and gaps included */
    virtual DataRate GetDataRate() const = 0;

    /** @return whether there is an offload */
    virtual bool HasOffload() const = 0;

    /** @return the offload, or null if there is none or it does not support batch mode */
    virtual BatchOffload* GetBatchOffload() const = 0;

    /** @return the sinks that receive the frames of this port */
    virtual const std::vector<std::shared_ptr<FrameSink>>& GetSinks() const = 0;

    /**
     * Batch mode begins.
     * @param mode the batch mode, which the port keeps until it ends
     * @param end the port's end of the circuit, 0 or 1
     * @return the progress of the transmitter
     */
    virtual TransmitterState EnterBatchMode(Ptr<BatchMode> mode, uint32_t end) = 0;

    /** Packet events take over. @param state the progress of the trains */
    virtual void ResumeTransmitter(const TransmitterState& state, const std::string& why) = 0;

    /** The simulation is over: the port drops the batch mode. */
    virtual void ForgetBatchMode() = 0;

    /** @param frames that the port sent in trains */
    virtual void CountSentInTrain(uint64_t frames) = 0;

    /** @param frames that trains brought for the offload */
    virtual void CountReceivedInTrain(uint64_t frames) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BATCH_PORT_H */
