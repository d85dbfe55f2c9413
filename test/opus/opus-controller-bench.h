/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CONTROLLER_BENCH_H
#define PHOTONIC_RAILS_OPUS_CONTROLLER_BENCH_H

#include "opus-flat-message.h"

#include "ns3/controller-core.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

// The types of messages that tests count.
constexpr auto GRANT = OpusMessage::Type::GRANT;
constexpr auto RECALL = OpusMessage::Type::RECALL;
constexpr auto REFUSE = OpusMessage::Type::REFUSE;
constexpr auto PROGRAM = OpusMessage::Type::PROGRAM;

/**
 * A controller whose messages are written by hand. Job 0 owns all but the last server. With
 * otherRails the GPUs of a server forward for each other.
 */
class OpusControllerBench
{
  public:
    OpusControllerBench(uint32_t servers,
                        uint32_t rails,
                        uint32_t ports,
                        ControllerSettings settings = {});
    ~OpusControllerBench();
    OpusControllerBench(OpusControllerBench&& other);
    OpusControllerBench& operator=(OpusControllerBench&& other);

    ControllerCore& Core()
    {
        return *m_core;
    }

    const Cabling& GetCabling() const
    {
        return *m_cabling;
    }

    /** @return the rank of a server on a rail */
    RankId R(uint32_t server, uint32_t rail = 0) const
    {
        return RankId(server * m_rails + rail);
    }

    /** @return a send's phase, between servers; it needs no group */
    static OpusPhase Send(uint32_t from, uint32_t to, uint64_t operation = 0);
    /** @return a phase of a group */
    static OpusPhase Operation(uint32_t group, uint64_t operation);
    /** @return pairs between two servers on all rails */
    std::vector<JoinedRanks> Between(uint32_t one, uint32_t other) const;

    /** @return a message of all ranks of a server that are in the pairs */
    template <typename Content>
    FlatMessage<Content> Of(uint32_t server,
                            const OpusPhase& phase,
                            const std::vector<JoinedRanks>& pairs) const
    {
        FlatMessage<Content> message;
        message.term = m_core->GetTerm();
        message.server = ServerId(server);
        message.phase = phase;
        message.ranks = FindRanks(server, pairs);
        if constexpr (std::is_same_v<Content, OpusRequest>)
        {
            WholePairs(pairs).Name(message);
        }
        return message;
    }

    using Outbox = ControllerCore::Outbox;

    Outbox Request(uint32_t server,
                   const OpusPhase& phase,
                   const std::vector<JoinedRanks>& pairs,
                   bool speculative = false,
                   uint64_t request = 0,
                   uint64_t until = 0,
                   uint32_t links = 0);
    /** @param until the last operation that the ranks are through with */
    Outbox ReleaseAfter(uint32_t server,
                        const OpusPhase& phase,
                        const std::vector<JoinedRanks>& pairs,
                        uint64_t until);
    Outbox Release(uint32_t server,
                   const OpusPhase& phase,
                   const std::vector<JoinedRanks>& pairs,
                   bool unused = false,
                   uint64_t request = 0);
    Outbox Register(uint32_t server,
                    uint32_t group,
                    const std::vector<RankId>& ranks,
                    const std::string& name = "");
    /** @return the messages that follow when an agent answers a PROGRAM */
    Outbox Answer(const OpusMessage& program, const std::string& alarm = "");
    /**
     * @return the messages that follow when agents answer all PROGRAMs, and those that follow from
     * it
     */
    Outbox AnswerAll(const Outbox& outbox);
    /** Both servers send requests. @return the messages that follow, but for agents' answers */
    Outbox RequestBoth(uint32_t one,
                       uint32_t other,
                       const OpusPhase& phase,
                       uint64_t until = 0,
                       uint32_t links = 0);

    /** @return the outgoing messages of a type, in order of their servers */
    template <typename Content>
    static std::vector<FlatMessage<Content>> Select(const Outbox& outbox)
    {
        const std::vector<OpusMessage> messages = SelectType(outbox, Content::TYPE);
        std::vector<FlatMessage<Content>> selected;
        for (const OpusMessage& message : messages)
        {
            selected.emplace_back(message);
        }
        return selected;
    }

    /** @return how many outgoing messages are of a type */
    static std::size_t Count(const Outbox& outbox, OpusMessage::Type type);

    Picoseconds now{0};

  private:
    /** @return the ranks of a server that are in the pairs */
    std::vector<RankId> FindRanks(uint32_t server, const std::vector<JoinedRanks>& pairs) const;
    /** @return the outgoing messages of a type, in order of their servers */
    static std::vector<OpusMessage> SelectType(const Outbox& outbox, OpusMessage::Type type);

    uint32_t m_rails;
    std::shared_ptr<const Cabling> m_cabling;
    std::unique_ptr<ControllerCore> m_core;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTROLLER_BENCH_H */
