/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "goal-words.h"

namespace ns3
{

namespace
{

const std::string DIRECTIVE = "//!";

bool
IsLetter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

bool
IsDigit(char letter)
{
    return letter >= '0' && letter <= '9';
}

} // namespace

GoalWords::GoalWords(TraceText& text)
    : m_text(text)
{
}

const std::string&
GoalWords::Peek()
{
    if (!m_word)
    {
        m_word = Read();
    }
    return *m_word;
}

std::string
GoalWords::Take()
{
    std::string word = Peek();
    m_word.reset();
    return word;
}

bool
GoalWords::Takes(const std::string& word)
{
    const bool isNext = Peek() == word;
    if (isNext)
    {
        m_word.reset();
    }
    return isNext;
}

void
GoalWords::Expect(const std::string& word)
{
    if (!Takes(word))
    {
        Fail("\"" + word + "\"");
    }
}

uint64_t
GoalWords::TakeNumber(uint64_t most, const std::string& what)
{
    if (Peek().empty() || !IsDigit(Peek()[0]))
    {
        Fail(what + ", a whole number up to " + std::to_string(most));
    }
    return ReadTraceNumber(Take(), most, what);
}

std::string
GoalWords::TakeLabel()
{
    if (!IsName(Peek()))
    {
        Fail("a label");
    }
    return Take();
}

void
GoalWords::SkipLines()
{
    while (Takes("\n") || Takes(";"))
    {
    }
}

bool
GoalWords::IsDirective()
{
    return Peek().compare(0, DIRECTIVE.size(), DIRECTIVE) == 0;
}

void
GoalWords::IgnoreDirectives()
{
    m_hasDirectives = false;
    if (IsDirective())
    {
        m_word.reset();
    }
}

bool
GoalWords::IsName(const std::string& word)
{
    return !word.empty() && IsLetter(word[0]);
}

void
GoalWords::Fail(const std::string& expected)
{
    const std::string& word = Peek();
    throw TraceMistake(expected,
                       word.empty()   ? "the end of the file"
                       : word == "\n" ? "the end of the line"
                                      : QuoteTraceText(word));
}

std::string
GoalWords::Read()
{
    for (;;)
    {
        if (!m_hasLine)
        {
            m_hasLine = m_text.Next();
            m_next = 0;
            if (!m_hasLine)
            {
                if (m_isComment)
                {
                    throw TraceMistake("\"*/\" after \"/*\"", "the end of the file");
                }
                return "";
            }
        }
        const std::string& line = m_text.GetLine();
        SkipBlanks(line);
        if (m_next == line.size())
        {
            m_hasLine = false;
            if (m_isComment)
            {
                continue;
            }
            return "\n";
        }
        return Cut(line);
    }
}

void
GoalWords::SkipBlanks(const std::string& line)
{
    while (m_next < line.size())
    {
        if (m_isComment)
        {
            const std::size_t end = line.find("*/", m_next);
            m_isComment = end == std::string::npos;
            m_next = m_isComment ? line.size() : end + 2;
        }
        else if (line.compare(m_next, 2, "/*") == 0)
        {
            m_isComment = true;
            m_next += 2;
        }
        else if (m_hasDirectives && line.compare(m_next, DIRECTIVE.size(), DIRECTIVE) == 0)
        {
            return;
        }
        else if (line.compare(m_next, 2, "//") == 0)
        {
            m_next = line.size();
        }
        else if (line[m_next] == ' ' || line[m_next] == '\t')
        {
            ++m_next;
        }
        else
        {
            return;
        }
    }
}

std::string
GoalWords::Cut(const std::string& line)
{
    const std::size_t first = m_next++;
    if (line[first] == '/') // a directive, or no word of GOAL
    {
        m_next = line.size();
    }
    else if (IsDigit(line[first]))
    {
        while (m_next < line.size() && IsDigit(line[m_next]))
        {
            ++m_next;
        }
    }
    else if (IsLetter(line[first]))
    {
        while (m_next < line.size() &&
               (IsLetter(line[m_next]) || IsDigit(line[m_next]) || line[m_next] == '_'))
        {
            ++m_next;
        }
    }
    return line.substr(first, m_next - first);
}

} // namespace ns3
