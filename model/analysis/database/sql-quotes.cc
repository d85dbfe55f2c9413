/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sql-quotes.h"

namespace ns3
{

namespace
{

/** @return a text in quotes; those in it are doubled */
std::string
InQuotes(const std::string& text, char quote)
{
    std::string quoted(1, quote);
    for (const char one : text)
    {
        quoted += one == quote ? std::string(2, quote) : std::string(1, one);
    }
    return quoted + quote;
}

} // namespace

std::string
QuoteSqlName(const std::string& name)
{
    return InQuotes(name, '"');
}

std::string
QuoteSqlText(const std::string& text)
{
    return InQuotes(text, '\'');
}

} // namespace ns3
