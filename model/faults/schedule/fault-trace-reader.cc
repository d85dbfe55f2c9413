/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-trace-reader.h"

#include "json-text.h"

#include "ns3/trace-text.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

/** A time of a trace: days, in billionths. Longer ones than 2^62 of them are errors. */
using NanoDays = int64_t;

constexpr NanoDays A_DAY = 1'000'000'000;

/** A mistake at a line. */
class EventMistake : public TraceMistake
{
  public:
    EventMistake(uint64_t theLine, const std::string& expected, const std::string& found)
        : TraceMistake(expected, found),
          line(theLine)
    {
    }

    uint64_t line;
};

/** @return a decimal number of days, exactly; throws if it is none */
NanoDays
ReadDays(const std::string& words, uint64_t line)
{
    constexpr std::size_t MOST_DIGITS = 9;
    const std::size_t point = words.find('.');
    const std::string whole = words.substr(0, point);
    std::string part = point == std::string::npos ? "" : words.substr(point + 1);
    const auto isNumber = [](const std::string& digits) {
        return std::all_of(digits.begin(), digits.end(), [](char c) {
            return c >= '0' && c <= '9';
        });
    };
    while (part.size() > MOST_DIGITS && part.back() == '0')
    {
        part.pop_back();
    }
    if (whole.empty() || !isNumber(whole) || !isNumber(part) || part.size() > MOST_DIGITS ||
        whole.size() > MOST_DIGITS)
    {
        throw EventMistake(line,
                           "days, without a sign or an exponent, with up to 9 digits before and "
                           "behind the point",
                           QuoteTraceText(words));
    }
    part.resize(MOST_DIGITS, '0');
    return std::stoll(whole) * A_DAY + std::stoll(part);
}

/** @return a member with a text; throws if there is none */
const std::string&
TextOf(const JsonValue& object, const std::string& key)
{
    const JsonValue* value = object.Find(key);
    if (value == nullptr || value->kind != JsonValue::Kind::TEXT)
    {
        throw EventMistake(value == nullptr ? object.line : value->line,
                           "\"" + key + "\" with a text",
                           value == nullptr ? DescribeJson(object) + " without it"
                                            : DescribeJson(*value));
    }
    return value->text;
}

/** An event of a trace. */
struct FaultEvent
{
    std::string node;
    NanoDays at{0};
    bool isStart{true};
    std::string level;
    std::string name; //!< of the class
    std::string description;
    uint64_t line{0};
};

FaultEvent
ReadEvent(const JsonValue& object)
{
    if (object.kind != JsonValue::Kind::OBJECT)
    {
        throw EventMistake(object.line, "an event, { ... }", DescribeJson(object));
    }
    FaultEvent event;
    event.line = object.line;
    event.node = TextOf(object, "node_id");
    const JsonValue* time = object.Find("event_time");
    if (time == nullptr || time->kind != JsonValue::Kind::NUMBER)
    {
        throw EventMistake(time == nullptr ? object.line : time->line,
                           "\"event_time\" with a number of days",
                           time == nullptr ? "an event without it" : DescribeJson(*time));
    }
    event.at = ReadDays(time->text, time->line);
    const std::string& type = TextOf(object, "event_type");
    if (type != "fault_start" && type != "fault_end")
    {
        throw EventMistake(object.Find("event_type")->line,
                           "fault_start or fault_end",
                           QuoteTraceText(type));
    }
    event.isStart = type == "fault_start";
    const JsonValue* what = object.Find("fault_type");
    if (what == nullptr || what->kind != JsonValue::Kind::OBJECT)
    {
        throw EventMistake(what == nullptr ? object.line : what->line,
                           "\"fault_type\" with an object",
                           what == nullptr ? "an event without it" : DescribeJson(*what));
    }
    event.level = TextOf(*what, "Level");
    event.name = TextOf(*what, "Class");
    event.description = TextOf(*what, "Desc");
    return event;
}

/** Makes faults of events. */
class TraceFaults
{
  public:
    explicit TraceFaults(const FaultTraceSettings& settings)
        : m_settings(settings),
          m_from(ReadDays(settings.fromDay, 0)),
          m_to(settings.toDay.empty() ? std::numeric_limits<NanoDays>::max()
                                      : ReadDays(settings.toDay, 0))
    {
    }

    void Take(const FaultEvent& event)
    {
        if (event.at < m_last)
        {
            throw EventMistake(event.line,
                               "an event_time that is not before that of the last event",
                               "an earlier one");
        }
        m_last = event.at;
        Node& node = FindNode(event.node);
        if (event.isStart)
        {
            Start(event, node);
        }
        else
        {
            End(event, node);
        }
    }

    /** @return all faults, when there are no more events */
    FaultTrace Finish()
    {
        for (Node& node : m_nodes)
        {
            for (const Open& open : node.open)
            {
                ++m_trace.openAtTheEnd;
                Add(open, node, std::nullopt);
            }
        }
        m_trace.schedule.Add(std::move(m_faults));
        return std::move(m_trace);
    }

  private:
    /** A fault without an end so far. */
    struct Open
    {
        FaultEvent event;
        uint64_t ordinal; //!< among those of the node
    };

    /** A node of the trace. */
    struct Node
    {
        uint32_t server{0};
        uint64_t faults{0};
        std::vector<Open> open; //!< oldest first
    };

    Node& FindNode(const std::string& name)
    {
        const auto [found, isNew] = m_numbers.try_emplace(name, m_nodes.size());
        if (isNew)
        {
            m_nodes.emplace_back();
            m_nodes.back().server = found->second;
            m_trace.nodes.push_back(name);
        }
        return m_nodes[found->second];
    }

    void Start(const FaultEvent& event, Node& node)
    {
        ++m_trace.starts;
        m_trace.overlaps += node.open.empty() ? 0 : 1;
        node.open.push_back({event, node.faults++});
    }

    void End(const FaultEvent& event, Node& node)
    {
        ++m_trace.ends;
        const auto open = std::find_if(node.open.begin(), node.open.end(), [&](const Open& one) {
            return one.event.level == event.level && one.event.name == event.name &&
                   one.event.description == event.description;
        });
        if (open == node.open.end())
        {
            ++m_trace.endsWithoutStart;
            return;
        }
        Add(*open, node, event.at);
        node.open.erase(open);
    }

    /** @return days as a time of the simulation, from the first day that counts */
    Time GetTime(NanoDays days, uint64_t line) const
    {
        __extension__ using Wide = __int128;
        const Wide time = static_cast<Wide>(days - m_from) * m_settings.day.GetTimeStep() / A_DAY;
        if (time >= Time::Max().GetTimeStep())
        {
            throw EventMistake(line,
                               "faults within the 106 days that a simulation can last; select "
                               "fewer days, or give a day less time",
                               "a later one");
        }
        return Time(static_cast<int64_t>(time));
    }

    /** Adds a fault that is complete. */
    void Add(const Open& open, const Node& node, std::optional<NanoDays> end)
    {
        const FaultEvent& event = open.event;
        const std::vector<FaultTraceClass>& classes = GetFaultTraceClasses();
        const auto known =
            std::find_if(classes.begin(), classes.end(), [&event](const FaultTraceClass& one) {
                return one.name == event.name;
            });
        const bool isKnown = known != classes.end();
        if (!isKnown)
        {
            ++m_trace.others[event.name];
            if (!m_settings.others)
            {
                return;
            }
        }
        if (event.at < m_from || event.at >= m_to)
        {
            ++m_trace.ofOtherDays;
            return;
        }
        if (m_settings.servers > 0 && node.server >= m_settings.servers)
        {
            ++m_trace.ofOtherServers;
            return;
        }
        Fault fault;
        fault.kind = isKnown ? known->kind : *m_settings.others;
        fault.at = GetTime(event.at, event.line);
        if (end)
        {
            fault.duration = GetTime(*end, event.line) - fault.at;
            if (fault.duration->IsZero())
            {
                ++m_trace.withoutDuration;
                return;
            }
        }
        const FaultUses& uses = UsesOf(fault.kind);
        fault.server = node.server;
        fault.gpu = uses.gpu ? open.ordinal % m_settings.gpus : 0;
        fault.port = uses.nic ? open.ordinal / m_settings.gpus % m_settings.ports : 0;
        m_faults.push_back(fault);
    }

    const FaultTraceSettings& m_settings;
    NanoDays m_from;
    NanoDays m_to;
    NanoDays m_last{0};
    std::map<std::string, uint32_t> m_numbers;
    std::vector<Node> m_nodes;
    std::vector<Fault> m_faults;
    FaultTrace m_trace;
};

} // namespace

const std::vector<FaultTraceClass>&
GetFaultTraceClasses()
{
    static const std::vector<FaultTraceClass> classes{
        {"GPU", FaultKind::GPU_FAILURE},
        {"NIC", FaultKind::NIC_PORT_DOWN},
        {"Parameter Plane Cable", FaultKind::FIBER_CUT},
        {"CPU", FaultKind::SERVER_LOSS},
        {"Fan", FaultKind::SERVER_LOSS},
        {"Motherboard", FaultKind::SERVER_LOSS},
        {"Motherboard Battery", FaultKind::SERVER_LOSS},
        {"Power Supply", FaultKind::SERVER_LOSS},
        {"RAID Card", FaultKind::SERVER_LOSS},
        {"Riser Card", FaultKind::SERVER_LOSS},
        {"Operating System", FaultKind::SERVER_LOSS},
        {"System Crash", FaultKind::SERVER_LOSS},
    };
    return classes;
}

TraceResult
ReadFaultTrace(std::istream& in,
               const std::string& name,
               const FaultTraceSettings& settings,
               FaultTrace& trace)
{
    JsonValue json;
    JsonMistake mistake;
    if (!ReadJson(in, json, mistake))
    {
        return TraceError{name, mistake.line, {}, mistake.expected, mistake.found};
    }
    try
    {
        if (settings.gpus == 0 || settings.ports == 0 || !settings.day.IsStrictlyPositive())
        {
            throw EventMistake(0, "settings with 1 GPU, 1 port and 1 ps a day, or more", "others");
        }
        if (json.kind != JsonValue::Kind::ARRAY)
        {
            throw EventMistake(json.line, "an array of events", DescribeJson(json));
        }
        TraceFaults faults(settings);
        for (const JsonValue& event : json.items)
        {
            faults.Take(ReadEvent(event));
        }
        trace = faults.Finish();
    }
    catch (const EventMistake& wrong)
    {
        return TraceError{name, wrong.line, {}, wrong.GetExpected(), wrong.GetFound()};
    }
    return {};
}

TraceResult
ReadFaultTraceFile(const std::string& file, const FaultTraceSettings& settings, FaultTrace& trace)
{
    std::ifstream in(file, std::ios::binary);
    if (!in)
    {
        return TraceError{file, 0, {}, "a file that can be read", "none"};
    }
    return ReadFaultTrace(in, file, settings, trace);
}

} // namespace ns3
