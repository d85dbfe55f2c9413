/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model-shape.h"

#include <algorithm>
#include <cctype>

namespace ns3
{

namespace
{

/** Larger numbers are mistakes; below this no computed product overflows. */
constexpr uint64_t LARGEST_WIDTH = uint64_t{1} << 24;
constexpr uint64_t LARGEST_NUMBER = uint64_t{1} << 16;
constexpr uint64_t LARGEST_COUNT = uint64_t{1} << 54;

/** @return the parameters of a norm @param width of its input */
uint64_t
CountNorm(const ModelShape& shape, uint64_t width)
{
    return shape.layerNorm ? 2 * width : width;
}

/** @return a matrix whose outputs are split, like its bias */
ParameterCount
SplitByOutput(const ModelShape& shape, uint64_t in, uint64_t out)
{
    ParameterCount count;
    count.split = in * out + (shape.biases ? out : 0);
    return count;
}

/**
 * @return a matrix whose inputs are split: ranks' outputs are summed, and then the bias is added
 */
ParameterCount
SplitByInput(const ModelShape& shape, uint64_t in, uint64_t out)
{
    ParameterCount count;
    count.split = in * out;
    count.whole = shape.biases ? out : 0;
    return count;
}

/**
 * @return attention whose keys and values are compressed (DeepSeek-V2, arXiv 2405.04434, section
 *         2.1)
 */
ParameterCount
CountLatentAttention(const ModelShape& shape)
{
    const uint64_t queries = uint64_t{shape.heads} * (shape.headSize + shape.ropeSize);
    const uint64_t values = uint64_t{shape.heads} * shape.valueSize;
    ParameterCount count;
    if (shape.queryRank > 0)
    {
        count.whole += uint64_t{shape.hidden} * shape.queryRank + CountNorm(shape, shape.queryRank);
        count += SplitByOutput(shape, shape.queryRank, queries);
    }
    else
    {
        count += SplitByOutput(shape, shape.hidden, queries);
    }
    count.whole +=
        uint64_t{shape.hidden} * (shape.keyRank + shape.ropeSize) + CountNorm(shape, shape.keyRank);
    count += SplitByOutput(shape, shape.keyRank, uint64_t{shape.heads} * shape.headSize + values);
    count += SplitByInput(shape, values, shape.hidden);
    return count;
}

/** @return attention */
ParameterCount
CountAttention(const ModelShape& shape)
{
    if (shape.IsLatent())
    {
        return CountLatentAttention(shape);
    }
    const uint64_t queries = uint64_t{shape.heads} * shape.headSize;
    const uint64_t keys = uint64_t{shape.keyHeads} * shape.headSize;
    ParameterCount count = SplitByOutput(shape, shape.hidden, queries);
    count += SplitByOutput(shape, shape.hidden, 2 * keys);
    count += SplitByInput(shape, queries, shape.hidden);
    return count;
}

/** @return a feed-forward part, or one expert @param inner its inner width */
ParameterCount
CountFeedForward(const ModelShape& shape, uint64_t inner)
{
    ParameterCount count = SplitByOutput(shape, shape.hidden, shape.gated ? 2 * inner : inner);
    count += SplitByInput(shape, inner, shape.hidden);
    return count;
}

/** @return the number of layers with experts */
uint64_t
CountExpertLayers(const ModelShape& shape)
{
    return shape.experts > 0 ? shape.layers - std::min(shape.layers, shape.denseLayers) : 0;
}

/** @return a name in lower case */
std::string
ToSmallLetters(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return name;
}

/** @return the mistake in a number, or an empty string */
std::string
CheckNumber(const ModelShape& shape,
            const char* name,
            uint64_t value,
            uint64_t least,
            uint64_t most)
{
    if (value >= least && value <= most)
    {
        return "";
    }
    return "model shape \"" + shape.name + "\": " + name + " is " + std::to_string(value) +
           "; it has to be from " + std::to_string(least) + " to " + std::to_string(most);
}

/**
 * @return the mistake in the combination of a shape's numbers
 * @param shape each of its numbers must be valid
 */
std::string
FindContradiction(const ModelShape& shape)
{
    const std::string begin = "model shape \"" + shape.name + "\": ";
    if (!shape.IsLatent() && shape.heads % shape.keyHeads != 0)
    {
        return begin + std::to_string(shape.heads) + " heads do not share " +
               std::to_string(shape.keyHeads) +
               " key heads evenly; key_heads has to divide heads (equal: no grouping)";
    }
    if (shape.experts > 0 && shape.denseLayers > shape.layers)
    {
        return begin + "dense_layers is " + std::to_string(shape.denseLayers) + ", of " +
               std::to_string(shape.layers) + " layers; it has to be at most that";
    }
    if (shape.experts == 0 && shape.sharedExperts + shape.activeExperts + shape.denseLayers > 0)
    {
        return begin + "there are no experts, but active_experts, shared_experts or dense_layers "
                       "is not 0; set experts, or these to 0";
    }
    if (!shape.IsLatent() && shape.queryRank > 0)
    {
        return begin + "query_rank is " + std::to_string(shape.queryRank) +
               " but key_rank is 0; latent attention needs both, and other attention none";
    }
    const uint64_t width = uint64_t{shape.heads} * (shape.headSize + shape.ropeSize);
    if (std::max(width, uint64_t{shape.heads} * shape.valueSize) > LARGEST_WIDTH)
    {
        return begin + std::to_string(shape.heads) + " heads are wider than " +
               std::to_string(LARGEST_WIDTH) + " elements together; at most that";
    }
    if (CountParameters(shape) > LARGEST_COUNT)
    {
        return begin + "it has " + std::to_string(CountParameters(shape)) +
               " parameters; at most " + std::to_string(LARGEST_COUNT) + " can be counted with";
    }
    return "";
}

} // namespace

ModelShape
GetWithUsualHeads(const ModelShape& shape)
{
    ModelShape made = shape;
    if (!shape.IsLatent() && shape.keyHeads == 0)
    {
        made.keyHeads = shape.heads;
    }
    if (!shape.IsLatent() && shape.headSize == 0 && shape.heads > 0)
    {
        made.headSize = shape.hidden / shape.heads;
    }
    return made;
}

ParameterCount
CountLayer(const ModelShape& shape, uint32_t layer)
{
    ParameterCount count = CountAttention(shape);
    count.whole += 2 * CountNorm(shape, shape.hidden);
    if (!shape.HasExperts(layer))
    {
        count += CountFeedForward(shape, shape.feedForward);
        return count;
    }
    const ParameterCount expert = CountFeedForward(shape, shape.expertFeedForward);
    count.experts += shape.experts * expert.GetTotal();
    count.split += shape.sharedExperts * expert.split;
    count.whole += shape.sharedExperts * expert.whole;
    count.whole += uint64_t{shape.hidden} * shape.experts + (shape.routerBias ? shape.experts : 0);
    return count;
}

ParameterCount
CountEmbedding(const ModelShape& shape)
{
    ParameterCount count;
    count.split = uint64_t{shape.vocabulary} * shape.hidden;
    count.whole = uint64_t{shape.positions} * shape.hidden;
    return count;
}

ParameterCount
CountHead(const ModelShape& shape)
{
    ParameterCount count;
    count.split = shape.tied ? 0 : uint64_t{shape.vocabulary} * shape.hidden;
    count.whole = CountNorm(shape, shape.hidden);
    return count;
}

uint64_t
CountParameters(const ModelShape& shape)
{
    const uint64_t withExperts = CountExpertLayers(shape);
    uint64_t sum = CountEmbedding(shape).GetTotal() + CountHead(shape).GetTotal();
    if (withExperts < shape.layers)
    {
        sum += (shape.layers - withExperts) * CountLayer(shape, 0).GetTotal();
    }
    if (withExperts > 0)
    {
        sum += withExperts * CountLayer(shape, shape.layers - 1).GetTotal();
    }
    return sum;
}

uint64_t
CountActiveParameters(const ModelShape& shape)
{
    const uint64_t expert = CountFeedForward(shape, shape.expertFeedForward).GetTotal();
    const uint64_t idle = shape.experts - std::min(shape.experts, shape.activeExperts);
    return CountParameters(shape) - CountExpertLayers(shape) * idle * expert;
}

std::string
FindMistake(const ModelShape& shape)
{
    const bool dense = shape.experts == 0 || shape.denseLayers > 0;
    const bool experts = shape.experts > 0;
    const bool latent = shape.IsLatent();
    const std::vector<std::string> mistakes{
        CheckNumber(shape, "layers", shape.layers, 1, LARGEST_NUMBER),
        CheckNumber(shape, "hidden", shape.hidden, 1, LARGEST_WIDTH),
        CheckNumber(shape, "heads", shape.heads, 1, LARGEST_NUMBER),
        CheckNumber(shape, "key_heads", shape.keyHeads, latent ? 0 : 1, LARGEST_NUMBER),
        CheckNumber(shape, "head_size", shape.headSize, 1, LARGEST_NUMBER),
        CheckNumber(shape, "feed_forward", shape.feedForward, dense ? 1 : 0, LARGEST_WIDTH),
        CheckNumber(shape, "vocabulary", shape.vocabulary, 1, LARGEST_WIDTH),
        CheckNumber(shape, "positions", shape.positions, 0, LARGEST_WIDTH),
        CheckNumber(shape, "experts", shape.experts, 0, LARGEST_NUMBER),
        CheckNumber(shape, "active_experts", shape.activeExperts, experts ? 1 : 0, shape.experts),
        CheckNumber(shape, "shared_experts", shape.sharedExperts, 0, LARGEST_NUMBER),
        CheckNumber(shape,
                    "expert_feed_forward",
                    shape.expertFeedForward,
                    experts ? 1 : 0,
                    LARGEST_WIDTH),
        CheckNumber(shape, "query_rank", shape.queryRank, 0, LARGEST_NUMBER),
        CheckNumber(shape, "key_rank", shape.keyRank, 0, LARGEST_NUMBER),
        CheckNumber(shape, "rope_size", shape.ropeSize, 0, latent ? LARGEST_NUMBER : 0),
        CheckNumber(shape,
                    "value_size",
                    shape.valueSize,
                    latent ? 1 : 0,
                    latent ? LARGEST_NUMBER : 0),
    };
    for (const std::string& mistake : mistakes)
    {
        if (!mistake.empty())
        {
            return mistake;
        }
    }
    return FindContradiction(shape);
}

std::optional<ModelShape>
FindModelShape(const std::string& name)
{
    const std::string wanted = ToSmallLetters(name);
    for (const ModelShape& shape : GetModelShapes())
    {
        if (ToSmallLetters(shape.name) == wanted)
        {
            return shape;
        }
    }
    return std::nullopt;
}

} // namespace ns3
