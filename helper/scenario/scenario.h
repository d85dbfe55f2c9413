/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCENARIO_H
#define PHOTONIC_RAILS_SCENARIO_H

#include "fidelity-option.h"
#include "scenario-options.h"

#include "ns3/json-writer.h"
#include "ns3/timeline-recorder.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class OutputFile;

/**
 * @ingroup photonic-rails
 * @brief A program that simulates: its options, its results, and what it says when something is
 * wrong.
 *
 * Every program has `--json=FILE` and `--csv=FILE` for results (`-` is the terminal) and
 * `--fidelity=trains|events`. Results carry the value of each option, the seed and run of random
 * numbers, and the releases of this module and of ns-3. Options are read strictly (OptionValue).
 *
 * A mistake is said in one line on stderr, and the exit code is 2: whatever is refused before
 * Begin(), by Refuse() or by an NS_ABORT of what is being set up. Later errors end the program with
 * 1, also in one line (ErrorLine). Nothing is written before Begin().
 *
 * Each result is on the disk as soon as it is there: a row when it is added, the rest at the end.
 * What takes longer than two seconds says how far it is (ProgressLine).
 * @code
 * int main(int argc, char* argv[])
 * {
 *     Scenario scenario(__FILE__);
 *     uint64_t bytes = 1 << 20;
 *     scenario.Add("bytes", "Size of the message", bytes).Between(1, 1 << 30);
 *     return scenario.Run(argc, argv, [&] {
 *         ... set up ...
 *         scenario.Begin();
 *         Simulator::Run();
 *         scenario.Write([&](JsonWriter& json) { json.Field("bytes", bytes); });
 *     });
 * }
 * @endcode
 */
class Scenario
{
  public:
    /** Writes members of an object. */
    using Fields = std::function<void(JsonWriter& json)>;

    /** Time is counted in picoseconds from here on. @param file `__FILE__`, or a program's name */
    explicit Scenario(const std::string& file);
    ~Scenario();
    Scenario(const Scenario&) = delete;
    Scenario& operator=(const Scenario&) = delete;

    /**
     * Adds an option; ScenarioOptions says which types there are.
     * @return it, to say more of it
     */
    template <typename Value>
    OptionHandle<Value> Add(const std::string& name, const std::string& help, Value& value)
    {
        return m_options.Add(name, help, value);
    }

    /** The same, for several values with commas between. */
    template <typename Value>
    OptionHandle<std::vector<Value>> Add(const std::string& name,
                                         const std::string& help,
                                         std::vector<Value>& values)
    {
        return m_options.Add(name, help, values);
    }

    /** Adds the option `--timeline`. */
    void AddTimeline();

    /**
     * Reads the command line and does the work.
     * @param argc of main() @param argv of main() @param work all that is to be done
     * @return the exit code: 0, or after an error 1, or after a mistake 2
     */
    int Run(int argc, char* argv[], const std::function<void()>& work);

    /** @return the options */
    ScenarioOptions& GetOptions();

    /** An option's value is refused. @param name of the option @param why what is wrong */
    [[noreturn]] void Refuse(const std::string& name, const std::string& why) const;
    /** The options are refused for something that is not one's alone. @param why what is wrong */
    [[noreturn]] static void Refuse(const std::string& why);
    /** Refuses a value unless it is all right. @param isRight whether it is @param name of the
     * option @param why what is wrong */
    void Require(bool isRight, const std::string& name, const std::string& why) const;

    /**
     * Files that an option stands for, beside the one it names: their names begin with its value,
     * or there is one a run. They are refused as that is: if they can't be written, or are files of
     * another option too.
     * @param name of the option
     */
    void Claim(const std::string& name, const std::vector<std::string>& files);

    /**
     * Sets something up in a copy of this process, goes through its first picosecond, in which
     * switches look at their memory and controllers refuse jobs, and forgets it: what is refused
     * there is refused here. So no run of many begins before all can.
     * @param setUp what a run does before Simulator::Run(); returns what is to stay until it is
     * over
     */
    template <typename SetUp>
    static void Rehearse(const SetUp& setUp)
    {
        RehearseWork([&setUp] {
            [[maybe_unused]] const auto keep = setUp();
            RunFirstPicosecond();
        });
    }

    /** Simulator::Run(), while the line of progress shows the simulated time. */
    static void Simulate();

    /**
     * What is done now, for the line of progress (ProgressLine).
     * @param share of all work that is done; negative: not known
     */
    static void Say(const std::string& what, double share = -1);

    /** All is checked: files are claimed, and errors are the run's from now on. */
    void Begin();

    /** @return whether the terminal is for people: false with --json=- or --csv=- */
    bool PrintsTables() const;

    /** @return the timeline, which is off without --timeline */
    TimelineRecorder& GetTimeline();

    /**
     * A result of several, an element of an array.
     * @param row writes the members
     */
    void AddRow(const std::string& array, const Fields& row);
    /**
     * The same, written already.
     * @param place rows stand in this order, whenever they were added
     */
    void AddRow(const std::string& array, const std::string& json, std::size_t place = 0);

    /** Says of all what is not in rows; the results are complete. @param fields writes members */
    void Write(const Fields& fields);

    /** @return this module's release, such as 0.1.0 */
    static std::string GetVersion();
    /** @return the release of ns-3, such as 3.37 */
    static std::string GetNs3Release();

  private:
    /** Does something in a copy of this process; what is refused there is refused here. */
    static void RehearseWork(const std::function<void()>& work);
    /** Goes through the first moment of a simulation. */
    static void RunFirstPicosecond();

    using Columns = std::vector<std::pair<std::string, std::string>>;

    /** Writes what a result comes from. */
    void WriteOrigin(JsonWriter& json) const;
    /** Brings files up to date. @param fields of the end; null: there is more to come */
    void Save(const Fields* fields);
    /** @return the whole JSON file */
    std::string MakeJson(const Fields* fields) const;
    /** @return the whole CSV file */
    std::string MakeTable(const Fields* fields) const;

    std::string m_program;
    ScenarioOptions m_options;
    std::string m_fidelity;
    std::string m_json;     //!< a file; empty: nowhere; "-": the terminal
    std::string m_csv;      //!< the same
    std::string m_timeline; //!< a file; empty: nowhere
    std::unique_ptr<TimelineRecorder> m_recorder;
    std::unique_ptr<OutputFile> m_jsonFile;
    std::unique_ptr<OutputFile> m_csvFile;
    std::vector<std::pair<std::string, std::multimap<std::size_t, std::string>>> m_arrays;
    bool m_hasBegun{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCENARIO_H */
