/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "progress-line.h"

#include "monotonic-seconds.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <streambuf>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr double FIRST_SECONDS = 2;  //!< before the first line
constexpr double LOG_SECONDS = 10;   //!< from line to line
constexpr double LEAST_SHARE = 0.02; //!< from which an estimate is possible

/** The data of the signal's handler. */
struct ProgressState
{
    std::array<char, 64> program{};
    std::array<char, 160> what{};
    double begin{0};
    double share{-1};
    double leftAt{0};        //!< time of the latest estimate of the rest
    double secondsLeft{-1};  //!< latest estimate of the rest; negative: none
    double next{0};          //!< time of the next line of a log
    std::size_t columns{80}; //!< of the terminal
    bool isTerminal{false};
    volatile std::sig_atomic_t isSimulating{0};
    volatile std::sig_atomic_t isOn{0};
    volatile std::sig_atomic_t isShown{0};
};

ProgressState g_state;

/** Blocks the handler during a change of its data. */
class Pause
{
  public:
    Pause()
    {
        sigset_t alarm;
        sigemptyset(&alarm);
        sigaddset(&alarm, SIGALRM);
        sigprocmask(SIG_BLOCK, &alarm, &m_before);
    }

    ~Pause()
    {
        sigprocmask(SIG_SETMASK, &m_before, nullptr);
    }

    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

  private:
    sigset_t m_before;
};

void
Write(const char* text)
{
    const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
    static_cast<void>(written); // an error cannot be reported
}

/** Appends a text, as far as it fits. */
[[gnu::format(printf, 3, 4)]] void
Append(char* line, std::size_t size, const char* format, ...)
{
    const std::size_t used = std::strlen(line);
    std::va_list values;
    va_start(values, format);
    std::vsnprintf(line + used, size - used, format, values);
    va_end(values);
}

ProgressLine::Facts
GetFacts(double now)
{
    ProgressLine::Facts facts;
    facts.program = g_state.program.data();
    facts.what = g_state.what.data();
    facts.seconds = static_cast<int64_t>(now - g_state.begin);
    if (g_state.share >= LEAST_SHARE)
    {
        facts.percent = static_cast<int32_t>(100 * g_state.share);
        const double left = g_state.secondsLeft >= 0
                                ? g_state.secondsLeft - (now - g_state.leftAt)
                                : (now - g_state.begin) * (1 - g_state.share) / g_state.share;
        facts.secondsLeft = static_cast<int64_t>(std::ceil(std::max(0.0, left)));
    }
    facts.picoseconds = g_state.isSimulating ? Simulator::Now().GetPicoSeconds() : -1;
    return facts;
}

extern "C" void
HandleAlarm(int)
{
    const int error = errno;
    const double now = GetMonotonicSeconds();
    const bool isDue =
        g_state.isTerminal ? now - g_state.begin >= FIRST_SECONDS : now >= g_state.next;
    if (g_state.isOn && isDue)
    {
        std::array<char, 512> line{};
        ProgressLine::Format(GetFacts(now), line.data(), line.size());
        if (g_state.isTerminal)
        {
            line[std::min(line.size(), g_state.columns) - 1] = '\0'; // or it would wrap
            g_state.isShown = 1;
            Write("\r\033[K");
            Write(line.data());
        }
        else
        {
            g_state.next += LOG_SECONDS;
            Append(line.data(), line.size(), "%s", "\n");
            Write(line.data());
        }
    }
    errno = error;
}

/** Removes the line before other output on the same terminal. */
class ClearFirst : public std::streambuf
{
  public:
    explicit ClearFirst(std::streambuf* next)
        : m_next(next)
    {
    }

  protected:
    int_type overflow(int_type letter) override
    {
        ProgressLine::Clear();
        return letter == traits_type::eof() ? traits_type::not_eof(letter)
                                            : m_next->sputc(traits_type::to_char_type(letter));
    }

    std::streamsize xsputn(const char* letters, std::streamsize count) override
    {
        ProgressLine::Clear();
        return m_next->sputn(letters, count);
    }

    int sync() override
    {
        return m_next->pubsync();
    }

  private:
    std::streambuf* m_next;
};

/** Sets the timer. @param seconds from signal to signal; 0: off */
void
SetTimer(double seconds)
{
    itimerval timer{};
    timer.it_interval.tv_sec = static_cast<time_t>(seconds);
    timer.it_interval.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
    timer.it_value = timer.it_interval;
    setitimer(ITIMER_REAL, &timer, nullptr);
}

} // namespace

void
ProgressLine::Begin(const std::string& program)
{
    const Pause pause;
    std::snprintf(g_state.program.data(), g_state.program.size(), "%s", program.c_str());
    g_state.begin = GetMonotonicSeconds();
    g_state.next = g_state.begin + LOG_SECONDS;
    g_state.isTerminal = isatty(STDERR_FILENO) == 1;
    winsize size{};
    if (g_state.isTerminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    {
        g_state.columns = size.ws_col;
    }
    if (g_state.isTerminal && isatty(STDOUT_FILENO) == 1)
    {
        static ClearFirst* const clear = new ClearFirst(std::cout.rdbuf());
        std::cout.rdbuf(clear);
    }

    struct sigaction action
    {
    };

    action.sa_handler = &HandleAlarm;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask); // an interrupt does not come in the middle of a line
    sigaction(SIGALRM, &action, nullptr);
    g_state.isOn = 1;
    SetTimer(g_state.isTerminal ? 0.2 : 1);
}

void
ProgressLine::ShowAction(const std::string& what)
{
    const Pause pause;
    std::snprintf(g_state.what.data(), g_state.what.size(), "%s", what.c_str());
}

void
ProgressLine::SetShare(double share, double secondsLeft)
{
    const Pause pause;
    g_state.share = std::min(1.0, share);
    g_state.secondsLeft = secondsLeft;
    g_state.leftAt = GetMonotonicSeconds();
}

void
ProgressLine::SetSimulating(bool isRunning)
{
    g_state.isSimulating = isRunning ? 1 : 0;
}

void
ProgressLine::Clear()
{
    if (g_state.isShown)
    {
        g_state.isShown = 0;
        Write("\r\033[K");
    }
}

void
ProgressLine::End()
{
    if (g_state.isOn)
    {
        g_state.isOn = 0;
        SetTimer(0);
        Clear();
    }
}

void
ProgressLine::Format(const Facts& facts, char* line, std::size_t size)
{
    line[0] = '\0';
    Append(line, size, "%s: %lld s", facts.program, static_cast<long long>(facts.seconds));
    if (facts.percent >= 0)
    {
        Append(line, size, ", %d %%", static_cast<int>(facts.percent));
        if (facts.secondsLeft >= 0)
        {
            Append(line, size, ", about %lld s left", static_cast<long long>(facts.secondsLeft));
        }
    }
    if (facts.what[0] != '\0')
    {
        Append(line, size, ": %s", facts.what);
    }
    if (facts.picoseconds >= 0)
    {
        constexpr long long MILLISECOND = 1'000'000'000;
        const long long thousandths = facts.picoseconds / (MILLISECOND / 1000);
        const bool isLong = facts.picoseconds >= 1000 * MILLISECOND;
        const long long shown = isLong ? thousandths / 1000 : thousandths;
        const char* const unit = isLong ? "s" : "ms";
        Append(line, size, "; simulated %lld.%03lld %s", shown / 1000, shown % 1000, unit);
    }
}

} // namespace ns3
