/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-mistakes.h"

#include "photonic-rails-host-bench.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3
{

bool
Ending::HasLineWith(const std::vector<std::string>& words) const
{
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);)
    {
        bool all = true;
        for (const std::string& word : words)
        {
            all = all && line.find(word) != std::string::npos;
        }
        if (all)
        {
            return true;
        }
    }
    return false;
}

Ending
RunInChild(const std::function<void()>& what)
{
    std::cout.flush(); // or the child, which flushes on its way out, would print it too
    int ends[2];
    if (pipe(ends) != 0)
    {
        return {false, "no pipe"};
    }
    const pid_t child = fork();
    if (child == 0)
    {
        const rlimit noCore{0, 0};
        setrlimit(RLIMIT_CORE, &noCore);
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        what();
        std::_Exit(0);
    }
    close(ends[1]);
    Ending ending{false, ""};
    char bytes[4096];
    for (ssize_t n; (n = read(ends[0], bytes, sizeof bytes)) > 0;)
    {
        ending.output.append(bytes, n);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ending.aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    return ending;
}

MistakesTest::MistakesTest(const std::string& name, const std::vector<Mistake>& mistakes)
    : TestCase(name),
      m_mistakes(mistakes)
{
}

void
MistakesTest::DoRun()
{
    const HostBench::Case self;
    for (const Mistake& mistake : m_mistakes)
    {
        const Ending ending = RunInChild(mistake.make);
        NS_TEST_EXPECT_MSG_EQ(ending.aborted, true, mistake.name << " stops the run");
        NS_TEST_EXPECT_MSG_EQ(ending.HasLineWith(mistake.words),
                              true,
                              mistake.name << " said: " << ending.output);
    }
}

} // namespace ns3
