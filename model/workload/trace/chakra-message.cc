/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "chakra-message.h"

namespace ns3
{

namespace
{

/** Fields of Node and AttributeProto. */
enum ChakraField : uint32_t
{
    FIELD_NAME = 1,
    FIELD_INT32 = 7,
    FIELD_INT64 = 9,
    FIELD_ATTRIBUTE = 10,
    FIELD_UINT64_LIST = 14,
    FIELD_BOOL = 27,
    FIELD_STRING = 29,
};

/** Adds a number to bytes, seven bits a byte. */
void
AddVarint(std::string& bytes, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
    {
        bytes += static_cast<char>((value & 0x7f) | 0x80);
    }
    bytes += static_cast<char>(value);
}

} // namespace

ChakraMessage&
ChakraMessage::Number(uint32_t field, uint64_t value)
{
    AddVarint(m_bytes, uint64_t{field} << 3);
    AddVarint(m_bytes, value);
    return *this;
}

ChakraMessage&
ChakraMessage::Text(uint32_t field, const std::string& text)
{
    AddVarint(m_bytes, uint64_t{field} << 3 | 2); // of a given length
    AddVarint(m_bytes, text.size());
    m_bytes += text;
    return *this;
}

ChakraMessage&
ChakraMessage::Numbers(uint32_t field, const std::vector<uint64_t>& values)
{
    if (values.empty())
    {
        return *this;
    }
    std::string packed;
    for (const uint64_t value : values)
    {
        AddVarint(packed, value);
    }
    return Text(field, packed);
}

ChakraMessage&
ChakraMessage::Attribute(const std::string& name, uint64_t value)
{
    return Text(FIELD_ATTRIBUTE,
                ChakraMessage().Text(FIELD_NAME, name).Number(FIELD_INT64, value).m_bytes);
}

ChakraMessage&
ChakraMessage::Attribute32(const std::string& name, uint32_t value)
{
    return Text(FIELD_ATTRIBUTE,
                ChakraMessage().Text(FIELD_NAME, name).Number(FIELD_INT32, value).m_bytes);
}

ChakraMessage&
ChakraMessage::Truth(const std::string& name, bool value, uint32_t field)
{
    return Text(field,
                ChakraMessage().Text(FIELD_NAME, name).Number(FIELD_BOOL, value ? 1 : 0).m_bytes);
}

ChakraMessage&
ChakraMessage::Attribute(const std::string& name, const std::string& value)
{
    return Text(FIELD_ATTRIBUTE,
                ChakraMessage().Text(FIELD_NAME, name).Text(FIELD_STRING, value).m_bytes);
}

ChakraMessage&
ChakraMessage::Attribute(const std::string& name, const std::vector<uint64_t>& values)
{
    const std::string list = ChakraMessage().Numbers(1, values).m_bytes;
    return Text(FIELD_ATTRIBUTE,
                ChakraMessage().Text(FIELD_NAME, name).Text(FIELD_UINT64_LIST, list).m_bytes);
}

std::string
ChakraMessage::Delimit() const
{
    std::string bytes;
    AddVarint(bytes, m_bytes.size());
    return bytes + m_bytes;
}

} // namespace ns3
