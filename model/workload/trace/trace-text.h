/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_TEXT_H
#define PHOTONIC_RAILS_TRACE_TEXT_H

#include "trace-node.h"

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{

/** A mistake at one place of a trace. Readers throw it internally, and return a TraceError. */
class TraceMistake : public std::runtime_error
{
  public:
    /** @param expected the expected input @param found the actual input */
    TraceMistake(const std::string& expected, const std::string& found);

    /** @return the expected input */
    const std::string& GetExpected() const
    {
        return m_expected;
    }

    /** @return the actual input */
    const std::string& GetFound() const
    {
        return m_found;
    }

    /** Throws if a consumer has returned an error. @param complaint its result; empty: no error */
    static void ThrowIf(const std::string& complaint);

  private:
    std::string m_expected;
    std::string m_found;
};

/** @return text for an error message: shortened, without control characters */
std::string QuoteTraceText(const std::string& text);

/**
 * @param word digits
 * @param most largest valid number
 * @param what its meaning, for the error
 * @return the number
 */
uint64_t ReadTraceNumber(const std::string& word, uint64_t most, const std::string& what);

/**
 * Reads a time as an exact decimal number: no floating point.
 * @param word such as 12 or 12.5, without a sign or an exponent
 * @param digits significant digits after the point: 6 for microseconds; further digits must be
 *        zeros
 * @param what its meaning, for the error
 * @return picoseconds
 */
Picoseconds ReadTraceTime(const std::string& word, uint32_t digits, const std::string& what);

/**
 * @ingroup photonic-rails
 * @brief The lines of a text, through a buffer of a fixed size.
 *
 * @code
 * TraceText text(in, "job.goal");
 * return text.Read([&text, &reader]() { reader.TakeLine(text.GetLine(), text.GetNumber()); });
 * @endcode
 */
class TraceText
{
  public:
    static constexpr std::size_t MAX_LINE = 65'536; //!< largest size of a line, in bytes

    /** @param name of the text, for errors */
    TraceText(std::istream& in, std::string name);

    /** Goes to the next line; throws TraceMistake. @return whether there is one */
    bool Next();

    /** @return the line, without its end */
    const std::string& GetLine() const
    {
        return m_line;
    }

    /** @return its number, from 1 */
    uint64_t GetNumber() const
    {
        return m_number;
    }

    /** @return an error at this line */
    TraceError MakeError(const TraceMistake& mistake) const;

    /**
     * Calls a function that may throw TraceMistake.
     * @return the mistake with its place, if it throws one
     */
    template <typename T>
    TraceResult Guard(T what)
    {
        try
        {
            what();
        }
        catch (const TraceMistake& mistake)
        {
            return MakeError(mistake);
        }
        return {};
    }

  private:
    /** Fills the buffer. @return whether it received any bytes */
    bool Fill();

    std::istream& m_in;
    std::string m_name;
    std::vector<char> m_buffer;
    std::size_t m_next{0}; //!< the first unread byte of the buffer
    std::size_t m_end{0};  //!< end of the bytes in the buffer
    std::string m_line;
    uint64_t m_number{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_TEXT_H */
