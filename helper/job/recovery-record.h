/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECOVERY_RECORD_H
#define PHOTONIC_RAILS_RECOVERY_RECORD_H

#include "ns3/failure-diagnosis.h"
#include "ns3/failure-reaction.h"
#include "ns3/health-monitor.h"
#include "ns3/nstime.h"
#include "ns3/opus-phase.h"
#include "ns3/state-moves.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What happened from a failure of a job to its next attempt. Each instant is that at which a
 * step was over; steps follow each other.
 */
struct RecoveryRecord
{
    uint32_t attempt{0};               //!< that failed, from 1
    std::vector<ReceivedSign> signs{}; //!< that the monitor had, in order
    FailureDiagnosis diagnosis{};
    Recovery recovery{};
    StatePlan state{};
    std::optional<Time> failed{}; //!< the fault itself, if it is known; not before the attempt
    Time firstSign{0};            //!< it was known to the monitor
    Time diagnosed{0};
    Time decided{0};
    Time stopped{0};        //!< ranks of all servers that answer
    Time takenDown{0};      //!< the circuits of the attempt were down
    Time copied{0};         //!< state was where it is needed
    Time started{0};        //!< the ranks of the next attempt
    Time copyWaits{0};      //!< of the copying: waits for circuits, the mean over its ranks
    Time copyLinkUp{0};     //!< of copyWaits: link-up; the rest is switching
    Time firstIteration{0}; //!< end of the first iteration of the next attempt; 0: none ended
    uint32_t doneBefore{0}; //!< iterations that all ranks had ended
    uint32_t doneAfter{0};  //!< iterations that the next attempt continues from
    Time lostWork{0}; //!< from the end of iteration doneAfter to the fault, or to its first sign

    /** @return the instant of the fault, or of its first sign */
    Time GetBegin() const
    {
        return failed ? *failed : firstSign;
    }

    /** @return the time from the fault to the ranks' start; 0 if the job did not go on */
    Time GetTimeToGoOn() const
    {
        return recovery.goesOn ? started - GetBegin() : Time(0);
    }

    /** @return the bytes of state that were copied, by all GPUs @param perServer GPUs of a server
     */
    uint64_t GetBytesCopied(uint32_t perServer) const
    {
        uint64_t bytes = 0;
        for (const StateMove& move : state.moves)
        {
            bytes += perServer * move.bytes;
        }
        return bytes;
    }
};

/**
 * A circuit of a job that was found dark, by the messages of an operation, and whose traffic went
 * over ports that were left (the reaction `other-rail`). No attempt ended.
 */
struct RailOutage
{
    uint32_t attempt{0};          //!< in which it was, from 1
    OpusPhase flow;               //!< of the operation
    std::string words{};          //!< which circuit
    Time found{0};                //!< by the controller
    std::optional<Time> goesOn{}; //!< the flow was granted circuits again
};

class JsonWriter;

/** Writes the members of a record. @param perServer GPUs of a server */
void WriteRecovery(JsonWriter& json, const RecoveryRecord& record, uint32_t perServer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECOVERY_RECORD_H */
