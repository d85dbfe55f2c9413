/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_MESSAGE_H
#define PHOTONIC_RAILS_OPUS_MESSAGE_H

#include "opus-contents.h"
#include "opus-phase.h"

#include "ns3/identifier.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A message between shims, controllers and the agents of switches, as data: its content,
 * which has a struct for each type, and what all types have.
 *
 * A phase may serve several operations. Each REQUEST has the last operation of its ranks (`until`);
 * GRANT carries the least of these, which holds for all ranks; RELEASE has the last operation that
 * the rank ran, and if that is earlier, the others get it by RECALL.
 * @code
 * OpusMessage message{term, server, RailId(), OpusLeave{job}};
 * if (const OpusGrant* grant = message.Find<OpusGrant>())
 * {
 *     Take(*grant);
 * }
 * @endcode
 */
struct OpusMessage
{
    using Type = OpusMessageType;

    using Content = std::variant<OpusHeartbeat,
                                 OpusRegisterGroup,
                                 OpusRequest,
                                 OpusGrant,
                                 OpusRefuse,
                                 OpusRelease,
                                 OpusRecall,
                                 OpusLeave,
                                 OpusHold,
                                 OpusTerm,
                                 OpusProgram,
                                 OpusDone,
                                 OpusAlarm,
                                 OpusClaim,
                                 OpusAccept,
                                 OpusJoin,
                                 OpusWatch,
                                 OpusCarrier,
                                 OpusFallback,
                                 OpusCalled,
                                 OpusLateness,
                                 OpusOutage>;

    OpusMessage();
    OpusMessage(uint32_t term, ServerId server, RailId rail, Content content);
    // in the source: they are much code for each file that copies a message
    OpusMessage(const OpusMessage& other);
    OpusMessage(OpusMessage&& other) noexcept;
    OpusMessage& operator=(const OpusMessage& other);
    OpusMessage& operator=(OpusMessage&& other) noexcept;
    ~OpusMessage();

    uint32_t term{0}; //!< of the controller; a controller that takes over has a greater one
    ServerId server;  //!< of the shim that sends or receives
    RailId rail;      //!< of the agent that sends or receives
    Content content;

    /** @return the type of its content */
    Type GetType() const;

    /** @return the content if it is of this type; else null */
    template <typename OneContent>
    const OneContent* Find() const
    {
        return std::get_if<OneContent>(&content);
    }

    /** @return whether its content is of this type */
    template <typename OneContent>
    bool Is() const
    {
        return std::holds_alternative<OneContent>(content);
    }

    /** @return the content, which is of this type */
    template <typename OneContent>
    const OneContent& Get() const
    {
        return std::get<OneContent>(content);
    }

    /** @return the phase that it is about; null if its type has none */
    const OpusPhase* FindPhase() const;
    /** @return the job that it is about; job 0 if its type has none */
    JobId GetJob() const;
    /** @return the ranks that it is about; none if its type has none */
    const std::vector<RankId>& GetRanks() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_MESSAGE_H */
