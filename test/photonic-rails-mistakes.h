/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MISTAKES_H
#define PHOTONIC_RAILS_MISTAKES_H

#include "photonic-rails-host-bench.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/**
 * @file
 * What a test needs to see a user's mistake stop a run: a process that can be stopped.
 */

namespace ns3
{

/** How a child process ended, and what it wrote on stderr. */
struct Ending
{
    bool aborted;
    std::string said;

    /** @return whether one line has all these words */
    bool HasLineWith(const std::vector<std::string>& words) const
    {
        std::istringstream lines(said);
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
};

/**
 * Does something in a child process.
 * @param what to do
 * @return how it ended
 */
inline Ending
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
        ending.said.append(bytes, n);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ending.aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    return ending;
}

/** A mistake, and words that the line about it must have. */
struct Mistake
{
    std::string name;
    std::function<void()> make;
    std::vector<std::string> words;
};

/** Makes mistakes, each in a process of its own. */
class MistakesTest : public TestCase
{
  public:
    /**
     * @param name of the test case
     * @param mistakes to make
     */
    MistakesTest(const std::string& name, const std::vector<Mistake>& mistakes)
        : TestCase(name),
          m_mistakes(mistakes)
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        for (const Mistake& mistake : m_mistakes)
        {
            const Ending ending = RunInChild(mistake.make);
            NS_TEST_EXPECT_MSG_EQ(ending.aborted, true, mistake.name << " stops the run");
            NS_TEST_EXPECT_MSG_EQ(ending.HasLineWith(mistake.words),
                                  true,
                                  mistake.name << " said: " << ending.said);
        }
    }

    std::vector<Mistake> m_mistakes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MISTAKES_H */
