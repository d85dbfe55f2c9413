/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_OPERATION_H
#define PHOTONIC_RAILS_COLLECTIVE_OPERATION_H

#include "collective-application.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace ns3
{

/** An operation that runs. */
struct CollectiveApplication::Operation : public CollectiveRun::Owner
{
    CollectiveApplication* application{nullptr};
    OperationRecord record;
    Conversation conversation;
    std::vector<RankId> ranks; //!< by place
    std::shared_ptr<const AlgorithmChoice> choice;
    std::unique_ptr<CollectiveRun> run;
    std::vector<CircuitAsk> asks;       //!< by place among the rank's stages
    std::vector<CircuitAnswer> answers; //!< the same, as far as there are answers
    uint32_t finished{0};               //!< of them: over, and the broker knows
    Picoseconds asked{0};               //!< when, if there is no answer
    TransportMessage lastSent;          //!< over the rail

    void SendMessage(CollectiveRun&, const CollectiveRun::Message& message) override
    {
        application->Send(*this, message);
    }

    /** Links to a rank in a stage, as they were when first used. */
    struct Links
    {
        uint32_t stage;
        uint32_t peer;
        std::vector<RailLink> links;
    };

    std::vector<Links> links;

    /** @return links to a rank, by its place, in a stage of the schedule */
    const std::vector<RailLink>& LinksTo(uint32_t stage, uint32_t peer)
    {
        for (const Links& one : links)
        {
            if (one.stage == stage && one.peer == peer)
            {
                return one.links;
            }
        }
        links.push_back({stage, peer, AnswerOf(stage).links->GetLinks(record.rank, ranks[peer])});
        return links.back().links;
    }

    /** @return the answer for a stage of the schedule */
    const CircuitAnswer& AnswerOf(uint32_t stage) const
    {
        const auto& stages = run->GetPart().stages;
        return answers[std::lower_bound(stages.begin(), stages.end(), stage) - stages.begin()];
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_OPERATION_H */
