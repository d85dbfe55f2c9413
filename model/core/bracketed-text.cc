/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bracketed-text.h"

#include <cstddef>

namespace ns3
{

std::vector<std::string>
SplitOutsideBrackets(const std::string& text, char separator)
{
    std::vector<std::string> parts(1);
    std::size_t depth = 0;
    for (const char character : text)
    {
        depth += character == '[' ? 1 : 0;
        depth -= character == ']' && depth > 0 ? 1 : 0;
        if (character == separator && depth == 0)
        {
            parts.emplace_back();
            continue;
        }
        parts.back() += character;
    }
    return parts;
}

bool
HasMatchedBrackets(const std::string& text)
{
    std::size_t depth = 0;
    for (const char character : text)
    {
        if (character == ']' && depth == 0)
        {
            return false;
        }
        depth += character == '[' ? 1 : 0;
        depth -= character == ']' ? 1 : 0;
    }
    return depth == 0;
}

} // namespace ns3
