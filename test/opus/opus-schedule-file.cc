/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-schedule-file.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace ns3
{

OpusScheduleFile::OpusScheduleFile(const std::string& text)
    : m_path(testing::TempDir() + "photonic-rails-" + std::to_string(getpid()) + "-" +
             testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt")
{
    std::ofstream(m_path) << text;
}

OpusScheduleFile::~OpusScheduleFile()
{
    std::remove(m_path.c_str());
}

} // namespace ns3
