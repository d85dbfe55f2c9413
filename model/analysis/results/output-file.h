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
 * @brief A file that is replaced as a whole or not at all.
 *
 * The contents go to `PATH.part`, which becomes PATH when all of it is on the disk. So a reader
 * never finds half a file, and a program that fails leaves the file of the last run. A second
 * program that writes the same file at the same time aborts. Devices and pipes (`/dev/stdout`) are
 * written at once.
 *
 * A write error, at the beginning or later (the disk is full), ends the program by an NS_ABORT that
 * names the file and the reason.
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

    /** @return the reason for which a file could not be written; empty: it could */
    static std::string FindFault(const std::string& path);

    /**
     * @return the name of a run's own file, where several runs have one each: "out-b.json"
     * @param path the name for all: "out.json"; empty, if no file is asked for: so is the result
     * @param run the run's name: "b"; blanks in it become dashes
     */
    static std::string GetNameOf(const std::string& path, std::string run);

    /**
     * Opens a file for this process; PATH does not change until Replace() or Complete().
     * @param path `-` is the terminal
     * @param onError the treatment of the partial file if the program ends by an error, or the
     *        object is destroyed without Complete()
     */
    explicit OutputFile(const std::string& path, OnError onError = OnError::REMOVE);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /**
     * @return whether Replace() replaces the file; a pipe or device receives all versions one after
     *         the other
     */
    bool IsReplaceable() const;

    /** Replaces the contents of the file. @param text the whole contents */
    void Replace(const std::string& text);

    /**
     * Appends a text to the file.
     * @param end closes the file as long as no text follows, such as closing brackets, so that a
     *        killed process leaves a readable `PATH.part`
     */
    void Append(const std::string& text, const std::string& end = "");

    /** Appends bytes. @param bytes the first of them */
    void Append(const char* bytes, std::size_t count);

    /** Completes the file with all appended text. No call may follow. */
    void Complete();

  private:
    /** Opens `PATH.part` for this process only. */
    void Open();
    /** Opens a device, a pipe or the terminal. */
    void OpenDevice();
    /** Writes bytes in place of the end, after the appended text. */
    void WriteOver(const char* bytes, std::size_t count);
    /** Writes all of some bytes. */
    void Write(const char* bytes, std::size_t count);
    /** Closes the file and moves it to its place. */
    void Publish();
    /** Aborts after a write error. @param error the system's error number */
    [[noreturn]] void Fail(int error);

    std::string m_path;
    OnError m_onError;
    bool m_isRegular{true};
    std::string m_part;
    std::string m_end; //!< of a device: not written yet
    int64_t m_size{0}; //!< of the appended text, without its end
    int m_file{-1};    //!< -1: it is not open
};

/**
 * @return whether two names refer to one file
 * @param other a path; neither file need exist
 */
bool IsSameFile(const std::string& one, const std::string& other);

/** Aborts if the standard output could not be written: a full disk, a closed pipe. */
void CheckStandardOutput();

} // namespace ns3

#endif /* PHOTONIC_RAILS_OUTPUT_FILE_H */
