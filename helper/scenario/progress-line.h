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
 * @brief Says on stderr how far a program is, if it takes longer than two seconds: on a terminal in
 * a line that moves, else in a line every ten seconds.
 *
 *     photonic-training: 12 s, 40 %, about 18 s left: 3 of 14 runs
 *
 * A timer's signal (SIGALRM) writes it, so it moves while an event or a computation takes long, and
 * no event of the simulation exists for it. A copy of the process that fork() makes says nothing.
 */
class ProgressLine
{
  public:
    /** Watches the time from now on. */
    static void Begin(const std::string& program);

    /** @param what is done now */
    static void Say(const std::string& what);

    /**
     * @param share of all work that is done, 0 to 1
     * @param secondsLeft that the rest takes; negative: as what was done until now
     */
    static void SetShare(double share, double secondsLeft = -1);

    /** @param isRunning whether the simulator runs, so that there is a simulated time to show */
    static void SetSimulating(bool isRunning);

    /** Takes the line off the terminal. Signal handlers may call it. */
    static void Clear();

    /** Says no more. */
    static void End();

    /** What a line says. */
    struct Facts
    {
        const char* program{""};
        const char* what{""};    //!< empty: nothing
        int64_t seconds{0};      //!< since the beginning
        int32_t percent{-1};     //!< negative: it is not known
        int64_t secondsLeft{-1}; //!< negative: it is not known
        int64_t picoseconds{-1}; //!< simulated; negative: nothing is being simulated
    };

    /**
     * Writes a line without asking for memory.
     * @param facts what it says
     * @param size of that; what does not fit is cut off
     */
    static void Format(const Facts& facts, char* line, std::size_t size);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRESS_LINE_H */
