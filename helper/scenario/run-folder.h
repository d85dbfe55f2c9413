/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RUN_FOLDER_H
#define PHOTONIC_RAILS_RUN_FOLDER_H

#include "ns3/json-writer.h"
#include "ns3/output-file.h"
#include "ns3/report-notices.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <streambuf>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The folder of a run of a program, with its files and the record of its origin, `run.json`.
 *
 * `run.json` is there from the begin of the run on. Its `status` is `running`, then `complete`;
 * after an error, Ctrl-C or SIGTERM it is `ended early`, with the reason in `error` where there is
 * one. After a SIGKILL it stays `running`. A reader finds one of these texts at any time, never
 * half of one. A second program with the same folder aborts while the first one runs.
 * @code
 * RunFolder folder("out", [](JsonWriter& json) { json.Field("program", "incast"); });
 * folder.GetFile("results.json"); // out/results.json
 * folder.Complete();
 * @endcode
 */
class RunFolder : private std::streambuf
{
  public:
    /** Writes members of an object. */
    using Fields = std::function<void(JsonWriter& json)>;

    /** @return the reason for which there could not be a folder of this name; empty: there could */
    static std::string FindFault(const std::string& path);

    /**
     * Makes the folder, unless it is there; writes `run.json`.
     * @param origin writes the members of `run.json` that say what is run
     */
    RunFolder(const std::string& path, const Fields& origin);
    ~RunFolder() override;
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    /** @return the end of the program of a folder, as its `run.json` has it */
    static ReportedEnd ReadEnd(const std::string& path);

    /** @return the name of a file in a folder */
    static std::string GetFile(const std::string& folder, const std::string& name);

    /** @return the name of the folder */
    const std::string& GetPath() const;
    /** @return the name of a file in it */
    std::string GetFile(const std::string& name) const;

    /** The run is complete. */
    void Complete();

  private:
    /** @return the contents of `run.json` */
    std::string MakeJson(const std::string& status) const;
    /** A fatal error flushes all streams: its reason goes into the file. */
    int sync() override;

    std::string m_path;
    Fields m_origin;
    std::string m_begun; //!< the time of the day, UTC
    double m_begin;      //!< of the monotonic clock
    OutputFile m_file;
    std::ostream m_stream; //!< for fatal errors
    int m_process;         //!< that writes it: copies by fork() do not
    bool m_isOver{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RUN_FOLDER_H */
