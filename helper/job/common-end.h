/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMMON_END_H
#define PHOTONIC_RAILS_COMMON_END_H

#include "ns3/byte-reader.h"
#include "ns3/picoseconds.h"
#include "ns3/process-links.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Ends a distributed simulation whose engine does not find its end: null messages go on for
 * ever (SimulationProcesses::Engine).
 *
 * Each process announces that its ranks have ended, to all others, with the lookahead as latency.
 * When all have, every process stops at the same instant, 10 ms after the last of them, in which
 * acknowledgements and the last messages of the control plane arrive.
 */
class CommonEnd
{
  public:
    /** All processes make one, before the simulation. */
    CommonEnd();
    ~CommonEnd();
    CommonEnd(const CommonEnd&) = delete;
    CommonEnd& operator=(const CommonEnd&) = delete;

    /** The ranks of this process have ended, now. */
    void Announce();

  private:
    /** Takes the end of a process. */
    void Take(Picoseconds end);

    Ptr<ProcessLinks> m_links;
    uint32_t m_listener;
    uint32_t m_left; //!< processes whose ranks have not ended
    Picoseconds m_last{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMMON_END_H */
