/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-text.h"

#include "training-job.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <iomanip>

namespace ns3
{

namespace
{

std::string
KindOf(const RankOperation& operation)
{
    const bool isCollective = operation.kind == RankOperation::Kind::COLLECTIVE;
    return isCollective ? "collective" : NameOfKind(operation);
}

bool
LooksAlike(const ProgramLine& a, const ProgramLine& b)
{
    return a.stream == b.stream && a.kind == b.kind && a.collective == b.collective &&
           a.parallelism == b.parallelism && a.bytes == b.bytes && a.duration == b.duration;
}

} // namespace

std::vector<ProgramLine>
ListProgram(const RankProgram& program, const std::vector<std::string>& parallelisms)
{
    std::vector<ProgramLine> lines;
    for (const RankOperation& operation : program.GetOperations())
    {
        ProgramLine line;
        line.operation = lines.size();
        line.stream = operation.stream;
        line.kind = KindOf(operation);
        line.label = operation.label;
        line.duration = operation.duration;
        if (operation.kind == RankOperation::Kind::COLLECTIVE)
        {
            line.collective = ToString(operation.collective);
        }
        if (operation.IsExchange())
        {
            line.bytes = operation.bytes;
            line.parallelism = parallelisms.at(operation.group);
        }
        lines.push_back(line);
    }
    return lines;
}

std::vector<ProgramLine>
ListIteration(const TrainingJob& job, uint32_t rank, uint32_t iteration)
{
    std::vector<std::string> parallelisms;
    for (const uint32_t group : job.GetGroups().GetGroupsOf(rank))
    {
        parallelisms.push_back(ParallelismNameOf(job.GetGroups().GetGroups()[group].name));
    }
    std::vector<ProgramLine> lines;
    uint32_t begun = 0;
    for (const ProgramLine& line : ListProgram(*job.GetProgram(rank), parallelisms))
    {
        const bool begins = line.kind == "iteration";
        begun += begins ? 1 : 0;
        if (begun == iteration && !begins)
        {
            lines.push_back(line);
        }
    }
    return lines;
}

void
PrintProgram(std::ostream& os, const std::vector<ProgramLine>& lines)
{
    os << "operation  times  stream  what            of         bytes  duration (us)  label\n";
    for (std::size_t i = 0; i < lines.size();)
    {
        std::size_t end = i + 1;
        while (end < lines.size() && LooksAlike(lines[i], lines[end]))
        {
            ++end;
        }
        const ProgramLine& line = lines[i];
        os << std::setw(9) << line.operation << std::setw(7) << end - i << std::setw(8)
           << line.stream << "  " << std::left << std::setw(16)
           << (line.collective.empty() ? line.kind : line.collective) << std::setw(3)
           << line.parallelism << std::right << std::setw(13) << line.bytes << std::fixed
           << std::setprecision(1) << std::setw(15) << line.duration.GetTimeStep() / 1e6 << "  "
           << line.label << (end - i > 1 ? ", and so on" : "") << "\n";
        i = end;
    }
}

uint32_t
CountAlternations(const std::vector<ProgramLine>& lines, const std::vector<std::string>& scaleUp)
{
    uint32_t changes = 0;
    std::string last;
    for (const ProgramLine& line : lines)
    {
        const bool inside =
            std::find(scaleUp.begin(), scaleUp.end(), line.parallelism) != scaleUp.end();
        if (line.parallelism.empty() || inside)
        {
            continue;
        }
        changes += !last.empty() && line.parallelism != last ? 1 : 0;
        last = line.parallelism;
    }
    return changes;
}

} // namespace ns3
