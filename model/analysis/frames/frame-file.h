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
 * @brief A file that records are appended to, in large pieces.
 *
 * It is complete when the object is gone. A file that cannot be written ends the program; if
 * another error does, the records that the system has are the file (OutputFile).
 */
class FrameFile
{
  public:
    static constexpr std::size_t LARGEST = 1 << 17; //!< bytes of a record, at most

    /** @param name of the file, which is made anew */
    explicit FrameFile(const std::string& name);
    ~FrameFile();

    FrameFile(const FrameFile&) = delete;
    FrameFile& operator=(const FrameFile&) = delete;

    /**
     * @param bytes how many, at most LARGEST
     * @return where to put them
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
     * Appends what was put there.
     * @param bytes how many, at most as many as were reserved
     */
    void Append(std::size_t bytes)
    {
        m_used += bytes;
    }

    /** Hands all that was appended to the system. */
    void Flush();

  private:
    static constexpr std::size_t SIZE = 2 * LARGEST; //!< of the buffer, in bytes

    OutputFile m_file;
    std::unique_ptr<char[]> m_buffer; //!< of which the system gives no memory before it is used
    std::size_t m_used{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_FILE_H */
