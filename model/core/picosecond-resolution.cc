/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "picosecond-resolution.h"

#include "ns3/abort.h"

namespace ns3
{

namespace
{

// ns-3 lets the resolution change only while it still keeps the list of all Time objects, which it
// drops at the first Run(); a change after that is undefined behaviour in a release build, and no
// public function reports it. An explicit instantiation may name a private member, so this code
// reads the list itself. If a release renames it, this stops compiling: better than silently wrong
// times.
template <auto ListOfTimes>
struct Reveal
{
    friend bool ResolutionMayChange()
    {
        return *ListOfTimes != nullptr;
    }
};

bool ResolutionMayChange();
template struct Reveal<&Time::g_markingTimes>;

const char*
NameOf(Time::Unit unit)
{
    switch (unit)
    {
    case Time::S:
        return "1 s";
    case Time::MS:
        return "1 ms";
    case Time::US:
        return "1 us";
    case Time::NS:
        return "1 ns";
    case Time::PS:
        return "1 ps";
    case Time::FS:
        return "1 fs";
    default:
        return "more than 1 s";
    }
}

} // namespace

void
UsePicoseconds()
{
    const Time::Unit unit = Time::GetResolution();
    if (unit == Time::PS)
    {
        return;
    }
    NS_ABORT_MSG_UNLESS(ResolutionMayChange(),
                        "UsePicoseconds(): the time resolution is "
                            << NameOf(unit)
                            << " and can no longer be changed, because Simulator::Run() or "
                               "Time::SetResolution() was called before. Call "
                               "ns3::UsePicoseconds() as the first line of main().");
    Time::SetResolution(Time::PS);
}

void
RequirePicoseconds(const std::string& model)
{
    NS_ABORT_MSG_UNLESS(Time::GetResolution() == Time::PS,
                        model << " needs a time resolution of 1 ps, and it is "
                              << NameOf(Time::GetResolution())
                              << ". Call ns3::UsePicoseconds() as the first line of main().");
}

} // namespace ns3
