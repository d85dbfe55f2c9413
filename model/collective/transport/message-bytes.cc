/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "message-bytes.h"

namespace ns3
{

namespace
{

/** A message without its path. */
struct PlainMessage
{
    RankId from;
    RankId to;
    GroupId group;
    uint16_t channel;
    RailLink link;
    uint32_t tag;
    uint64_t bytes;
    uint32_t place;
    RankId atSender;
    RankId atReceiver;
    bool hasAtSender;
    bool hasAtReceiver;
    uint32_t hop;
    bool isNotice;
    bool hasPath;
};

} // namespace

void
PutMessage(ByteWriter& bytes, const TransportMessage& message)
{
    const Relays& relays = message.relays;
    bytes.Put(PlainMessage{message.from,
                           message.to,
                           message.group,
                           message.channel,
                           message.link,
                           message.tag,
                           message.bytes,
                           message.place,
                           relays.atSender.value_or(RankId()),
                           relays.atReceiver.value_or(RankId()),
                           relays.atSender.has_value(),
                           relays.atReceiver.has_value(),
                           message.hop,
                           message.isNotice,
                           message.path != nullptr});
    if (message.path)
    {
        bytes.PutAll(message.path->ranks);
        bytes.PutAll(message.path->links);
    }
}

TransportMessage
TakeMessage(ByteReader& bytes)
{
    const auto plain = bytes.Take<PlainMessage>();
    TransportMessage message;
    message.from = plain.from;
    message.to = plain.to;
    message.group = plain.group;
    message.channel = plain.channel;
    message.link = plain.link;
    message.tag = plain.tag;
    message.bytes = plain.bytes;
    message.place = plain.place;
    if (plain.hasAtSender)
    {
        message.relays.atSender = plain.atSender;
    }
    if (plain.hasAtReceiver)
    {
        message.relays.atReceiver = plain.atReceiver;
    }
    message.hop = plain.hop;
    message.isNotice = plain.isNotice;
    if (plain.hasPath)
    {
        RailPath path;
        path.ranks = bytes.TakeAll<RankId>();
        path.links = bytes.TakeAll<RailLink>();
        message.path = std::make_shared<const RailPath>(std::move(path));
    }
    return message;
}

} // namespace ns3
