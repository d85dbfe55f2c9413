/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "parallelism-summary.h"

#include "program-text.h"

#include "ns3/gpu-memory.h"
#include "ns3/model-work.h"

#include <algorithm>
#include <cctype>
#include <iomanip>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** The share of a rank. */
struct RankShare
{
    std::vector<std::pair<std::string, double>> memory;
    double work{0}; //!< floating-point operations of an iteration
};

/** @return the units of a rank of a pipeline */
std::vector<ModelUnit>
ListUnitsOfRank(const TrainingTask& task, uint32_t place)
{
    const auto stages = DivideModel(task.shape, task.plan.pp * task.recipe.chunks);
    std::vector<ModelUnit> units;
    for (std::size_t stage = place; stage < stages.size(); stage += task.plan.pp)
    {
        units.insert(units.end(), stages[stage].begin(), stages[stage].end());
    }
    return units;
}

/** @return the share of a rank @param sequences of the global batch @param place in its pipeline */
RankShare
CountShare(const TrainingTask& task, uint64_t sequences, uint32_t place)
{
    const ParallelismPlan& plan = task.plan;
    const TrainingRecipe& recipe = task.recipe;
    const GpuMemory memory = CountGpuMemory(task.shape, plan, recipe, place);
    const double microBatches = double(sequences) / plan.dp / recipe.microBatchSize;
    RankShare share;
    double activations = 0;
    for (const ModelUnit& unit : ListUnitsOfRank(task, place))
    {
        activations += CountUnitActivations(task.shape, plan, recipe, unit);
        const UnitWork work = CountWork(task.shape, plan, recipe, unit);
        share.work += (work.forward + work.backwardInput + work.backwardWeight + work.recompute) *
                      microBatches;
    }
    share.memory = {{"sequences", double(sequences) / plan.dp},
                    {"tokens of a sequence", double(recipe.sequence) / plan.cp},
                    {"experts", double(task.shape.experts) / plan.ep},
                    {"parameters", double(memory.parameters)},
                    {"gradients", double(memory.gradients)},
                    {"optimizer", double(memory.optimizer)},
                    {"activations", activations}};
    return share;
}

/** @return the task without a parallelism */
TrainingTask
Without(const TrainingTask& task, const std::string& parallelism)
{
    TrainingTask without = task;
    ParallelismPlan& plan = without.plan;
    if (parallelism == "tp")
    {
        plan.tp = 1;
    }
    else if (parallelism == "cp")
    {
        plan.cp = 1;
    }
    else if (parallelism == "ep")
    {
        plan.ep = 1;
    }
    else if (parallelism == "dp")
    {
        plan.dp = plan.ep = plan.replicas = 1;
    }
    else
    {
        plan.pp = 1;
        without.recipe.chunks = 1;
        without.recipe.schedule = "1f1b";
    }
    return without;
}

/** Sets what a parallelism divides. */
void
Divide(ParallelismSummary& row, const TrainingTask& task, uint32_t place)
{
    constexpr double EQUAL = 1.0005; // uneven stages and rounded shards are no division
    const uint64_t sequences =
        uint64_t{task.recipe.microBatches} * task.recipe.microBatchSize * task.plan.dp;
    const TrainingTask other = Without(task, row.parallelism);
    const RankShare share = CountShare(task, sequences, place);
    const RankShare whole = CountShare(other, sequences, row.parallelism == "pp" ? 0 : place);
    for (std::size_t i = 0; i < share.memory.size(); ++i)
    {
        const double part = share.memory[i].second;
        if (part > 0 && whole.memory[i].second > part * EQUAL)
        {
            row.memory.push_back({share.memory[i].first, whole.memory[i].second / part});
        }
    }
    row.work = share.work > 0 ? whole.work / share.work : 1;
}

/** @return the name of a parallelism of a plan, as papers have it */
std::string
NameIt(const std::string& parallelism, const ParallelismPlan& plan)
{
    if (parallelism == "dp")
    {
        return plan.sharding == ParameterSharding::NONE ? "DP"
               : plan.replicas > 1                      ? "HSDP"
                                                        : "FSDP";
    }
    std::string name;
    for (const unsigned char character : parallelism)
    {
        name += static_cast<char>(std::toupper(character));
    }
    return parallelism == "tp" && plan.sequenceParallel ? "TP & SP" : name;
}

/** @return "server", "rail" or "mixed" */
std::string
FindPath(const JobGroups& groups, const std::string& parallelism)
{
    bool areInside = true;
    bool areOutside = true;
    for (const JobGroup& group : groups.GetGroups())
    {
        if (ParallelismNameOf(group.name) == parallelism)
        {
            areInside = areInside && group.inScaleUp;
            areOutside = areOutside && group.onOneRail;
        }
    }
    return areInside ? "server" : areOutside ? "rail" : "mixed";
}

/** The calls of one kind in one pass, and what their labels name. */
struct CallCount
{
    ParallelismSummary::Exchange exchange;
    uint64_t ofLayers{0}; //!< calls that name a layer
    std::set<std::string> layers;
    std::set<std::string> microBatches;
};

/** @return the layer in a label, such as "layer 3"; or empty */
std::string
FindLayer(const std::string& label)
{
    const std::size_t at = label.find("layer ");
    return at == std::string::npos
               ? ""
               : label.substr(at, label.find_first_not_of("0123456789", at + 6) - at);
}

/** @return the micro-batch in a label: the number before any unit; or empty */
std::string
FindMicroBatch(const std::string& label)
{
    const std::string before = label.substr(0, label.find(','));
    const std::size_t at = before.find_first_of("0123456789");
    const bool isOfUnit = before.find("layer") != std::string::npos;
    return at == std::string::npos || isOfUnit
               ? ""
               : before.substr(at, before.find_first_not_of("0123456789", at) - at);
}

/** Finds the pass of each call: that of the computing before or after it. */
class PassFinder
{
  public:
    explicit PassFinder(const std::vector<ProgramLine>& lines)
        : m_after(lines.size() + 1)
    {
        for (std::size_t i = lines.size(); i-- > 0;)
        {
            m_after[i] = IsPass(lines[i]) ? NamePass(lines[i].label) : m_after[i + 1];
        }
    }

    /** @return the pass of a call @param line @param i its position */
    std::string Find(const ProgramLine& line, std::size_t i)
    {
        if (IsPass(line))
        {
            m_before = NamePass(line.label);
        }
        if (line.label == "gradient norm" || line.label == "loss and the like")
        {
            return "end";
        }
        const std::string own = NamePass(line.label);
        const bool isInput = line.label.rfind("gather ", 0) == 0;
        return !own.empty() ? own : isInput ? m_after[i] : m_before;
    }

  private:
    /** @return whether a line is the computing of a pass */
    static bool IsPass(const ProgramLine& line)
    {
        return line.kind == "compute" && !NamePass(line.label).empty();
    }

    /** @return the pass in a label; or empty */
    static std::string NamePass(const std::string& label)
    {
        for (const char* word : {"forward", "activations"})
        {
            if (label.rfind(word, 0) == 0)
            {
                return "forward";
            }
        }
        const bool isSum = label.rfind("scatter ", 0) == 0 || label.rfind("sum ", 0) == 0;
        return isSum || label.rfind("backward", 0) == 0 || label.rfind("gradients ", 0) == 0
                   ? "backward"
                   : "";
    }

    std::vector<std::string> m_after; //!< by line: the next pass
    std::string m_before;
};

/** Sets how often there are calls of a kind. */
void
SetFrequency(CallCount& count)
{
    ParallelismSummary::Exchange& one = count.exchange;
    const double layers = count.layers.size();
    const double microBatches = count.microBatches.size();
    one.often = one.calls;
    one.frequency = "iteration";
    if (layers > 0)
    {
        one.often = count.ofLayers / layers / std::max(1.0, microBatches);
        one.frequency = microBatches > 0 ? "layer and micro-batch" : "layer";
    }
    else if (microBatches > 0)
    {
        one.often = one.calls / microBatches;
        one.frequency = "micro-batch";
    }
}

/** @return the exchanges of a parallelism @param lines of an iteration */
std::vector<ParallelismSummary::Exchange>
ListExchanges(const std::vector<ProgramLine>& lines, const std::string& parallelism)
{
    PassFinder passes(lines);
    std::vector<CallCount> counts;
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
        const ProgramLine& line = lines[i];
        const std::string pass = passes.Find(line, i);
        if (line.parallelism != parallelism)
        {
            continue;
        }
        const std::string kind = line.collective.empty() ? line.kind : line.collective;
        auto count = std::find_if(counts.begin(), counts.end(), [&](const CallCount& other) {
            return other.exchange.pass == pass && other.exchange.kind == kind;
        });
        if (count == counts.end())
        {
            count = counts.emplace(counts.end());
            count->exchange.pass = pass;
            count->exchange.kind = kind;
        }
        ++count->exchange.calls;
        count->exchange.bytes += line.bytes;
        const std::string layer = FindLayer(line.label);
        const std::string microBatch = FindMicroBatch(line.label);
        if (!layer.empty())
        {
            ++count->ofLayers;
            count->layers.insert(layer);
        }
        if (!microBatch.empty())
        {
            count->microBatches.insert(microBatch);
        }
    }
    std::vector<ParallelismSummary::Exchange> exchanges;
    for (CallCount& count : counts)
    {
        SetFrequency(count);
        exchanges.push_back(count.exchange);
    }
    return exchanges;
}

/** @return a number without needless digits */
std::string
ToShortText(double number)
{
    std::ostringstream os;
    os << std::setprecision(3) << number;
    return os.str();
}

} // namespace

std::vector<ParallelismSummary>
Summarize(const TrainingJob& job, uint32_t rank)
{
    const TrainingTask& task = job.GetTask();
    const std::vector<std::pair<std::string, uint32_t>> degrees{{"tp", task.plan.tp},
                                                                {"cp", task.plan.cp},
                                                                {"ep", task.plan.ep},
                                                                {"dp", task.plan.dp},
                                                                {"pp", task.plan.pp}};
    const std::vector<ProgramLine> lines = ListIteration(job, rank, 1);
    const uint32_t place = job.GetLayout().GetPlace(rank, Parallelism::PIPELINE);
    std::vector<ParallelismSummary> rows;
    for (const auto& [parallelism, degree] : degrees)
    {
        if (degree == 1)
        {
            continue;
        }
        ParallelismSummary row;
        row.parallelism = parallelism;
        row.name = NameIt(parallelism, task.plan);
        row.degree = degree;
        row.path = FindPath(job.GetGroups(), parallelism);
        Divide(row, task, place);
        row.exchanges = ListExchanges(lines, parallelism);
        rows.push_back(row);
    }
    return rows;
}

void
PrintSummary(std::ostream& os, const std::vector<ParallelismSummary>& rows)
{
    for (const ParallelismSummary& row : rows)
    {
        os << "\n"
           << row.name << " " << row.degree << ", over "
           << (row.path == "rail"     ? "rails"
               : row.path == "server" ? "the fabric of a server"
                                      : "rails, in part")
           << "\n  divides work by " << ToShortText(row.work) << "; memory: ";
        for (std::size_t i = 0; i < row.memory.size(); ++i)
        {
            os << (i == 0 ? "" : ", ") << row.memory[i].what << " by "
               << ToShortText(row.memory[i].factor);
        }
        os << (row.memory.empty() ? "nothing" : "") << "\n";
        for (const ParallelismSummary::Exchange& one : row.exchanges)
        {
            os << "  " << std::left << std::setw(10) << one.pass << std::setw(16) << one.kind
               << std::right << std::setw(7) << one.calls << " calls" << std::fixed
               << std::setprecision(3) << std::setw(15) << one.bytes / 1e6 << " MB   "
               << std::defaultfloat << ToShortText(one.often) << " per " << one.frequency << "\n";
        }
    }
}

} // namespace ns3
