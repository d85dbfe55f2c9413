/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_MAP_OPTION_H
#define PHOTONIC_RAILS_CIRCUIT_MAP_OPTION_H

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/rail.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class CircuitMapRecord;
class ScenarioOptions;
class TrainingRun;

/**
 * @ingroup photonic-rails
 * @brief The options `--circuit-map=FILE.svg` and `--circuit-map-at=TIME`: a picture of the
 * circuits of a rail at an instant, or at the end of a run.
 *
 * The picture has what stands when all events of the instant are over. It is kept when circuits
 * change, so a run is as long as without it. A time that the run does not reach stands for its end,
 * which the title names.
 * @code
 * CircuitMapOption circuitMap;
 * circuitMap.Add(scenario.GetOptions());
 * ... the command line is parsed, the rail is set up ...
 * circuitMap.Record(rail, "host");
 * Simulator::Run();
 * circuitMap.Write();
 * @endcode
 */
class CircuitMapOption
{
  public:
    /** @return the kind of a circuit between two hosts of the rail, such as "dp"; empty: no kind */
    using Kinds = std::function<std::string(uint32_t host, uint32_t other)>;

    CircuitMapOption();
    ~CircuitMapOption();
    CircuitMapOption(const CircuitMapOption&);
    CircuitMapOption& operator=(const CircuitMapOption&);

    /** Adds the options. */
    void Add(ScenarioOptions& options);

    /**
     * Refuses a time without a file, and a file without circuits.
     * @param hasCircuits whether there is a rail with an optical switch
     */
    void Check(const ScenarioOptions& options, bool hasCircuits = true);

    /** Registers the files of several runs. @param runs their names */
    void Claim(ScenarioOptions& options, const std::vector<std::string>& runs) const;

    /** @return whether there is to be a picture */
    bool IsOn() const;

    /**
     * Keeps the circuits of a rail from now on, in place of those of an earlier rail, if the option
     * is given and the rail has an optical switch.
     * @param hosts the name of a host without its number: "server"
     * @param kinds of circuits; null: they have one colour
     */
    void Record(const Rail& rail, const std::string& hosts, const Kinds& kinds = Kinds());

    /** The same for the first rail of a job, whose circuits are of parallelisms. */
    void Record(const TrainingRun& run);

    /** Writes the picture, if there is one. Call it before Simulator::Destroy(). @param run its
     * name, of several */
    void Write(const std::string& run = "");

  private:
    std::string m_file; //!< empty: none
    Time m_at{0};
    bool m_isAtGiven{false};
    Ptr<CircuitMapRecord> m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_MAP_OPTION_H */
