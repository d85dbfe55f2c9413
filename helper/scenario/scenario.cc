/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario.h"

#include "error-line.h"
#include "last-command.h"
#include "progress-line.h"
#include "rails-extension.h"
#include "repeated-runs.h"
#include "run-folder.h"
#include "side-by-side.h"

#include "ns3/json-columns.h"
#include "ns3/output-file.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/result-csv.h"
#include "ns3/result-database.h"
#include "ns3/result-report.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

/** @return the name of a program @param file of its source */
std::string
GetProgramName(const std::string& file)
{
    const std::size_t slash = file.find_last_of("/\\");
    const std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
    return name.substr(0, name.rfind(".cc"));
}

const char* const DATABASE_FILE = "results.sqlite";
const char* const REPORT_FILE = "report.html";

/** Before the reason, in the result of a run whose options are a mistake. */
const std::string MISTAKE = "!";

/** What a run reports as its share when it begins. */
constexpr double BEGUN = 0.5;

/** Thrown at the end of the checks, if a program is to do no more. */
struct ChecksAreOver
{
};

/** @return a command line, as it could be typed */
std::string
JoinCommand(int argc, char* argv[])
{
    std::string command;
    for (int a = 0; a < argc; ++a)
    {
        const std::string word = argv[a];
        const bool isPlain = !word.empty() && std::all_of(word.begin(), word.end(), [](char one) {
            return std::isalnum(static_cast<unsigned char>(one)) != 0 ||
                   std::string("-_=.,:/+@%").find(one) != std::string::npos;
        });
        std::string quoted = "'";
        for (const char one : word)
        {
            quoted += one == '\'' ? std::string("'\\''") : std::string(1, one);
        }
        command += (a == 0 ? "" : " ") + (isPlain ? word : quoted + "'");
    }
    return command;
}

/** @return an object with the indentation of an array element */
std::string
IndentRow(const std::string& row)
{
    std::string indented;
    for (const char letter : row)
    {
        indented += letter;
        indented += letter == '\n' ? "    " : "";
    }
    return indented;
}

} // namespace

Scenario::Scenario(const std::string& file)
    : m_program(GetProgramName(file)),
      m_options(m_program)
{
    ErrorLine::Install(m_program);
    ErrorLine::SetExitCode(2);
    UsePicoseconds();
}

Scenario::~Scenario() = default;

void
Scenario::AddPlot()
{
    m_plot.Add(m_options);
}

void
Scenario::AddTimeline()
{
    m_options.Add("output-timeline",
                  "Whether the folder of --output has a timeline, for ui.perfetto.dev",
                  m_drawsTimeline);
    m_options
        .Add("timeline",
             "File for a timeline, which ui.perfetto.dev and chrome://tracing open",
             m_timeline)
        .Writes();
}

void
Scenario::AddAnimation()
{
    m_animationOption.Add(m_options);
}

void
Scenario::CheckAnimation(uint64_t rails, uint64_t gpus, uint64_t ports) const
{
    m_animationOption.Check(m_options, rails, gpus, ports);
}

int
Scenario::Run(int argc, char* argv[], const std::function<void()>& work)
{
    m_fidelity = GetFidelity();
    m_options
        .Add("fidelity",
             "How frames on circuits are simulated, with equal results, by events only where "
             "something becomes visible (trains) or for every frame (events)",
             m_fidelity)
        .OneOf({"trains", "events"}, "fidelity");
    m_options
        .Add("load",
             "Shared objects with policies, congestion controls or algorithms of one's own, with "
             "commas",
             m_extensions)
        .First([this] { return LoadAll(); });
    m_options
        .Add("runs",
             "Runs with other random variables (RngRun), of which means and their 95 % intervals "
             "are printed",
             m_runs)
        .Between(1, 10000);
    m_options.Add("check",
                  "Whether only the options are checked: nothing is simulated, printed or written",
                  m_check);
    m_options.Add("json", "File for the results as one JSON object; - is the terminal", m_json)
        .Writes();
    m_options.Add("csv", "File for the results as a table, a line a run; - is the terminal", m_csv)
        .Writes();
    m_options.Add("output", "Folder for all that the run leaves behind; see the manual", m_output);
    m_options.Add("output-csv",
                  "Whether the tables of the database of --output are written as CSV files too",
                  m_writesCsv);
    m_options.Add("output-report",
                  "Whether nothing is run, and the report of what is in the folder of --output is "
                  "written: of a run that was killed, or that has not ended",
                  m_onlyReports);
    m_command = JoinCommand(argc, argv);
    try
    {
        m_options.Parse(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
        if (m_options.IsGiven("fidelity"))
        {
            SetFidelity(m_fidelity);
        }
        m_fidelity = GetFidelity();
        CheckFiles();
        if (m_onlyReports)
        {
            ReportFolder();
            return 0;
        }
        ProgressLine::Begin(m_program);
        if (m_runs > 1)
        {
            RefuseFilesOfRuns();
        }
        m_runs > 1 && !m_check ? Repeat(work) : work();
        ProgressLine::End();
        m_recorder.reset();
        m_plot.End();
        m_animation.reset();
        CheckStandardOutput();
        EndFolder();
    }
    catch (const ChecksAreOver&)
    {
        ProgressLine::End();
    }
    catch (const OptionMistake& mistake)
    {
        ErrorLine::End(mistake.what(), 2);
    }
    catch (const std::bad_alloc&)
    {
        ErrorLine::End("there is not enough memory; give fewer GPUs, ports or messages",
                       m_hasBegun ? 1 : 2);
    }
    catch (const std::exception& error)
    {
        ErrorLine::End(error.what(), m_hasBegun ? 1 : 2);
    }
    return 0;
}

void
Scenario::CheckFiles()
{
    Require(m_timeline != "-", "timeline", "give the name of a file; it is no terminal's");
    m_animationOption.Check(m_options, 0, 0, 0); // the program checks the number of ports
    Require(m_json != "-" || m_csv != "-", "csv", "--json has the terminal");
    if (m_options.IsGiven("output"))
    {
        const std::string fault = RunFolder::FindFault(m_output);
        Require(fault.empty(), "output", fault);
    }
    Require(!m_writesCsv || !m_output.empty(), "output-csv", "give --output=FOLDER too");
    Require(!m_onlyReports || !m_output.empty(), "output-report", "give --output=FOLDER too");
    Require(!m_drawsTimeline || !m_output.empty(), "output-timeline", "give --output=FOLDER too");
    if (m_timeline.empty() && m_drawsTimeline && m_runs == 1)
    {
        m_timeline = RunFolder::GetFile(m_output, "timeline.json");
    }
}

std::string
Scenario::LoadAll() const
{
    for (const std::string& file : m_extensions)
    {
        const std::string name = m_extensions.size() > 1 ? file + ": " : "";
        ErrorLine::SetContext("--load=" + file + ": "); // what it registers may abort
        const std::string why =
            file.empty() ? "give the name of a file, or leave it out" : LoadExtension(file);
        ErrorLine::SetContext("");
        if (!why.empty())
        {
            return name + why;
        }
    }
    return "";
}

void
Scenario::RefuseFilesOfRuns() const
{
    for (const auto& option : m_options.GetAll())
    {
        const bool isResult = option->name == "json" || option->name == "csv";
        Require(isResult || !option->isOutput || !option->isGiven,
                option->name,
                "each of the " + std::to_string(m_runs) +
                    " runs would write that file; leave it out, or --runs");
    }
}

void
Scenario::Repeat(const std::function<void()>& work)
{
    const uint64_t first = RngSeedManager::GetRun();
    SideBySide processes;
    for (uint64_t run = first; run < first + m_runs; ++run)
    {
        processes.Add("RngRun " + std::to_string(run),
                      [&, run](const SideBySide::Progress& report) {
                          return RunAsOne(work, run, [&report] { report(BEGUN); });
                      });
    }
    const auto watch = [](const std::vector<SideBySide::Outcome>& all) {
        const auto over =
            std::count_if(all.begin(), all.end(), [](const auto& one) { return one.isOver; });
        ShowAction(std::to_string(over) + " of " + std::to_string(all.size()) + " runs are over",
                   static_cast<double>(over) / all.size());
    };
    RepeatedRuns runs;
    for (const SideBySide::Outcome& one : processes.Run(watch))
    {
        if (!one.error.empty())
        {
            m_hasBegun = one.share >= BEGUN;
            throw std::runtime_error(one.error);
        }
        if (one.result.substr(0, 1) == MISTAKE)
        {
            throw OptionMistake(one.result.substr(1));
        }
        const std::string why = runs.Add(RepeatedRuns::Unpack(one.result));
        Require(why.empty(), "runs", one.name + ": " + why);
    }
    Require(runs.CountFigures() > 0, "runs", "a run like that has no figure");
    Report(runs, first);
}

std::string
Scenario::RunAsOne(const std::function<void()>& work,
                   uint64_t run,
                   const std::function<void()>& begun)
{
    if (std::freopen("/dev/null", "w", stdout) == nullptr)
    {
        throw std::runtime_error("can't open /dev/null");
    }
    RngSeedManager::SetRun(run);
    m_isOneOfSeveral = true;
    m_begun = begun;
    try
    {
        work();
    }
    catch (const OptionMistake& mistake)
    {
        return MISTAKE + mistake.what();
    }
    return RepeatedRuns::Pack(m_figures);
}

void
Scenario::Report(const RepeatedRuns& runs, uint64_t firstRun)
{
    Begin();
    ProgressLine::Clear();
    if (PrintsTables())
    {
        runs.Print(std::cout, firstRun);
    }
    for (std::size_t figure = 0; figure < runs.CountFigures(); ++figure)
    {
        AddRow("figures", [&](JsonWriter& json) { runs.Write(json, figure); });
    }
    Write([&](JsonWriter& json) { json.Field("repeats", m_runs); });
}

ScenarioOptions&
Scenario::GetOptions()
{
    return m_options;
}

void
Scenario::Refuse(const std::string& name, const std::string& why) const
{
    m_options.Refuse(name, why);
}

void
Scenario::Refuse(const std::string& why)
{
    throw OptionMistake(why);
}

void
Scenario::Require(bool isRight, const std::string& name, const std::string& why) const
{
    m_options.Require(isRight, name, why);
}

void
Scenario::Claim(const std::string& name, const std::vector<std::string>& files)
{
    m_options.Claim(name, files);
}

void
Scenario::RehearseWork(const std::function<void()>& work)
{
    SideBySide copy(1);
    copy.Add("", [&work](const SideBySide::Progress&) {
        work();
        return std::string();
    });
    const SideBySide::Outcome outcome = copy.Run().front();
    if (!outcome.error.empty())
    {
        throw OptionMistake(outcome.error);
    }
}

void
Scenario::RunFirstPicosecond()
{
    Simulator::Stop(PicoSeconds(1));
    Simulator::Run();
}

void
Scenario::Simulate()
{
    ProgressLine::SetSimulating(true);
    Simulator::Run();
    ProgressLine::SetSimulating(false);
}

void
Scenario::ShowAction(const std::string& what, double share)
{
    ProgressLine::ShowAction(what);
    ProgressLine::SetShare(share);
}

void
Scenario::BeginFolder()
{
    if (!m_output.empty() && !m_isOneOfSeveral)
    {
        m_folder = std::make_unique<RunFolder>(m_output, [this](JsonWriter& json) {
            json.Field("command", m_command);
            WriteOrigin(json);
        });
        m_resultsFile = std::make_unique<OutputFile>(m_folder->GetFile("results.json"));
        BeginDatabase();
    }
}

void
Scenario::BeginDatabase()
{
    const std::string file = m_folder->GetFile(DATABASE_FILE);
    const std::string fault = ResultDatabase::FindFault();
    if (!fault.empty())
    {
        std::cerr << m_program << ": no " << file << ": " << fault << std::endl;
        return;
    }
    m_database = std::make_unique<ScenarioDatabase>(file, ListParameters());
    LastCommand::Set({m_program, "--output=" + m_output, "--output-report"});
}

std::vector<ScenarioDatabase::Parameter>
Scenario::ListParameters() const
{
    std::vector<ScenarioDatabase::Parameter> parameters{
        {"command", m_command},
        {"program", m_program},
        {"version", GetVersion()},
        {"ns3", GetNs3Release()},
        {"RngSeed", std::to_string(RngSeedManager::GetSeed())},
        {"RngRun", std::to_string(RngSeedManager::GetRun())}};
    for (const auto& option : m_options.GetAll())
    {
        parameters.push_back({"--" + option->name, option->typed, option->isGiven});
    }
    return parameters;
}

void
Scenario::ReportFolder() const
{
    const std::string file = RunFolder::GetFile(m_output, DATABASE_FILE);
    Require(std::filesystem::exists(file), "output-report", "there is no " + file);
    WriteResultReport(file,
                      RunFolder::GetFile(m_output, REPORT_FILE),
                      RunFolder::ReadEnd(m_output));
    std::cerr << "output: " << m_output << std::endl;
}

void
Scenario::EndFolder()
{
    if (m_folder)
    {
        m_resultsFile.reset();
        if (m_database)
        {
            const std::string file = m_database->GetFile();
            ResultDatabase(file).Finish();
            WriteResultReport(file, m_folder->GetFile(REPORT_FILE));
            if (m_writesCsv)
            {
                WriteResultCsv(file, m_folder->GetFile("tables"));
            }
        }
        LastCommand::Set({});
        m_folder->Complete();
        std::cerr << "output: " << m_folder->GetPath() << std::endl;
    }
}

void
Scenario::Begin()
{
    if (m_checked)
    {
        m_checked();
    }
    if (m_check)
    {
        throw ChecksAreOver();
    }
    BeginFolder();
    if (!m_json.empty() && !m_isOneOfSeveral)
    {
        m_jsonFile = std::make_unique<OutputFile>(m_json);
    }
    if (!m_csv.empty() && !m_isOneOfSeveral)
    {
        m_csvFile = std::make_unique<OutputFile>(m_csv);
    }
    if (!m_isOneOfSeveral)
    {
        m_plot.Begin();
    }
    GetTimeline().Check();
    GetAnimation().Check();
    m_hasBegun = true;
    ErrorLine::SetExitCode(1);
    if (m_begun)
    {
        m_begun();
    }
}

bool
Scenario::PrintsTables() const
{
    return m_json != "-" && m_csv != "-" && !m_isOneOfSeveral;
}

void
Scenario::BeSilent()
{
    m_isOneOfSeveral = true;
    ProgressLine::End();
}

void
Scenario::SetChecked(const std::function<void()>& checked)
{
    m_checked = checked;
}

CurvePlot&
Scenario::GetPlot(std::size_t which)
{
    return m_plot.GetPlot(which);
}

bool
Scenario::IsPlotted() const
{
    return m_plot.IsOn();
}

TimelineRecorder&
Scenario::GetTimeline()
{
    if (!m_recorder)
    {
        m_recorder = m_timeline.empty() ? std::make_unique<TimelineRecorder>()
                                        : std::make_unique<TimelineRecorder>(m_timeline);
    }
    return *m_recorder;
}

RailAnimation&
Scenario::GetAnimation()
{
    if (!m_animation)
    {
        m_animation = m_animationOption.Make();
        m_animation = m_animation ? std::move(m_animation) : std::make_unique<RailAnimation>();
    }
    return *m_animation;
}

const RunFolder*
Scenario::GetFolder() const
{
    return m_folder.get();
}

std::string
Scenario::GetDatabase() const
{
    return m_database ? m_database->GetFile() : "";
}

Ptr<RunResults>
Scenario::BeginRun(const RunLabel& label)
{
    return Create<RunResults>(GetDatabase(), m_database ? m_database->TakeRunNumber() : 0, label);
}

void
Scenario::AddRow(const std::string& array, const Fields& row)
{
    std::ostringstream text;
    JsonWriter json(text);
    json.BeginObject();
    row(json);
    json.EndObject();
    const auto found = std::find_if(m_arrays.begin(), m_arrays.end(), [&array](const auto& one) {
        return one.first == array;
    });
    AddRow(array, text.str(), 0, found == m_arrays.end() ? 0 : found->second.size());
}

void
Scenario::AddRow(const std::string& array, const std::string& json, std::size_t place)
{
    AddRow(array, json, place, place);
}

void
Scenario::AddRow(const std::string& array,
                 const std::string& json,
                 std::size_t place,
                 std::size_t row)
{
    auto found = std::find_if(m_arrays.begin(), m_arrays.end(), [&array](const auto& one) {
        return one.first == array;
    });
    if (found == m_arrays.end())
    {
        found = m_arrays.emplace(m_arrays.end(), array, std::multimap<std::size_t, std::string>());
    }
    found->second.emplace(place, IndentRow(json.substr(0, json.find_last_not_of('\n') + 1)));
    std::cout.flush(); // the printed line is complete too, before a later error
    Save(nullptr);
    if (m_database)
    {
        m_database->AddRow(array, json, row);
        m_database->SetPlots(m_plot.GetPlots(), false);
    }
}

void
Scenario::AddFigure(const std::string& name, const std::string& unit, double value)
{
    m_figures.push_back({name, unit, value});
}

void
Scenario::Write(const Fields& fields)
{
    Save(&fields);
    if (m_database)
    {
        std::ostringstream text;
        JsonWriter json(text);
        json.BeginObject();
        fields(json);
        json.EndObject();
        m_database->Complete(text.str());
        m_database->SetPlots(m_plot.GetPlots(), true);
        m_database->AddFigures(m_figures);
    }
}

void
Scenario::Save(const Fields* fields)
{
    const bool isEnd = fields != nullptr;
    for (const auto& file : {m_jsonFile.get(), m_resultsFile.get()})
    {
        if (file && (isEnd || file->IsReplaceable()))
        {
            file->Replace(MakeJson(fields));
        }
    }
    if (m_csvFile && (isEnd || m_csvFile->IsReplaceable()))
    {
        m_csvFile->Replace(MakeTable(fields));
    }
    m_plot.Save(isEnd);
}

void
Scenario::WriteOrigin(JsonWriter& json) const
{
    json.Field("program", m_program);
    json.Field("version", GetVersion());
    json.Field("ns3", GetNs3Release());
    json.Field("seed", RngSeedManager::GetSeed());
    json.Field("run", RngSeedManager::GetRun());
    json.BeginObject("options");
    m_options.Write(json);
    json.EndObject();
}

std::string
Scenario::MakeJson(const Fields* fields) const
{
    std::ostringstream text;
    JsonWriter json(text);
    json.BeginObject();
    for (const auto& [array, rows] : m_arrays)
    {
        json.BeginArray(array);
        for (const auto& [place, row] : rows)
        {
            json.RawValue(row);
        }
        json.EndArray();
    }
    if (fields)
    {
        (*fields)(json);
    }
    json.Field("complete", fields != nullptr);
    WriteOrigin(json);
    json.EndObject();
    return text.str();
}

std::string
Scenario::MakeTable(const Fields* fields) const
{
    const auto list = [](const Fields& members) {
        std::ostringstream text;
        JsonWriter json(text);
        json.BeginObject();
        members(json);
        json.EndObject();
        return ListColumns(text.str());
    };
    std::vector<Columns> rows;
    for (const auto& [array, some] : m_arrays)
    {
        for (const auto& [place, row] : some)
        {
            rows.push_back(ListColumns(row));
        }
    }
    if (rows.empty() && fields)
    {
        rows.push_back(list(*fields));
    }
    const Columns origin = list([this](JsonWriter& json) { WriteOrigin(json); });
    for (Columns& row : rows)
    {
        row.insert(row.end(), origin.begin(), origin.end());
    }
    return MakeCsv(rows);
}

// CMake defines them, waf does not
#ifndef PHOTONIC_RAILS_VERSION
#define PHOTONIC_RAILS_VERSION "unknown"
#endif
#ifndef PHOTONIC_RAILS_NS3_RELEASE
#define PHOTONIC_RAILS_NS3_RELEASE "unknown"
#endif

std::string
Scenario::GetVersion()
{
    return PHOTONIC_RAILS_VERSION;
}

std::string
Scenario::GetNs3Release()
{
    return PHOTONIC_RAILS_NS3_RELEASE;
}

} // namespace ns3
