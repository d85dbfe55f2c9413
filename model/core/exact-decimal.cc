/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exact-decimal.h"

namespace ns3
{

std::string
ToExactDecimal(int64_t value, uint32_t digits)
{
    const bool isNegative = value < 0;
    std::string text = std::to_string(isNegative ? 0 - static_cast<uint64_t>(value) : value);
    text.insert(0, text.size() > digits ? 0 : digits + 1 - text.size(), '0');
    text.insert(text.size() - digits, ".");
    text.resize(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
    {
        text.pop_back();
    }
    return (isNegative ? "-" : "") + text;
}

std::string
ToInstantText(Time at)
{
    const int64_t picoseconds = at.GetTimeStep();
    if (picoseconds >= 1'000'000'000'000)
    {
        return ToExactDecimal(picoseconds, 12) + " s";
    }
    return picoseconds >= 1'000'000'000 ? ToExactDecimal(picoseconds, 9) + " ms"
                                        : ToExactDecimal(picoseconds, 6) + " us";
}

} // namespace ns3
