/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-schedule-file.h"

#include "json-text.h"

#include "ns3/known-names.h"
#include "ns3/option-value.h"
#include "ns3/trace-text.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** A member of a fault in a file. */
struct FaultMember
{
    std::string name;
    bool isMandatory;
    bool isText; //!< in JSON; else a number
    /** Reads it. @return the error, or an empty string */
    std::function<std::string(const std::string& words, Fault& fault)> read;
    std::function<std::string(const Fault& fault)> write; //!< empty text: it is left out
};

/** @return a number so that reading it gives the same */
std::string
WriteReal(double value)
{
    std::ostringstream words;
    words.precision(17);
    words << value;
    return words.str();
}

FaultMember
MakeTime(const std::string& name, bool isMandatory, Time Fault::*member)
{
    return {name,
            isMandatory,
            true,
            [member](const std::string& words, Fault& fault) {
                const OptionValue<Time> time = ParseTime(words);
                fault.*member = time.value;
                return time.why;
            },
            [member](const Fault& fault) { return ToOption(fault.*member); }};
}

FaultMember
MakeReal(const std::string& name, double Fault::*member)
{
    return {name,
            false,
            false,
            [member](const std::string& words, Fault& fault) {
                const OptionValue<double> value = ParseReal(words);
                fault.*member = value.value;
                return value.why;
            },
            [member](const Fault& fault) { return WriteReal(fault.*member); }};
}

FaultMember
MakeNumber(const std::string& name, bool isMandatory, uint32_t Fault::*member)
{
    return {name,
            isMandatory,
            false,
            [member](const std::string& words, Fault& fault) {
                const OptionValue<uint64_t> value = ParseCount(words, UINT32_MAX);
                fault.*member = static_cast<uint32_t>(value.value);
                return value.why;
            },
            [member](const Fault& fault) { return std::to_string(fault.*member); }};
}

FaultMember
MakeRail()
{
    return {"rail",
            true,
            false,
            [](const std::string& words, Fault& fault) {
                const OptionValue<uint64_t> value = ParseCount(words, UINT32_MAX);
                fault.rail = RailId(static_cast<uint32_t>(value.value));
                return value.why;
            },
            [](const Fault& fault) { return std::to_string(fault.rail.Get()); }};
}

FaultMember
MakeDuration(bool isMandatory)
{
    return {"duration",
            isMandatory,
            true,
            [](const std::string& words, Fault& fault) {
                const OptionValue<Time> time = ParseTime(words);
                fault.duration = time.value;
                return time.why;
            },
            [](const Fault& fault) { return fault.duration ? ToOption(*fault.duration) : ""; }};
}

/** @return the ends, for a text with a plus between them */
FaultMember
MakeEnds()
{
    return {"ends",
            true,
            true,
            [](const std::string& words, Fault& fault) -> std::string {
                fault.ends.clear();
                std::istringstream in(words);
                for (std::string word; std::getline(in, word, '+');)
                {
                    const std::optional<ManagementEnd> end = FindManagementEnd(word);
                    if (!end)
                    {
                        return "\"" + word +
                               "\" is no end; give controller, standby, server N or rail N";
                    }
                    fault.ends.push_back(*end);
                }
                std::sort(fault.ends.begin(), fault.ends.end());
                return fault.ends.empty() ? "no end; give one or more" : "";
            },
            [](const Fault& fault) {
                std::string words;
                for (const ManagementEnd& end : fault.ends)
                {
                    words += (words.empty() ? "" : "+") + ToString(end);
                }
                return words;
            }};
}

/** @return the members of a kind of fault, in their order in a file */
std::vector<FaultMember>
MembersOf(FaultKind kind)
{
    const FaultUses& uses = UsesOf(kind);
    std::vector<FaultMember> members{MakeTime("at", true, &Fault::at)};
    members.push_back(MakeDuration(uses.bounded));
    const auto addIf = [&members](bool isUsed, FaultMember member) {
        if (isUsed)
        {
            members.push_back(std::move(member));
        }
    };
    addIf(uses.rail, MakeRail());
    addIf(uses.server, MakeNumber("server", true, &Fault::server));
    addIf(uses.gpu, MakeNumber("gpu", false, &Fault::gpu));
    addIf(uses.nic, MakeNumber("port", false, &Fault::port));
    addIf(uses.port, MakeNumber("port", true, &Fault::port));
    addIf(uses.other, MakeNumber("other", true, &Fault::other));
    addIf(uses.ends, MakeEnds());
    addIf(uses.position, MakeReal("position", &Fault::position));
    addIf(uses.factor, MakeReal("factor", &Fault::factor));
    addIf(uses.extra, MakeTime("extra", true, &Fault::extra));
    addIf(uses.loss, MakeReal("loss", &Fault::loss));
    addIf(uses.flapping, MakeTime("period", true, &Fault::period));
    addIf(uses.flapping, MakeReal("duty", &Fault::duty));
    return members;
}

/** @return the names of members */
std::vector<std::string>
NamesOf(const std::vector<FaultMember>& members)
{
    return GetNamesOf(members);
}

/** A mistake at a value. */
class FaultMistake : public TraceMistake
{
  public:
    FaultMistake(const JsonValue& at, const std::string& expected, const std::string& found)
        : TraceMistake(expected, found),
          line(at.line)
    {
    }

    uint64_t line;
};

/** @return the text of a member; throws if it is of the wrong kind */
std::string
TextOf(const FaultMember& member, const JsonValue& value)
{
    const bool isEnds = member.name == "ends";
    const JsonValue::Kind kind = isEnds          ? JsonValue::Kind::ARRAY
                                 : member.isText ? JsonValue::Kind::TEXT
                                                 : JsonValue::Kind::NUMBER;
    if (value.kind != kind)
    {
        const std::string noun = isEnds          ? "an array of texts"
                                 : member.isText ? "a text with a unit, such as \"3ms\""
                                                 : "a number";
        throw FaultMistake(value, noun + " for \"" + member.name + "\"", DescribeJson(value));
    }
    if (!isEnds)
    {
        return value.text;
    }
    std::string words;
    for (const JsonValue& item : value.items)
    {
        if (item.kind != JsonValue::Kind::TEXT)
        {
            throw FaultMistake(item, "a text such as \"server 2\"", DescribeJson(item));
        }
        if (!FindManagementEnd(item.text)) // "+" joins ends in words, and in no name
        {
            throw FaultMistake(item,
                               "an end of the management network, such as \"server 2\"",
                               DescribeJson(item));
        }
        words += (words.empty() ? "" : "+") + item.text;
    }
    return words;
}

/** @return the fault in an object; throws FaultMistake */
Fault
ReadFault(const JsonValue& object)
{
    if (object.kind != JsonValue::Kind::OBJECT)
    {
        throw FaultMistake(object, "a fault, { ... }", DescribeJson(object));
    }
    const JsonValue* kind = object.Find("kind");
    if (kind == nullptr || kind->kind != JsonValue::Kind::TEXT)
    {
        throw FaultMistake(kind == nullptr ? object : *kind,
                           "\"kind\" with a text",
                           kind == nullptr ? "a fault without it" : DescribeJson(*kind));
    }
    const FoundFaultKind found = FindFaultKind(kind->text);
    if (!found.why.empty())
    {
        throw FaultMistake(*kind, "a kind of fault", kind->text + ": " + found.why);
    }
    Fault fault;
    fault.kind = found.kind;
    const std::vector<FaultMember> members = MembersOf(fault.kind);
    for (const auto& [key, value] : object.members)
    {
        const std::string& name = key; // a structured binding can't be captured
        const auto member = std::find_if(members.begin(), members.end(), [&name](const auto& one) {
            return one.name == name;
        });
        if (member == members.end() && key != "kind")
        {
            throw FaultMistake(value,
                               "of a " + ToString(fault.kind) + " one of: kind, " +
                                   JoinNames(NamesOf(members)),
                               "\"" + key + "\"");
        }
        if (member == members.end())
        {
            continue;
        }
        const std::string why = member->read(TextOf(*member, value), fault);
        if (!why.empty())
        {
            throw FaultMistake(value, "another \"" + key + "\"", DescribeJson(value) + ": " + why);
        }
    }
    for (const FaultMember& member : members)
    {
        if (member.isMandatory && object.Find(member.name) == nullptr)
        {
            throw FaultMistake(object,
                               "\"" + member.name + "\" of a " + ToString(fault.kind),
                               "a fault without it");
        }
    }
    return fault;
}

} // namespace

TraceResult
ReadFaultSchedule(std::istream& in, const std::string& name, FaultSchedule& schedule)
{
    JsonValue json;
    JsonMistake mistake;
    if (!ReadJson(in, json, mistake))
    {
        return TraceError{name, mistake.line, {}, mistake.expected, mistake.found};
    }
    std::vector<Fault> read;
    try
    {
        if (json.kind == JsonValue::Kind::ARRAY && !json.items.empty() &&
            json.items.front().Find("event_type") != nullptr)
        {
            throw FaultMistake(json,
                               "an object with one member, \"faults\"",
                               "a trace of a cluster; read it by ReadFaultTraceFile(), and write "
                               "what it has by WriteFaultSchedule()");
        }
        const JsonValue* faults = json.Find("faults");
        if (json.kind != JsonValue::Kind::OBJECT || faults == nullptr || json.members.size() != 1 ||
            faults->kind != JsonValue::Kind::ARRAY)
        {
            throw FaultMistake(json,
                               "an object with one member, \"faults\", an array",
                               DescribeJson(json) + " without it, or with others");
        }
        for (const JsonValue& fault : faults->items)
        {
            read.push_back(ReadFault(fault));
        }
    }
    catch (const FaultMistake& wrong)
    {
        return TraceError{name, wrong.line, {}, wrong.GetExpected(), wrong.GetFound()};
    }
    schedule = FaultSchedule();
    schedule.Add(std::move(read));
    return {};
}

TraceResult
ReadFaultScheduleFile(const std::string& file, FaultSchedule& schedule)
{
    std::ifstream in(file, std::ios::binary);
    if (!in)
    {
        return TraceError{file, 0, {}, "a file that can be read", "none"};
    }
    return ReadFaultSchedule(in, file, schedule);
}

void
WriteFaultSchedule(std::ostream& out, const FaultSchedule& schedule)
{
    out << "{\"faults\": [";
    bool isFirst = true;
    for (const Fault& fault : schedule.GetFaults())
    {
        out << (isFirst ? "\n" : ",\n") << "  {\"kind\": " << QuoteJson(ToString(fault.kind));
        isFirst = false;
        for (const FaultMember& member : MembersOf(fault.kind))
        {
            const std::string words = member.write(fault);
            if (words.empty())
            {
                continue;
            }
            out << ", " << QuoteJson(member.name) << ": ";
            if (member.name == "ends")
            {
                for (std::size_t e = 0; e < fault.ends.size(); ++e)
                {
                    out << (e == 0 ? "[" : ", ") << QuoteJson(ToString(fault.ends[e]));
                }
                out << "]";
            }
            else
            {
                out << (member.isText ? QuoteJson(words) : words);
            }
        }
        out << "}";
    }
    out << (isFirst ? "]}\n" : "\n]}\n");
}

FaultText
ParseFault(const std::string& words)
{
    const std::size_t colon = words.find(':');
    FaultText result;
    const FoundFaultKind found = FindFaultKind(words.substr(0, colon));
    if (!found.why.empty())
    {
        result.why = found.why;
        return result;
    }
    result.fault.kind = found.kind;
    const std::vector<FaultMember> members = MembersOf(found.kind);
    std::vector<std::string> given;
    std::istringstream in(colon == std::string::npos ? "" : words.substr(colon + 1));
    for (std::string word; std::getline(in, word, ',');)
    {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const auto member = std::find_if(members.begin(), members.end(), [&name](const auto& one) {
            return one.name == name;
        });
        if (member == members.end() || equals == std::string::npos)
        {
            result.why = "\"" + word + "\" is no member of a " + ToString(found.kind) +
                         "; give NAME=VALUE, of: " + JoinNames(NamesOf(members));
            return result;
        }
        if (std::find(given.begin(), given.end(), name) != given.end())
        {
            result.why = "\"" + name + "\" comes twice; give it once";
            return result;
        }
        given.push_back(name);
        const std::string why = member->read(word.substr(equals + 1), result.fault);
        if (!why.empty())
        {
            result.why = name + ": " + why;
            return result;
        }
    }
    for (const FaultMember& member : members)
    {
        if (member.isMandatory && std::find(given.begin(), given.end(), member.name) == given.end())
        {
            result.why = "there is no " + member.name + "; give " + ToString(found.kind) + ":" +
                         member.name + "=...";
            return result;
        }
    }
    return result;
}

} // namespace ns3
