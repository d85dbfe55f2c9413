/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FINISHED_OPERATION_H
#define PHOTONIC_RAILS_FINISHED_OPERATION_H

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

struct OperationRecord;

/**
 * @ingroup photonic-rails
 * @brief One rank's part in an operation that is over, as far as windows are concerned.
 *
 * Plain numbers and words: it may come from a simulation (MakeFinishedOperation()) or from a
 * measured trace. What several ranks do together has the same identity at each of them:
 * dimension, group, number, and for a send its two ends.
 */
struct FinishedOperation
{
    /** What the rank did. */
    enum class Kind : uint8_t
    {
        COLLECTIVE, //!< with all ranks of a group
        SEND,       //!< to another rank
        RECEIVE,    //!< from another rank
    };

    RankId rank;               //!< whose part it is
    RailId rail;               //!< that the rank is on
    uint32_t server{0};        //!< that the rank is in
    uint32_t iteration{0};     //!< of the training loop
    uint32_t sequence{0};      //!< in the rank's program: orders what it called at one instant
    std::string parallelism{}; //!< the parallelism: dp, pp, cp, ep, ...
    std::string group{};       //!< the name of the group
    uint64_t number{0};        //!< in the group, or among the sends between two ranks
    Kind kind{Kind::COLLECTIVE};
    RankId from;          //!< of a send or receive: who sends
    RankId to;            //!< of a send or receive: who receives
    Picoseconds start{0}; //!< the rank called it
    Picoseconds end{0};   //!< the rank was through with it
    uint64_t bytes{0};    //!< that the rank put on the rail
    bool scaleOut{true};  //!< it took the rail; false: it stayed in a server, or on hosts' network
};

/**
 * Makes one of what a CollectiveApplication reports.
 * @param record of a collective, a send or a receive
 * @param ranks of its group, in order
 * @param perServer GPUs of a server: rank r is GPU r % perServer, on the rail of that number, of
 * server r / perServer
 * @param iteration of the training loop in which the rank called it
 * @return the rank's part; its dimension is the first word of the group's name; its bytes are all
 * that the rank sent, also what an algorithm sends inside the server
 */
FinishedOperation MakeFinishedOperation(const OperationRecord& record,
                                        const std::vector<RankId>& ranks,
                                        uint32_t perServer,
                                        uint32_t iteration);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FINISHED_OPERATION_H */
