/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "common-end.h"

#include "ns3/byte-writer.h"
#include "ns3/nstime.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Of an announcement: more than the lookahead, and little beside what follows. */
constexpr Picoseconds ANNOUNCED_AFTER = 1'000'000;
/** From the end of the last rank to that of the simulation. */
constexpr Picoseconds STOPPED_AFTER = 10'000'000'000;

} // namespace

CommonEnd::CommonEnd()
    : m_links(ProcessLinks::Get()),
      m_listener(m_links->Listen(ToTime(ANNOUNCED_AFTER),
                                 [this](ByteReader& bytes) { Take(bytes.Take<Picoseconds>()); })),
      m_left(SimulationProcesses::GetNumber())
{
}

CommonEnd::~CommonEnd()
{
    m_links->StopListening(m_listener);
}

void
CommonEnd::Announce()
{
    const Picoseconds now = NowPicoseconds();
    for (uint32_t process = 0; process < SimulationProcesses::GetNumber(); ++process)
    {
        if (process != SimulationProcesses::GetHere())
        {
            ByteWriter bytes;
            bytes.Put(now);
            m_links->Send(process, ToTime(ANNOUNCED_AFTER), m_listener, bytes);
        }
    }
    Take(now);
}

void
CommonEnd::Take(Picoseconds end)
{
    m_last = std::max(m_last, end);
    if (--m_left == 0)
    {
        Simulator::Stop(ToTime(m_last + STOPPED_AFTER - NowPicoseconds()));
    }
}

} // namespace ns3
