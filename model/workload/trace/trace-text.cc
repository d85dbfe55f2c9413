/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-text.h"

#include <algorithm>
#include <utility>

namespace ns3
{

TraceMistake::TraceMistake(const std::string& expected, const std::string& found)
    : std::runtime_error("expected " + expected + ", found " + found),
      m_expected(expected),
      m_found(found)
{
}

void
TraceMistake::ThrowIf(const std::string& complaint)
{
    if (!complaint.empty())
    {
        throw TraceMistake("what a job can be made of", complaint);
    }
}

std::string
QuoteTraceText(const std::string& text)
{
    constexpr std::size_t MOST = 40;
    std::string words = text.substr(0, MOST);
    for (char& letter : words)
    {
        letter = letter < ' ' || letter > '~' ? '?' : letter;
    }
    return "\"" + words + (text.size() > MOST ? "...\"" : "\"");
}

uint64_t
ReadTraceNumber(const std::string& word, uint64_t most, const std::string& what)
{
    uint64_t number = 0;
    bool isRight = !word.empty();
    for (const char letter : word)
    {
        const uint64_t digit = static_cast<unsigned char>(letter) - uint64_t{'0'};
        isRight = isRight && digit <= 9 && digit <= most && number <= (most - digit) / 10;
        if (!isRight)
        {
            break;
        }
        number = number * 10 + digit;
    }
    if (!isRight)
    {
        throw TraceMistake(what + ", a whole number up to " + std::to_string(most),
                           QuoteTraceText(word));
    }
    return number;
}

Picoseconds
ReadTraceTime(const std::string& word, uint32_t digits, const std::string& what)
{
    const std::string expected = what + ", a decimal number with up to " + std::to_string(digits) +
                                 " digits after the point, of up to 106 days";
    const std::size_t point = std::min(word.find('.'), word.size());
    std::string whole = word.substr(0, point);
    std::string part = point == word.size() ? "" : word.substr(point + 1);
    const std::size_t last = part.find_last_not_of('0');
    const bool isRight = !whole.empty() && (point == word.size() || !part.empty());
    part.resize(last == std::string::npos ? 0 : last + 1);
    if (!isRight || part.size() > digits)
    {
        throw TraceMistake(expected, QuoteTraceText(word));
    }
    part.resize(digits, '0');
    try
    {
        return static_cast<Picoseconds>(
            ReadTraceNumber(whole + part, static_cast<uint64_t>(NEVER) - 1, what));
    }
    catch (const TraceMistake&)
    {
        throw TraceMistake(expected, QuoteTraceText(word));
    }
}

TraceText::TraceText(std::istream& in, std::string name)
    : m_in(in),
      m_name(std::move(name)),
      m_buffer(MAX_LINE)
{
}

bool
TraceText::Fill()
{
    m_in.read(m_buffer.data(), static_cast<std::streamsize>(m_buffer.size()));
    m_next = 0;
    m_end = static_cast<std::size_t>(m_in.gcount());
    if (m_in.bad())
    {
        throw TraceMistake("a file that can be read to its end", "an error of the system");
    }
    return m_end > 0;
}

bool
TraceText::Next()
{
    m_line.clear();
    if (m_next == m_end && !Fill())
    {
        return false;
    }
    ++m_number;
    do
    {
        const char* const first = m_buffer.data() + m_next;
        const char* const end = m_buffer.data() + m_end;
        const char* const stop = std::find(first, end, '\n');
        if (m_line.size() + static_cast<std::size_t>(stop - first) > MAX_LINE)
        {
            throw TraceMistake("lines of up to " + std::to_string(MAX_LINE) + " bytes",
                               "a longer one");
        }
        m_line.append(first, stop);
        m_next = static_cast<std::size_t>(stop - m_buffer.data());
        if (stop != end)
        {
            ++m_next;
            break;
        }
    } while (Fill());
    if (!m_line.empty() && m_line.back() == '\r')
    {
        m_line.pop_back();
    }
    return true;
}

TraceError
TraceText::MakeError(const TraceMistake& mistake) const
{
    TraceError error;
    error.file = m_name;
    error.line = std::max<uint64_t>(m_number, 1);
    error.expected = mistake.GetExpected();
    error.found = mistake.GetFound();
    return error;
}

} // namespace ns3
