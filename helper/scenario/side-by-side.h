/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SIDE_BY_SIDE_H
#define PHOTONIC_RAILS_SIDE_BY_SIDE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Runs independent simulations, each in a process of its own, by default one for each core
 * at a time.
 *
 * A simulation is a function that returns its result as text. It runs in a copy of this process, so
 * its changes are not visible afterwards, and all simulations begin with the state of this process
 * at Run(). Its output to the terminal is printed. An abort of one does not affect the others.
 *
 * @code
 * SideBySide sweep;
 * for (const Time delay : delays)
 * {
 *     sweep.Add("at " + name, [delay](const SideBySide::Progress&) { return Simulate(delay); });
 * }
 * for (const SideBySide::Outcome& outcome : sweep.Run()) { ... }
 * @endcode
 */
class SideBySide
{
  public:
    /** Reports the progress of a simulation, 0 to 1; any number of times. */
    using Progress = std::function<void(double share)>;
    /** A simulation. */
    using Work = std::function<std::string(const Progress& progress)>;

    /** The result of a simulation. */
    struct Outcome
    {
        std::string name{};
        std::string result{};
        std::string error{}; //!< reason of a missing result; empty: none
        double seconds{0};   //!< of run time so far
        double share{0};     //!< its latest reported progress
        bool isOver{false};
    };

    /** Called at every change. */
    using Watcher = std::function<void(const std::vector<Outcome>& outcomes)>;
    /** Called once for each simulation, when it is over. @param which place, from 0 */
    using Taker = std::function<void(std::size_t which, const Outcome& outcome)>;

    /** @param processes at a time; 0: the number of cores, or one inside such a process */
    explicit SideBySide(uint32_t processes = 0);

    /** Adds a simulation. @param name shown in reports */
    void Add(const std::string& name, const Work& work);

    /** @return the largest number of simulations at a time */
    uint32_t GetProcesses() const;

    /**
     * Runs all simulations; they begin in the order in which they were added.
     * @param watcher receives progress; may be empty
     * @param taker receives results, after the watcher; may be empty
     * @return the results, in the order in which the simulations were added
     */
    std::vector<Outcome> Run(const Watcher& watcher = {}, const Taker& taker = {});

  private:
    /** A process that runs a simulation. */
    struct Child
    {
        std::size_t which{0};
        int pid{0};
        int pipe{0};
        std::string text{}; //!< received from it so far
        double begin{0};
    };

    /** Begins a simulation. @param others pipes to other children */
    Child Begin(std::size_t which, const std::vector<int>& others) const;
    /** Runs as the child: never returns. */
    [[noreturn]] void BeChild(std::size_t which, int pipe) const;
    /** Reads the output of a child. @return whether there may be more */
    static bool Read(Child& child, Outcome& outcome);
    /** A child has ended. */
    static void End(const Child& child, Outcome& outcome);
    /** Calls the taker for each simulation that is newly over. @param isTaken of each */
    static void Take(const std::vector<Outcome>& outcomes,
                     std::vector<bool>& isTaken,
                     const Taker& taker);

    uint32_t m_processes;
    std::vector<std::string> m_names;
    std::vector<Work> m_works;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SIDE_BY_SIDE_H */
