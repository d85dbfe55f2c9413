/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/temporary-path.h"

#include "ns3/model-shape-file.h"
#include "ns3/optional-headers.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** @return the shape that is read from a file with that content @param content */
ModelShapeFile
ReadShape(const std::string& content)
{
    const std::string name = GetTemporaryPath("model-shape.json");
    std::ofstream(name, std::ios::binary) << content;
    const ModelShapeFile read = ReadModelShape(name);
    std::remove(name.c_str());
    EXPECT_EQ(read.shape.has_value(), read.error.empty()) << "a shape or an error, never both";
    EXPECT_TRUE(read.error.empty() || read.error.find(name) == 0) << read.error;
    return read;
}

} // namespace

#ifdef PHOTONIC_RAILS_HAS_NLOHMANN_JSON

namespace
{

const std::string TINY = R"({"name": "Tiny", "layers": 12, "hidden": 768, "heads": 12,
 "key_heads": 12, "head_size": 64, "feed_forward": 2048, "vocabulary": 32000, "tied": true})";

// from the config.json of the released models: members that matter and some that do not
const std::string LLAMA = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
 "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
 "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 8192,
 "rope_scaling": null, "tie_word_embeddings": false})";
const std::string MIXTRAL = R"({"model_type": "mixtral", "hidden_size": 6144,
 "num_hidden_layers": 56, "num_attention_heads": 48, "num_key_value_heads": 8,
 "intermediate_size": 16384, "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2,
 "tie_word_embeddings": false, "head_dim": null})";
const std::string DEEPSEEK = R"({"model_type": "deepseek_v3", "hidden_size": 7168,
 "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128,
 "intermediate_size": 18432, "moe_intermediate_size": 2048, "vocab_size": 129280,
 "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8,
 "first_k_dense_replace": 3, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
 "qk_rope_head_dim": 64, "v_head_dim": 128, "topk_method": "noaux_tc", "moe_layer_freq": 1})";

/** Fails if a content has no error with these words. */
void
ExpectError(const std::string& content, const std::string& words)
{
    const std::string error = ReadShape(content).error;
    EXPECT_NE(error.find(words), std::string::npos) << error << " has not " << words;
}

/** @return a text in which another stands for one @param text @param from @param to */
std::string
Replace(std::string text, const std::string& from, const std::string& to)
{
    return text.replace(text.find(from), from.size(), to);
}

} // namespace

TEST(ModelShapeFile, OurNames)
{
    const ModelShapeFile read = ReadShape(TINY);
    ASSERT_EQ(read.error, "");
    EXPECT_EQ(read.shape->name, "Tiny");
    // 12 layers of attention, gate, up, down and norms; the embedding; the last norm
    EXPECT_EQ(CountParameters(*read.shape),
              12 * (4 * 768 * 768 + 3 * 768 * 2048 + 2 * 768) + 32000 * 768 + 768U);
}

TEST(ModelShapeFile, ConfigurationsOfHuggingFaceAreThePresets)
{
    for (const auto& [content, name] : {std::pair<std::string, const char*>{LLAMA, "Llama3-8B"},
                                        {MIXTRAL, "Mixtral-8x22B"},
                                        {DEEPSEEK, "DeepSeek-V3"}})
    {
        const ModelShapeFile read = ReadShape(content);
        ASSERT_EQ(read.error, "");
        const ModelShape preset = *FindModelShape(name);
        EXPECT_EQ(CountParameters(*read.shape), CountParameters(preset)) << name;
        EXPECT_EQ(CountActiveParameters(*read.shape), CountActiveParameters(preset)) << name;
        EXPECT_EQ(read.shape->layers, preset.layers);
        EXPECT_EQ(read.shape->headSize, preset.headSize);
    }
    // without a number of key heads there is no grouping, and the head can be tied
    const ModelShapeFile read =
        ReadShape(R"({"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4,
                 "intermediate_size": 128, "vocab_size": 10, "tie_word_embeddings": true})");
    ASSERT_EQ(read.error, "");
    EXPECT_EQ(CountParameters(*read.shape), 4 * 64 * 64 + 3 * 64 * 128 + 2 * 64 + 640 + 64U);
}

TEST(ModelShapeFile, MistakesAreNamed)
{
    ExpectError("", "byte 1");
    ExpectError("[]", "expected an object");
    ExpectError("{\"layers\": 3,}", "byte 14");
    ExpectError(Replace(TINY, "key_heads", "kv_heads"),
                "nothing is known by the name \"kv_heads\"");
    ExpectError(Replace(TINY, "key_heads", "kv_heads"), "key_heads");
    ExpectError(Replace(TINY, "768", "\"768\""), "\"hidden\" is of the wrong kind");
    ExpectError(Replace(TINY, "768", "-768"), "\"hidden\" is of the wrong kind");
    ExpectError(Replace(TINY, "768", "768.0"), "\"hidden\" is of the wrong kind");
    ExpectError(Replace(TINY, "768", "4294967296"), "\"hidden\" is of the wrong kind");
    ExpectError(Replace(TINY, "true", "1"), "\"tied\" is of the wrong kind");
    ExpectError(Replace(TINY, "\"Tiny\"", "7"), "\"name\" is of the wrong kind");
    ExpectError(Replace(TINY, "768", "0"), "hidden is 0");
    ExpectError(Replace(TINY, "\"hidden\"", "\"layers\""), "two of the name \"layers\"");
    ExpectError(Replace(LLAMA, "num_hidden_layers", "n_layer"), "no \"num_hidden_layers\"");
    ExpectError(Replace(LLAMA, "\"llama\"", "\"gpt_neox\""), "\"model_type\" is \"gpt_neox\"");
    ExpectError(Replace(DEEPSEEK, "v_head_dim", "other"), "no \"v_head_dim\"");
    EXPECT_NE(ReadModelShape("/no/such/file.json").error.find("/no/such/file.json: cannot"),
              std::string::npos);
}

TEST(ModelShapeFile, NoFileCrashesIt)
{
    for (const std::string& good : {TINY, DEEPSEEK})
    {
        for (std::size_t length = 0; length < good.size(); ++length)
        {
            EXPECT_NE(ReadShape(good.substr(0, length)).error, "") << length;
        }
        for (std::size_t at = 0; at < good.size(); ++at)
        {
            for (const char byte : {'\0', '"', '{', ']', '\xff'})
            {
                std::string content = good;
                content[at] = byte;
                ReadShape(content);
            }
        }
    }
    const std::size_t much = 1 << 20;
    EXPECT_NE(ReadShape(std::string(much, '[')).error, "");
    ExpectError(TINY + std::string(much, ' '), "more than 1048576 bytes");
}

#else

TEST(ModelShapeFile, WithoutTheLibraryItNamesThePackageToInstall)
{
    EXPECT_NE(ReadShape("{}").error.find("nlohmann-json3-dev"), std::string::npos);
}

#endif
