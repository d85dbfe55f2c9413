/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "span-text.h"

#include <cmath>
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

} // namespace ns3
