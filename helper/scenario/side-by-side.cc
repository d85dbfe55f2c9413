/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "side-by-side.h"

#include "error-line.h"
#include "monotonic-seconds.h"
#include "write-all.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <poll.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ns3
{

namespace
{

// The output of a child: a byte for the kind of data, and for a result its bytes up to the end.
constexpr char PROGRESS = 'p'; // followed by one byte: hundredths
constexpr char RESULT = 'r';
constexpr char ERROR = 'e'; // followed by the reason of a missing result, up to the end

/** Whether this process runs one of several simulations. */
bool g_isOneOfSeveral = false;

/** @return the number of processes that have a core each */
uint32_t
CountFreeCores()
{
    return g_isOneOfSeveral ? 1 : std::max(1U, std::thread::hardware_concurrency());
}

void
WriteOrExit(int pipe, const char* bytes, std::size_t count)
{
    if (!WriteAll(pipe, bytes, count))
    {
        _exit(1); // the reader has ended
    }
}

} // namespace

SideBySide::SideBySide(uint32_t processes)
    : m_processes(processes > 0 ? processes : CountFreeCores())
{
}

void
SideBySide::Add(const std::string& name, const Work& work)
{
    m_names.push_back(name);
    m_works.push_back(work);
}

uint32_t
SideBySide::GetProcesses() const
{
    return m_processes;
}

void
SideBySide::BeChild(std::size_t which, int pipe) const
{
    g_isOneOfSeveral = true;
    // the closed pipe shows the end of the parent
    std::signal(SIGPIPE, SIG_DFL);
    if (ErrorLine::IsInstalled())
    {
        ErrorLine::SendTo(pipe, ERROR);
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // a result without a parent is useless
#endif
    std::string result;
    try
    {
        result = m_works[which]([pipe](double share) {
            const char report[] = {PROGRESS,
                                   static_cast<char>(100 * std::min(1.0, std::max(0.0, share)))};
            WriteOrExit(pipe, report, sizeof(report));
        });
    }
    catch (const std::exception& error)
    {
        if (ErrorLine::IsInstalled())
        {
            ErrorLine::End(error.what(), 1);
        }
        std::cerr << m_names[which] << ": " << error.what() << std::endl;
        std::abort(); // or it would continue after Run() as a second parent
    }
    WriteOrExit(pipe, &RESULT, 1);
    WriteOrExit(pipe, result.data(), result.size());
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    _exit(0); // the parent destroys its objects
}

SideBySide::Child
SideBySide::Begin(std::size_t which, const std::vector<int>& others) const
{
    int ends[2];
    NS_ABORT_MSG_IF(pipe(ends) != 0, "SideBySide: no pipe to a process: " << std::strerror(errno));
    std::cout.flush(); // else both would print the buffered output
    std::cerr.flush();
    std::fflush(nullptr);
    Child child;
    child.which = which;
    child.begin = GetMonotonicSeconds();
    child.pid = fork();
    NS_ABORT_MSG_IF(child.pid < 0, "SideBySide: no new process: " << std::strerror(errno));
    if (child.pid == 0)
    {
        close(ends[0]);
        for (const int other : others) // or these would not detect the end of the parent
        {
            close(other);
        }
        BeChild(which, ends[1]);
    }
    close(ends[1]);
    child.pipe = ends[0];
    return child;
}

bool
SideBySide::Read(Child& child, Outcome& outcome)
{
    char bytes[65536];
    const ssize_t count = read(child.pipe, bytes, sizeof(bytes));
    if (count < 0)
    {
        return errno == EINTR;
    }
    child.text.append(bytes, count);
    std::size_t at = 0;
    while (at + 1 < child.text.size() && child.text[at] == PROGRESS)
    {
        outcome.share = child.text[at + 1] / 100.0;
        at += 2;
    }
    child.text.erase(0, at);
    return count > 0;
}

void
SideBySide::End(const Child& child, Outcome& outcome)
{
    int status = 0;
    close(child.pipe); // first, so that a child that continues to write ends
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR)
    {
    }
    outcome.seconds = GetMonotonicSeconds() - child.begin;
    outcome.isOver = true;
    const std::string name = outcome.name.empty() ? "" : outcome.name + ": ";
    if (!child.text.empty() && child.text[0] == ERROR)
    {
        outcome.error = name + child.text.substr(1);
    }
    else if (WIFSIGNALED(status))
    {
        outcome.error =
            name + "ended by signal " + std::to_string(WTERMSIG(status)) +
            (WTERMSIG(status) == SIGKILL ? "; is there enough memory?" : "; what it said is above");
    }
    else if (WEXITSTATUS(status) != 0 || child.text.empty() || child.text[0] != RESULT)
    {
        outcome.error =
            name + "ended with exit code " + std::to_string(WEXITSTATUS(status)) + " and no result";
    }
    else
    {
        outcome.result = child.text.substr(1);
        outcome.share = 1;
    }
}

void
SideBySide::Take(const std::vector<Outcome>& outcomes,
                 std::vector<bool>& isTaken,
                 const Taker& taker)
{
    for (std::size_t i = 0; i < outcomes.size(); ++i)
    {
        if (outcomes[i].isOver && !isTaken[i])
        {
            isTaken[i] = true;
            taker(i, outcomes[i]);
        }
    }
}

std::vector<SideBySide::Outcome>
SideBySide::Run(const Watcher& watcher, const Taker& taker)
{
    std::vector<Outcome> outcomes(m_works.size());
    std::vector<bool> isTaken(m_works.size(), false);
    for (std::size_t i = 0; i < m_works.size(); ++i)
    {
        outcomes[i].name = m_names[i];
    }
    std::vector<Child> children;
    std::size_t next = 0;
    while (next < m_works.size() || !children.empty())
    {
        while (next < m_works.size() && children.size() < m_processes)
        {
            std::vector<int> pipes;
            for (const Child& child : children)
            {
                pipes.push_back(child.pipe);
            }
            children.push_back(Begin(next++, pipes));
        }
        std::vector<pollfd> waits;
        for (const Child& child : children)
        {
            waits.push_back({child.pipe, POLLIN, 0});
        }
        if (poll(waits.data(), waits.size(), -1) < 0)
        {
            NS_ABORT_MSG_UNLESS(errno == EINTR, "SideBySide: poll: " << std::strerror(errno));
            continue;
        }
        for (std::size_t c = children.size(); c-- > 0;)
        {
            Child& child = children[c];
            if (waits[c].revents != 0 && !Read(child, outcomes[child.which]))
            {
                End(child, outcomes[child.which]);
                children.erase(children.begin() + c);
            }
        }
        for (const Child& child : children)
        {
            outcomes[child.which].seconds = GetMonotonicSeconds() - child.begin;
        }
        if (watcher)
        {
            watcher(outcomes);
        }
        if (taker)
        {
            Take(outcomes, isTaken, taker);
        }
    }
    return outcomes;
}

} // namespace ns3
