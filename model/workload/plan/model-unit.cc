/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model-unit.h"

#include "ns3/abort.h"
#include "ns3/divide-up.h"

namespace ns3
{

std::string
ModelUnit::GetName() const
{
    switch (kind)
    {
    case Kind::EMBEDDING:
        return "embedding";
    case Kind::HEAD:
        return "head";
    case Kind::LAYER:
        break;
    }
    return "layer " + std::to_string(layer);
}

ParameterCount
CountUnit(const ModelShape& shape, const ModelUnit& unit)
{
    switch (unit.kind)
    {
    case ModelUnit::Kind::EMBEDDING:
        return CountEmbedding(shape);
    case ModelUnit::Kind::HEAD:
        return CountHead(shape);
    case ModelUnit::Kind::LAYER:
        break;
    }
    return CountLayer(shape, unit.layer);
}

ModelShape
WithKeyCopies(const ModelShape& shape, uint32_t tp)
{
    ModelShape copied = shape;
    if (!shape.IsLatent() && shape.keyHeads < tp)
    {
        copied.keyHeads = tp;
    }
    return copied;
}

UnitParameters
CountUnitOfRank(const ModelShape& shape, const ParallelismPlan& plan, const ModelUnit& unit)
{
    ParameterCount count = CountUnit(WithKeyCopies(shape, plan.tp), unit);
    if (unit.kind == ModelUnit::Kind::HEAD && shape.tied && plan.pp > 1)
    {
        count.split += CountEmbedding(shape).split;
    }
    UnitParameters ofRank;
    ofRank.shared = DivideUp(count.split, plan.tp) + count.whole;
    ofRank.experts = DivideUp(count.experts, uint64_t{plan.tp} * plan.ep);
    return ofRank;
}

std::vector<std::vector<ModelUnit>>
DivideModel(const ModelShape& shape, uint32_t stages)
{
    NS_ABORT_MSG_IF(stages == 0, "a model is divided over 0 stages; the least is 1");
    std::vector<std::vector<ModelUnit>> divided(stages);
    divided.front().push_back({ModelUnit::Kind::EMBEDDING, 0});
    uint32_t layer = 0;
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        const uint32_t more = stage < shape.layers % stages ? 1 : 0;
        for (uint32_t i = 0; i < shape.layers / stages + more; ++i)
        {
            divided[stage].push_back({ModelUnit::Kind::LAYER, layer++});
        }
    }
    divided.back().push_back({ModelUnit::Kind::HEAD, 0});
    return divided;
}

} // namespace ns3
