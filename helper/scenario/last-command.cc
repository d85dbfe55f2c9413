/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "last-command.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3
{

namespace
{

/** The words of the command, in memory that a signal handler can read. */
struct CommandWords
{
    std::vector<std::string> words;
    std::vector<char*> pointers; //!< to the words, and a null
    char* const* volatile ready{nullptr};
};

CommandWords&
GetWords()
{
    static CommandWords* words = new CommandWords; // handlers may need it after statics are gone
    return *words;
}

} // namespace

void
LastCommand::Set(const std::vector<std::string>& words)
{
    CommandWords& command = GetWords();
    command.ready = nullptr;
    command.words = words;
    command.pointers.clear();
    for (std::string& word : command.words)
    {
        command.pointers.push_back(word.data());
    }
    command.pointers.push_back(nullptr);
    command.ready = words.empty() ? nullptr : command.pointers.data(); // last: a signal may come
}

void
LastCommand::Run()
{
    char* const* const words = GetWords().ready;
    if (words == nullptr)
    {
        return;
    }
    GetWords().ready = nullptr; // once
#ifdef __linux__
    const pid_t child = vfork(); // it copies no memory, of which there may be none left
    if (child == 0)
    {
        const int nowhere = open("/dev/null", O_RDWR);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        {
            dup2(nowhere, stream);
        }
        execv("/proc/self/exe", words);
        _exit(1);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
#endif
}

} // namespace ns3
