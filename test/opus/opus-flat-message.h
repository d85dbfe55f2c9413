/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FLAT_MESSAGE_H
#define PHOTONIC_RAILS_OPUS_FLAT_MESSAGE_H

#include "ns3/opus-message.h"

namespace ns3
{

/** A message of one type whose content and other members are written and read side by side. */
template <typename Content>
struct FlatMessage : Content
{
    FlatMessage() = default;

    /** @param message of this type */
    explicit FlatMessage(const OpusMessage& message)
        : Content(message.Get<Content>()),
          term(message.term),
          server(message.server),
          rail(message.rail)
    {
    }

    /** @return the message */
    operator OpusMessage() const
    {
        return {term, server, rail, static_cast<const Content&>(*this)};
    }

    uint32_t term{0};
    ServerId server;
    RailId rail;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FLAT_MESSAGE_H */
