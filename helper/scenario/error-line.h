/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ERROR_LINE_H
#define PHOTONIC_RAILS_ERROR_LINE_H

#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Reports the error that ends a program in one last line on stderr: `program: message`.
 *
 * From Install() on this holds for NS_ABORT, NS_FATAL_ERROR and failed assertions anywhere, for
 * uncaught exceptions, and for signals. ns-3's own "aborted. cond=..., file=..." does not appear,
 * nor "terminate called", and there is no core file. The exit code is 1, or that of SetExitCode();
 * 130 after Ctrl-C, 143 after SIGTERM.
 *
 * Incomplete files are completed or removed (UnfinishedFiles), then the LastCommand is run.
 */
class ErrorLine
{
  public:
    /** Installs the handlers. @param program name of the program */
    static void Install(const std::string& program);
    /** @return whether it was installed */
    static bool IsInstalled();

    /** @param code the exit code of errors from now on */
    static void SetExitCode(int code);
    /** @param what precedes messages from now on, such as "--RngRun=x: "; empty: nothing */
    static void SetContext(const std::string& what);
    /**
     * Sets what follows the reason if a signal ends the program, until the next call.
     * @param what such as "; no plot.svg: there is no row to draw yet"; its first 1,000 bytes
     * count; empty: nothing
     */
    static void SetNote(const std::string& what);
    /**
     * Sends the errors of this process to a pipe, for another process to report.
     * @param pipe receives the message
     * @param mark precedes the message
     */
    static void SendTo(int pipe, char mark);

    /** The other processes of a program that a launcher has started several times. */
    struct Companions
    {
        std::string name; //!< of this process, before its messages; empty: none
        int errors{-1};   //!< where its line goes; negative: to stderr
        /** Before the line: whether this process is to write it. Null: it is. */
        std::function<bool(int code)> isMine{};
        /** Behind the line: ends the other processes, or waits for them. */
        std::function<void(int code)> leave{};
    };

    /**
     * Has errors end the other processes too from now on. A SIGTERM is the launcher's then, and
     * has no line.
     */
    static void SetCompanions(const Companions& companions);

    /** @return the reason for which the program ends, without context; empty: it does not end */
    static const std::string& GetReason();

    /** Ends the program. @param message the reason @param code the exit code */
    [[noreturn]] static void End(const std::string& message, int code);

    /**
     * @return the message of an abort of ns-3, without the place in the sources
     * @param text such as `aborted. cond="x", msg="no x", +0.5s file=x.cc, line=12`
     */
    static std::string GetMessage(const std::string& text);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ERROR_LINE_H */
