/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "output-file.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3
{

namespace
{

std::string
GetFolder(const std::string& path)
{
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

/** @return whether a file is the standard output of this process @param status of the file */
bool
IsPrintedTo(const struct stat& status)
{
    struct stat printed
    {
    };

    return fstat(STDOUT_FILENO, &printed) == 0 && printed.st_dev == status.st_dev &&
           printed.st_ino == status.st_ino;
}

[[noreturn]] void
Refuse(const std::string& path, const std::string& why)
{
    NS_ABORT_MSG("cannot write " << path << ": " << why);
    std::abort(); // unreachable; not all releases declare that to the compiler
}

} // namespace

std::string
OutputFile::FindFault(const std::string& path)
{
    if (path == "-")
    {
        return "";
    }
    if (path.empty())
    {
        return "give the name of a file";
    }

    struct stat status
    {
    };

    if (stat(path.c_str(), &status) == 0)
    {
        if (S_ISDIR(status.st_mode))
        {
            return "this is a folder; give the name of a file";
        }
        return access(path.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
    }
    if (errno != ENOENT || path.back() == '/')
    {
        return path.back() == '/' ? "this is the name of a folder" : std::strerror(errno);
    }
    const std::string folder = GetFolder(path);
    if (stat(folder.c_str(), &status) != 0)
    {
        return "there is no folder " + folder;
    }
    if (!S_ISDIR(status.st_mode))
    {
        return folder + " is no folder";
    }
    return access(folder.c_str(), W_OK | X_OK) == 0
               ? ""
               : "folder " + folder + ": " + std::strerror(errno);
}

std::string
OutputFile::GetNameOf(const std::string& path, std::string run)
{
    if (path.empty())
    {
        return path;
    }
    std::replace(run.begin(), run.end(), ' ', '-');
    const std::size_t dot = path.rfind('.');
    const std::size_t slash = path.rfind('/');
    return dot == std::string::npos || (slash != std::string::npos && dot < slash)
               ? path + "-" + run
               : path.substr(0, dot) + "-" + run + path.substr(dot);
}

OutputFile::OutputFile(const std::string& path, OnError onError)
    : m_path(path),
      m_onError(onError)
{
    const std::string fault = FindFault(path);
    if (!fault.empty())
    {
        Refuse(path, fault);
    }

    struct stat status
    {
    };

    const bool isThere = path != "-" && stat(path.c_str(), &status) == 0;
    m_isRegular = path != "-" && (!isThere || (S_ISREG(status.st_mode) && !IsPrintedTo(status)));
    if (m_isRegular)
    {
        // a link is preserved
        std::error_code none;
        const std::filesystem::path real = std::filesystem::weakly_canonical(path, none);
        m_path = none || real.empty() ? path : real.string();
        m_part = m_path + ".part";
        Open();
    }
}

OutputFile::~OutputFile()
{
    if (m_file < 0)
    {
        return;
    }
    if (m_isRegular && m_onError == OnError::KEEP && m_size > 0)
    {
        Publish();
        return;
    }
    if (m_isRegular)
    {
        unlink(m_part.c_str());
        UnfinishedFiles::Remove(m_part);
    }
    close(m_file);
}

bool
OutputFile::IsReplaceable() const
{
    return m_isRegular;
}

void
OutputFile::Open()
{
    m_file = open(m_part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_file < 0)
    {
        Refuse(m_part, std::strerror(errno));
    }

    struct stat mine
    {
    };

    struct stat there
    {
    };

    if (flock(m_file, LOCK_EX | LOCK_NB) != 0 || fstat(m_file, &mine) != 0 ||
        stat(m_part.c_str(), &there) != 0 || mine.st_ino != there.st_ino)
    {
        close(m_file);
        m_file = -1;
        Refuse(m_path, "another run is writing it (" + m_part + ")");
    }
    UnfinishedFiles::Add(m_part, m_onError);
    if (ftruncate(m_file, 0) != 0) // remains of a killed process
    {
        Fail(errno);
    }
}

void
OutputFile::OpenDevice()
{
    std::cout.flush(); // earlier output comes first
    m_file = m_path == "-" ? dup(STDOUT_FILENO) : open(m_path.c_str(), O_WRONLY | O_CLOEXEC);
    if (m_file < 0)
    {
        Fail(errno);
    }
}

void
OutputFile::Fail(int error)
{
    const int file = m_file;
    m_file = -1; // so that an abort, which flushes all streams, does not try again
    m_onError = OnError::REMOVE;
    if (m_isRegular)
    {
        unlink(m_part.c_str());
        UnfinishedFiles::Remove(m_part);
    }
    if (file >= 0)
    {
        close(file);
    }
    Refuse(m_path == "-" ? "to standard output" : m_path, std::strerror(error));
}

void
OutputFile::Write(const char* bytes, std::size_t count)
{
    while (count > 0)
    {
        const ssize_t written = write(m_file, bytes, count);
        if (written < 0 && errno != EINTR)
        {
            Fail(errno);
        }
        bytes += std::max<ssize_t>(written, 0);
        count -= std::max<ssize_t>(written, 0);
    }
}

void
OutputFile::Publish()
{
    if (close(m_file) != 0 || std::rename(m_part.c_str(), m_path.c_str()) != 0)
    {
        const int error = errno;
        m_file = -1;
        Fail(error);
    }
    UnfinishedFiles::Remove(m_part);
    m_file = -1;
}

void
OutputFile::Append(const std::string& text, const std::string& end)
{
    if (!m_isRegular)
    {
        Append(text.data(), text.size());
        m_end = end;
        return;
    }
    const std::string both = text + end; // at once: a process that is killed leaves both
    WriteOver(both.data(), both.size());
    m_size += static_cast<int64_t>(text.size());
}

void
OutputFile::Append(const char* bytes, std::size_t count)
{
    if (m_isRegular)
    {
        WriteOver(bytes, count);
        m_size += static_cast<int64_t>(count);
        return;
    }
    if (m_file < 0)
    {
        OpenDevice();
    }
    Write(bytes, count);
    m_end.clear();
}

void
OutputFile::WriteOver(const char* bytes, std::size_t count)
{
    if (lseek(m_file, m_size, SEEK_SET) < 0)
    {
        Fail(errno);
    }
    Write(bytes, count);
    if (ftruncate(m_file, m_size + static_cast<int64_t>(count)) != 0)
    {
        Fail(errno);
    }
}

void
OutputFile::Complete()
{
    if (m_isRegular && m_file >= 0)
    {
        Publish();
    }
    else if (m_file >= 0)
    {
        Write(m_end.data(), m_end.size());
        const int file = m_file;
        m_file = -1;
        if (close(file) != 0)
        {
            Fail(errno);
        }
    }
}

void
OutputFile::Replace(const std::string& text)
{
    if (!m_isRegular)
    {
        Append(text);
        Complete();
        return;
    }
    m_size = 0;
    Append(text);
    if (fsync(m_file) != 0 && errno != EINVAL)
    {
        Fail(errno);
    }
    const int written = m_file;
    if (std::rename(m_part.c_str(), m_path.c_str()) != 0)
    {
        Fail(errno);
    }
    m_file = -1;
    UnfinishedFiles::Remove(m_part);
    Open(); // reserves the name for the next contents
    m_size = 0;
    close(written);
}

bool
IsSameFile(const std::string& one, const std::string& other)
{
    std::error_code none;
    const auto real = std::filesystem::weakly_canonical(one, none);
    return !none && real == std::filesystem::weakly_canonical(other, none) && !none;
}

void
CheckStandardOutput()
{
    errno = 0;
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0)
    {
        throw std::runtime_error(std::string("cannot write to standard output: ") +
                                 (errno != 0
                                      ? std::strerror(errno)
                                      : "what was printed before is not there; is the disk full?"));
    }
}

} // namespace ns3
