/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "chakra-file.h"

#include "trace-text.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Bytes of a read. */
constexpr uint64_t STEP = 65'536;

} // namespace

ChakraFile::ChakraFile(std::istream& in)
    : m_in(in)
{
}

bool
ChakraFile::Next()
{
    m_place = m_first = m_offset;
    const std::optional<uint64_t> length = ReadLength();
    if (!length)
    {
        return false;
    }
    if (*length > MAX_CHAKRA_MESSAGE)
    {
        throw TraceMistake("a message of up to " + std::to_string(MAX_CHAKRA_MESSAGE) + " bytes",
                           "one of " + std::to_string(*length));
    }
    m_first = m_offset;
    m_message.clear();
    // memory follows the contents of the file, not a stated length
    while (m_message.size() < *length)
    {
        const std::size_t had = m_message.size();
        const std::size_t step = std::min<uint64_t>(*length - had, STEP);
        m_message.resize(had + step);
        m_in.read(&m_message[had], static_cast<std::streamsize>(step));
        const auto come = static_cast<std::size_t>(m_in.gcount());
        m_offset += come;
        if (come < step)
        {
            m_place = m_offset;
            throw TraceMistake("a message of " + std::to_string(*length) + " bytes",
                               "the end of the file after " + std::to_string(had + come));
        }
    }
    return true;
}

std::optional<uint64_t>
ChakraFile::ReadLength()
{
    uint64_t length = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7)
    {
        const int byte = m_in.get();
        if (byte == std::istream::traits_type::eof())
        {
            if (shift == 0)
            {
                return {};
            }
            throw TraceMistake("the length of a message", "the end of the file");
        }
        ++m_offset;
        if (shift == 63 && (byte & 0x7e) != 0)
        {
            break;
        }
        length |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
        {
            return length;
        }
    }
    throw TraceMistake("the length of a message, in up to 10 bytes", "a longer number");
}

} // namespace ns3
