/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-node.h"

namespace ns3
{

std::string
TraceError::ToString() const
{
    std::string words = file;
    if (line > 0)
    {
        words += ":" + std::to_string(line);
    }
    if (offset)
    {
        words += ": byte " + std::to_string(*offset);
    }
    return words + ": expected " + expected + ", found " + found;
}

void
TraceConsumer::File(const std::string&, bool)
{
}

std::string
TraceConsumer::Ranks(uint32_t)
{
    return "";
}

std::string
TraceConsumer::Group(const std::string&, const std::vector<uint32_t>&)
{
    return "";
}

std::string
TraceConsumer::Program(uint32_t, const std::vector<TraceProgramGroup>&)
{
    return "";
}

std::string
TraceConsumer::Alike(uint32_t, uint32_t, uint32_t)
{
    return "";
}

std::string
TraceConsumer::Skip(const std::string&, uint64_t)
{
    return "";
}

} // namespace ns3
