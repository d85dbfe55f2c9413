/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRESS_LINE_H
#define PHOTONIC_RAILS_PROGRESS_LINE_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Reports the progress of a program on stderr, if it takes longer than two seconds: on a
 * terminal in a line that is updated, else in a line every ten seconds.
 *
 *     photonic-training: 12 s, 40 %, about 18 s left: 3 of 14 runs
 *
 * A timer's signal (SIGALRM) writes the line, so it is updated during a long event or computation,
 * and needs no event of the simulation. A copy of the process by fork() reports nothing.
 */
class ProgressLine
{
  public:
    /** Measures the time from now on. */
    static void Begin(const std::string& program);

    /** @param what the present action */
    static void ShowAction(const std::string& what);

    /**
     * @param share completed share of all work, 0 to 1
     * @param secondsLeft estimate for the rest; negative: extrapolated
     */
    static void SetShare(double share, double secondsLeft = -1);

    /** @param isRunning whether the simulator runs, so that the line shows the simulated time */
    static void SetSimulating(bool isRunning);

    /** Removes the line from the terminal. Signal handlers may call it. */
    static void Clear();

    /** Ends the reports. */
    static void End();

    /** The contents of a line. */
    struct Facts
    {
        const char* program{""};
        const char* what{""};    //!< empty: nothing
        int64_t seconds{0};      //!< since the beginning
        int32_t percent{-1};     //!< negative: unknown
        int64_t secondsLeft{-1}; //!< negative: unknown
        int64_t picoseconds{-1}; //!< simulated time; negative: none
    };

    /**
     * Writes a line without memory allocation.
     * @param facts its contents
     * @param size of `line`; a longer text is truncated
     */
    static void Format(const Facts& facts, char* line, std::size_t size);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRESS_LINE_H */
