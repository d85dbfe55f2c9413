/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parameter-traffic.h"

#include "compute-tape.h"

#include "ns3/divide-up.h"

namespace ns3
{

ParameterTraffic::ParameterTraffic(const TrainingTask& task,
                                   const JobGroups& groups,
                                   RankProgram& program)
    : m_task(task),
      m_groups(groups),
      m_program(program)
{
    m_buckets.push_back({GroupRole::DATA, 0, 0});
    m_buckets.push_back({GroupRole::EXPERT_DATA, 0, 0});
}

GroupRole
ParameterTraffic::ExpertRole() const
{
    return m_task.plan.ep > 1 ? GroupRole::EXPERT_DATA : GroupRole::DATA;
}

void
ParameterTraffic::Write(uint32_t stream,
                        GroupRole role,
                        CollectiveKind kind,
                        uint64_t bytes,
                        const std::vector<uint32_t>& after,
                        const std::string& label,
                        std::vector<uint32_t>& written)
{
    const auto group = m_groups.GetNumber(role);
    if (!group || bytes == 0)
    {
        return;
    }
    const uint32_t number = m_program.Collective(stream, *group, kind, bytes);
    m_program.Edit(number).label = label;
    for (const uint32_t earlier : after)
    {
        m_program.After(number, earlier);
    }
    written.push_back(number);
}

bool
ParameterTraffic::MustGather(const ModelUnit& unit) const
{
    return m_task.plan.sharding == ParameterSharding::FULL &&
           m_held.find(unit.GetName()) == m_held.end();
}

std::vector<uint32_t>
ParameterTraffic::Gather(const ModelUnit& unit, const std::vector<uint32_t>& after)
{
    std::vector<uint32_t> written;
    const UnitParameters parameters = CountUnitOfRank(m_task.shape, m_task.plan, unit);
    const uint64_t bytes = m_task.recipe.parameterBytes;
    const std::string label = "gather " + unit.GetName();
    uint64_t shared = parameters.shared;
    uint64_t experts = parameters.experts;
    if (ExpertRole() == GroupRole::DATA) // the same ranks: one buffer
    {
        shared += experts;
        experts = 0;
    }
    Write(TrainingStream::GATHER,
          GroupRole::DATA,
          CollectiveKind::ALL_GATHER,
          shared * bytes,
          after,
          label,
          written);
    Write(TrainingStream::GATHER,
          ExpertRole(),
          CollectiveKind::ALL_GATHER,
          experts * bytes,
          after,
          label + ": experts",
          written);
    m_held.insert(unit.GetName());
    return written;
}

void
ParameterTraffic::Free(const ModelUnit& unit)
{
    m_held.erase(unit.GetName());
}

void
ParameterTraffic::Reduce(const ModelUnit& unit, const std::vector<uint32_t>& after)
{
    const UnitParameters parameters = CountUnitOfRank(m_task.shape, m_task.plan, unit);
    const std::string label = unit.GetName();
    if (ExpertRole() == GroupRole::DATA)
    {
        ReducePart(GroupRole::DATA, parameters.shared + parameters.experts, after, label);
    }
    else
    {
        ReducePart(GroupRole::DATA, parameters.shared, after, label);
        ReducePart(GroupRole::EXPERT_DATA, parameters.experts, after, label + ": experts");
    }
}

void
ParameterTraffic::ReducePart(GroupRole role,
                             uint64_t parameters,
                             const std::vector<uint32_t>& after,
                             const std::string& label)
{
    const uint64_t bytes = parameters * m_task.recipe.gradientBytes;
    if (m_task.plan.sharding == ParameterSharding::NONE)
    {
        AddToBucket(role, bytes, after.front());
        return;
    }
    Write(TrainingStream::REDUCE,
          role,
          CollectiveKind::REDUCE_SCATTER,
          bytes,
          after,
          "scatter " + label,
          m_reductions);
    Write(TrainingStream::REDUCE,
          GroupRole::REPLICA,
          CollectiveKind::ALL_REDUCE,
          bytes / m_groups.GetSize(role),
          after,
          "sum " + label,
          m_reductions);
}

void
ParameterTraffic::AddToBucket(GroupRole role, uint64_t bytes, uint32_t after)
{
    const TrainingRecipe& recipe = m_task.recipe;
    Bucket& bucket = m_buckets[role == GroupRole::DATA ? 0 : 1];
    bucket.bytes += bytes;
    bucket.after = after;
    const bool waits = recipe.reduction == GradientReduction::PER_MODEL || !recipe.overlap;
    if (recipe.reduction == GradientReduction::PER_LAYER && bucket.bytes >= recipe.bucketBytes)
    {
        if (!waits)
        {
            Empty(bucket, after);
        }
        else
        {
            m_buckets.push_back(bucket); // summed at the end, as one bucket
            m_buckets[role == GroupRole::DATA ? 0 : 1].bytes = 0;
        }
    }
}

void
ParameterTraffic::Empty(Bucket& bucket, uint32_t after)
{
    Write(TrainingStream::REDUCE,
          bucket.role,
          CollectiveKind::ALL_REDUCE,
          bucket.bytes,
          {after},
          "sum gradients",
          m_reductions);
    bucket.bytes = 0;
}

std::vector<uint32_t>
ParameterTraffic::Finish(uint32_t after)
{
    // full buckets in the order in which they became full, then the rest
    for (std::size_t b = 2; b < m_buckets.size(); ++b)
    {
        Empty(m_buckets[b], after);
    }
    m_buckets.resize(2);
    Empty(m_buckets[0], after);
    Empty(m_buckets[1], after);

    const TrainingRecipe& recipe = m_task.recipe;
    std::vector<uint32_t> before = m_reductions;
    std::vector<uint32_t> ready;
    Write(TrainingStream::REDUCE,
          GroupRole::DATA,
          CollectiveKind::ALL_REDUCE,
          recipe.smallBytes,
          {after},
          "gradient norm",
          ready);
    if (recipe.pipelineNorm)
    {
        Write(TrainingStream::REDUCE,
              GroupRole::PIPELINE,
              CollectiveKind::ALL_REDUCE,
              recipe.smallBytes,
              {after},
              "gradient norm",
              ready);
    }
    ready = ready.empty() ? before : ready;
    std::vector<uint32_t> others;
    for (uint32_t i = 0; i < recipe.smallReductions; ++i)
    {
        Write(TrainingStream::REDUCE,
              GroupRole::DATA,
              CollectiveKind::ALL_REDUCE,
              recipe.smallBytes,
              {after},
              "loss and the like",
              others);
    }
    m_reductions.clear();
    return ready;
}

uint64_t
ParameterTraffic::CountUpdated(const std::vector<std::vector<ModelUnit>>& units) const
{
    const bool sharded = m_task.plan.sharding == ParameterSharding::FULL;
    const uint64_t sharing = sharded ? m_groups.GetSize(GroupRole::DATA) : 1;
    const uint64_t sharingExperts = sharded ? m_groups.GetSize(ExpertRole()) : 1;
    uint64_t updated = 0;
    for (const auto& stage : units)
    {
        for (const ModelUnit& unit : stage)
        {
            const UnitParameters parameters = CountUnitOfRank(m_task.shape, m_task.plan, unit);
            updated +=
                DivideUp(parameters.shared, sharing) + DivideUp(parameters.experts, sharingExperts);
        }
    }
    return updated;
}

} // namespace ns3
