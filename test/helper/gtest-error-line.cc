/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An error ends a program with one line on stderr, whatever the error is.

#include "../support/temporary-path.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/error-line.h"
#include "ns3/fatal-impl.h"
#include "ns3/json-columns.h"
#include "ns3/output-file.h"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

/** The end of a process. */
struct Ending
{
    int code{-1};
    std::string output; //!< on stderr
};

/** Does something in a process of its own, in which errors are lines. */
Ending
Watch(const std::function<void()>& work)
{
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0)
    {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        ErrorLine::Install("program");
        [&work]() noexcept { work(); }(); // no other handler catches what it throws
        _exit(0);
    }
    close(ends[1]);
    Ending ending;
    char bytes[4096];
    for (ssize_t count = 0; (count = read(ends[0], bytes, sizeof(bytes))) > 0;)
    {
        ending.output.append(bytes, count);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << "no core file";
    ending.code = WEXITSTATUS(status);
    return ending;
}

std::string
ReadFile(const std::string& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

} // namespace

TEST(ErrorLine, AbortsAreTheirMessage)
{
    const Ending abort = Watch([] { NS_ABORT_MSG_IF(true, "x is " << 3 << ", \"give\" 4"); });
    EXPECT_EQ(abort.output, "program: x is 3, \"give\" 4\n");
    EXPECT_EQ(abort.code, 1);
    EXPECT_EQ(Watch([] { NS_ABORT_MSG("x is 4"); }).output, "program: x is 4\n");
    const Ending fatal = Watch([] { NS_FATAL_ERROR("no way"); });
    EXPECT_EQ(fatal.output, "program: no way\n");
    const Ending bare = Watch([] { NS_ABORT_IF(2 > 1); });
    EXPECT_EQ(bare.output.rfind("program: this must not be: 2 > 1", 0), 0U) << bare.output;
    EXPECT_EQ(Watch([] { throw std::runtime_error("thrown"); }).output, "program: thrown\n");
    EXPECT_EQ(Watch([] { throw std::bad_alloc(); }).output,
              "program: there is not enough memory; give fewer GPUs, ports or messages\n");
}

TEST(ErrorLine, WhatIsPrintedBeforeStands)
{
    const Ending ending = Watch([] {
        std::cerr << "msgs are fine\nfile" << std::endl;
        NS_FATAL_ERROR_CONT("goes on");
        std::cerr << "more" << std::endl;
        NS_FATAL_ERROR("ends");
    });
    EXPECT_EQ(ending.output.rfind("msgs are fine\nfile\nmsg=\"goes on\"", 0), 0U) << ending.output;
    EXPECT_NE(ending.output.find("\nmore\nprogram: ends\n"), std::string::npos) << ending.output;
    const Ending twice = Watch([] {
        NS_FATAL_ERROR_CONT("first");
        NS_FATAL_ERROR("second");
    });
    EXPECT_EQ(twice.output.rfind("msg=\"first\"", 0), 0U) << twice.output;
    EXPECT_NE(twice.output.find("\nprogram: second\n"), std::string::npos) << twice.output;
}

TEST(ErrorLine, WhatReleasesPrintBehindAMessageIsNotShown)
{
    const Ending traced = Watch([] {
        std::cerr << "msg=\"no way\", +0.0s -1 file=a.cc, line=87" << std::endl
                  << "NS_FATAL, terminating" << std::endl
                  << " 0# main at a.cc:87" << std::endl;
        std::terminate();
    });
    EXPECT_EQ(traced.output, "program: no way\n");
    const Ending another = Watch([] {
        std::cerr << "msg=\"no way\", +0.0s -1 file=a.cc, line=87" << std::endl
                  << "NS_FAT is no such line" << std::endl;
        NS_FATAL_ERROR("ends");
    });
    EXPECT_NE(another.output.find("\nNS_FAT is no such line\nprogram: ends\n"), std::string::npos)
        << another.output;
}

TEST(ErrorLine, SignalsAreALineAndACode)
{
    const Ending broken = Watch([] { std::raise(SIGSEGV); });
    EXPECT_EQ(broken.output.rfind("program: memory that is not its own was touched", 0), 0U);
    EXPECT_EQ(broken.code, 1);
    const Ending deep = Watch([] {
        rlimit limit{1 << 20, 1 << 20};
        setrlimit(RLIMIT_STACK, &limit);
        volatile std::function<int(int)>* none = nullptr;
        (void)none;
        std::function<int(int)> fall = [&fall](int n) {
            volatile char place[4096];
            place[0] = static_cast<char>(n);
            return fall(n + 1) + place[0];
        };
        fall(0);
    });
    EXPECT_EQ(deep.code, 1) << "also where the stack has run over";
    const Ending interrupted = Watch([] { std::raise(SIGINT); });
    EXPECT_EQ(interrupted.output, "program: interrupted\n");
    EXPECT_EQ(interrupted.code, 130);
}

TEST(ErrorLine, TheCodeIsThatOfMistakesUntilItBegins)
{
    EXPECT_EQ(Watch([] {
                  ErrorLine::SetExitCode(2);
                  NS_FATAL_ERROR("x");
              }).code,
              2);
}

TEST(ErrorLine, TheFirstOfSeveralReasonsIsPrinted)
{
    /** A stream that can't be flushed, as on a full disk. */
    struct Full : std::streambuf
    {
        int sync() override
        {
            NS_ABORT_MSG("second");
            return -1;
        }
    };

    for (const auto& end : std::vector<std::function<void()>>{
             [] { NS_ABORT_MSG("first"); },
             [] { throw std::runtime_error("first"); },
             [] { ErrorLine::End("first", 1); },
         })
    {
        const Ending ending = Watch([&end] {
            static Full full; // an exception may end those of a function before the program
            static std::ostream stream(&full);
            FatalImpl::RegisterStream(&stream);
            end();
        });
        EXPECT_EQ(ending.output, "program: first\n");
        EXPECT_EQ(ending.code, 1);
    }
}

TEST(ErrorLine, AProcessWithCompanionsHasItsNameAndEndsThem)
{
    const Ending own = Watch([] {
        ErrorLine::Companions companions;
        companions.name = "process 3";
        companions.leave = [](int code) { _exit(code + 40); };
        ErrorLine::SetCompanions(companions);
        NS_ABORT_MSG("no such port");
    });
    EXPECT_EQ(own.output, "program: process 3: no such port\n");
    EXPECT_EQ(own.code, 41);
    const Ending ofAll = Watch([] {
        ErrorLine::Companions companions;
        companions.isMine = [](int code) { return code != 2; };
        companions.leave = [](int) {};
        ErrorLine::SetCompanions(companions);
        ErrorLine::End("no such policy", 2);
    });
    EXPECT_EQ(ofAll.output, "") << "another process reports it";
    EXPECT_EQ(ofAll.code, 2);
}

TEST(ErrorLine, TheSignalOfALauncherHasNoLine)
{
    const Ending ended = Watch([] {
        ErrorLine::Companions companions;
        companions.leave = [](int) {};
        ErrorLine::SetCompanions(companions);
        std::raise(SIGTERM);
    });
    EXPECT_EQ(ended.output, "");
    EXPECT_EQ(ended.code, 143);
    const Ending ending = Watch([] {
        ErrorLine::Companions companions;
        companions.leave = [](int) { std::raise(SIGINT); };
        ErrorLine::SetCompanions(companions);
        ErrorLine::End("first", 2);
    });
    EXPECT_EQ(ending.output, "program: first\n") << "the line of the error is the only one";
    EXPECT_EQ(ending.code, 2);
}

TEST(ErrorLine, AFileThatMayNotBeSoLargeIsNamed)
{
    const std::string path = GetTemporaryPath("too-large.txt");
    const Ending ending = Watch([&path] {
        const rlimit limit{10, 10};
        setrlimit(RLIMIT_FSIZE, &limit);
        OutputFile(path).Replace("more than ten bytes");
    });
    EXPECT_EQ(ending.output, "program: cannot write " + path + ": File too large\n");
    EXPECT_EQ(ending.code, 1);
}

TEST(ErrorLine, FilesThatAreNotCompleteAreEnded)
{
    const std::string removed = GetTemporaryPath("removed.txt");
    const std::string kept = GetTemporaryPath("kept.txt");
    const std::string empty = GetTemporaryPath("empty.txt");
    for (const auto& end : std::vector<std::function<void()>>{
             [] { std::raise(SIGINT); },
             [] { NS_FATAL_ERROR("x"); },
             [] { throw std::runtime_error("x"); },
         })
    {
        Watch([&] {
            OutputFile one(removed);
            one.Append("half");
            OutputFile another(kept, OutputFile::OnError::KEEP);
            another.Append("begun, ", "ended");
            OutputFile third(empty, OutputFile::OnError::KEEP);
            end();
        });
        EXPECT_NE(access(removed.c_str(), F_OK), 0);
        EXPECT_NE(access(empty.c_str(), F_OK), 0);
        EXPECT_EQ(ReadFile(kept), "begun, ended");
        for (const std::string& name : {removed, kept, empty})
        {
            EXPECT_NE(access((name + ".part").c_str(), F_OK), 0);
            std::remove(name.c_str());
        }
    }
}

TEST(ErrorLine, AFullDiskIsALine)
{
    const Ending ending = Watch([] {
        ASSERT_NE(std::freopen("/dev/full", "w", stdout), nullptr);
        std::cout << "lost" << std::endl;
        try
        {
            CheckStandardOutput();
        }
        catch (const std::exception& error)
        {
            ErrorLine::End(error.what(), 1);
        }
    });
    EXPECT_EQ(ending.code, 1);
    EXPECT_EQ(ending.output.rfind("program: cannot write to standard output", 0), 0U)
        << ending.output;
}

TEST(JsonColumns, AreTheScalarsOfAnObject)
{
    const std::string json = "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": \"x, \\\"y\\\"\",\n    \"d\": "
                             "{}\n  },\n  \"e\": [\n    1,\n    {\n      \"f\": 2\n    }\n  ],\n  "
                             "\"g\": null,\n  \"h\": true\n}";
    const std::vector<std::pair<std::string, std::string>> columns{{"a", "1"},
                                                                   {"b.c", "x, \"y\""},
                                                                   {"h", "true"}};
    EXPECT_EQ(ListColumns(json), columns);
    EXPECT_EQ(MakeCsv({columns, {{"h", "false"}, {"i", "7"}}}),
              "a,b.c,h,i\r\n1,\"x, \"\"y\"\"\",true,\r\n,,false,7\r\n");
}
