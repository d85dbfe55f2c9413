/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A file is there as a whole or as it was before, however the program that writes it ends.

#include "../support/temporary-path.h"

#include "ns3/output-file.h"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

using namespace ns3;

/** A file of its own for each test. */
class OutputFileTest : public testing::Test
{
  protected:
    OutputFileTest()
        : path(GetTemporaryPath("output.txt"))
    {
        std::ofstream(path) << "before";
    }

    ~OutputFileTest() override
    {
        EXPECT_NE(access((path + ".part").c_str(), F_OK), 0) << "nothing is left beside it";
        std::remove(path.c_str());
    }

    static std::string ReadFile(const std::string& name)
    {
        std::ifstream file(name);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    std::string path;
};

using OutputFileDeathTest = OutputFileTest;

TEST_F(OutputFileTest, IsThereAsAWholeOrAsBefore)
{
    OutputFile file(path);
    EXPECT_TRUE(file.IsReplaceable());
    EXPECT_EQ(ReadFile(path), "before");
    file.Replace("one");
    EXPECT_EQ(ReadFile(path), "one");
    file.Replace("a longer one");
    file.Replace("two");
    EXPECT_EQ(ReadFile(path), "two");
}

TEST_F(OutputFileTest, GrowsBesideItsPlace)
{
    OutputFile file(path);
    file.Append("[1", "]");
    EXPECT_EQ(ReadFile(path + ".part"), "[1]");
    file.Append(",2", " ]");
    file.Append("", "]");
    EXPECT_EQ(ReadFile(path + ".part"), "[1,2]") << "nothing is left of a longer end";
    EXPECT_EQ(ReadFile(path), "before");
    file.Complete();
    EXPECT_EQ(ReadFile(path), "[1,2]");
    file.Complete();
}

TEST_F(OutputFileTest, IsAsBeforeIfItIsNotCompleted)
{
    OutputFile(path).Append("half");
    EXPECT_EQ(ReadFile(path), "before");
    OutputFile(path, OutputFile::OnError::KEEP).Append("some");
    EXPECT_EQ(ReadFile(path), "some") << "it can be read at any time";
}

TEST_F(OutputFileTest, WhatAKilledProcessLeftIsNotInIt)
{
    std::ofstream(path + ".part") << "left by one that was killed";
    OutputFile file(path);
    file.Append("new");
    file.Complete();
    EXPECT_EQ(ReadFile(path), "new");
}

TEST_F(OutputFileTest, ALinkStaysALink)
{
    const std::string link = path + ".link";
    std::remove(link.c_str());
    ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
    OutputFile(link).Replace("through it");
    EXPECT_EQ(ReadFile(path), "through it");
    EXPECT_EQ(unlink(link.c_str()), 0);
}

TEST_F(OutputFileTest, APipeGetsEverythingOnceAndTheEndLast)
{
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    {
        OutputFile file("/dev/fd/" + std::to_string(ends[1]));
        EXPECT_FALSE(file.IsReplaceable());
        file.Append("[1", "]");
        file.Append(",2", "]");
        file.Complete();
    }
    close(ends[1]);
    std::string text(16, ' ');
    text.resize(read(ends[0], &text[0], text.size()));
    EXPECT_EQ(text, "[1,2]");
    close(ends[0]);
}

TEST_F(OutputFileTest, EachRunHasItsOwnName)
{
    EXPECT_EQ(OutputFile::GetNameOf("out.json", "b c"), "out-b-c.json");
    EXPECT_EQ(OutputFile::GetNameOf("a.b/out", "b"), "a.b/out-b");
    EXPECT_EQ(OutputFile::GetNameOf("/a/out.x.json", "b"), "/a/out.x-b.json");
    EXPECT_EQ(OutputFile::GetNameOf("", "b"), "") << "no file is asked for";
}

TEST_F(OutputFileDeathTest, TwoDoNotWriteOne)
{
    {
        OutputFile file(path);
        EXPECT_DEATH(OutputFile other(path), "another run is writing it");
        file.Replace("mine");
        EXPECT_DEATH(OutputFile other(path), "another run is writing it") << "nor later";
    }
    OutputFile other(path);
    other.Replace("its");
    EXPECT_EQ(ReadFile(path), "its");
}

// A file that may not be so large is the simplest disk that is full in the middle of a write.
TEST_F(OutputFileDeathTest, OneThatBecomesTooLargeIsNotKept)
{
    const auto writeTooMuch = [this](OutputFile::OnError onError) {
        rlimit limit{};
        limit.rlim_cur = limit.rlim_max = 1024;
        setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, SIG_IGN);
        OutputFile file(path, onError);
        file.Append(std::string(1000, 'x'));
        file.Append(std::string(1000, 'x'));
    };
    for (const auto onError : {OutputFile::OnError::REMOVE, OutputFile::OnError::KEEP})
    {
        EXPECT_DEATH(writeTooMuch(onError), "cannot write .*: File too large");
        EXPECT_EQ(ReadFile(path), "before");
        EXPECT_NE(access((path + ".part").c_str(), F_OK), 0);
    }
}

TEST_F(OutputFileDeathTest, WhatCannotBeWrittenIsAnError)
{
    EXPECT_DEATH(OutputFile("/dev/full").Replace("x"), "cannot write /dev/full: No space left");
    EXPECT_DEATH(OutputFile("/dev/full").Append("x"), "cannot write /dev/full: No space left");
    EXPECT_DEATH(OutputFile("/nowhere/x"), "cannot write /nowhere/x: there is no folder /nowhere");
    EXPECT_DEATH(OutputFile("/tmp"), "cannot write /tmp: this is a folder");
}
