/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_END_H
#define PHOTONIC_RAILS_CIRCUIT_END_H

#include "batch-offload.h"
#include "train-line.h"
#include "train-sender.h"

#include "ns3/mac48-address.h"
#include "ns3/transmitter-state.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** A port at an end of a circuit whose frames go as trains, and the fibers to the other end. */
struct CircuitEnd
{
    BatchOffload* offload;                //!< the transport of the port
    Mac48Address address;                 //!< of the port
    uint64_t rate;                        //!< bits a second
    TransmitterState state;               //!< its progress
    std::vector<TrainLine::Stage> stages; //!< of the way to the other end
    const TrainSender::Sinks* sinks;      //!< receive its frames
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_END_H */
