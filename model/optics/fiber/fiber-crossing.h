/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIBER_CROSSING_H
#define PHOTONIC_RAILS_FIBER_CROSSING_H

#include "ns3/byte-reader.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/wire-frame.h"

#include <array>
#include <cstdint>
#include <functional>

namespace ns3
{

class FiberEnd;
class ProcessLinks;

/**
 * @ingroup photonic-rails
 * @brief A fiber that leads from a process of a distributed simulation (SimulationProcesses) to
 * another: frames that enter at one end travel as messages (ProcessLinks).
 *
 * A frame enters the fiber when the instant of its first bit is over, and its message is there
 * before that bit. So the fiber's delay, less 2 ps, is the least time of a message, and no process
 * may be further ahead of another. Both ends are ports that put frames in at that instant
 * (FiberEnd::IsPrompt()).
 */
class FiberCrossing
{
  public:
    /** Takes a frame that has come from the other process. @param end at which it entered */
    using Receiver = std::function<void(uint32_t end, WireFrame&& frame)>;

    /**
     * @param ends of the fiber, on two processes
     * @param delay of the fiber; one of less than 3 ps aborts
     * @param receive takes frames, before their first bit
     */
    FiberCrossing(const std::array<Ptr<FiberEnd>, 2>& ends, Time delay, const Receiver& receive);
    ~FiberCrossing();

    FiberCrossing(const FiberCrossing&) = delete;
    FiberCrossing& operator=(const FiberCrossing&) = delete;

    /** @return whether frames that enter there leave in another process than this one */
    bool LeavesAt(uint32_t end) const
    {
        return !m_isHere[1 - end];
    }

    /** Sends a frame. @param end at which it enters @param frame with times at the other end */
    void Send(uint32_t end, const WireFrame& frame) const;

  private:
    /** Takes a message. */
    void Take(ByteReader& bytes) const;

    Receiver m_receive;
    std::array<uint32_t, 2> m_processes{}; //!< of the ends
    std::array<bool, 2> m_isHere{};        //!< whether that is this one
    Ptr<ProcessLinks> m_links;
    uint32_t m_listener;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIBER_CROSSING_H */
