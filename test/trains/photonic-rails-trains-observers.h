/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_OBSERVERS_H
#define PHOTONIC_RAILS_TRAINS_OBSERVERS_H

#include "../support/photonic-rails-recording-sink.h"

#include "ns3/callback.h"
#include "ns3/frame-drop-reason.h"
#include "ns3/identifier.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/picoseconds.h"
#include "ns3/wire-frame.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class Rail;

/** Connects to one trace source and keeps a hash of its reports. */
class TraceListener
{
  public:
    /**
     * @param rail a rail
     * @param port on it, counted through
     * @param which of the sources, 0 to 11
     */
    TraceListener(const Rail& rail, uint32_t port, uint32_t which);

    /** Connects. */
    void Attach();

    /** Disconnects. */
    void Detach();

    /** @return the hash of the reports */
    std::string InWords() const;

  private:
    /** @return the callback that suits the source */
    CallbackBase MakeListener();

    void Frame(const WireFrame& frame);

    void Bytes(Ptr<const Packet> packet);

    void Dropped(const WireFrame& frame, FrameDropReason reason);

    void SwitchDropped(PortId port, const WireFrame& frame, FrameDropReason reason);

    void Passed(PortId in, PortId out, const WireFrame& frame);

    uint32_t m_which;
    Ptr<Object> m_object;
    uint64_t m_count{0};
    RunningHash m_order;
    uint64_t m_sum{0}; //!< a hash of all, in which the order does not count
};

/** Counts losses, by place and reason. */
class DropLedger
{
  public:
    /** Connects to all places of a rail. */
    void Watch(const Rail& rail);

    /** @return the counts, a line a place and reason */
    std::vector<std::string> InWords() const;

  private:
    void At(std::string place, const WireFrame& frame, FrameDropReason reason);

    void AtSwitch(PortId port, const WireFrame& frame, FrameDropReason reason);

    std::map<std::string, std::pair<uint64_t, uint64_t>> m_entries; //!< how many, and their hash
};

/** Notes whether a frame passes anywhere at one of some instants. */
class TieWatch
{
  public:
    TieWatch() = default;

    /**
     * @param instants the instants
     * @param fibers delays of all fibers
     * @param propagation delay of the switch
     */
    TieWatch(std::vector<Picoseconds> instants,
             const std::vector<Picoseconds>& fibers,
             Picoseconds propagation);

    /** A frame was sent. */
    void Note(const WireFrame& frame);

    bool HasTie() const
    {
        return m_tied;
    }

  private:
    void Look(Picoseconds at);

    std::vector<Picoseconds> m_instants;
    std::vector<Picoseconds> m_offsets;
    bool m_tied{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_OBSERVERS_H */
