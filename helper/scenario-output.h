/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCENARIO_OUTPUT_H
#define PHOTONIC_RAILS_SCENARIO_OUTPUT_H

#include "ns3/command-line.h"
#include "ns3/json-writer.h"

#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The option --json that every example has: the results as one JSON object.
 *
 * @code
 * ScenarioOutput output;
 * output.AddOptions(cmd);
 * cmd.Parse(argc, argv);
 * ... the scenario ...
 * output.Write([&](JsonWriter& json) { json.Field("bytes", bytes); });
 * @endcode
 */
class ScenarioOutput
{
  public:
    /** @param cmd the command line, which gets the option --json */
    void AddOptions(CommandLine& cmd);

    /**
     * Aborts, before anything is simulated, if the file of --json cannot be written.
     */
    void Check() const;

    /** @return whether the terminal is for people: false with --json=- */
    bool IsTerminalForPeople() const;

    /**
     * Writes the results, if they were asked for.
     * @param fields writes the members of the object
     */
    void Write(const std::function<void(JsonWriter&)>& fields) const;

  private:
    std::string m_file; //!< empty: nowhere; "-": the terminal
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCENARIO_OUTPUT_H */
