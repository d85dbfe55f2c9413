/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_READABLE_FILE_H
#define PHOTONIC_RAILS_READABLE_FILE_H

#include "output-file.h"

#include <cstddef>
#include <functional>
#include <ostream>
#include <streambuf>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A growing text file with an end, such as closing brackets: it has its end after each part
 * that is written, and the next part begins where the end was.
 *
 * So what was written is readable if the process is killed. ns-3's fatal errors flush a registered
 * stream on the file, which completes it.
 */
class ReadableFile : private std::streambuf
{
  public:
    /** The texts of a file, and how often it is written. */
    struct Form
    {
        std::string head;
        std::string tail;
        std::size_t part{1 << 16}; //!< largest number of characters in memory
    };

    /**
     * @param filename aborts if it cannot be written
     * @param complete adds what is still to be added when the file is completed; may be empty
     */
    ReadableFile(const std::string& filename,
                 const Form& form,
                 const std::function<void()>& complete = {});
    ~ReadableFile() override;
    ReadableFile(const ReadableFile&) = delete;
    ReadableFile& operator=(const ReadableFile&) = delete;

    /** Adds a text that leaves the file readable. */
    void Add(const std::string& text);

  private:
    /** Completes the file. */
    int sync() override;
    /** Writes the text in memory. */
    void WriteOut();

    OutputFile m_file;
    std::ostream m_stream; //!< for callers that flush all streams
    Form m_form;
    std::function<void()> m_complete;
    std::string m_text; //!< not written yet
    bool m_isOver{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_READABLE_FILE_H */
