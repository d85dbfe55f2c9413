/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DISTRIBUTION_OPTION_H
#define PHOTONIC_RAILS_DISTRIBUTION_OPTION_H

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

class Scenario;

/**
 * @ingroup photonic-rails
 * @brief The processes of a distributed simulation, for a program that `mpirun` starts several
 * times, with the option `--engine` of a command line.
 *
 * Process 0 prints and writes. The others have the same command line, and are silent: they print no
 * tables and write no files.
 *
 * Errors are one line. Up to Scenario::Begin() all processes do the same, and meet there: of those
 * with a mistake the first reports it, which is process 0 where all have it, and all end with its
 * exit code. From there on the first that has an error reports it, with its number, and ends the
 * others.
 * @code
 * Scenario scenario(__FILE__);
 * DistributionOption distribution(argc, argv); // silences others
 * distribution.Add(scenario);
 * return scenario.Run(argc, argv, [&] {
 *     distribution.Begin(scenario, [](uint32_t processes) { return ...; });
 *     scenario.Begin();
 *     ... build, Simulator::Run(), JobRun::Gather(), Simulator::Destroy() ...
 *     distribution.End();
 * });
 * @endcode
 */
class DistributionOption
{
  public:
    /**
     * @param argc of main()
     * @param argv of main()
     */
    DistributionOption(int argc, char* argv[]);
    ~DistributionOption();

    DistributionOption(const DistributionOption&) = delete;
    DistributionOption& operator=(const DistributionOption&) = delete;

    /** Adds the option. */
    void Add(Scenario& scenario);

    /**
     * Joins the processes.
     * @param findMisfit why so many processes can't simulate it; empty: they can
     */
    void Begin(Scenario& scenario,
               const std::function<std::string(uint32_t processes)>& findMisfit) const;

    /** @return how many processes simulate the rails, in words; of one, why it is alone */
    static std::string Describe(uint32_t rails);

    /** Leaves the processes, after Simulator::Destroy(). */
    static void End();

  private:
    /** All processes have checked what all do. @param errors where those of this one go */
    static void EndCommonPart(int errors);

    int m_argc;
    char** m_argv;
    bool m_isLaunched; //!< there are several processes
    int m_errors{-1};  //!< where errors of another process than 0 go later
    std::string m_engine{"windows"};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_DISTRIBUTION_OPTION_H */
