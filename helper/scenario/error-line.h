/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ERROR_LINE_H
#define PHOTONIC_RAILS_ERROR_LINE_H

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What ends a program is said in one line, last, on stderr: `program: message`.
 *
 * From Install() on that goes for NS_ABORT, NS_FATAL_ERROR and failed assertions anywhere, for
 * exceptions that nobody catches, and for signals. ns-3's own "aborted. cond=..., file=..." does
 * not appear, nor "terminate called", and there is no core file. The exit code is 1, or what
 * SetExitCode() said; 130 after Ctrl-C, 143 after SIGTERM.
 *
 * Files that are not complete come to their end too (UnfinishedFiles).
 */
class ErrorLine
{
  public:
    /** @param program its name */
    static void Install(const std::string& program);
    /** @return whether it was installed */
    static bool IsInstalled();

    /** @param code that an error ends the program with from now on */
    static void SetExitCode(int code);
    /** @param what stands before messages from now on, such as "--RngRun=x: "; empty: nothing */
    static void SetContext(const std::string& what);
    /**
     * This process is one of several that belong together: its errors go to a pipe, for another one
     * to say.
     * @param pipe that it writes the message to
     * @param mark that it writes before it
     */
    static void SendTo(int pipe, char mark);

    /** Ends the program. @param message why @param code its exit code */
    [[noreturn]] static void End(const std::string& message, int code);

    /**
     * @return what an abort of ns-3 says, without the place in the sources
     * @param text such as `aborted. cond="x", msg="no x", +0.5s file=x.cc, line=12`
     */
    static std::string GetMessage(const std::string& text);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ERROR_LINE_H */
