/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-journal.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>

namespace ns3
{

void
FaultJournal::Observe(const Ptr<FaultInjector>& injector)
{
    injector->TraceConnectWithoutContext("FaultBegan", MakeCallback(&FaultJournal::Began, this));
    injector->TraceConnectWithoutContext("FaultEnded", MakeCallback(&FaultJournal::Ended, this));
}

void
FaultJournal::Add(const std::string& what, const std::string& place, const std::string& outcome)
{
    m_lines.push_back({Simulator::Now(), what, place, outcome});
}

void
FaultJournal::Began(const Fault& fault, const std::string& outcome)
{
    Add(ToString(fault.kind), DescribeTarget(fault), outcome);
}

void
FaultJournal::Ended(const Fault& fault, const std::string& outcome)
{
    Add("end of " + ToString(fault.kind), DescribeTarget(fault), outcome);
}

void
FaultJournal::Print(std::ostream& os) const
{
    std::size_t what = 4;
    std::size_t place = 5;
    for (const Line& line : m_lines)
    {
        what = std::max(what, line.what.size());
        place = std::max(place, line.place.size());
    }
    const auto columns = [&](const std::string& a, const std::string& b, const std::string& c) {
        os << std::left << std::setw(what + 2) << a << std::setw(place + 2) << b << c << std::right
           << std::endl;
    };
    os << "   time (ms)  ";
    columns("what", "where", "then");
    for (const Line& line : m_lines)
    {
        const Picoseconds at = line.at.GetTimeStep();
        os << std::setw(12) << std::fixed << std::setprecision(6) << at / 1e9 << "  "
           << std::defaultfloat;
        columns(line.what, line.place, line.outcome);
    }
}

void
FaultJournal::Write(JsonWriter& json) const
{
    json.BeginArray("faults");
    for (const Line& line : m_lines)
    {
        json.BeginObject();
        json.Field("at_ps", line.at.GetTimeStep());
        json.Field("what", line.what);
        json.Field("where", line.place);
        json.Field("then", line.outcome);
        json.EndObject();
    }
    json.EndArray();
}

} // namespace ns3
