/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-folder.h"

#include "error-line.h"
#include "monotonic-seconds.h"

#include "ns3/abort.h"
#include "ns3/fatal-impl.h"
#include "ns3/json-columns.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

const char* const RUN_FILE = "run.json";

/** @return the time of the day, such as 2026-01-31T23:59:59Z */
std::string
GetTimeOfDay()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/** Makes a folder, unless it is there; aborts if it can't. @return its name */
std::string
MakeFolder(const std::string& path)
{
    std::error_code error;
    std::filesystem::create_directory(path, error);
    NS_ABORT_MSG_IF(error, "cannot make the folder " << path << ": " << error.message());
    return path;
}

} // namespace

std::string
RunFolder::FindFault(const std::string& path)
{
    if (path.find_first_not_of(' ') == std::string::npos)
    {
        return "give the name of a folder";
    }
    std::error_code error;
    std::filesystem::path there = std::filesystem::absolute(path, error);
    there = there.has_filename() ? there : there.parent_path(); // without a slash at the end
    if (!std::filesystem::exists(there, error))
    {
        there = there.parent_path();
        if (!std::filesystem::exists(there, error))
        {
            return "there is no folder " + there.string();
        }
    }
    if (!std::filesystem::is_directory(there, error))
    {
        return there.string() + " is a file; give the name of a folder";
    }
    return access(there.c_str(), W_OK | X_OK) == 0
               ? ""
               : "folder " + there.string() + ": " + std::strerror(errno);
}

RunFolder::RunFolder(const std::string& path, const Fields& origin)
    : m_path(MakeFolder(path)),
      m_origin(origin),
      m_begun(GetTimeOfDay()),
      m_begin(GetMonotonicSeconds()),
      m_file(GetFile(RUN_FILE), OutputFile::OnError::KEEP),
      m_stream(this),
      m_process(getpid())
{
    m_file.Replace(MakeJson("running"));
    m_file.Append(MakeJson("ended early")); // which takes its place if the process ends by itself
    FatalImpl::RegisterStream(&m_stream);
}

RunFolder::~RunFolder()
{
    FatalImpl::UnregisterStream(&m_stream);
}

ReportedEnd
RunFolder::ReadEnd(const std::string& path)
{
    std::ifstream file(GetFile(path, RUN_FILE));
    std::ostringstream text;
    text << file.rdbuf();
    ReportedEnd end{"running", ""};
    for (const auto& [name, value] : ListColumns(text.str()))
    {
        if (name == "status")
        {
            end.status = value;
        }
        else if (name == "error")
        {
            end.error = value;
        }
    }
    return end;
}

std::string
RunFolder::GetFile(const std::string& folder, const std::string& name)
{
    return (std::filesystem::path(folder) / name).string();
}

const std::string&
RunFolder::GetPath() const
{
    return m_path;
}

std::string
RunFolder::GetFile(const std::string& name) const
{
    return GetFile(m_path, name);
}

void
RunFolder::Complete()
{
    m_isOver = true;
    m_file.Replace(MakeJson("complete"));
}

int
RunFolder::sync()
{
    if (!m_isOver && m_process == getpid())
    {
        m_isOver = true; // first: a full disk is a fatal error itself
        m_file.Replace(MakeJson("ended early"));
    }
    return 0;
}

std::string
RunFolder::MakeJson(const std::string& status) const
{
    std::ostringstream text;
    JsonWriter json(text);
    json.BeginObject();
    json.Field("status", status);
    if (!ErrorLine::GetReason().empty())
    {
        json.Field("error", ErrorLine::GetReason());
    }
    m_origin(json);
    json.Field("begun", m_begun);
    if (m_isOver)
    {
        json.Field("ended", GetTimeOfDay());
        json.Field("seconds", GetMonotonicSeconds() - m_begin);
    }
    json.EndObject();
    return text.str();
}

} // namespace ns3
