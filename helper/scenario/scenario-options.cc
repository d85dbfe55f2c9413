/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-options.h"

#include "error-line.h"

#include "ns3/abort.h"
#include "ns3/attribute.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/known-names.h"
#include "ns3/output-file.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3
{

namespace
{

/** @return the reason for which a file cannot be read; empty if it can */
std::string
FindReadingFault(const std::string& path)
{
    struct stat status
    {
    };

    if (stat(path.c_str(), &status) != 0 || access(path.c_str(), R_OK) != 0)
    {
        return std::string("cannot read it: ") + std::strerror(errno);
    }
    return S_ISDIR(status.st_mode) ? "this is a folder; give a file" : "";
}

/** @return whether ns-3 handles an argument and then ends the program */
bool
IsGeneral(const std::string& name)
{
    static const std::set<std::string> NAMES{"help",
                                             "version",
                                             "PrintHelp",
                                             "PrintVersion",
                                             "PrintGlobals",
                                             "PrintGroups",
                                             "PrintGroup",
                                             "PrintTypeIds",
                                             "PrintAttributes"};
    return NAMES.count(name) != 0;
}

/** @return the checker of a GlobalValue or an attribute; null if it does not exist */
Ptr<const AttributeChecker>
FindChecker(const std::string& name)
{
    for (auto value = GlobalValue::Begin(); value != GlobalValue::End(); ++value)
    {
        if ((*value)->GetName() == name)
        {
            return (*value)->GetChecker();
        }
    }
    const std::size_t colons = name.rfind("::");
    TypeId type;
    TypeId::AttributeInformation attribute;
    return colons != std::string::npos &&
                   TypeId::LookupByNameFailSafe(name.substr(0, colons), &type) &&
                   type.LookupAttributeByName(name.substr(colons + 2), &attribute)
               ? attribute.checker
               : nullptr;
}

/**
 * Converts a value for ns-3, which reads only the valid begin of a number, so that 1M is 1.
 * @return the value in ns-3's syntax, or an error
 */
OptionValue<std::string>
ReadStrictly(const Ptr<const AttributeChecker>& checker, const std::string& words)
{
    const std::string type = checker ? checker->GetValueTypeName() : "";
    if (type == "ns3::UintegerValue")
    {
        const OptionValue<uint64_t> count = ParseCount(words);
        return {std::to_string(count.value), count.why};
    }
    if (type == "ns3::IntegerValue")
    {
        const OptionValue<int64_t> whole = ParseWhole(words);
        return {std::to_string(whole.value), whole.why};
    }
    return {words,
            type == "ns3::DoubleValue"    ? ParseReal(words).why
            : type == "ns3::TimeValue"    ? ParseTime(words).why
            : type == "ns3::BooleanValue" ? ParseTruth(words).why
                                          : ""};
}

/** @return the name in an argument such as --name=value; empty if it is none */
std::string
GetOptionName(const std::string& argument)
{
    const std::size_t dashes = argument.rfind("--", 0) == 0 ? 2 : argument.rfind('-', 0) == 0;
    return dashes == 0 ? "" : argument.substr(dashes, argument.find('=') - dashes);
}

/** @return whether a general argument has a value */
bool
HasValue(const std::string& name)
{
    return name == "PrintGroup" || name == "PrintAttributes";
}

} // namespace

ScenarioOptions::ScenarioOptions(const std::string& program)
    : m_program(program)
{
}

ScenarioOption&
ScenarioOptions::Begin(const std::string& name, const std::string& help, const std::string& typed)
{
    m_options.push_back(std::make_unique<ScenarioOption>());
    m_options.back()->name = name;
    m_options.back()->help = help;
    m_options.back()->typed = typed;
    return *m_options.back();
}

ScenarioOption*
ScenarioOptions::Find(const std::string& name) const
{
    const auto found = std::find_if(m_options.begin(), m_options.end(), [&name](const auto& one) {
        return one->name == name;
    });
    return found == m_options.end() ? nullptr : found->get();
}

std::string
ScenarioOptions::GetHelp(const ScenarioOption& option)
{
    return option.help + (option.oneOf.empty() ? "" : ": " + JoinNames(option.oneOf)) +
           (option.types ? ", or a type that derives from " + option.types->GetBase().GetName()
                         : "") +
           (option.orFile.empty() ? "" : ", or a file *" + option.orFile);
}

void
ScenarioOptions::PrintGeneral(const std::string& argument) const
{
    CommandLine cmd(m_program);
    std::vector<std::string> values;
    values.reserve(m_options.size());
    for (const auto& option : m_options)
    {
        values.push_back(option->typed);
        cmd.AddValue(option->name, GetHelp(*option), values.back());
    }
    std::vector<std::string> args{m_program};
    if (!argument.empty())
    {
        args.push_back(argument);
    }
    cmd.Parse(args);
}

bool
ScenarioOptions::TakeGeneral(const std::string& name, const std::string& typed) const
{
    const Ptr<const AttributeChecker> checker = FindChecker(name);
    const OptionValue<std::string> strict = ReadStrictly(checker, typed);
    if (!strict.why.empty())
    {
        throw OptionMistake("--" + name + "=" + typed + ": " + strict.why);
    }
    const std::string& words = strict.value;
    const bool isAttribute = name.find("::") != std::string::npos;
    if (!checker && !isAttribute)
    {
        return false;
    }
    ErrorLine::SetContext("--" + name + "=" + typed + ": "); // some types abort
    const bool isTaken = isAttribute ? Config::SetDefaultFailSafe(name, StringValue(words))
                                     : GlobalValue::BindFailSafe(name, StringValue(words));
    ErrorLine::SetContext("");
    if (!isTaken)
    {
        throw OptionMistake("--" + name + "=" + words + ": " +
                            (isAttribute
                                 ? "no such attribute, or no value of it (--PrintAttributes=" +
                                       name.substr(0, name.rfind("::")) + ")"
                                 : "no value of this GlobalValue (--PrintGlobals)"));
    }
    return true;
}

OptionValue<std::string>
ScenarioOptions::FindName(const ScenarioOption& option, const std::string& words)
{
    const std::size_t ending = option.orFile.size();
    if (ending > 0 && words.size() > ending &&
        words.compare(words.size() - ending, ending, option.orFile) == 0)
    {
        return {words, FindReadingFault(words)};
    }
    if (option.types != nullptr && option.types->IsTypeName(words))
    {
        const KnownName type = option.types->FindKnown(words);
        return {type.name, type.why};
    }
    const std::size_t colon =
        option.mayHaveArgument ? std::min(words.find(':'), words.size()) : words.size();
    const std::string noun =
        option.noun + (option.orFile.empty() ? "" : " (or file *" + option.orFile + ")");
    const KnownName known = FindKnownName(words.substr(0, colon), option.oneOf, noun);
    return {known.name + words.substr(colon), known.why}; // with an argument
}

void
ScenarioOptions::Take(ScenarioOption& option, const std::string& given, bool hasValue)
{
    if (option.isGiven)
    {
        Refuse(option.name, "it is given twice");
    }
    if (!hasValue && !option.mayLackValue)
    {
        throw OptionMistake("--" + option.name + ": give a value, as --" + option.name + "=" +
                            (option.typed.empty() ? "VALUE" : option.typed));
    }
    std::string words = hasValue ? given : "true";
    if (!option.oneOf.empty())
    {
        const OptionValue<std::vector<std::string>> parts =
            option.isList ? ParseList(words) : OptionValue<std::vector<std::string>>{{words}, ""};
        std::string why = parts.why;
        std::string known;
        for (const std::string& part : parts.value)
        {
            const OptionValue<std::string> one = FindName(option, part);
            why = why.empty() && !one.why.empty()
                      ? (parts.value.size() > 1 ? part + ": " : "") + one.why
                      : why;
            known += (known.empty() ? "" : ",") + one.value;
        }
        if (!why.empty())
        {
            throw OptionMistake("--" + option.name + "=" + words + ": " + why);
        }
        words = known;
    }
    const bool isFile = option.isInput || option.isOutput;
    std::string why =
        isFile && words.empty() ? "give the name of a file, or leave it out" : option.set(words);
    if (why.empty() && option.isInput && !words.empty())
    {
        why = FindReadingFault(words);
    }
    if (why.empty() && option.isOutput && !words.empty())
    {
        why = OutputFile::FindFault(words);
    }
    for (const ScenarioOption::Check& check : option.checks)
    {
        why = why.empty() ? check() : why;
    }
    if (!why.empty())
    {
        throw OptionMistake("--" + option.name + (hasValue ? "=" + given : "") + ": " + why);
    }
    option.isGiven = true;
}

void
ScenarioOptions::Parse(const std::vector<std::string>& args)
{
    std::set<std::string> general;
    TakeFirst(args);
    PrintGeneral(""); // makes the preparations of ns-3's command line
    for (const std::string& argument : args)
    {
        const ScenarioOption* const option = Find(GetOptionName(argument));
        if (!option || !option->isFirst)
        {
            TakeArgument(argument, general);
        }
    }
    for (const auto& option : m_options)
    {
        if (option->isGiven && (option->isInput || option->isOutput))
        {
            TakeFile(option->name, option->typed, option->isOutput);
        }
    }
}

void
ScenarioOptions::TakeFirst(const std::vector<std::string>& args)
{
    std::set<std::string> general;
    for (const std::string& argument : args)
    {
        const ScenarioOption* const option = Find(GetOptionName(argument));
        if (option && option->isFirst)
        {
            TakeArgument(argument, general);
        }
    }
    for (const auto& option : m_options)
    {
        option->oneOf = option->listNames ? option->listNames() : option->oneOf;
    }
}

void
ScenarioOptions::TakeArgument(const std::string& argument, std::set<std::string>& general)
{
    const std::size_t dashes = argument.rfind("--", 0) == 0 ? 2 : argument.rfind('-', 0) == 0;
    const std::size_t sign = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(dashes, std::max(sign, dashes) - dashes);
    const bool hasValue = sign < argument.size();
    const std::string words = hasValue ? argument.substr(sign + 1) : "";
    if (dashes == 0)
    {
        const bool isOurs = Find(name) != nullptr;
        throw OptionMistake(
            (argument.empty() ? "an empty argument" : argument) +
            ": options begin with two dashes" +
            (isOurs ? "; did you mean --" + argument + "?" : "; --help lists them"));
    }
    if (name.empty())
    {
        throw OptionMistake(argument + ": an option has a name; --help lists them");
    }
    if (IsGeneral(name))
    {
        if (hasValue && !HasValue(name))
        {
            throw OptionMistake(argument + ": --" + name + " takes no value");
        }
        PrintGeneral(argument);
        return;
    }
    if (ScenarioOption* const option = Find(name))
    {
        Take(*option, words, hasValue);
        return;
    }
    if (!general.insert(name).second)
    {
        throw OptionMistake("--" + name + ": it is given twice");
    }
    if (!TakeGeneral(name, words))
    {
        RefuseUnknown(name);
    }
}

void
ScenarioOptions::RefuseUnknown(const std::string& name) const
{
    std::vector<std::string> names;
    for (const auto& option : m_options)
    {
        names.push_back(option->name);
    }
    const std::string nearest = FindNearest(name, names);
    throw OptionMistake("--" + name + ": no such option" +
                        (nearest.empty() ? ";" : "; did you mean --" + nearest + "?") +
                        " --help lists them");
}

void
ScenarioOptions::TakeFile(const std::string& name, const std::string& file, bool isOutput)
{
    if (file.empty() || file == "-")
    {
        return;
    }
    for (const File& other : m_files)
    {
        if ((isOutput || other.isOutput) && other.option != name && IsSameFile(file, other.name))
        {
            const ScenarioOption* const option = Find(name);
            Refuse(name,
                   (option && option->typed == file ? "it" : file) + " is also the file of --" +
                       other.option);
        }
    }
    m_files.push_back({name, file, isOutput});
}

void
ScenarioOptions::Claim(const std::string& name, const std::vector<std::string>& files)
{
    for (const std::string& file : files)
    {
        const std::string fault = OutputFile::FindFault(file);
        Require(fault.empty(), name, "cannot write " + file + ": " + fault);
        TakeFile(name, file, true);
    }
}

void
ScenarioOptions::ClaimInputs(const std::string& name, const std::vector<std::string>& files)
{
    for (const std::string& file : files)
    {
        TakeFile(name, file, false);
    }
}

void
ScenarioOptions::Refuse(const std::string& name, const std::string& why) const
{
    const ScenarioOption* const option = Find(name);
    throw OptionMistake("--" + name + (option ? "=" + option->typed : "") + ": " + why);
}

void
ScenarioOptions::Require(bool isRight, const std::string& name, const std::string& why) const
{
    if (!isRight)
    {
        Refuse(name, why);
    }
}

void
ScenarioOptions::Refresh(const std::string& name)
{
    ScenarioOption* const option = Find(name);
    NS_ABORT_MSG_UNLESS(option, "ScenarioOptions: there is no option --" << name);
    option->typed = option->describe();
}

bool
ScenarioOptions::IsGiven(const std::string& name) const
{
    const ScenarioOption* const option = Find(name);
    return option && option->isGiven;
}

const std::vector<std::unique_ptr<ScenarioOption>>&
ScenarioOptions::GetAll() const
{
    return m_options;
}

void
ScenarioOptions::Write(JsonWriter& json) const
{
    for (const auto& option : m_options)
    {
        if (option->json == ScenarioOption::Json::BARE)
        {
            json.RawField(option->name, option->typed);
        }
        else
        {
            json.Field(option->name, option->typed);
        }
    }
}

} // namespace ns3
