/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "error-line.h"

#include "last-command.h"
#include "progress-line.h"
#include "write-all.h"

#include "ns3/fatal-impl.h"
#include "ns3/unfinished-files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <streambuf>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

/** The begin of an abort message of ns-3, in all releases. */
constexpr std::array<const char*, 5> BEGINNINGS{"aborted. ",
                                                "msg=\"",
                                                "file=",
                                                "assert failed. ",
                                                "NS_ASSERT failed, "};

/** The line behind an abort message in ns-3.38 and later; a stack trace may follow. */
constexpr std::string_view TERMINATING{"NS_FATAL, terminating"};

/** Forwards output, but keeps a possible abort message until its end is known. */
class AbortFilter : public std::streambuf
{
  public:
    /** @param next receives all other output */
    explicit AbortFilter(std::streambuf* next)
        : m_next(next)
    {
    }

    /** Removes the kept text. @return it */
    std::string Take()
    {
        std::string held = std::exchange(m_held, "");
        const std::string behind = std::exchange(m_behind, "");
        return behind.rfind(TERMINATING, 0) == 0 ? held : held + behind;
    }

  protected:
    int_type overflow(int_type letter) override
    {
        if (letter != traits_type::eof())
        {
            const char one = traits_type::to_char_type(letter);
            xsputn(&one, 1);
        }
        return traits_type::not_eof(letter);
    }

    std::streamsize xsputn(const char* letters, std::streamsize count) override
    {
        for (std::streamsize i = 0; i < count; ++i)
        {
            Put(letters[i]);
        }
        return count;
    }

    int sync() override
    {
        return m_next->pubsync();
    }

  private:
    /** @return whether text is, or may become, the begin of an abort message */
    static bool MayBegin(const std::string& text)
    {
        return std::any_of(BEGINNINGS.begin(), BEGINNINGS.end(), [&text](const std::string& begin) {
            return text.compare(0, begin.size(), begin, 0, text.size()) == 0;
        });
    }

    void Put(char letter)
    {
        if (m_held.empty() && !m_atBegin)
        {
            Pass(letter);
            return;
        }
        const bool isOver =
            !m_held.empty() && m_held.back() == '\n' && m_held.rfind("line=") != std::string::npos;
        if (isOver)
        {
            PutBehind(letter);
            return;
        }
        m_held += letter;
        if (!MayBegin(m_held))
        {
            Release();
        }
    }

    /** Takes a letter behind a whole abort message. */
    void PutBehind(char letter)
    {
        if (m_held.rfind(BEGINNINGS[0], 0) == 0)
        {
            return; // a flush during an abort aborts too: the first message is the reason
        }
        m_behind += letter;
        if (m_behind.compare(0, TERMINATING.size(), TERMINATING, 0, m_behind.size()) != 0)
        {
            // the message was printed, and the program continued, perhaps with another message
            const std::string next = std::exchange(m_behind, "");
            Release();
            xsputn(next.data(), next.size());
        }
    }

    void Release()
    {
        for (const char held : Take())
        {
            Pass(held);
        }
    }

    void Pass(char letter)
    {
        m_next->sputc(letter);
        m_atBegin = letter == '\n';
    }

    std::streambuf* m_next;
    std::string m_held;
    std::string m_behind; //!< of a whole message, what may belong to it
    bool m_atBegin{true};
};

/** The data of the handlers, which must not allocate memory. */
struct ErrorState
{
    std::string program;
    std::string context; //!< precedes messages
    std::string reason;  //!< reason of the end of the program; empty: it does not end
    int exitCode{1};
    int errors{STDERR_FILENO};                 //!< where the line goes
    ErrorLine::Companions companions{};        //!< of a process that has others of its program
    volatile std::sig_atomic_t hasLauncher{0}; //!< they are there
    volatile std::sig_atomic_t hasEnded{0};    //!< the line is out
    int pipe{-1};
    char mark{0};
    AbortFilter* filter{nullptr};
    std::array<char, 128> name{};
    std::array<char, 1001> note{}; //!< follows the meaning of a signal
};

ErrorState&
GetState()
{
    static ErrorState* state =
        new ErrorState; // handlers may need it after the destruction of statics
    return *state;
}

[[noreturn]] void
Terminate()
{
    ErrorState& state = GetState();
    std::string message = ErrorLine::GetMessage(state.filter ? state.filter->Take() : "");
    if (const std::exception_ptr current = std::current_exception())
    {
        try
        {
            std::rethrow_exception(current);
        }
        catch (const std::bad_alloc&)
        {
            message = "there is not enough memory; give fewer GPUs, ports or messages";
        }
        catch (const std::exception& error)
        {
            message = error.what();
        }
        catch (...)
        {
            message = "an exception that is of no known kind";
        }
    }
    message = message.empty() ? "ended without a reason; this is a defect: report it, please, with "
                                "the command line"
                              : message;
    ErrorLine::End(state.context + message, state.exitCode);
}

/** @return the meaning of a signal */
const char*
ToWords(int number)
{
    switch (number)
    {
    case SIGINT:
        return "interrupted";
    case SIGTERM:
        return "ended by SIGTERM";
    case SIGSEGV:
    case SIGBUS:
        return "memory that is not its own was touched; this is a defect: report it, please, with "
               "the command line";
    case SIGFPE:
        return "a division by zero; this is a defect: report it, please, with the command line";
    case SIGXCPU:
        return "the limit of CPU time is reached (ulimit -t)";
    default:
        return "ended by a signal; this is a defect: report it, please, with the command line";
    }
}

/** Writes the line of a signal by one call, so that lines of several processes stay whole. */
void
WriteLine(const ErrorState& state, const char* words)
{
    std::array<char, 2048> line{};
    std::size_t size = 0;
    for (const char* part : {state.name.data(), ": ", words, state.note.data(), "\n"})
    {
        const std::size_t more = std::min(std::strlen(part), line.size() - size);
        std::memcpy(line.data() + size, part, more);
        size += more;
    }
    WriteAll(state.errors, line.data(), size);
}

extern "C" void
HandleSignal(int number)
{
    const ErrorState& state = GetState();
    if (state.hasEnded)
    {
        _exit(state.exitCode); // the launcher ends the others: the line is that of End()
    }
    ProgressLine::Clear();
    const bool isRequested = number == SIGINT || number == SIGTERM;
    const bool isOfLauncher = state.hasLauncher && number == SIGTERM; // it has said why
    const char* words = ToWords(number);
    if (state.pipe >= 0)
    {
        WriteAll(state.pipe, &state.mark, 1);
        WriteAll(state.pipe, words, std::strlen(words));
    }
    else if (!isOfLauncher)
    {
        WriteLine(state, words);
    }
    UnfinishedFiles::EndAll();
    LastCommand::Run();
    _exit(isRequested ? 128 + number : state.exitCode);
}

/** @return text without the blanks and commas around it */
std::string
Trim(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" ,\n\t");
    const std::size_t last = text.find_last_not_of(" ,\n\t");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

} // namespace

void
ErrorLine::Install(const std::string& program)
{
    ErrorState& state = GetState();
    state.program = program;
    std::snprintf(state.name.data(), state.name.size(), "%s", program.c_str());
    if (state.filter)
    {
        return;
    }
    state.filter = new AbortFilter(std::cerr.rdbuf());
    std::cerr.rdbuf(state.filter);
    std::clog.rdbuf(state.filter); // an abort prints its time there
    std::set_terminate(&Terminate);
    // the handler of a stack overflow needs a stack of its own
    static std::array<char, 1 << 16> place;
    stack_t stack{};
    stack.ss_sp = place.data();
    stack.ss_size = place.size();
    sigaltstack(&stack, nullptr);

    struct sigaction action
    {
    };

    action.sa_handler = &HandleSignal;
    action.sa_flags = SA_ONSTACK;
    sigset_t handled;
    sigemptyset(&handled);
    for (const int number : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU, SIGABRT})
    {
        sigaction(number, &action, nullptr);
        sigaddset(&handled, number);
    }
    sigprocmask(SIG_UNBLOCK, &handled, nullptr); // a LastCommand begins in a handler
    std::signal(SIGXFSZ, SIG_IGN); // the writer of the file gets an error, and has its name
}

bool
ErrorLine::IsInstalled()
{
    return GetState().filter != nullptr;
}

void
ErrorLine::SetExitCode(int code)
{
    GetState().exitCode = code;
}

void
ErrorLine::SetContext(const std::string& what)
{
    GetState().context = what;
}

void
ErrorLine::SetNote(const std::string& what)
{
    std::array<char, 1001>& note = GetState().note;
    std::snprintf(note.data(), note.size(), "%s", what.c_str());
}

void
ErrorLine::SendTo(int pipe, char mark)
{
    GetState().pipe = pipe;
    GetState().mark = mark;
    SetCompanions({});
    UnfinishedFiles::Disown();
    LastCommand::Set({});
}

void
ErrorLine::SetCompanions(const Companions& companions)
{
    ErrorState& state = GetState();
    state.companions = companions;
    state.errors = companions.errors < 0 ? STDERR_FILENO : companions.errors;
    state.hasLauncher = companions.leave ? 1 : 0;
    const std::string name =
        state.program + (companions.name.empty() ? "" : ": ") + companions.name;
    std::snprintf(state.name.data(), state.name.size(), "%s", name.c_str());
}

const std::string&
ErrorLine::GetReason()
{
    return GetState().reason;
}

void
ErrorLine::End(const std::string& message, int code)
{
    ErrorState& state = GetState();
    if (state.reason.empty())
    {
        state.reason = message; // later errors are not the first reason
    }
    const Companions companions = std::exchange(state.companions, {}); // once
    ProgressLine::End();
    FatalImpl::FlushStreams(); // writes the events of a timeline to its file
    std::cout.flush();
    std::fflush(nullptr);
    if (state.pipe >= 0)
    {
        WriteAll(state.pipe, &state.mark, 1);
        WriteAll(state.pipe, state.reason.data(), state.reason.size());
    }
    else if (!companions.isMine || companions.isMine(code))
    {
        const std::string line = std::string(state.name.data()) + ": " + state.reason + "\n";
        WriteAll(state.errors, line.data(), line.size());
    }
    UnfinishedFiles::EndAll();
    LastCommand::Run();
    state.exitCode = code;
    state.hasEnded = companions.leave ? 1 : 0;
    if (companions.leave)
    {
        companions.leave(code);
    }
    _exit(code);
}

std::string
ErrorLine::GetMessage(const std::string& text)
{
    const std::size_t message = text.find("msg=\"");
    if (message != std::string::npos)
    {
        const std::size_t first = message + std::strlen("msg=\"");
        const std::size_t file = text.rfind("file=");
        const std::size_t last = text.rfind('"', file);
        return text.substr(first, last == std::string::npos || last < first ? last : last - first);
    }
    const std::size_t condition = text.find("cond=\"");
    if (condition != std::string::npos)
    {
        const std::size_t first = condition + std::strlen("cond=\"");
        const std::size_t file = text.rfind("file=");
        const std::string words =
            text.substr(first, file == std::string::npos || file < first ? file : file - first);
        return "this must not be: " + Trim(words);
    }
    return Trim(text);
}

} // namespace ns3
