/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "random-variable-words.h"

#include "option-value.h"

#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr const char* SUCH_AS = "give one such as ns3::UniformRandomVariable[Min=0|Max=0.1]";

/** @return the mistake in a value of an attribute; empty if there is none */
std::string
FindValueMistake(const TypeId::AttributeInformation& attribute, const std::string& words)
{
    const std::string type = attribute.checker->GetValueTypeName();
    if (type == "ns3::DoubleValue")
    {
        return ParseReal(words).why;
    }
    if (type == "ns3::IntegerValue" || type == "ns3::UintegerValue")
    {
        return ParseWhole(words).why;
    }
    return attribute.checker->CreateValidValue(StringValue(words)) ? "" : "it is no such value";
}

} // namespace

std::string
FindRandomVariableMistake(const std::string& words)
{
    const std::size_t bracket = std::min(words.find('['), words.size());
    const std::string name = words.substr(0, bracket);
    TypeId type;
    if (name.rfind("ns3::", 0) != 0 || !TypeId::LookupByNameFailSafe(name, &type) ||
        !type.IsChildOf(RandomVariableStream::GetTypeId()) || !type.HasConstructor())
    {
        return "there is no random variable " + name + "; " + SUCH_AS;
    }
    if (bracket == words.size())
    {
        return "";
    }
    if (words.back() != ']')
    {
        return std::string("its parameters end with a bracket; ") + SUCH_AS;
    }
    std::size_t first = bracket + 1;
    while (first + 1 < words.size())
    {
        const std::size_t bar = std::min(words.find('|', first), words.size() - 1);
        const std::string part = words.substr(first, bar - first);
        const std::size_t sign = std::min(part.find('='), part.size());
        TypeId::AttributeInformation attribute;
        if (sign == part.size() || !type.LookupAttributeByName(part.substr(0, sign), &attribute))
        {
            return name + " has no parameter " + part.substr(0, sign) + "; " + SUCH_AS;
        }
        const std::string why = FindValueMistake(attribute, part.substr(sign + 1));
        if (!why.empty())
        {
            return part + ": " + why;
        }
        first = bar + 1;
    }
    return "";
}

} // namespace ns3
