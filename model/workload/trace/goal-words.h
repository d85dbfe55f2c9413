/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GOAL_WORDS_H
#define PHOTONIC_RAILS_GOAL_WORDS_H

#include "trace-text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The words of GOAL text: names, numbers, signs, and "\n" for the end of a line.
 *
 * A comment is no word, unless it is a directive (`//!`) and they are taken: then it is one word,
 * to the end of its line. Methods throw TraceMistake.
 */
class GoalWords
{
  public:
    explicit GoalWords(TraceText& text);

    /** @return the next word, without consuming it; empty: end of the text */
    const std::string& Peek();

    /** Consumes the next word. @return it */
    std::string Take();

    /** Consumes a word if it is the next one. @return whether it is */
    bool Takes(const std::string& word);

    /** Consumes a word, which must be the next one. */
    void Expect(const std::string& word);

    /** @return the next word, which must be a number */
    uint64_t TakeNumber(uint64_t most, const std::string& what);

    /** @return the next word, which must be a label */
    std::string TakeLabel();

    /** Skips ends of lines. */
    void SkipLines();

    /** @return whether the next word is a directive */
    bool IsDirective();

    /** From now on directives are comments, the next word too. */
    void IgnoreDirectives();

    /** @return whether a word is a label or a key word */
    static bool IsName(const std::string& word);

    /** Throws an error at an unexpected word. */
    [[noreturn]] void Fail(const std::string& expected);

  private:
    /** @return the next word */
    std::string Read();
    /** Skips blanks and comments. */
    void SkipBlanks(const std::string& line);
    /** @return the word that begins here */
    std::string Cut(const std::string& line);

    TraceText& m_text;
    bool m_hasLine{false};
    bool m_isComment{false};
    bool m_hasDirectives{true};
    std::size_t m_next{0}; //!< in the line
    std::optional<std::string> m_word;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GOAL_WORDS_H */
