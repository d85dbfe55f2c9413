/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-schedule-file.h"

#include "../support/temporary-path.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

namespace ns3
{

OpusScheduleFile::OpusScheduleFile(const std::string& text)
    : m_path(GetTemporaryPath("schedule.txt"))
{
    std::ofstream(m_path) << text;
}

OpusScheduleFile::~OpusScheduleFile()
{
    std::remove(m_path.c_str());
}

} // namespace ns3
