/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OUTPUT_FILE_H
#define PHOTONIC_RAILS_OUTPUT_FILE_H

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A file that is there as a whole, or as it was before.
 *
 * What is written goes to `PATH.part`, which becomes PATH when all of it is on the disk. So a
 * reader never sees half a file, and a program that fails leaves the file of the last run. A
 * program that would write the file at the same time is refused. Devices and pipes (`/dev/stdout`)
 * are written at once.
 *
 * Everything fails with a message that names the file and the reason (std::runtime_error).
 * @code
 * OutputFile file("results.json");
 * file.Replace(text); // as often as there is more
 * @endcode
 */
class OutputFile
{
  public:
    /** @return why a file could not be written; empty: it could @param path any */
    static std::string FindFault(const std::string& path);

    /** Claims a file; it is as before until Replace(). @param path where; `-` is the terminal */
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /** The file's contents are these from now on. @param text all of them */
    void Replace(const std::string& text);

    /** @return where */
    const std::string& GetPath() const;

  private:
    /** Opens what is written to, alone. */
    void Open();
    /** Writes all of a text. */
    void Write(const std::string& text) const;

    std::string m_path;
    bool m_isRegular{true};
    std::string m_part;
    int m_file{-1};
};

/**
 * @return two names of one file, or not
 * @param one a path
 * @param other a path; neither need be there
 */
bool IsSameFile(const std::string& one, const std::string& other);

/** Fails if what was printed is not where it was to go: a full disk, a closed pipe. */
void CheckStandardOutput();

} // namespace ns3

#endif /* PHOTONIC_RAILS_OUTPUT_FILE_H */
