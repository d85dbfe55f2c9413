/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OUTPUT_FILE_H
#define PHOTONIC_RAILS_OUTPUT_FILE_H

#include "unfinished-files.h"

#include <cstdint>
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
 * A file that cannot be written, at its beginning or later (the disk is full), ends the program by
 * an NS_ABORT that names the file and the reason.
 * @code
 * OutputFile results("results.json");
 * results.Replace(text); // as often as there is more
 *
 * OutputFile list("list.txt");
 * list.Append(line); // for each
 * list.Complete();
 * @endcode
 */
class OutputFile
{
  public:
    using OnError = UnfinishedFiles::OnError;

    /** @return why a file could not be written; empty: it could */
    static std::string FindFault(const std::string& path);

    /**
     * @return the name of a run's own file, where each of several has one: "out-b.json"
     * @param path the name for all: "out.json"
     * @param run the run's name: "b"; blanks in it become dashes
     */
    static std::string GetNameOf(const std::string& path, std::string run);

    /**
     * Claims a file; it is as before until Replace() or Complete().
     * @param path where; `-` is the terminal
     * @param onError what becomes of what is there if the program ends by an error, or the object
     * goes without Complete()
     */
    explicit OutputFile(const std::string& path, OnError onError = OnError::REMOVE);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /** @return whether Replace() makes a new whole of it; a pipe or device gets all one by one */
    bool IsReplaceable() const;

    /** The file's contents are these from now on. @param text all of them */
    void Replace(const std::string& text);

    /**
     * The file goes on with a text.
     * @param end what stands behind it as long as nothing else does, such as closing brackets, so
     * that a process that is killed leaves a readable `PATH.part`
     */
    void Append(const std::string& text, const std::string& end = "");

    /** The same, of bytes. @param bytes the first */
    void Append(const char* bytes, std::size_t count);

    /** All that was appended is the file. Nothing comes later. */
    void Complete();

  private:
    /** Opens what is written to, alone. */
    void Open();
    /** Opens a device, a pipe or the terminal. */
    void OpenDevice();
    /** Writes bytes in place of an end; they are all that comes after what was appended. */
    void WriteOver(const char* bytes, std::size_t count);
    /** Writes all of some bytes. */
    void Write(const char* bytes, std::size_t count);
    /** Closes the file, and what was written to it takes its place. */
    void Publish();
    /** The file cannot be written. @param error of the system */
    [[noreturn]] void Fail(int error);

    std::string m_path;
    OnError m_onError;
    bool m_isRegular{true};
    std::string m_part;
    std::string m_end; //!< of a device: not written yet
    int64_t m_size{0}; //!< of what was appended, without its end
    int m_file{-1};    //!< -1: it is not open
};

/**
 * @return two names of one file, or not
 * @param other a path; neither need be there
 */
bool IsSameFile(const std::string& one, const std::string& other);

/** Fails if what was printed is not where it was to go: a full disk, a closed pipe. */
void CheckStandardOutput();

} // namespace ns3

#endif /* PHOTONIC_RAILS_OUTPUT_FILE_H */
