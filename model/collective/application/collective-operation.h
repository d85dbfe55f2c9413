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
    FlowKey flowKey;
    std::vector<RankId> ranks; //!< by place
    std::shared_ptr<const AlgorithmChoice> choice;
    std::unique_ptr<CollectiveRun> run;
    bool begun{false};     //!< the run has been started
    bool following{false}; //!< somebody sees to its stages
    bool again{false};     //!< and is to look once more
    bool held{false};      //!< of a send: the receiver is not known to be ready
    bool mustTell{false};  //!< of a receive: the sender has to be told that it is called
    uint32_t notices{0};   //!< of a receive: such words that are not settled

    /** A stage of this rank's, as far as circuits are concerned. */
    struct Stage
    {
        /** How far it is. */
        enum class State : uint8_t
        {
            ASKED,     //!< the broker has not answered
            OPEN,      //!< it has
            WITHDRAWN, //!< it wants the circuits back, and messages are not settled
            OVER,      //!< all is done, and the broker knows
        };

        CircuitRequest ask;
        CircuitAnswer answer{};
        State state{State::ASKED};

        /** @return whether there are circuits */
        bool HasCircuits() const
        {
            return state == State::OPEN || state == State::WITHDRAWN;
        }
    };

    std::vector<Stage> stages; //!< by place among the rank's, as far as they have been asked for
    Picoseconds dark{0};       //!< since when no stage has had circuits
    TransportMessage lastSent; //!< over the rail

    /** @return whether the sender has to be told something, or does not have it yet */
    bool IsTelling() const
    {
        return mustTell || notices > 0;
    }

    /** @return whether it is over */
    bool IsOver() const
    {
        return run->IsOver() && !IsTelling() && stages.size() == run->GetPart().stages.size() &&
               std::all_of(stages.begin(), stages.end(), [](const Stage& stage) {
                   return stage.state == Stage::State::OVER;
               });
    }

    /** @return stages that have circuits now */
    std::size_t CountLit() const
    {
        return std::count_if(stages.begin(), stages.end(), [](const Stage& stage) {
            return stage.HasCircuits();
        });
    }

    /** @return whether the network of the hosts carries messages of it */
    bool IsOnHosts() const
    {
        return std::any_of(stages.begin(), stages.end(), [](const Stage& stage) {
            return stage.answer.network == CircuitAnswer::Network::HOST;
        });
    }

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
        const auto& numbers = run->GetPart().stages;
        return stages[std::lower_bound(numbers.begin(), numbers.end(), stage) - numbers.begin()]
            .answer;
    }

    /** Links are looked up anew in a stage. @param stage of the schedule */
    void ForgetLinks(uint32_t stage)
    {
        links.erase(std::remove_if(links.begin(),
                                   links.end(),
                                   [stage](const Links& one) { return one.stage == stage; }),
                    links.end());
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_OPERATION_H */
