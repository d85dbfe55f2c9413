/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCENARIO_H
#define PHOTONIC_RAILS_SCENARIO_H

#include "animation-option.h"
#include "fidelity-option.h"
#include "plot-option.h"
#include "repeated-runs.h"
#include "run-results.h"
#include "scenario-database.h"
#include "scenario-options.h"

#include "ns3/json-writer.h"
#include "ns3/ptr.h"
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
class RunFolder;

/**
 * @ingroup photonic-rails
 * @brief A simulation program: its options, its results and its errors.
 *
 * Every program has `--json=FILE` and `--csv=FILE` for results (`-` is the terminal),
 * `--output=FOLDER` for a folder with all that a run leaves behind (RunFolder), with a database of
 * its results, which it may add to (BeginRun()), and a report of them,
 * `--fidelity=trains|events`, and `--load=FILE.so` for extensions (rails-extension.h), whose names
 * the other options know. With `--runs=N` its work is done N times, each in a process of its own
 * with the next RngRun, and the mean of each figure (AddFigure()) and its 95 % interval take the
 * place of other results. With `--check` it ends at Begin(), so a script can find mistakes in many
 * command lines before it runs the first one. Results carry the value of each option, the seed and
 * run of random numbers, and the releases of this module and of ns-3. Options are read strictly
 * (OptionValue).
 *
 * A mistake before Begin(), by Refuse() or by an NS_ABORT during set-up, is reported in one line on
 * stderr, with the exit code 2. Later errors end the program with 1, also in one line (ErrorLine).
 * No file is written before Begin().
 *
 * Each result is written to disk at once: a row when it is added, the rest at the end. A program
 * that takes longer than two seconds reports its progress (ProgressLine).
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

    /** Sets the time resolution to picoseconds. @param file `__FILE__`, or a program's name */
    explicit Scenario(const std::string& file);
    ~Scenario();
    Scenario(const Scenario&) = delete;
    Scenario& operator=(const Scenario&) = delete;

    /**
     * Adds an option; see ScenarioOptions for the types.
     * @return a handle, to refine the option
     */
    template <typename Value>
    OptionHandle<Value> Add(const std::string& name, const std::string& help, Value& value)
    {
        return m_options.Add(name, help, value);
    }

    /** The same, for several values separated by commas. */
    template <typename Value>
    OptionHandle<std::vector<Value>> Add(const std::string& name,
                                         const std::string& help,
                                         std::vector<Value>& values)
    {
        return m_options.Add(name, help, values);
    }

    /** Adds the option `--plot`, for the curves of GetPlot(). */
    void AddPlot();

    /** Adds the options `--timeline` and `--output-timeline`. */
    void AddTimeline();

    /** Adds the option `--netanim`, for an animation (GetAnimation()). */
    void AddAnimation();
    /** Refuses the option if there are too many ports: see AnimationOption::Check(). */
    void CheckAnimation(uint64_t rails, uint64_t gpus, uint64_t ports) const;

    /**
     * Parses the command line and calls the work.
     * @param argc of main()
     * @param argv of main()
     * @param work the whole simulation
     * @return the exit code: 0, or after an error 1, or after a mistake 2
     */
    int Run(int argc, char* argv[], const std::function<void()>& work);

    /** @return the options */
    ScenarioOptions& GetOptions();

    /** Refuses the value of an option. @param name of the option @param why the reason */
    [[noreturn]] void Refuse(const std::string& name, const std::string& why) const;
    /** Refuses a combination of options. @param why the reason */
    [[noreturn]] static void Refuse(const std::string& why);
    /**
     * Refuses the value of an option unless a condition holds.
     * @param isRight the condition
     * @param name of the option
     * @param why the reason
     */
    void Require(bool isRight, const std::string& name, const std::string& why) const;

    /**
     * Registers further output files of an option: their names begin with its value, or there is
     * one a run. Refuses files that cannot be written, and files of another option.
     * @param name of the option
     */
    void Claim(const std::string& name, const std::vector<std::string>& files);

    /**
     * Rehearses a run in a copy of this process: sets it up and simulates its first picosecond, in
     * which switches check their memory and controllers refuse jobs. An error there is an error of
     * this process. So the first of many runs begins only if all of them can.
     * @param setUp the part of a run before Simulator::Run(); its result lives until the end of the
     *        rehearsal
     */
    template <typename SetUp>
    static void Rehearse(const SetUp& setUp)
    {
        RehearseWork([&setUp] {
            [[maybe_unused]] const auto keep = setUp();
            RunFirstPicosecond();
        });
    }

    /** Simulator::Run(), with the simulated time in the line of progress. */
    static void Simulate();

    /**
     * Sets the present action in the line of progress (ProgressLine).
     * @param share completed share of all work; negative: unknown
     */
    static void ShowAction(const std::string& what, double share = -1);

    /** Ends the checks: opens the files. Later errors are errors of the run. With `--check` the
     * program ends here, with the exit code 0. */
    void Begin();

    /** @return whether the program prints tables: false with --json=- or --csv=- */
    bool PrintsTables() const;

    /** Prints no tables and no progress, and writes no files: another process of the run does. */
    void BeSilent();

    /** @param checked is called by Begin(), before it opens files */
    void SetChecked(const std::function<void()>& checked);

    /**
     * A plot of `--plot`. Points that are added before a call of AddRow() or Write() are in the
     * file after it.
     * @param which several are one below the other, from 0
     */
    CurvePlot& GetPlot(std::size_t which = 0);

    /** @return whether --plot is given */
    bool IsPlotted() const;

    /** @return the timeline, which is off without --timeline and --output */
    TimelineRecorder& GetTimeline();

    /** @return the animation, which is off without --netanim */
    RailAnimation& GetAnimation();

    /** @return the folder of --output, from Begin() on; null: there is none */
    const RunFolder* GetFolder() const;

    /** @return the file of the database of --output, from Begin() on; empty: there is none */
    std::string GetDatabase() const;

    /**
     * Begins the record of a run in the database of --output, after Begin().
     * @return what records it: nothing, if there is no database
     */
    Ptr<RunResults> BeginRun(const RunLabel& label);

    /**
     * Adds one of several results, an element of an array.
     * @param row writes the members
     */
    void AddRow(const std::string& array, const Fields& row);
    /**
     * The same, with complete text.
     * @param place the position of the row, independent of the order of calls
     */
    void AddRow(const std::string& array, const std::string& json, std::size_t place = 0);

    /**
     * Reports what the program is run for, in the same order in each run; `--runs` has the mean.
     * @param name such as "iteration, on-demand 25ms"
     * @param unit such as "s"
     */
    void AddFigure(const std::string& name, const std::string& unit, double value);

    /** Writes the common members and completes the results. @param fields writes members */
    void Write(const Fields& fields);

    /** @return this module's release, such as 1.0.0 */
    static std::string GetVersion();
    /** @return the release of ns-3, such as 3.37 */
    static std::string GetNs3Release();

  private:
    /** Calls a function in a copy of this process; an error there is an error of this process. */
    static void RehearseWork(const std::function<void()>& work);
    /** Simulates the first picosecond. */
    static void RunFirstPicosecond();

    /** Refuses output files of other options than `--json` and `--csv`, which several runs would
     * write. */
    void RefuseFilesOfRuns() const;
    /** Does the work several times, and reports means. */
    void Repeat(const std::function<void()>& work);
    /**
     * Does the work as one of several runs.
     * @param run its RngRun
     * @param begun is called by Begin()
     * @return its figures, packed
     */
    std::string RunAsOne(const std::function<void()>& work,
                         uint64_t run,
                         const std::function<void()>& begun);
    /** Prints and writes the means of all runs. @param firstRun the first RngRun */
    void Report(const RepeatedRuns& runs, uint64_t firstRun);

    using Columns = std::vector<std::pair<std::string, std::string>>;

    /** Writes the origin of a result: options, random numbers and releases. */
    void WriteOrigin(JsonWriter& json) const;
    /** Checks the options of files. */
    void CheckFiles();
    /** Makes the folder of --output. */
    void BeginFolder();
    /** Makes its database, with the table of parameters. */
    void BeginDatabase();
    /** @return the command, the origin and the options */
    std::vector<ScenarioDatabase::Parameter> ListParameters() const;
    /** Adds a row. @param row its number in the database */
    void AddRow(const std::string& array,
                const std::string& json,
                std::size_t place,
                std::size_t row);
    /** Completes the folder, and prints its name. */
    void EndFolder();
    /** Writes the report of the folder of --output anew, from what is in it. */
    void ReportFolder() const;
    /** Loads the extensions. @return the error; empty if there is none */
    std::string LoadAll() const;
    /** Updates the files. @param fields common members at the end; null: more results follow */
    void Save(const Fields* fields);
    /** @return the whole JSON file */
    std::string MakeJson(const Fields* fields) const;
    /** @return the whole CSV file */
    std::string MakeTable(const Fields* fields) const;

    std::string m_program;
    ScenarioOptions m_options;
    std::string m_fidelity;
    std::string m_json;     //!< a file; empty: none; "-": the terminal
    std::string m_csv;      //!< a file; empty: none; "-": the terminal
    std::string m_timeline; //!< a file; empty: none
    AnimationOption m_animationOption;
    std::string m_output;                  //!< a folder; empty: none
    std::string m_command;                 //!< the command line
    std::vector<std::string> m_extensions; //!< files that are loaded
    uint32_t m_runs{1};
    bool m_check{false};              //!< ends at Begin()
    bool m_isOneOfSeveral{false};     //!< this process does the work of one of several runs
    std::function<void()> m_checked;  //!< is called by Begin(), before it opens files
    std::function<void()> m_begun;    //!< the same, behind them
    std::vector<RunFigure> m_figures; //!< of this run
    PlotOption m_plot;
    std::unique_ptr<TimelineRecorder> m_recorder;
    std::unique_ptr<RailAnimation> m_animation;
    std::unique_ptr<OutputFile> m_jsonFile;
    std::unique_ptr<OutputFile> m_csvFile;
    std::unique_ptr<OutputFile> m_resultsFile; //!< JSON in the folder
    std::unique_ptr<RunFolder> m_folder;
    bool m_drawsTimeline{false};                  //!< in the folder
    bool m_writesCsv{false};                      //!< of the database
    bool m_onlyReports{false};                    //!< what is in the folder
    std::unique_ptr<ScenarioDatabase> m_database; //!< null: there is none
    std::vector<std::pair<std::string, std::multimap<std::size_t, std::string>>> m_arrays;
    bool m_hasBegun{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCENARIO_H */
