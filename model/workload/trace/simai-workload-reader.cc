/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai-workload-reader.h"

#include "trace-text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** One step of a layer: it computes, then communicates. */
struct LayerStep
{
    Picoseconds duration{0};
    bool isExchange{false};
    CollectiveKind collective{CollectiveKind::ALL_REDUCE};
    const char* group{""};
    uint64_t bytes{0};
};

/** The steps of a layer. */
enum Step : uint8_t
{
    FORWARD,
    INPUT_GRADIENT,
    WEIGHT_GRADIENT,
};

/** A layer. */
struct Layer
{
    std::string name;
    uint64_t line{0};
    std::array<LayerStep, 3> steps; //!< by Step
    Picoseconds update{0};
};

/** The words of a text, over all its lines. */
class SimAiWords
{
  public:
    explicit SimAiWords(TraceText& text)
        : m_text(text)
    {
    }

    /** Goes to the next line that has a word. */
    void NextLine()
    {
        if (!FindLine())
        {
            throw TraceMistake("more lines", "the end of the file");
        }
    }

    /** @return whether all words of the line are taken */
    bool IsLineOver() const
    {
        return m_next == m_words.size();
    }

    /** @return the next word of the line @param what its meaning, for the error */
    const std::string& TakeInLine(const std::string& what)
    {
        if (IsLineOver())
        {
            throw TraceMistake(what, "the end of the line");
        }
        return m_words[m_next++];
    }

    /** @return the next word of the text */
    const std::string& Take()
    {
        if (IsLineOver())
        {
            NextLine();
        }
        return m_words[m_next++];
    }

    /** @return whether no word is left in the text */
    bool IsOver()
    {
        return IsLineOver() && !FindLine();
    }

  private:
    /** Goes to the next line that has a word. @return whether there is one */
    bool FindLine()
    {
        m_words.clear();
        m_next = 0;
        while (m_words.empty() && m_text.Next())
        {
            std::string word;
            for (const char letter : m_text.GetLine() + " ")
            {
                if (letter != ' ' && letter != '\t')
                {
                    word += letter;
                }
                else if (!word.empty())
                {
                    m_words.push_back(std::exchange(word, ""));
                }
            }
        }
        return !m_words.empty();
    }

    TraceText& m_text;
    std::vector<std::string> m_words; //!< of the line
    std::size_t m_next{0};
};

/** Reads the text and executes the loop. */
class SimAiReader
{
  public:
    SimAiReader(TraceText& text, uint32_t passes, TraceConsumer& consumer, uint32_t ranks)
        : m_text(text),
          m_words(text),
          m_passes(passes),
          m_consumer(consumer),
          m_ranks(ranks)
    {
    }

    void Read()
    {
        ReadHeader();
        m_words.NextLine();
        const uint64_t layers =
            ReadTraceNumber(m_words.TakeInLine("the number of layers"), UINT32_MAX, "layers");
        while (m_layers.size() < layers && !m_words.IsOver())
        {
            ReadLayer();
        }
        if (m_layers.size() < layers)
        {
            TraceMistake::ThrowIf(m_consumer.Skip("layers that line 2 counts are not in the file",
                                                  layers - m_layers.size()));
        }
        if (!m_words.IsOver())
        {
            throw TraceMistake("the end of the file after " + std::to_string(layers) + " layers",
                               QuoteTraceText(m_words.Take()));
        }
        CheckCheckpoints();
        Play();
    }

  private:
    /** Reads the first line, and passes on ranks and groups. */
    void ReadHeader()
    {
        m_words.NextLine();
        const std::string policy = m_words.TakeInLine("a kind of parallelism");
        m_isList = policy == "MICRO";
        if (!m_isList && policy != "HYBRID_TRANSFORMER_FWD_IN_BCKWD" &&
            policy != "HYBRID_TRANSFORMER")
        {
            throw TraceMistake("HYBRID_TRANSFORMER_FWD_IN_BCKWD, HYBRID_TRANSFORMER or MICRO",
                               QuoteTraceText(policy));
        }
        std::map<std::string, uint64_t> values{{"model_parallel_NPU_group", m_isList ? 1 : 0},
                                               {"ep", 1},
                                               {"expert_parallel_npu_group", 0}, // ep in AICB
                                               {"mode", 0}, // 1: inference, without gradients
                                               {"pp", 1},
                                               {"vpp", 1},
                                               {"ga", 1},
                                               {"all_gpus", 0},
                                               {"pp_comm", 0}};
        while (!m_words.IsLineOver())
        {
            std::string key = m_words.TakeInLine("a key");
            const bool hasColon = key.back() == ':';
            key.resize(key.size() - (hasColon ? 1 : 0));
            if (hasColon && (key == "checkpoints" || key == "checkpoint_initiates"))
            {
                ReadList(key, key == "checkpoints" ? m_checkpoints : m_initiates);
                continue;
            }
            const auto value = values.find(key);
            if (value == values.end() || (!hasColon && key != "pp_comm"))
            {
                throw TraceMistake("a key such as \"all_gpus:\"", QuoteTraceText(key));
            }
            std::string number = m_words.TakeInLine("the value of " + key);
            const std::size_t whole = number.size() - std::min<std::size_t>(number.size(), 2);
            if (key == "pp_comm" && number.substr(whole) == ".0") // AICB divides it: 25165824.0
            {
                number.resize(whole);
            }
            value->second = ReadTraceNumber(number, UINT64_MAX, key);
        }
        if (values["expert_parallel_npu_group"] != 0)
        {
            values["ep"] = values["expert_parallel_npu_group"];
        }
        MakeGroups(values);
    }

    /** Reads a count, and that number of layers. */
    void ReadList(const std::string& key, std::vector<uint64_t>& list)
    {
        const uint64_t count = ReadTraceNumber(m_words.TakeInLine("a count"), UINT32_MAX, key);
        for (uint64_t k = 0; k < count; ++k)
        {
            list.push_back(ReadTraceNumber(m_words.TakeInLine("a layer"), UINT32_MAX, "a layer"));
        }
    }

    /** Passes on ranks and groups. @param values of the first line */
    void MakeGroups(std::map<std::string, uint64_t>& values)
    {
        const auto take = [&values](const std::string& key, uint64_t most) {
            const uint64_t value = values[key];
            if (value == 0 || value > most || most % value != 0)
            {
                throw TraceMistake(key + ": a divisor of " + std::to_string(most),
                                   std::to_string(value));
            }
            return static_cast<uint32_t>(value);
        };
        const uint64_t stated = values["all_gpus"];
        if (stated == 0 && m_ranks == 0)
        {
            throw TraceMistake("all_gpus:, or the number of ranks from you (--ranks)", "neither");
        }
        if (stated > MAX_TRACE_RANKS)
        {
            throw TraceMistake("all_gpus: from 1 to " + std::to_string(MAX_TRACE_RANKS),
                               std::to_string(stated));
        }
        const uint32_t all = stated == 0 ? m_ranks : static_cast<uint32_t>(stated);
        const uint32_t tp = take("model_parallel_NPU_group", all);
        const uint32_t pp = take("pp", all / tp);
        uint32_t dp = all / tp / pp;
        const uint32_t ep = take("ep", dp);
        const uint32_t stage = tp * dp;
        if (m_ranks == 0 && stage < all)
        {
            TraceMistake::ThrowIf(m_consumer.Skip(
                "ranks of other stages, which do the same and exchange nothing (--ranks has them)",
                all - stage));
        }
        m_ranks = m_ranks == 0 ? stage : m_ranks;
        if (m_ranks % (tp * ep) == 0 && m_ranks < stage && stage % m_ranks == 0)
        {
            TraceMistake::ThrowIf(
                m_consumer.Skip("ranks of a stage beyond --ranks, in groups dp and dp_ep",
                                stage - m_ranks));
            dp = m_ranks / tp;
        }
        else if (m_ranks > all || m_ranks % stage != 0)
        {
            throw TraceMistake(
                "a multiple of " + std::to_string(stage) +
                    " ranks, a stage of the pipeline, up to all_gpus: " + std::to_string(all) +
                    ", or a divisor of it that is a multiple of " + std::to_string(tp * ep) +
                    ", tp times ep",
                std::to_string(m_ranks));
        }
        TraceMistake::ThrowIf(m_consumer.Ranks(m_ranks));
        // a rank is t + tp (e + ep (d + dp / ep p))
        for (uint32_t first = 0; first < m_ranks; first += tp * dp)
        {
            Group("tp", first, tp, 1, dp, tp);
            Group("dp", first, dp, tp, tp, 1);
            for (uint32_t block = 0; block < dp / ep; ++block)
            {
                Group("ep", first + block * tp * ep, ep, tp, tp, 1);
            }
            Group("dp_ep", first, dp / ep, tp * ep, tp * ep, 1);
        }
    }

    /**
     * Passes on groups.
     * @param name of all groups
     * @param first first rank of the first group
     * @param size of each group
     * @param stride from a rank to the next
     * @param count of groups
     * @param step from a group to the next
     */
    void Group(const char* name,
               uint32_t first,
               uint32_t size,
               uint32_t stride,
               uint32_t count,
               uint32_t step)
    {
        for (uint32_t group = 0; group < count; ++group)
        {
            std::vector<uint32_t> ranks;
            for (uint32_t place = 0; place < size; ++place)
            {
                ranks.push_back(first + group * step + place * stride);
            }
            TraceMistake::ThrowIf(m_consumer.Group(name, ranks));
        }
    }

    /** Reads a layer. */
    void ReadLayer()
    {
        Layer layer;
        layer.name = m_words.Take();
        layer.line = m_text.GetNumber();
        m_words.Take(); // the dependency
        for (std::size_t step = 0; step < layer.steps.size(); ++step)
        {
            layer.steps[step].duration = TakeNanoseconds();
            const std::string kind = m_words.Take();
            layer.steps[step].bytes =
                ReadTraceNumber(m_words.Take(), UINT64_MAX, "what is communicated, in bytes");
            SetKind(layer.steps[step], kind, step == WEIGHT_GRADIENT ? "dp" : "tp");
        }
        layer.update = TakeNanoseconds();
        m_layers.push_back(std::move(layer));
    }

    /** @return a time */
    Picoseconds TakeNanoseconds()
    {
        constexpr uint64_t MOST = static_cast<uint64_t>(NEVER - 1) / 1000;
        return static_cast<Picoseconds>(ReadTraceNumber(m_words.Take(), MOST, "nanoseconds") *
                                        1000);
    }

    /** Sets the communication of a step. @param group the group without a suffix */
    static void SetKind(LayerStep& step, const std::string& word, const char* group)
    {
        static const std::array<std::pair<const char*, CollectiveKind>, 5> kinds{
            {{"ALLREDUCE", CollectiveKind::ALL_REDUCE},
             {"BROADCAST", CollectiveKind::BROADCAST},
             {"ALLGATHER", CollectiveKind::ALL_GATHER},
             {"REDUCESCATTER", CollectiveKind::REDUCE_SCATTER},
             {"ALLTOALL", CollectiveKind::ALL_TO_ALL}}};
        if (word == "NONE" || word == "None") // AICB writes None for what SimAI does not have
        {
            return;
        }
        const std::size_t end = std::min(word.find('_'), word.size());
        const std::string suffix = word.substr(end);
        step.group = suffix.empty()       ? group
                     : suffix == "_EP"    ? "ep"
                     : suffix == "_DP_EP" ? "dp_ep"
                                          : nullptr;
        for (const auto& [name, kind] : kinds)
        {
            if (step.group != nullptr && word.substr(0, end) == name)
            {
                step.collective = kind;
                step.isExchange = step.bytes > 0;
                return;
            }
        }
        throw TraceMistake("NONE, or ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL or BROADCAST, "
                           "with _EP or _DP_EP behind it or nothing",
                           QuoteTraceText(word));
    }

    /** Layers that initiate a checkpoint need one before them. */
    void CheckCheckpoints()
    {
        std::sort(m_checkpoints.begin(), m_checkpoints.end());
        for (const uint64_t layer : m_initiates)
        {
            if (layer >= m_layers.size() || m_checkpoints.empty() || m_checkpoints.front() > layer)
            {
                throw TraceMistake("checkpoint_initiates: layers below " +
                                       std::to_string(m_layers.size()) +
                                       " with one of checkpoints: at or before them",
                                   std::to_string(layer));
            }
        }
        std::sort(m_initiates.begin(), m_initiates.end());
    }

    /** Executes the training loop for rank 0; all ranks have the same nodes. */
    void Play()
    {
        TraceMistake::ThrowIf(m_consumer.Alike(0, 0, m_ranks));
        m_background.resize(m_layers.size());
        for (uint32_t pass = 0; pass < m_passes; ++pass)
        {
            if (m_isList)
            {
                PlayList();
                continue;
            }
            for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
            {
                PlayForward(layer);
            }
            for (std::size_t layer = m_layers.size(); layer-- > 0;)
            {
                if (std::binary_search(m_initiates.begin(), m_initiates.end(), layer))
                {
                    auto first = *std::prev(
                        std::upper_bound(m_checkpoints.begin(), m_checkpoints.end(), layer));
                    for (; first < layer; ++first)
                    {
                        PlayForward(first);
                    }
                }
                PlayStep(layer, INPUT_GRADIENT, " input gradient");
                PlayStep(layer, WEIGHT_GRADIENT, " weight gradient");
            }
        }
    }

    /** Executes all steps of all layers, one after another. */
    void PlayList()
    {
        for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
        {
            PlayForward(layer);
            PlayStep(layer, INPUT_GRADIENT, " input gradient");
            PlayStep(layer, WEIGHT_GRADIENT, " weight gradient");
            m_last = m_background[layer] ? m_background[layer] : m_last;
        }
    }

    /** Executes the forward pass of a layer, which waits for its weights. */
    void PlayForward(std::size_t layer)
    {
        m_wait = std::exchange(m_background[layer], std::nullopt);
        PlayStep(layer, FORWARD, " forward");
    }

    /** Executes a step of a layer. @param words its name */
    void PlayStep(std::size_t layer, Step number, const char* words)
    {
        const Layer& its = m_layers[layer];
        const LayerStep& step = its.steps[number];
        TraceNode node;
        node.place = its.line;
        node.name = its.name + words;
        node.duration = step.duration;
        std::optional<uint64_t> last = m_last;
        if (node.duration > 0 || m_wait || !m_last)
        {
            last = Add(node, last);
            m_last = last;
        }
        if (!step.isExchange)
        {
            return;
        }
        node.duration = 0;
        node.kind = TraceNode::Kind::COLLECTIVE;
        node.collective = step.collective;
        node.group = step.group;
        node.bytes = step.bytes;
        last = Add(node, last);
        if (its.update > 0)
        {
            TraceNode update;
            update.place = its.line;
            update.name = node.name + " update";
            update.duration = its.update;
            update.stream = 1; // beside computing
            last = Add(update, last);
        }
        if (number == WEIGHT_GRADIENT)
        {
            m_background[layer] = last;
        }
        else
        {
            m_last = last;
        }
    }

    /** Passes a node on. @param last the node that it follows @return its id */
    uint64_t Add(TraceNode& node, std::optional<uint64_t> last)
    {
        node.id = m_nodes++;
        node.after.clear();
        for (const auto& earlier : {last, std::exchange(m_wait, std::nullopt)})
        {
            if (earlier)
            {
                node.after.push_back(*earlier);
            }
        }
        TraceMistake::ThrowIf(m_consumer.Node(0, node));
        return node.id;
    }

    TraceText& m_text;
    SimAiWords m_words;
    uint32_t m_passes;
    TraceConsumer& m_consumer;
    uint32_t m_ranks; //!< given with the file, then the job's
    bool m_isList{false};
    std::vector<uint64_t> m_checkpoints;
    std::vector<uint64_t> m_initiates;
    std::vector<Layer> m_layers;
    uint64_t m_nodes{0};
    std::optional<uint64_t> m_last;                    //!< the node that the next step follows
    std::optional<uint64_t> m_wait;                    //!< a second node that it follows
    std::vector<std::optional<uint64_t>> m_background; //!< by layer: its weights
};

} // namespace

TraceResult
ReadSimAiWorkload(std::istream& in,
                  const std::string& name,
                  uint32_t passes,
                  TraceConsumer& consumer,
                  uint32_t ranks)
{
    consumer.File(name, true);
    TraceText text(in, name);
    return text.Guard(
        [&text, passes, &consumer, ranks]() { SimAiReader(text, passes, consumer, ranks).Read(); });
}

} // namespace ns3
