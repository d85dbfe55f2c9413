/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/write-all.h"

#include <csignal>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <unistd.h>

using namespace ns3;

TEST(WriteAll, WritesMoreThanAPipeHoldsAtOnce)
{
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const std::string text(1 << 20, 'x');
    std::size_t received = 0;
    std::thread reader([&] {
        char bytes[1000];
        for (ssize_t count; (count = read(ends[0], bytes, sizeof(bytes))) > 0;)
        {
            received += count;
        }
    });
    EXPECT_TRUE(WriteAll(ends[1], text.data(), text.size()));
    close(ends[1]);
    reader.join();
    close(ends[0]);
    EXPECT_EQ(received, text.size());
}

TEST(WriteAll, ReportsAPipeWithoutAReader)
{
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    EXPECT_FALSE(WriteAll(ends[1], "x", 1));
    std::signal(SIGPIPE, before);
    close(ends[1]);
}
