/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FINISHED_OPERATION_H
#define PHOTONIC_RAILS_FINISHED_OPERATION_H

#include "ns3/identifier.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

struct OperationRecord;

/**
 * @ingroup photonic-rails
 * @brief One rank's part in an operation that has ended, with the data that windows need.
 *
 * Plain times, numbers and strings: they come from a simulation (MakeFinishedOperation()) or from a
 * measured trace. An operation of several ranks has the same identity at each of them: parallelism,
 * group, number, and for a send its two ends.
 */
struct FinishedOperation
{
    /** The kind of the operation. */
    enum class Kind : uint8_t
    {
        COLLECTIVE, //!< with all ranks of a group
        SEND,       //!< to another rank
        RECEIVE,    //!< from another rank
    };

    RankId rank;               //!< the rank of this part
    RailId rail;               //!< the rail of the rank
    uint32_t server{0};        //!< the server of the rank
    uint32_t iteration{0};     //!< of the training loop
    uint32_t sequence{0};      //!< in the rank's program: orders its calls of one instant
    std::string parallelism{}; //!< the parallelism: dp, pp, cp, ep, ...
    std::string group{};       //!< the name of the group
    uint64_t number{0};        //!< in the group, or among the sends between two ranks
    Kind kind{Kind::COLLECTIVE};
    RankId from;         //!< of a send or receive: the sender
    RankId to;           //!< of a send or receive: the receiver
    Time start{0};       //!< the rank called it
    Time end{0};         //!< the rank completed it
    uint64_t bytes{0};   //!< that the rank sent on the rail
    bool scaleOut{true}; //!< it used the rail; false: a server or the host network only
};

/**
 * Converts a report of a CollectiveApplication.
 * @param record of a collective, a send or a receive
 * @param ranks of its group, in order
 * @param perServer GPUs of a server: rank r is GPU r % perServer, on the rail of that number, of
 *        server r / perServer
 * @param iteration of the training loop in which the rank called it
 * @return the rank's part; its parallelism is the first word of the group's name; its bytes are all
 *         bytes that the rank sent, also inside the server
 */
FinishedOperation MakeFinishedOperation(const OperationRecord& record,
                                        const std::vector<RankId>& ranks,
                                        uint32_t perServer,
                                        uint32_t iteration);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FINISHED_OPERATION_H */
