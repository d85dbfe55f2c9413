/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-message.h"

#include <type_traits>
#include <utility>

namespace ns3
{

namespace
{

template <typename Content, typename = void>
struct HasPhase : std::false_type
{
};

template <typename Content>
struct HasPhase<Content, std::void_t<decltype(Content::phase)>> : std::true_type
{
};

template <typename Content, typename = void>
struct HasJob : std::false_type
{
};

template <typename Content>
struct HasJob<Content, std::void_t<decltype(Content::job)>> : std::true_type
{
};

template <typename Content, typename = void>
struct HasRanks : std::false_type
{
};

template <typename Content>
struct HasRanks<Content, std::void_t<decltype(Content::ranks)>> : std::true_type
{
};

} // namespace

OpusMessage::OpusMessage() = default;

OpusMessage::OpusMessage(uint32_t term, ServerId server, RailId rail, Content content)
    : term(term),
      server(server),
      rail(rail),
      content(std::move(content))
{
}

OpusMessage::OpusMessage(const OpusMessage& other) = default;
OpusMessage::OpusMessage(OpusMessage&& other) noexcept = default;
OpusMessage& OpusMessage::operator=(const OpusMessage& other) = default;
OpusMessage& OpusMessage::operator=(OpusMessage&& other) noexcept = default;
OpusMessage::~OpusMessage() = default;

OpusMessage::Type
OpusMessage::GetType() const
{
    return std::visit([](const auto& one) { return one.TYPE; }, content);
}

const OpusPhase*
OpusMessage::FindPhase() const
{
    return std::visit(
        [](const auto& one) -> const OpusPhase* {
            if constexpr (HasPhase<std::decay_t<decltype(one)>>::value)
            {
                return &one.phase;
            }
            return nullptr;
        },
        content);
}

JobId
OpusMessage::GetJob() const
{
    return std::visit(
        [](const auto& one) {
            using One = std::decay_t<decltype(one)>;
            if constexpr (HasPhase<One>::value)
            {
                return one.phase.job;
            }
            else if constexpr (HasJob<One>::value)
            {
                return one.job;
            }
            else
            {
                return JobId();
            }
        },
        content);
}

const std::vector<RankId>&
OpusMessage::GetRanks() const
{
    static const std::vector<RankId> none;
    return std::visit(
        [](const auto& one) -> const std::vector<RankId>& {
            if constexpr (HasRanks<std::decay_t<decltype(one)>>::value)
            {
                return one.ranks;
            }
            return none;
        },
        content);
}

} // namespace ns3
