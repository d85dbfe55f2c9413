/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "span-words.h"

#include <map>

namespace ns3
{

namespace
{

/** @return whether a character is a decimal digit */
bool
IsDigit(char character)
{
    return character >= '0' && character <= '9';
}

} // namespace

std::optional<Picoseconds>
ParseSpan(const std::string& words)
{
    static const std::map<std::string, Picoseconds> units{{"ns", 1'000},
                                                          {"us", 1'000'000},
                                                          {"ms", 1'000'000'000},
                                                          {"s", 1'000'000'000'000}};
    std::size_t end = 0;
    while (end < words.size() && (IsDigit(words[end]) || words[end] == '.'))
    {
        ++end;
    }
    const std::string number = words.substr(0, end);
    const auto unit = units.find(words.substr(end));
    const std::size_t point = number.find('.');
    if (unit == units.end() || number.find('.', point + 1) != std::string::npos || number.empty() ||
        !IsDigit(number.front()) || !IsDigit(number.back()))
    {
        return std::nullopt;
    }
    Picoseconds span = 0;
    Picoseconds worth = unit->second; // of a digit
    for (std::size_t i = 0; i < number.size(); ++i)
    {
        if (i == point)
        {
            continue;
        }
        if (point < i)
        {
            if (worth % 10 != 0)
            {
                return std::nullopt;
            }
            worth /= 10;
        }
        const Picoseconds digit = number[i] - '0';
        if (span > (NEVER / worth - digit) / 10)
        {
            return std::nullopt;
        }
        span = span * 10 + digit;
    }
    return span * worth;
}

} // namespace ns3
