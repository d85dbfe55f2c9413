/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "json-writer.h"

#include "ns3/assert.h"

#include <cmath>
#include <cstdio>

namespace ns3
{

JsonWriter::JsonWriter(std::ostream& os)
    : m_os(os)
{
}

void
JsonWriter::BeginObject()
{
    Separate();
    Open('{');
}

void
JsonWriter::BeginObject(const std::string& key)
{
    Key(key);
    Open('{');
}

void
JsonWriter::EndObject()
{
    Close('}');
}

void
JsonWriter::BeginArray()
{
    Separate();
    Open('[');
}

void
JsonWriter::BeginArray(const std::string& key)
{
    Key(key);
    Open('[');
}

void
JsonWriter::EndArray()
{
    Close(']');
}

void
JsonWriter::RawValue(const std::string& json)
{
    Separate();
    m_os << json;
}

void
JsonWriter::RawField(const std::string& key, const std::string& json)
{
    Key(key);
    m_os << json;
}

void
JsonWriter::Separate()
{
    if (m_empty.empty())
    {
        return;
    }
    m_os << (m_empty.back() ? "\n" : ",\n") << std::string(2 * m_empty.size(), ' ');
    m_empty.back() = false;
}

void
JsonWriter::Key(const std::string& key)
{
    Separate();
    Write(key);
    m_os << ": ";
}

void
JsonWriter::Open(char bracket)
{
    m_os << bracket;
    m_empty.push_back(true);
}

void
JsonWriter::Close(char bracket)
{
    NS_ASSERT_MSG(!m_empty.empty(), "nothing is open");
    const bool empty = m_empty.back();
    m_empty.pop_back();
    if (!empty)
    {
        m_os << "\n" << std::string(2 * m_empty.size(), ' ');
    }
    m_os << bracket;
    if (m_empty.empty())
    {
        m_os << std::endl;
    }
}

void
JsonWriter::Write(const std::string& text)
{
    m_os << '"';
    for (const char c : text)
    {
        if (c == '"' || c == '\\')
        {
            m_os << '\\' << c;
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
            m_os << escaped;
        }
        else
        {
            m_os << c;
        }
    }
    m_os << '"';
}

void
JsonWriter::Write(const char* text)
{
    Write(std::string(text));
}

void
JsonWriter::Write(bool value)
{
    m_os << (value ? "true" : "false");
}

void
JsonWriter::Write(double value)
{
    if (!std::isfinite(value))
    {
        m_os << "null";
        return;
    }
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    m_os << digits;
}

} // namespace ns3
