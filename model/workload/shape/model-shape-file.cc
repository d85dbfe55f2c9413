/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model-shape-file.h"

#include "ns3/optional-headers.h"

#ifdef PHOTONIC_RAILS_HAS_NLOHMANN_JSON

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

using Json = nlohmann::json;

constexpr std::size_t LARGEST_FILE = std::size_t{1} << 20;

/** Reads the members of an object, and records the first mistake. */
class MemberReader
{
  public:
    /** @param object must outlive this object */
    explicit MemberReader(const Json& object)
        : m_object(object)
    {
    }

    /** Reads a number. @param key of the member @param value set if the member exists */
    void Take(const char* key, uint32_t& value)
    {
        m_known.insert(key);
        const auto found = m_object.find(key);
        if (found == m_object.end() || found->is_null())
        {
            return;
        }
        if (!found->is_number_unsigned() ||
            found->get<uint64_t>() > std::numeric_limits<uint32_t>::max())
        {
            Complain(key, "a whole number from 0 to 4294967295");
            return;
        }
        value = found->get<uint32_t>();
    }

    /** Reads a mandatory number. @param key of the member */
    void Need(const char* key, uint32_t& value)
    {
        if (!Has(key) && m_mistake.empty())
        {
            m_mistake = std::string("there is no \"") + key + "\"; expected a whole number";
        }
        Take(key, value);
    }

    /** Reads a truth value. @param key of the member @param value set if the member exists */
    void Take(const char* key, bool& value)
    {
        m_known.insert(key);
        const auto found = m_object.find(key);
        if (found == m_object.end() || found->is_null())
        {
            return;
        }
        if (!found->is_boolean())
        {
            Complain(key, "true or false");
            return;
        }
        value = found->get<bool>();
    }

    /** Reads a text. @param key of the member @param value set if the member exists */
    void Take(const char* key, std::string& value)
    {
        m_known.insert(key);
        const auto found = m_object.find(key);
        if (found == m_object.end() || found->is_null())
        {
            return;
        }
        if (!found->is_string())
        {
            Complain(key, "a text");
            return;
        }
        value = found->get<std::string>();
    }

    /** @return whether there is a member that is not null */
    bool Has(const char* key) const
    {
        const auto found = m_object.find(key);
        return found != m_object.end() && !found->is_null();
    }

    /** Records a mistake if there is a member that was never read. */
    void RefuseOthers()
    {
        for (const auto& [key, value] : m_object.items())
        {
            if (m_known.count(key) > 0 || !m_mistake.empty())
            {
                continue;
            }
            m_mistake = "nothing is known by the name \"" + key + "\"; the known ones are:";
            for (const std::string& known : m_known)
            {
                m_mistake += " " + known;
            }
        }
    }

    /** @return the first mistake, or an empty string */
    const std::string& GetMistake() const
    {
        return m_mistake;
    }

  private:
    void Complain(const char* key, const char* expected)
    {
        if (m_mistake.empty())
        {
            m_mistake = std::string("\"") + key + "\" is of the wrong kind; expected " + expected;
        }
    }

    const Json& m_object;
    std::set<std::string> m_known;
    std::string m_mistake;
};

/** @return the shape in an object with the names of ModelShape */
ModelShape
ReadOwn(MemberReader& reader)
{
    ModelShape shape;
    reader.Take("name", shape.name);
    reader.Take("source", shape.source);
    const std::vector<std::pair<const char*, uint32_t*>> numbers{
        {"layers", &shape.layers},
        {"hidden", &shape.hidden},
        {"heads", &shape.heads},
        {"key_heads", &shape.keyHeads},
        {"head_size", &shape.headSize},
        {"feed_forward", &shape.feedForward},
        {"vocabulary", &shape.vocabulary},
        {"positions", &shape.positions},
        {"experts", &shape.experts},
        {"active_experts", &shape.activeExperts},
        {"shared_experts", &shape.sharedExperts},
        {"expert_feed_forward", &shape.expertFeedForward},
        {"dense_layers", &shape.denseLayers},
        {"query_rank", &shape.queryRank},
        {"key_rank", &shape.keyRank},
        {"rope_size", &shape.ropeSize},
        {"value_size", &shape.valueSize},
    };
    for (const auto& [key, member] : numbers)
    {
        reader.Take(key, *member);
    }
    reader.Take("gated", shape.gated);
    reader.Take("biases", shape.biases);
    reader.Take("layer_norm", shape.layerNorm);
    reader.Take("tied", shape.tied);
    reader.Take("router_bias", shape.routerBias);
    reader.RefuseOthers();
    return shape;
}

/**
 * Reads the experts of a config.json.
 * @param reader of the object
 * @param [out] shape receives them
 */
void
ReadTheirExperts(MemberReader& reader, ModelShape& shape)
{
    reader.Take("num_local_experts", shape.experts);
    reader.Take("n_routed_experts", shape.experts);
    if (shape.experts == 0)
    {
        return;
    }
    reader.Need("num_experts_per_tok", shape.activeExperts);
    reader.Take("n_shared_experts", shape.sharedExperts);
    reader.Take("first_k_dense_replace", shape.denseLayers);
    shape.expertFeedForward = shape.feedForward; // Mixtral has only one width
    reader.Take("moe_intermediate_size", shape.expertFeedForward);
    std::string method;
    reader.Take("topk_method", method);
    shape.routerBias = method == "noaux_tc"; // DeepSeek-V3's balancing without a loss
}

/** @return the shape in a config.json of Hugging Face */
ModelShape
ReadTheirs(MemberReader& reader)
{
    ModelShape shape;
    shape.source = "config.json";
    reader.Take("model_type", shape.name);
    reader.Take("_name_or_path", shape.name);
    reader.Need("num_hidden_layers", shape.layers);
    reader.Need("hidden_size", shape.hidden);
    reader.Need("num_attention_heads", shape.heads);
    reader.Need("intermediate_size", shape.feedForward);
    reader.Need("vocab_size", shape.vocabulary);
    shape.keyHeads = shape.heads;
    reader.Take("num_key_value_heads", shape.keyHeads);
    shape.headSize = shape.heads > 0 ? shape.hidden / shape.heads : 0;
    reader.Take("head_dim", shape.headSize);
    reader.Take("tie_word_embeddings", shape.tied);
    reader.Take("kv_lora_rank", shape.keyRank);
    if (shape.IsLatent())
    {
        reader.Take("q_lora_rank", shape.queryRank);
        reader.Need("qk_rope_head_dim", shape.ropeSize);
        reader.Need("qk_nope_head_dim", shape.headSize);
        reader.Need("v_head_dim", shape.valueSize);
    }
    ReadTheirExperts(reader, shape);
    return shape;
}

/** @return the mistake in the model_type of a config.json, or an empty string */
std::string
CheckType(MemberReader& reader)
{
    std::string type;
    reader.Take("model_type", type);
    const std::set<std::string> known{"",
                                      "llama",
                                      "mistral",
                                      "mixtral",
                                      "deepseek_v2",
                                      "deepseek_v3"};
    if (known.count(type) > 0)
    {
        return "";
    }
    return "\"model_type\" is \"" + type +
           "\"; of config.json files only llama, mistral, mixtral, deepseek_v2 and deepseek_v3 "
           "are understood: write the shape with this module's own names";
}

/** @return the shape in a JSON value, or an error */
ModelShapeFile
ReadJson(const Json& json)
{
    if (!json.is_object())
    {
        return {std::nullopt, "expected an object, { ... }"};
    }
    MemberReader reader(json);
    const bool theirs =
        reader.Has("model_type") || reader.Has("hidden_size") || reader.Has("num_hidden_layers");
    if (theirs)
    {
        const std::string wrong = CheckType(reader);
        if (!wrong.empty())
        {
            return {std::nullopt, wrong};
        }
    }
    const ModelShape shape = theirs ? ReadTheirs(reader) : ReadOwn(reader);
    if (!reader.GetMistake().empty())
    {
        return {std::nullopt, reader.GetMistake()};
    }
    const std::string mistake = FindMistake(shape);
    if (!mistake.empty())
    {
        return {std::nullopt, mistake};
    }
    return {shape, ""};
}

/** @return the value in a text @param text JSON @param [out] error the mistake and its place */
Json
Parse(const std::string& text, std::string& error)
{
    std::vector<std::set<std::string>> keys; // of the open objects
    std::string twice;
    const auto look = [&](int, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start)
        {
            keys.emplace_back();
        }
        else if (event == Json::parse_event_t::object_end)
        {
            keys.pop_back();
        }
        else if (event == Json::parse_event_t::key && twice.empty() &&
                 !keys.back().insert(value.get<std::string>()).second)
        {
            twice = value.get<std::string>();
        }
        return true;
    };
    try
    {
        Json json = Json::parse(text, look);
        if (!twice.empty())
        {
            error = "there are two of the name \"" + twice + "\"; expected one";
        }
        return json;
    }
    catch (const Json::exception& wrong)
    {
        const auto* at = dynamic_cast<const Json::parse_error*>(&wrong);
        error = (at != nullptr ? "byte " + std::to_string(at->byte) + ": " : "") + wrong.what();
        return {};
    }
}

} // namespace

ModelShapeFile
ReadModelShape(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in)
    {
        return {std::nullopt, file + ": cannot be opened to read"};
    }
    std::string text(LARGEST_FILE + 1, '\0');
    in.read(&text[0], static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > LARGEST_FILE)
    {
        return {std::nullopt,
                file + ": it has more than " + std::to_string(LARGEST_FILE) +
                    " bytes; expected the shape of a model, not its parameters"};
    }
    std::string error;
    const Json json = Parse(text, error);
    if (!error.empty())
    {
        return {std::nullopt, file + ": " + error};
    }
    ModelShapeFile read = ReadJson(json);
    if (!read.error.empty())
    {
        read.error = file + ": " + read.error;
    }
    else if (read.shape->name.empty())
    {
        read.shape->name = file;
    }
    return read;
}

} // namespace ns3

#else

namespace ns3
{

ModelShapeFile
ReadModelShape(const std::string& file)
{
    return {std::nullopt,
            file + ": this build cannot read JSON; install nlohmann-json3-dev and configure again"};
}

} // namespace ns3

#endif
