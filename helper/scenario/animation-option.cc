/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "animation-option.h"

#include "scenario-options.h"

#include "ns3/output-file.h"

#include <algorithm>

namespace ns3
{

void
AnimationOption::Add(ScenarioOptions& options)
{
    options.Add("netanim", "File for an animation of circuits and ports, which NetAnim opens", file)
        .Writes();
}

void
AnimationOption::Check(const ScenarioOptions& options,
                       uint64_t rails,
                       uint64_t gpus,
                       uint64_t ports) const
{
    options.Require(file != "-", "netanim", "give the name of a file; it is no terminal's");
    const std::string why = file.empty() ? "" : RailAnimation::GetWhyNot(rails, gpus, ports);
    options.Require(why.empty(), "netanim", why);
}

void
AnimationOption::Claim(ScenarioOptions& options, const std::vector<std::string>& runs) const
{
    if (file.empty())
    {
        return;
    }
    std::vector<std::string> files;
    for (const std::string& run : runs)
    {
        files.push_back(GetFile(runs.size() > 1 ? run : ""));
    }
    options.Claim("netanim", files);
}

std::unique_ptr<RailAnimation>
AnimationOption::Make(const std::string& run) const
{
    return file.empty() ? nullptr : std::make_unique<RailAnimation>(GetFile(run));
}

std::string
AnimationOption::GetFile(std::string run) const
{
    std::replace(run.begin(), run.end(), '/', '-'); // of a policy with a file
    return run.empty() ? file : OutputFile::GetNameOf(file, run);
}

} // namespace ns3
