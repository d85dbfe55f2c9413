/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "span-text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <sstream>

namespace ns3
{

std::string
ToMillisecondsOrSeconds(double picoseconds)
{
    const bool isLong = std::abs(picoseconds) >= 999.9995e9; // or it would be printed as 1000.000
    std::ostringstream text;
    text << std::fixed << std::setprecision(3) << picoseconds / (isLong ? 1e12 : 1e9)
         << (isLong ? " s" : "");
    return text.str();
}

std::string
ToSpanText(double picoseconds)
{
    const std::string text = ToMillisecondsOrSeconds(picoseconds);
    return text.back() == 's' ? text : text + " ms";
}

std::string
ToExactSpanText(int64_t picoseconds)
{
    const std::string digits = std::to_string(std::abs(picoseconds));
    const std::size_t thousands = std::min<std::size_t>(4, (digits.size() - 1) / 3);
    const std::size_t whole = digits.size() - 3 * thousands;
    std::string part = digits.substr(whole);
    part.erase(part.find_last_not_of('0') + 1);
    static const std::array<const char*, 5> units{"ps", "ns", "us", "ms", "s"};
    return (picoseconds < 0 ? "-" : "") + digits.substr(0, whole) +
           (part.empty() ? "" : "." + part) + (picoseconds == 0 ? "s" : units[thousands]);
}

} // namespace ns3
