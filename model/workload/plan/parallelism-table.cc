/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "parallelism-table.h"

#include "gpu-memory.h"
#include "parallelism-fit.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint32_t MOST_SHOWN = 8; // ranks of a group, and of a layout

/** @return its name in the table */
const char*
ToWords(GroupReach reach)
{
    static const char* const words[]{"-", "inside a server", "over a rail", "over rails, mixed"};
    return words[static_cast<std::size_t>(reach)];
}

/** @return ranks as text, only the first ones if there are many */
std::string
ToText(const std::vector<uint32_t>& ranks)
{
    std::ostringstream text;
    const std::size_t shown = std::min<std::size_t>(ranks.size(), MOST_SHOWN);
    for (std::size_t i = 0; i < shown; ++i)
    {
        text << (i == 0 ? "" : " ") << ranks[i];
    }
    text << (shown < ranks.size() ? " ..." : "");
    return text.str();
}

/** Writes the table of parallelisms. */
void
WriteParallelisms(std::ostream& os, const ParallelismPlan& plan, const RankLayout& layout)
{
    os << std::left << std::setw(13) << "parallelism" << std::right << std::setw(7) << "degree"
       << "  " << std::left << std::setw(19) << "joined"
       << "group of rank 0\n";
    for (const Parallelism parallelism : GetParallelisms())
    {
        os << std::left << std::setw(13) << ToString(parallelism) << std::right << std::setw(7)
           << plan.GetDegree(parallelism) << "  " << std::left << std::setw(19)
           << ToWords(FindReach(layout, parallelism)) << ToText(layout.GetGroup(0, {parallelism}))
           << "\n";
    }
}

/** Writes the places of ranks. */
void
WriteRanks(std::ostream& os, const RankLayout& layout)
{
    os << std::right << std::setw(5) << "rank" << std::setw(8) << "server" << std::setw(6)
       << "rail";
    for (const Parallelism parallelism : GetParallelisms())
    {
        os << std::setw(13) << ToString(parallelism);
    }
    os << "\n";
    const uint32_t shown = std::min(layout.GetRanks(), MOST_SHOWN);
    for (uint32_t rank = 0; rank < shown; ++rank)
    {
        os << std::setw(5) << rank << std::setw(8) << layout.GetServer(rank) << std::setw(6)
           << layout.GetRail(rank);
        for (const Parallelism parallelism : GetParallelisms())
        {
            os << std::setw(9) << layout.GetPlace(rank, parallelism);
        }
        os << "\n";
    }
    if (shown < layout.GetRanks())
    {
        os << "  ... and so on, to rank " << layout.GetRanks() - 1 << " on rail "
           << layout.GetRail(layout.GetRanks() - 1) << " of server "
           << layout.GetServer(layout.GetRanks() - 1) << "\n";
    }
}

/** @return the layers of a rank of a pipeline */
std::size_t
CountLayers(const std::vector<std::vector<ModelUnit>>& divided, uint32_t pp, uint32_t place)
{
    std::size_t layers = 0;
    for (std::size_t stage = place; stage < divided.size(); stage += pp)
    {
        for (const ModelUnit& unit : divided[stage])
        {
            layers += unit.kind == ModelUnit::Kind::LAYER ? 1 : 0;
        }
    }
    return layers;
}

/** Writes the memory of GPUs. */
void
WriteMemory(std::ostream& os,
            const ParallelismPlan& plan,
            const ModelShape& shape,
            const TrainingRecipe& recipe,
            const GpuGeneration& gpu)
{
    const auto divided = DivideModel(shape, plan.pp * recipe.chunks);
    os << "memory of a GPU, in GB, of the " << std::fixed << std::setprecision(1)
       << double(gpu.memoryBytes) / 1e9 << " that it has\n"
       << "stage  layers  parameters  gradients  optimizer  activations  gathered    total\n";
    for (uint32_t place = 0; place < plan.pp; ++place)
    {
        const GpuMemory memory = CountGpuMemory(shape, plan, recipe, place);
        os << std::right << std::setw(5) << place << std::setw(8)
           << CountLayers(divided, plan.pp, place) << std::setprecision(2) << std::setw(12)
           << double(memory.parameters) / 1e9 << std::setw(11) << double(memory.gradients) / 1e9
           << std::setw(11) << double(memory.optimizer) / 1e9 << std::setw(13)
           << double(memory.activations) / 1e9 << std::setw(10) << double(memory.gathered) / 1e9
           << std::setw(9) << double(memory.GetTotal()) / 1e9 << "\n";
    }
}

} // namespace

GroupReach
FindReach(const RankLayout& layout, Parallelism parallelism)
{
    const std::size_t degree = layout.GetGroup(0, {parallelism}).size();
    if (degree == 1)
    {
        return GroupReach::ALONE;
    }
    bool inServer = true;
    bool onRail = true;
    for (uint32_t rank = 0; rank < layout.GetRanks(); ++rank)
    {
        const uint32_t place = layout.GetPlace(rank, parallelism);
        if (place + 1 == degree)
        {
            continue;
        }
        const uint32_t next = layout.GetPeer(rank, parallelism, place + 1);
        inServer = inServer && layout.GetServer(rank) == layout.GetServer(next);
        onRail = onRail && layout.GetRail(rank) == layout.GetRail(next);
    }
    return inServer ? GroupReach::SCALE_UP : onRail ? GroupReach::RAIL : GroupReach::MIXED;
}

std::string
Describe(const ParallelismPlan& plan,
         const ModelShape& shape,
         const TrainingRecipe& recipe,
         const GpuGeneration& gpu)
{
    std::ostringstream os;
    const bool possible =
        FindMistake(shape).empty() && FindMistake(plan).empty() && FindMistake(recipe).empty();
    if (possible)
    {
        const RankLayout layout(plan);
        os << shape.name << " on " << layout.GetRanks() << " " << gpu.name << ", " << plan.scaleUp
           << " a server, order " << plan.order << "\n\n";
        WriteParallelisms(os, plan, layout);
        os << "\n";
        WriteRanks(os, layout);
        os << "\n";
        WriteMemory(os, plan, shape, recipe, gpu);
    }
    for (const std::string& reason : FindMisfits(shape, plan, recipe, gpu))
    {
        os << "does not fit: " << reason << "\n";
    }
    return os.str();
}

} // namespace ns3
