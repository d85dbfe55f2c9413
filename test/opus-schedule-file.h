/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_SCHEDULE_FILE_H
#define PHOTONIC_RAILS_OPUS_SCHEDULE_FILE_H

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace ns3
{

/** A plan file that is there as long as this; each test's own, and each process's. */
class OpusScheduleFile
{
  public:
    explicit OpusScheduleFile(const std::string& text = "")
        : m_path(testing::TempDir() + "photonic-rails-" + std::to_string(getpid()) + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt")
    {
        std::ofstream(m_path) << text;
    }

    ~OpusScheduleFile()
    {
        std::remove(m_path.c_str());
    }

    OpusScheduleFile(const OpusScheduleFile&) = delete;
    OpusScheduleFile& operator=(const OpusScheduleFile&) = delete;

    /** @return the policy's name */
    std::string GetPolicy() const
    {
        return "recorded:" + m_path;
    }

    /** @return the file's name */
    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    std::string m_path;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_SCHEDULE_FILE_H */
