/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MODEL_SHAPE_H
#define PHOTONIC_RAILS_MODEL_SHAPE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The shape of a transformer. Its number of parameters, its work and its traffic follow from
 * it.
 *
 * The model is a decoder of equal layers, each with attention and a feed-forward part; attention
 * may be grouped-query or latent (DeepSeek), the feed-forward part a mixture of experts. Not
 * modelled: dropout, and parts that are not text.
 *
 * A program defines its own shape like this, or in a JSON file (ReadModelShape()):
 * @code
 * ModelShape shape;
 * shape.name = "Tiny";
 * shape.layers = 12;
 * shape.hidden = 768;
 * shape.heads = 12;
 * shape.feedForward = 2048;
 * shape.vocabulary = 32000;
 * @endcode
 */
struct ModelShape
{
    std::string name{};
    std::string source{};    //!< source of the figures
    uint32_t layers{0};      //!< transformer layers
    uint32_t hidden{0};      //!< width of the residual stream
    uint32_t heads{0};       //!< heads of queries
    uint32_t keyHeads{0};    //!< heads of keys and values: fewer with grouped queries
    uint32_t headSize{0};    //!< width of a head
    uint32_t feedForward{0}; //!< inner width of a feed-forward part without experts
    uint32_t vocabulary{0};  //!< tokens
    uint32_t positions{0};   //!< learned position vectors; 0: rotary positions
    bool gated{true};        //!< three matrices in a feed-forward part (SwiGLU), not two
    bool biases{false};      //!< matrices have a bias
    bool layerNorm{false};   //!< norms have a bias too (LayerNorm), not only a scale (RMSNorm)
    bool tied{false};        //!< the head is the transposed embedding

    uint32_t experts{0};           //!< routed experts of a layer; 0: none
    uint32_t activeExperts{0};     //!< experts that a token visits, of the routed ones
    uint32_t sharedExperts{0};     //!< experts that every token visits
    uint32_t expertFeedForward{0}; //!< inner width of an expert
    uint32_t denseLayers{0};       //!< layers at the beginning that have no experts
    bool routerBias{false};        //!< a bias for each expert in the router

    uint32_t keyRank{0};   //!< latent attention: width of compressed keys and values; 0: not latent
    uint32_t queryRank{0}; //!< latent: width of compressed queries; 0: not compressed
    uint32_t ropeSize{0};  //!< latent: rotated part of a head, beside headSize
    uint32_t valueSize{0}; //!< latent: width of a head of values

    /** @return whether a layer has experts @param layer from 0 */
    bool HasExperts(uint32_t layer) const
    {
        return experts > 0 && layer >= denseLayers;
    }

    /** @return whether attention is latent: keyHeads is not used then */
    bool IsLatent() const
    {
        return keyRank > 0;
    }
};

/**
 * @return a shape in which `keyHeads` and `headSize` that are 0 are what they usually are: as many
 * heads of keys as of queries, and heads that fill the hidden width. A latent shape stays as it is.
 */
ModelShape GetWithUsualHeads(const ModelShape& shape);

/** Numbers of parameters, by their distribution over ranks. */
struct ParameterCount
{
    uint64_t split{0}; //!< that tensor parallelism splits
    uint64_t whole{0}; //!< that every tensor-parallel rank has (norms, router, latent projections)
    uint64_t experts{0}; //!< of all routed experts: split by tensor and expert parallelism

    /** @return the sum */
    uint64_t GetTotal() const
    {
        return split + whole + experts;
    }

    /** Adds other counts. @return this object */
    ParameterCount& operator+=(const ParameterCount& other)
    {
        split += other.split;
        whole += other.whole;
        experts += other.experts;
        return *this;
    }
};

/** @return the parameters of a layer @param layer from 0 */
ParameterCount CountLayer(const ModelShape& shape, uint32_t layer);
/** @return the parameters before the first layer: the embedding */
ParameterCount CountEmbedding(const ModelShape& shape);
/** @return the parameters after the last layer: the last norm, and the head unless it is tied */
ParameterCount CountHead(const ModelShape& shape);
/** @return all parameters */
uint64_t CountParameters(const ModelShape& shape);
/** @return the parameters that a token uses */
uint64_t CountActiveParameters(const ModelShape& shape);

/** @return the mistake in a shape, with the remedy; empty if there is none */
std::string FindMistake(const ModelShape& shape);

/** @return the shapes of the module */
const std::vector<ModelShape>& GetModelShapes();

/** @return the shape of that name, in any case of letters, or none @param name such as Llama3-8B */
std::optional<ModelShape> FindModelShape(const std::string& name);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MODEL_SHAPE_H */
