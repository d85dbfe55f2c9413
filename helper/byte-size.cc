/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "byte-size.h"

namespace ns3
{

std::optional<uint64_t>
ParseByteSize(const std::string& words)
{
    constexpr uint64_t MOST = uint64_t{1} << 63;
    uint64_t bytes = 0;
    std::size_t i = 0;
    for (; i < words.size() && words[i] >= '0' && words[i] <= '9'; ++i)
    {
        const uint64_t digit = words[i] - '0';
        if (bytes > (MOST - digit) / 10)
        {
            return std::nullopt;
        }
        bytes = bytes * 10 + digit;
    }
    if (i == 0 || words.size() > i + 1)
    {
        return std::nullopt;
    }
    static const std::string units = "KMGT";
    const std::size_t unit = i == words.size() ? 0 : units.find(words[i]) + 1;
    if (i < words.size() && (unit == 0 || bytes > MOST >> (10 * unit)))
    {
        return std::nullopt;
    }
    return bytes << (10 * unit);
}

} // namespace ns3
