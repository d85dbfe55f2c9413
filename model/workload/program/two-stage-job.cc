/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "two-stage-job.h"

#include "ns3/nstime.h"
#include "ns3/rank-program.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t SERVERS = 4;

// the groups of a rank
constexpr uint32_t DP = 0;
constexpr uint32_t PP = 1;

/** Two micro-batches of stage 0: forward and send, then receive gradients and go backward. */
void
AddFirstStage(RankProgram& program, Time forward, uint64_t bytes)
{
    for (uint32_t m = 0; m < 2; ++m)
    {
        const uint32_t computed = program.Compute(0, forward, "forward " + std::to_string(m));
        program.After(program.Send(1, PP, 1, bytes), computed);
        if (m == 1)
        {
            uint32_t received = program.Receive(2, PP, 1, bytes);
            program.After(received, computed);
            program.After(program.Compute(0, 2 * forward, "backward 0"), received);
            received = program.Receive(2, PP, 1, bytes);
            program.After(program.Compute(0, 2 * forward, "backward 1"), received);
        }
    }
}

/** Two micro-batches of stage 1: receive, forward, backward, send the gradient. */
void
AddSecondStage(RankProgram& program, Time forward, uint64_t bytes)
{
    uint32_t before = program.GetOperations().size() - 1; // the parameters are there
    for (uint32_t m = 0; m < 2; ++m)
    {
        const uint32_t received = program.Receive(2, PP, 0, bytes);
        program.After(received, before);
        const uint32_t forwarded = program.Compute(0, forward, "forward " + std::to_string(m));
        program.After(forwarded, received);
        before = program.Compute(0, 2 * forward, "backward " + std::to_string(m));
        const uint32_t sent = program.Send(1, PP, 0, bytes);
        program.After(sent, before);
        if (m == 1)
        {
            program.After(program.Compute(0, Time(0), "all is sent"), sent);
        }
    }
}

/** @return the program of the ranks of a stage */
std::shared_ptr<const RankProgram>
MakeProgram(uint32_t stage, const TwoStageJob& job)
{
    const auto program = std::make_shared<RankProgram>();
    for (uint32_t i = 0; i < job.iterations; ++i)
    {
        program->BeginIteration();
        program->Collective(0, DP, CollectiveKind::ALL_GATHER, job.parameters, "ring");
        (stage == 0 ? AddFirstStage : AddSecondStage)(*program, job.forward, job.activations);
        program->Collective(0, DP, CollectiveKind::REDUCE_SCATTER, job.parameters, "ring");
    }
    return program;
}

} // namespace

JobPrograms
TwoStageJob::Make(uint32_t rails) const
{
    JobPrograms job;
    for (uint32_t rail = 0; rail < rails; ++rail)
    {
        for (uint32_t half = 0; half < 2; ++half)
        {
            const std::string name = std::to_string(rail * 2 + half);
            const uint32_t stage = 2 * half * rails + rail; // its first rank on the rail
            const uint32_t replica = half * rails + rail;
            job.groups.push_back({"dp " + name, {stage, stage + rails}});
            job.groups.push_back({"pp " + name, {replica, replica + 2 * rails}});
        }
    }
    const std::shared_ptr<const RankProgram> programs[] = {MakeProgram(0, *this),
                                                           MakeProgram(1, *this)};
    for (uint32_t rank = 0; rank < SERVERS * rails; ++rank)
    {
        const uint32_t server = rank / rails;
        const uint32_t rail = rank % rails;
        const std::vector<uint32_t> groups{2 * (rail * 2 + server / 2),
                                           2 * (rail * 2 + server % 2) + 1};
        job.ranks.push_back({programs[server / 2], groups});
    }
    return job;
}

} // namespace ns3
