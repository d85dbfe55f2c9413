/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TEMPORARY_PATH_H
#define PHOTONIC_RAILS_TEMPORARY_PATH_H

#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace ns3
{

/**
 * The path of a file or folder for the time of a GoogleTest. No other process has the same one:
 * tests run side by side, each in a process of its own, and so may those of several checkouts.
 * @return the path, in the folder for temporary files
 * @param name the end of the path, such as routing.csv
 */
inline std::string
GetTemporaryPath(const std::string& name)
{
    return testing::TempDir() + "photonic-rails-" + std::to_string(getpid()) + "-" + name;
}

} // namespace ns3

#endif // PHOTONIC_RAILS_TEMPORARY_PATH_H
