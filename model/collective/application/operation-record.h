/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_RECORD_H
#define PHOTONIC_RAILS_OPERATION_RECORD_H

#include "rank-program.h"

#include "ns3/collective-protocol.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/traffic-path.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The record of one operation of a rank, as the trace sources of CollectiveApplication
 * report it.
 */
struct OperationRecord
{
    RankId rank;
    uint32_t operation{0};   //!< number in the rank's program
    RankOperation call;      //!< the operation, as it is in the program
    std::string group{};     //!< name of the group, if there is one
    uint64_t number{0};      //!< number of the operation in its flow
    std::string algorithm{}; //!< the algorithm that ran
    uint32_t rounds{0};      //!< of the algorithm
    CollectiveProtocol protocol{CollectiveProtocol::SIMPLE};
    Time start{0};  //!< the rank called the operation
    Time end{0};    //!< all messages of the rank were settled, and all for it had come
    Time waited{0}; //!< without any granted circuits
    uint64_t messagesSent{0};
    uint64_t bytesSent{0}; //!< of data
    uint64_t messagesReceived{0};
    uint64_t bytesReceived{0}; //!< of data
    bool fellBack{false};      //!< the fallback was run
    bool asOne{false};         //!< it was worked out as one, without events for its messages
    bool host{false};          //!< it went over the network of the hosts, by choice
    TrafficPath trafficPath{TrafficPath::CIRCUITS}; //!< of its messages
    std::string reason{}; //!< the reason of the choice; empty if there was no alternative
    std::string why{};    //!< the reason of the fallback or of the failure
    std::optional<RankId> unreachable{}; //!< of a failure: the rank that a message did not reach
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_RECORD_H */
