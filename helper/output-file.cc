/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "output-file.h"

#include "error-line.h"

#include <cerrno>
#include <cstdio>
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

[[noreturn]] void
Fail(const std::string& path, const std::string& why)
{
    throw std::runtime_error("cannot write " + path + ": " + why);
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

OutputFile::OutputFile(const std::string& path)
    : m_path(path)
{
    const std::string fault = FindFault(path);
    if (!fault.empty())
    {
        Fail(path, fault);
    }

    struct stat status
    {
    };

    m_isRegular = path != "-" && (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode));
    if (m_isRegular)
    {
        // a link stays a link
        std::error_code none;
        const std::filesystem::path real = std::filesystem::weakly_canonical(path, none);
        m_path = none || real.empty() ? path : real.string();
        m_part = m_path + ".part";
        Open();
    }
}

OutputFile::~OutputFile()
{
    if (m_file >= 0)
    {
        unlink(m_part.c_str());
        ErrorLine::RemoveUnfinished(m_part);
        close(m_file);
    }
}

void
OutputFile::Open()
{
    m_file = open(m_part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_file < 0)
    {
        Fail(m_part, std::strerror(errno));
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
        Fail(m_path, "another run is writing it (" + m_part + ")");
    }
    ErrorLine::AddUnfinished(m_part);
}

void
OutputFile::Write(const std::string& text) const
{
    std::size_t at = 0;
    while (at < text.size())
    {
        const ssize_t written = write(m_file, text.data() + at, text.size() - at);
        if (written < 0 && errno != EINTR)
        {
            Fail(m_path, std::strerror(errno));
        }
        at += written > 0 ? written : 0;
    }
}

void
OutputFile::Replace(const std::string& text)
{
    if (m_path == "-")
    {
        std::cout << text;
        CheckStandardOutput();
        return;
    }
    if (!m_isRegular)
    {
        m_file = open(m_path.c_str(), O_WRONLY | O_CLOEXEC);
        if (m_file < 0)
        {
            Fail(m_path, std::strerror(errno));
        }
        const int file = m_file;
        Write(text);
        m_file = -1;
        if (close(file) != 0)
        {
            Fail(m_path, std::strerror(errno));
        }
        return;
    }
    if (ftruncate(m_file, 0) != 0 || lseek(m_file, 0, SEEK_SET) != 0)
    {
        Fail(m_path, std::strerror(errno));
    }
    Write(text);
    if (fsync(m_file) != 0 && errno != EINVAL)
    {
        Fail(m_path, std::strerror(errno));
    }
    if (std::rename(m_part.c_str(), m_path.c_str()) != 0)
    {
        Fail(m_path, std::strerror(errno));
    }
    const int written = m_file;
    m_file = -1;
    ErrorLine::RemoveUnfinished(m_part);
    Open(); // the name is claimed for what is to come
    close(written);
}

const std::string&
OutputFile::GetPath() const
{
    return m_path;
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
                                 (errno != 0 ? std::strerror(errno) : "it failed before"));
    }
}

} // namespace ns3
