/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_FILE_H
#define PHOTONIC_RAILS_FRAME_FILE_H

#include "ns3/output-file.h"

#include <cstddef>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A file of records, which is written in large blocks.
 *
 * The file is complete when the object is destroyed. A write error ends the program; after another
 * fatal error the file has the records that were already written (OutputFile).
 */
class FrameFile
{
  public:
    static constexpr std::size_t LARGEST = 1 << 17; //!< largest size of a record, in bytes

    /** @param name of the file; an existing file is replaced */
    explicit FrameFile(const std::string& name);
    ~FrameFile();

    FrameFile(const FrameFile&) = delete;
    FrameFile& operator=(const FrameFile&) = delete;

    /**
     * @param bytes at most LARGEST
     * @return the place to write them to
     */
    char* Reserve(std::size_t bytes)
    {
        if (m_used + bytes > SIZE)
        {
            Flush();
        }
        return m_buffer.get() + m_used;
    }

    /**
     * Appends the bytes at that place.
     * @param bytes at most the reserved number
     */
    void Append(std::size_t bytes)
    {
        m_used += bytes;
    }

    /** Writes all appended records to the system. */
    void Flush();

  private:
    static constexpr std::size_t SIZE = 2 * LARGEST; //!< of the buffer, in bytes

    OutputFile m_file;
    std::unique_ptr<char[]> m_buffer; //!< the system allocates its memory at first use
    std::size_t m_used{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_FILE_H */
