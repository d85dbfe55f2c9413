/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "goal-directive.h"

#include "trace-text.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::size_t SIGN = 3; // "//!"

/** @return the value of a hexadecimal digit; 16 if it is none */
uint32_t
FindHexDigit(char digit)
{
    static const std::string DIGITS = "0123456789abcdef";
    return std::min<std::size_t>(DIGITS.find(digit), 16);
}

} // namespace

const char* const GoalDirective::HEADER = "//! photonic-rails 1";

GoalDirective::GoalDirective(const std::string& line)
    : m_line(line),
      m_next(std::min(SIGN, line.size()))
{
}

std::string
GoalDirective::Take()
{
    const std::size_t first = std::min(m_line.find_first_not_of(' ', m_next), m_line.size());
    m_next = std::min(m_line.find(' ', first), m_line.size());
    return m_line.substr(first, m_next - first);
}

std::string
GoalDirective::TakeWord(const std::string& what)
{
    const std::string word = Take();
    if (word.empty())
    {
        throw TraceMistake(what, "the end of the line");
    }
    return word;
}

uint64_t
GoalDirective::TakeNumber(uint64_t most, const std::string& what)
{
    return ReadTraceNumber(TakeWord(what), most, what);
}

std::string
GoalDirective::TakeText()
{
    std::string text;
    std::size_t next = std::min(m_next + 1, m_line.size()); // behind one blank
    for (; next < m_line.size(); ++next)
    {
        const uint32_t high = next + 2 < m_line.size() ? FindHexDigit(m_line[next + 1]) : 16;
        const uint32_t low = next + 2 < m_line.size() ? FindHexDigit(m_line[next + 2]) : 16;
        if (m_line[next] == '%' && high < 16 && low < 16)
        {
            text += static_cast<char>(high * 16 + low);
            next += 2;
        }
        else
        {
            text += m_line[next];
        }
    }
    m_next = m_line.size();
    return text;
}

bool
GoalDirective::IsOver() const
{
    return m_line.find_first_not_of(' ', m_next) == std::string::npos;
}

std::string
GoalDirective::Quote(const std::string& text)
{
    static const char* const DIGITS = "0123456789abcdef";
    std::string quoted;
    for (const char letter : text)
    {
        const auto code = static_cast<unsigned char>(letter);
        if (code < 0x20 || letter == '%')
        {
            quoted += std::string("%") + DIGITS[code / 16] + DIGITS[code % 16];
        }
        else
        {
            quoted += letter;
        }
    }
    return quoted;
}

} // namespace ns3
