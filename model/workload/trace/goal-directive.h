/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GOAL_DIRECTIVE_H
#define PHOTONIC_RAILS_GOAL_DIRECTIVE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A directive of GOAL text: a comment `//! WORD ARGUMENTS`, which says what GOAL has no
 * words for (GoalTraceWriter).
 *
 * Methods throw TraceMistake.
 */
class GoalDirective
{
  public:
    /** The first line of a file with directives, whose nodes are whole programs. */
    static const char* const HEADER;

    /** @param line the comment */
    explicit GoalDirective(const std::string& line);

    /** @return the next argument; empty if there is none */
    std::string Take();

    /** @return the next argument, which must be there @param what its meaning */
    std::string TakeWord(const std::string& what);

    /** @return the next argument, which must be a number */
    uint64_t TakeNumber(uint64_t most, const std::string& what);

    /** @return the rest of the line, as text that Quote() has made of it */
    std::string TakeText();

    /** @return whether no argument is left */
    bool IsOver() const;

    /** @return a text without control characters, which TakeText() restores */
    static std::string Quote(const std::string& text);

  private:
    std::string m_line;
    std::size_t m_next{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GOAL_DIRECTIVE_H */
