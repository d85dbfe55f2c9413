/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LOAD_OFFLOAD_H
#define PHOTONIC_RAILS_LOAD_OFFLOAD_H

#include "ns3/mac48-address.h"
#include "ns3/nic-offload.h"
#include "ns3/picoseconds.h"
#include "ns3/rail-net-device.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * The frames that a host sends and receives without a network stack: runs of frames of some size to
 * other hosts, as a transport in the NIC sends them.
 */
class LoadOffload : public NicOffload
{
  public:
    /** Frames to send, one after the other. */
    struct Load
    {
        Mac48Address to;
        uint64_t frames;
        uint32_t wireBytes;
        uint8_t trafficClass;
        uint16_t flow; //!< UDP source port
        Picoseconds ready;
        uint32_t sent{0};
    };

    /** A frame that came. */
    struct Arrival
    {
        uint32_t from; //!< host
        uint16_t flow;
        uint32_t number; //!< in its load, from 0
        Picoseconds at;
        bool marked; //!< with congestion experienced
    };

    /**
     * @param nic the port
     * @param host its number
     */
    LoadOffload(Ptr<RailNetDevice> nic, uint32_t host);

    /** Sends frames, from now on. */
    void Post(Mac48Address to,
              uint64_t frames,
              uint32_t wireBytes,
              uint8_t trafficClass,
              uint16_t flow = 0);

    uint32_t GetReadyClasses() const override;
    bool PeekRun(uint8_t trafficClass, uint32_t after, Picoseconds seen, FrameRun& run) override;
    void CommitRun(const FrameRun& taken,
                   Picoseconds seen,
                   const RunClock& times,
                   WireFrame& head,
                   RoceFrame* tail) override;
    bool ReceiveFrame(const WireFrame& frame) override;
    bool ReceiveRun(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void NotifyCarrier(bool carrier) override;

    std::vector<Arrival> arrivals;

  private:
    Ptr<RailNetDevice> m_nic;
    uint32_t m_host;
    std::vector<Load> m_loads;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LOAD_OFFLOAD_H */
