/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "choice-bytes.h"

#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** Pairs of ranks, by stage. */
using StagePairs = std::vector<std::shared_ptr<const std::vector<std::pair<RankId, RankId>>>>;

/** Parameters of a schedule, without the demand. */
struct PlainParameters
{
    CollectiveKind kind;
    uint32_t ranks;
    uint32_t channels;
    bool bidirectional;
    uint32_t root;
    uint32_t straggler;
    uint32_t perServer;
    uint32_t ports;
    bool hasDemand;
};

void
PutParameters(ByteWriter& bytes, const CollectiveParameters& parameters)
{
    bytes.Put(PlainParameters{parameters.kind,
                              parameters.ranks,
                              parameters.channels,
                              parameters.bidirectional,
                              parameters.root,
                              parameters.straggler,
                              parameters.perServer,
                              parameters.ports,
                              parameters.demand != nullptr});
    for (uint32_t from = 0; parameters.demand && from < parameters.demand->GetRanks(); ++from)
    {
        for (uint32_t to = 0; to < parameters.demand->GetRanks(); ++to)
        {
            bytes.Put(parameters.demand->Get(from, to));
        }
    }
}

CollectiveParameters
TakeParameters(ByteReader& bytes)
{
    const auto plain = bytes.Take<PlainParameters>();
    CollectiveParameters parameters;
    parameters.kind = plain.kind;
    parameters.ranks = plain.ranks;
    parameters.channels = plain.channels;
    parameters.bidirectional = plain.bidirectional;
    parameters.root = plain.root;
    parameters.straggler = plain.straggler;
    parameters.perServer = plain.perServer;
    parameters.ports = plain.ports;
    if (plain.hasDemand)
    {
        auto demand = std::make_shared<DemandMatrix>(plain.ranks);
        for (uint32_t from = 0; from < plain.ranks; ++from)
        {
            for (uint32_t to = 0; to < plain.ranks; ++to)
            {
                demand->Set(from, to, bytes.Take<uint64_t>());
            }
        }
        parameters.demand = demand;
    }
    return parameters;
}

void
PutStages(ByteWriter& bytes, const StagePairs& stages)
{
    bytes.Put<uint64_t>(stages.size());
    for (const auto& pairs : stages)
    {
        std::vector<RankId> ranks;
        for (const auto& [one, other] : *pairs)
        {
            ranks.push_back(one);
            ranks.push_back(other);
        }
        bytes.PutAll(ranks);
    }
}

StagePairs
TakeStages(ByteReader& bytes)
{
    StagePairs stages;
    for (auto left = bytes.Take<uint64_t>(); left > 0; --left)
    {
        const auto ranks = bytes.TakeAll<RankId>();
        auto pairs = std::make_shared<std::vector<std::pair<RankId, RankId>>>();
        for (std::size_t r = 0; r + 1 < ranks.size(); r += 2)
        {
            pairs->emplace_back(ranks[r], ranks[r + 1]);
        }
        stages.push_back(pairs);
    }
    return stages;
}

} // namespace

void
PutChoice(ByteWriter& bytes, const AlgorithmChoice& choice)
{
    bytes.PutText(choice.algorithm);
    bytes.Put(choice.schedule != nullptr);
    if (choice.schedule)
    {
        PutParameters(bytes, choice.schedule->GetParameters());
    }
    bytes.Put(choice.protocol);
    PutStages(bytes, choice.pairs);
    PutStages(bytes, choice.intraNode);
    bytes.Put(choice.fellBack);
    bytes.PutText(choice.why);
    bytes.Put(choice.host);
    bytes.Put(choice.trafficPath);
    bytes.Put(choice.operationPath.has_value());
    bytes.Put(choice.operationPath.value_or(OperationPath::STANDING));
    bytes.PutText(choice.reason);
}

std::shared_ptr<const AlgorithmChoice>
TakeChoice(ByteReader& bytes)
{
    auto choice = std::make_shared<AlgorithmChoice>();
    choice->algorithm = bytes.TakeText();
    if (bytes.Take<bool>())
    {
        choice->schedule =
            CollectiveAlgorithm::GetSchedule(choice->algorithm, TakeParameters(bytes));
    }
    choice->protocol = bytes.Take<CollectiveProtocol>();
    choice->pairs = TakeStages(bytes);
    choice->intraNode = TakeStages(bytes);
    choice->fellBack = bytes.Take<bool>();
    choice->why = bytes.TakeText();
    choice->host = bytes.Take<bool>();
    choice->trafficPath = bytes.Take<TrafficPath>();
    const bool hasPath = bytes.Take<bool>();
    const auto path = bytes.Take<OperationPath>();
    if (hasPath)
    {
        choice->operationPath = path;
    }
    choice->reason = bytes.TakeText();
    return choice;
}

} // namespace ns3
