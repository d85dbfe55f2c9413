/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "chakra-attributes.h"

#include "ns3/optional-headers.h"

#ifdef PHOTONIC_RAILS_HAS_PROTOZERO

#include "trace-node.h"
#include "trace-text.h"

#include <algorithm>
#include <protozero/pbf_reader.hpp>
#include <utility>

// The numbers of fields are those of schema/protobuf/et_def.proto, mlcommons/chakra.

namespace ns3
{

namespace
{

using protozero::pbf_reader;
using protozero::pbf_wire_type;

/** Fields of AttributeProto that hold one number; a list of them is one field further. */
enum class ChakraValue : uint32_t
{
    DOUBLE = 3,
    FLOAT = 5,
    INT32 = 7,
    INT64 = 9,
    UINT32 = 11,
    UINT64 = 13,
    SINT32 = 15,
    SINT64 = 17,
    FIXED32 = 19,
    FIXED64 = 21,
    SFIXED32 = 23,
    SFIXED64 = 25,
    BOOL = 27,
    STRING = 29,
    BYTES = 31,
};

/** @return the number that a text of digits is; nothing if it is none, or too large */
std::optional<uint64_t>
FindDigits(const std::string& text)
{
    if (text.empty() || text.size() > 19) // 2^64 has 20 digits
    {
        return {};
    }
    uint64_t number = 0;
    for (const char digit : text)
    {
        if (digit < '0' || digit > '9')
        {
            return {};
        }
        number = number * 10 + static_cast<uint64_t>(digit - '0');
    }
    return number;
}

constexpr uint32_t UINT64_LIST = 14; //!< the field of AttributeProto

/** Reads a Uint64List. */
void
ReadList(protozero::data_view bytes, std::vector<uint64_t>& list)
{
    constexpr std::size_t MOST = 1'000'000; // a limit of memory: each byte may be an entry
    list.clear();
    for (pbf_reader fields(bytes); fields.next(1, pbf_wire_type::length_delimited);)
    {
        for (const uint64_t one : fields.get_packed_uint64())
        {
            if (list.size() == MOST)
            {
                throw TraceMistake("up to " + std::to_string(MOST) + " numbers in a list", "more");
            }
            list.push_back(one);
        }
    }
}

} // namespace

/** Reads values of AttributeProto. */
class ChakraValueReader
{
  public:
    /** Reads the value of an attribute. */
    static void ReadValue(pbf_reader& fields, ChakraAttributes::Value& attribute)
    {
        attribute.number.reset();
        attribute.text.reset();
        const auto signedNumber = [&attribute](int64_t number) {
            attribute.found = std::to_string(number);
            if (number >= 0)
            {
                attribute.number = static_cast<uint64_t>(number);
            }
        };
        const auto number = [&attribute](uint64_t value) {
            attribute.found = std::to_string(value);
            attribute.number = value;
        };
        const auto value = static_cast<ChakraValue>(fields.tag());
        if (fields.wire_type() != GetWireType(value))
        {
            throw TraceMistake(
                "a value of an attribute to have the type that et_def.proto gives it",
                "wire type " + std::to_string(static_cast<uint32_t>(fields.wire_type())));
        }
        switch (value)
        {
        case ChakraValue::INT32:
            return signedNumber(fields.get_int32());
        case ChakraValue::INT64:
            return signedNumber(fields.get_int64());
        case ChakraValue::UINT32:
            return number(fields.get_uint32());
        case ChakraValue::UINT64:
            return number(fields.get_uint64());
        case ChakraValue::SINT32:
            return signedNumber(fields.get_sint32());
        case ChakraValue::SINT64:
            return signedNumber(fields.get_sint64());
        case ChakraValue::FIXED32:
            return number(fields.get_fixed32());
        case ChakraValue::FIXED64:
            return number(fields.get_fixed64());
        case ChakraValue::SFIXED32:
            return signedNumber(fields.get_sfixed32());
        case ChakraValue::SFIXED64:
            return signedNumber(fields.get_sfixed64());
        case ChakraValue::BOOL:
            return number(fields.get_bool() ? 1 : 0);
        case ChakraValue::STRING:
        case ChakraValue::BYTES:
            attribute.text = fields.get_string();
            attribute.found = QuoteTraceText(*attribute.text);
            attribute.number = FindDigits(*attribute.text);
            return;
        case ChakraValue::DOUBLE:
        case ChakraValue::FLOAT:
            attribute.found = "a number of floating point";
            fields.skip();
        }
    }

  private:
    /** @return the wire type that a value must have */
    static pbf_wire_type GetWireType(ChakraValue value)
    {
        switch (value)
        {
        case ChakraValue::DOUBLE:
        case ChakraValue::FIXED64:
        case ChakraValue::SFIXED64:
            return pbf_wire_type::fixed64;
        case ChakraValue::FLOAT:
        case ChakraValue::FIXED32:
        case ChakraValue::SFIXED32:
            return pbf_wire_type::fixed32;
        case ChakraValue::STRING:
        case ChakraValue::BYTES:
            return pbf_wire_type::length_delimited;
        default:
            return pbf_wire_type::varint;
        }
    }
};

void
ChakraAttributes::Clear()
{
    m_values.fill(std::nullopt);
}

void
ChakraAttributes::Read(const char* data, std::size_t size)
{
    std::string name;
    Value value;
    value.found = "no value";
    for (pbf_reader fields(data, size); fields.next();)
    {
        const uint32_t tag = fields.tag();
        if (tag == 1 && fields.wire_type() == pbf_wire_type::length_delimited)
        {
            name = fields.get_string();
        }
        else if (tag >= 3 && tag <= 31 && tag % 2 == 1)
        {
            ChakraValueReader::ReadValue(fields, value);
        }
        else if (tag == UINT64_LIST && fields.wire_type() == pbf_wire_type::length_delimited)
        {
            value.found = "a list";
            ReadList(fields.get_view(), value.list);
        }
        else
        {
            if (tag == 1)
            {
                throw TraceMistake("the name of an attribute", "a field 1 of another type");
            }
            value.found = tag >= 3 && tag <= 32 ? "a list" : value.found;
            fields.skip();
        }
    }
    Keep(name, std::move(value));
}

void
ChakraAttributes::ReadOld(const char* data, std::size_t size)
{
    // name 1, type 2, b 4, f 5, then u 6, i 7, s 8, or without u: i 6, s 7; lists after them
    constexpr uint32_t NAME = 1;
    constexpr uint32_t BOOL = 4;
    constexpr uint32_t FIRST = 6;
    constexpr uint32_t LAST = 8;
    std::string name;
    Value value;
    value.found = "no value";
    for (pbf_reader fields(data, size); fields.next();)
    {
        const uint32_t tag = fields.tag();
        const bool isText = fields.wire_type() == pbf_wire_type::length_delimited;
        const bool isNumber = fields.wire_type() == pbf_wire_type::varint;
        if (tag == NAME && isText)
        {
            name = fields.get_string();
        }
        else if (isNumber && (tag == BOOL || (tag >= FIRST && tag < LAST)))
        {
            const int64_t number = fields.get_int64();
            value.found = std::to_string(number);
            value.number = number < 0 ? std::nullopt : std::optional<uint64_t>(number);
        }
        else if (isText && tag > FIRST && tag <= LAST)
        {
            value.text = fields.get_string();
            value.found = QuoteTraceText(*value.text);
            value.number = FindDigits(*value.text);
        }
        else
        {
            value.found = tag > LAST ? "a list" : value.found;
            fields.skip();
        }
    }
    Keep(name, std::move(value));
}

void
ChakraAttributes::Keep(const std::string& name, Value value)
{
    const auto known = std::find(NAMES.begin(), NAMES.end(), name);
    if (known != NAMES.end())
    {
        m_values[static_cast<std::size_t>(known - NAMES.begin())] = std::move(value);
    }
}

const ChakraAttributes::Value*
ChakraAttributes::Find(const std::string& name) const
{
    const auto known = std::find(NAMES.begin(), NAMES.end(), name) - NAMES.begin();
    const std::optional<Value>& value = m_values.at(static_cast<std::size_t>(known));
    return value ? &*value : nullptr;
}

std::optional<uint64_t>
ChakraAttributes::FindNumber(const std::string& name, uint64_t most) const
{
    const Value* const value = Find(name);
    if (value == nullptr)
    {
        return {};
    }
    if (!value->number || *value->number > most)
    {
        throw TraceMistake(name + " to be a whole number from 0 to " + std::to_string(most),
                           value->found);
    }
    return value->number;
}

uint64_t
ChakraAttributes::GetNumber(const std::string& name, uint64_t most) const
{
    const std::optional<uint64_t> number = FindNumber(name, most);
    if (!number)
    {
        throw TraceMistake("the attribute " + name, "none");
    }
    return *number;
}

std::vector<uint64_t>
ChakraAttributes::FindList(const std::string& name) const
{
    const Value* const value = Find(name);
    return value == nullptr ? std::vector<uint64_t>() : value->list;
}

std::optional<uint32_t>
ChakraAttributes::FindRank(const std::string& name) const
{
    const std::optional<uint64_t> rank = FindNumber(name, MAX_TRACE_RANKS - 1);
    return rank ? std::make_optional(static_cast<uint32_t>(*rank)) : std::nullopt;
}

std::string
ChakraAttributes::FindText(const std::string& name) const
{
    const Value* const value = Find(name);
    if (value == nullptr)
    {
        return "";
    }
    if (!value->text && !value->number)
    {
        throw TraceMistake(name + " to be a string or a number", value->found);
    }
    return value->text ? *value->text : std::to_string(*value->number);
}

} // namespace ns3

#endif
