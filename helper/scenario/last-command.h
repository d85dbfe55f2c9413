/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LAST_COMMAND_H
#define PHOTONIC_RAILS_LAST_COMMAND_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A command that this program runs before it ends by an error or a signal: this program
 * itself, as a new process, with other options.
 *
 * The state of a program is unknown when a signal arrives, such as that of Ctrl-C. So it can do
 * little by itself, but a new process can do all with the files that it left. The command prints
 * nothing, and its exit code does not count. Where a system has no `/proc/self/exe`, nothing is
 * run.
 */
class LastCommand
{
  public:
    /** @param words of the command line, the first one is the name; empty: there is none */
    static void Set(const std::vector<std::string>& words);
    /** Runs it and waits for its end. Signal handlers may call it. */
    static void Run();
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LAST_COMMAND_H */
