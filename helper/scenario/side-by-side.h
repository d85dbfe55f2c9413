/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SIDE_BY_SIDE_H
#define PHOTONIC_RAILS_SIDE_BY_SIDE_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Simulations that have nothing to do with each other, each in a process of its own, as many
 * at a time as there are cores.
 *
 * A simulation is a function that returns what came of it as text. It runs in a copy of this
 * process, so whatever it changes is gone afterwards: what was set before Run() is the same for
 * all. What it prints to the terminal is printed. One that is aborted does not harm the others.
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
    /** A simulation says how far it is, 0 to 1; as often as it likes. */
    using Progress = std::function<void(double share)>;
    /** A simulation. */
    using Work = std::function<std::string(const Progress& progress)>;

    /** What came of a simulation. */
    struct Outcome
    {
        std::string name{};
        std::string result{};
        std::string error{}; //!< why there is no result; empty: there is one
        double seconds{0};   //!< of time that it took until now
        double share{0};     //!< how far it said it was
        bool isOver{false};
    };

    /** Is told whenever something is new. */
    using Watcher = std::function<void(const std::vector<Outcome>& outcomes)>;

    /** @param processes at a time; 0: as many as there are cores */
    explicit SideBySide(uint32_t processes = 0);

    /** Adds a simulation. @param name for people */
    void Add(const std::string& name, const Work& work);

    /** @return how many run at a time, at most */
    uint32_t GetProcesses() const;

    /**
     * Runs all; the one that was added first begins first.
     * @param watcher is told of progress; may be empty
     * @return what came of each, in the order in which they were added
     */
    std::vector<Outcome> Run(const Watcher& watcher = {});

  private:
    /** A process that runs a simulation. */
    struct Child
    {
        std::size_t which{0};
        int pid{0};
        int pipe{0};
        std::string text{}; //!< that came from it
        double begin{0};
    };

    /** Begins a simulation. @param others pipes to other children */
    Child Begin(std::size_t which, const std::vector<int>& others) const;
    /** Is the child: never returns. */
    [[noreturn]] void BeChild(std::size_t which, int pipe) const;
    /** Takes what a child says. @return whether it says more */
    static bool Read(Child& child, Outcome& outcome);
    /** A child is through. */
    static void End(const Child& child, Outcome& outcome);

    uint32_t m_processes;
    std::vector<std::string> m_names;
    std::vector<Work> m_works;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SIDE_BY_SIDE_H */
