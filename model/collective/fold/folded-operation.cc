/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "folded-operation.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

bool
FoldedPath::IsSame(const FoldedPath& other) const
{
    return links == other.links && isPlain == other.isPlain && schedule == other.schedule &&
           protocol == other.protocol && messageSize == other.messageSize;
}

FoldedOperation::FoldedOperation(std::string name, uint32_t rails, uint32_t places, Mode mode)
    : m_name(std::move(name)),
      m_rails(rails),
      m_outputs(places),
      m_open(uint64_t{rails} * places)
{
    for (OnRail& rail : m_rails)
    {
        rail.inputs.resize(places);
        rail.mode = mode;
    }
    m_rails[0].mode = Mode::OWN;
}

std::string
FoldedOperation::Describe(uint32_t rail, uint32_t place) const
{
    std::ostringstream words;
    words << m_name << " on rail " << rail << " at place " << place;
    return words.str();
}

std::string
FoldedOperation::DescribeMode(uint32_t rail) const
{
    const OnRail& its = m_rails[rail];
    std::ostringstream words;
    words << m_name << ", which ";
    switch (its.mode)
    {
    case Mode::UNDECIDED:
        words << "has not begun";
        break;
    case Mode::OWN:
        words << "has messages of its own";
        break;
    case Mode::FOLLOWS:
        words << "follows by " << its.shift << " ps";
        break;
    }
    return words.str();
}

std::string
FoldedOperation::AddInput(uint32_t rail,
                          uint32_t place,
                          Picoseconds now,
                          const FoldedPath& path,
                          bool isSteady)
{
    OnRail& its = m_rails[rail];
    its.inputs[place].push_back({now, path});
    ++its.count;
    const std::size_t stage = its.inputs[place].size() - 1;
    if (rail > 0)
    {
        const bool follows = its.mode == Mode::FOLLOWS;
        if (!path.isPlain || !isSteady)
        {
            if (follows)
            {
                return Describe(rail, place) +
                       " begins where a NIC port has no carrier, or over other GPUs";
            }
            its.mustOwn = true;
        }
        return follows ? Match(rail, place, stage, now) : "";
    }
    m_first = std::min(m_first, now);
    if (!path.isPlain || !isSteady)
    {
        Disturb("and the leader begins where a NIC port has no carrier, or over other GPUs");
    }
    for (uint32_t other = 1; other < m_rails.size(); ++other)
    {
        if (m_rails[other].mode == Mode::FOLLOWS)
        {
            const std::string mistake = Match(other, place, stage, now);
            if (!mistake.empty())
            {
                return mistake;
            }
        }
    }
    return "";
}

std::string
FoldedOperation::Match(uint32_t rail, uint32_t place, std::size_t stage, Picoseconds now)
{
    OnRail& its = m_rails[rail];
    const std::vector<Input>& leading = m_rails[0].inputs[place];
    const std::vector<Input>& following = its.inputs[place];
    if (stage >= following.size())
    {
        return ""; // it comes later
    }
    if (stage >= leading.size())
    {
        const bool mayCome = its.shift == 0 && following[stage].at == now; // at this instant
        return mayCome ? "" : DescribeAhead(rail, place, following[stage].at);
    }
    std::ostringstream words;
    if (following[stage].at != leading[stage].at + its.shift)
    {
        words << Describe(rail, place) << " begins a stage at " << following[stage].at
              << " ps, the leader at " << leading[stage].at << " ps, and the shift is " << its.shift
              << " ps";
        return words.str();
    }
    if (!following[stage].path.IsSame(leading[stage].path))
    {
        return Describe(rail, place) + " takes other links or another schedule than the leader";
    }
    ++its.matched;
    return "";
}

std::string
FoldedOperation::DescribeAhead(uint32_t rail, uint32_t place, Picoseconds at) const
{
    return Describe(rail, place) + " begins a stage at " + std::to_string(at) +
           " ps, and the leader has not";
}

std::string
FoldedOperation::FindAhead(uint32_t rail, Picoseconds now) const
{
    if (!IsAhead(rail))
    {
        return "";
    }
    for (uint32_t place = 0; place < m_outputs.size(); ++place)
    {
        const std::vector<Input>& following = m_rails[rail].inputs[place];
        const std::size_t stage = m_rails[0].inputs[place].size();
        if (stage < following.size() && following[stage].at < now)
        {
            return DescribeAhead(rail, place, following[stage].at);
        }
    }
    return "";
}

void
FoldedOperation::AddOutput(uint32_t place, const Output& output)
{
    m_outputs[place].push_back(output);
}

void
FoldedOperation::Disturb(const std::string& why)
{
    m_disturbed = m_disturbed.empty() ? why : m_disturbed;
}

void
FoldedOperation::Couple(const std::shared_ptr<FoldedOperation>& other, Picoseconds now)
{
    m_coupled.push_back({other, now});
}

bool
FoldedOperation::IsCoupled(const FoldedOperation& other) const
{
    return std::any_of(m_coupled.begin(), m_coupled.end(), [&other](const Coupled& one) {
        return one.other.get() == &other;
    });
}

bool
FoldedOperation::IsAlike(uint32_t rail, const FoldedOperation& other) const
{
    const OnRail& one = m_rails[rail];
    const OnRail& two = other.m_rails[rail];
    return one.mode == two.mode && (one.mode != Mode::FOLLOWS || one.shift == two.shift);
}

FoldedOperation::Mode
FoldedOperation::Choose(uint32_t rail, Picoseconds now, bool isLast, Picoseconds& shift) const
{
    const OnRail& its = m_rails[rail];
    if (!m_disturbed.empty() || its.mustOwn)
    {
        return Mode::OWN;
    }
    if (m_first == NEVER)
    {
        return isLast ? Mode::OWN : Mode::UNDECIDED;
    }
    shift = now - m_first;
    for (uint32_t place = 0; place < its.inputs.size(); ++place)
    {
        const std::vector<Input>& following = its.inputs[place];
        const std::vector<Input>& leading = m_rails[0].inputs[place];
        for (std::size_t stage = 0; stage < following.size(); ++stage)
        {
            if (stage >= leading.size())
            {
                return isLast || shift > 0 ? Mode::OWN : Mode::UNDECIDED;
            }
            if (leading[stage].at != m_first || !following[stage].path.IsSame(leading[stage].path))
            {
                return Mode::OWN;
            }
        }
    }
    return Mode::FOLLOWS;
}

std::string
FoldedOperation::Decide(uint32_t rail,
                        Picoseconds now,
                        const std::vector<FoldedOperation*>& overlapping,
                        bool isLast)
{
    OnRail& its = m_rails[rail];
    Picoseconds shift = 0;
    Mode mode = Choose(rail, now, isLast, shift);
    if (mode == Mode::UNDECIDED)
    {
        return "";
    }
    for (const FoldedOperation* other : overlapping)
    {
        mode = other->m_rails[rail].mode == Mode::OWN ? Mode::OWN : mode;
    }
    for (const Coupled& one : m_coupled)
    {
        mode = one.other->m_rails[rail].mode == Mode::OWN ? Mode::OWN : mode;
    }
    its.mode = mode;
    its.shift = mode == Mode::FOLLOWS ? shift : 0;
    for (const Coupled& one : m_coupled)
    {
        if (one.other->m_rails[rail].mode != Mode::UNDECIDED && !IsAlike(rail, *one.other))
        {
            return Describe(rail, 0) + " overlaps on the leader with " +
                   one.other->DescribeMode(rail);
        }
    }
    if (mode == Mode::FOLLOWS)
    {
        its.matched = its.count; // all of this instant, compared above
    }
    return FindConflict(rail, overlapping);
}

std::string
FoldedOperation::FindConflict(uint32_t rail, const std::vector<FoldedOperation*>& overlapping) const
{
    for (const FoldedOperation* other : overlapping)
    {
        if (other->GetMode(rail) != Mode::UNDECIDED && !IsAlike(rail, *other))
        {
            return Describe(rail, 0) + " overlaps with " + other->DescribeMode(rail);
        }
    }
    return "";
}

std::string
FoldedOperation::FindMissing(uint32_t rail, Picoseconds at) const
{
    const std::string why = FindDifference(rail, at);
    if (why.empty())
    {
        return ""; // as nearly always, at each end of each rank
    }
    std::ostringstream words;
    words << m_name << " on rail " << rail << " follows the leader by " << m_rails[rail].shift
          << " ps, where an end is at " << at << " ps, " << why;
    return words.str();
}

std::string
FoldedOperation::FindDifference(uint32_t rail, Picoseconds at) const
{
    if (!m_disturbed.empty())
    {
        return m_disturbed;
    }
    for (const Coupled& one : m_coupled)
    {
        if (one.since >= at)
        {
            continue;
        }
        if (!IsAlike(rail, *one.other))
        {
            return "and it overlaps there from " + std::to_string(one.since) + " ps on with " +
                   one.other->DescribeMode(rail);
        }
        const std::string late = one.other->FindLate(rail, at);
        if (!late.empty())
        {
            return "and of " + one.other->m_name + ", which overlaps, " + late;
        }
    }
    const std::string late = FindLate(rail, at);
    return late.empty() ? "" : "and " + late;
}

std::string
FoldedOperation::FindLate(uint32_t rail, Picoseconds at) const
{
    const OnRail& its = m_rails[rail];
    if (its.matched == m_rails[0].count)
    {
        return "";
    }
    std::ostringstream words;
    for (uint32_t place = 0; place < its.inputs.size(); ++place)
    {
        const std::vector<Input>& leading = m_rails[0].inputs[place];
        const std::size_t stage = its.inputs[place].size();
        if (stage < leading.size() && leading[stage].at < at)
        {
            words << "place " << place << " has not begun a stage that began there at "
                  << leading[stage].at << " ps";
            return words.str();
        }
    }
    return "";
}

bool
FoldedOperation::End(uint32_t rail)
{
    --m_open;
    return ++m_rails[rail].ended == m_outputs.size();
}

void
FoldedOperation::Forget()
{
    m_coupled.clear();
}

} // namespace ns3
