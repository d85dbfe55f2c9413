/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model-shape.h"

namespace ns3
{

namespace
{

/** @return a shape of Llama 3; its shapes differ only in these parameters */
ModelShape
MakeLlama3(const char* name, uint32_t layers, uint32_t hidden, uint32_t heads, uint32_t feedForward)
{
    ModelShape shape;
    shape.name = name;
    shape.source = "The Llama 3 Herd of Models, arXiv 2407.21783, table 3";
    shape.layers = layers;
    shape.hidden = hidden;
    shape.heads = heads;
    shape.keyHeads = 8;
    shape.headSize = 128;
    shape.feedForward = feedForward;
    shape.vocabulary = 128256; // the table has 128,000; the released configuration has this
    return shape;
}

/** @return GPT-3 */
ModelShape
MakeGpt3()
{
    ModelShape shape;
    shape.name = "GPT3-175B";
    shape.source = "Language Models are Few-Shot Learners, arXiv 2005.14165, table 2.1; vocabulary "
                   "and tied head as GPT-2's";
    shape.layers = 96;
    shape.hidden = 12288;
    shape.heads = shape.keyHeads = 96;
    shape.headSize = 128;
    shape.feedForward = 4 * 12288;
    shape.vocabulary = 50257;
    shape.positions = 2048;
    shape.gated = false;
    shape.biases = true;
    shape.layerNorm = true;
    shape.tied = true;
    return shape;
}

/** @return a shape of Mixtral; its shapes differ only in these parameters */
ModelShape
MakeMixtral(const char* name,
            uint32_t layers,
            uint32_t hidden,
            uint32_t heads,
            uint32_t feedForward)
{
    ModelShape shape;
    shape.name = name;
    shape.source = "Mixtral of Experts, arXiv 2401.04088, table 1, and the released config.json";
    shape.layers = layers;
    shape.hidden = hidden;
    shape.heads = heads;
    shape.keyHeads = 8;
    shape.headSize = 128;
    shape.vocabulary = 32000;
    shape.experts = 8;
    shape.activeExperts = 2;
    shape.expertFeedForward = feedForward;
    return shape;
}

/** @return DeepSeek-V3, without the module that predicts a second token */
ModelShape
MakeDeepSeekV3()
{
    ModelShape shape;
    shape.name = "DeepSeek-V3";
    shape.source = "DeepSeek-V3 Technical Report, arXiv 2412.19437, section 4.2";
    shape.layers = 61;
    shape.hidden = 7168;
    shape.heads = shape.keyHeads = 128;
    shape.headSize = 128;
    shape.feedForward = 18432;
    shape.vocabulary = 129280;
    shape.experts = 256;
    shape.activeExperts = 8;
    shape.sharedExperts = 1;
    shape.expertFeedForward = 2048;
    shape.denseLayers = 3;
    shape.routerBias = true;
    shape.keyRank = 512;
    shape.queryRank = 1536;
    shape.ropeSize = 64;
    shape.valueSize = 128;
    return shape;
}

} // namespace

const std::vector<ModelShape>&
GetModelShapes()
{
    static const std::vector<ModelShape> shapes{
        MakeLlama3("Llama3-8B", 32, 4096, 32, 14336),
        MakeLlama3("Llama3-70B", 80, 8192, 64, 28672),
        MakeLlama3("Llama3.1-405B", 126, 16384, 128, 53248),
        MakeGpt3(),
        MakeMixtral("Mixtral-8x7B", 32, 4096, 32, 14336),
        MakeMixtral("Mixtral-8x22B", 56, 6144, 48, 16384),
        MakeDeepSeekV3(),
    };
    return shapes;
}

} // namespace ns3
