/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_TIMELINE_BENCH_H
#define PHOTONIC_RAILS_OPUS_TIMELINE_BENCH_H

#include "ns3/nstime.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"

#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

/**
 * @file
 * A run of a control plane that is recorded, for tests: its messages, and the content of the file.
 */

namespace ns3
{

class OpusBench;
class OpusEndpoint;
struct OpusCase;
struct OpusPeer;
struct ReadFile;

/** The expected span of a slice: process, track, name, start, end. */
using Drawn =
    std::multiset<std::tuple<std::string, std::string, std::string, Picoseconds, Picoseconds>>;

/** A message that left or came in. */
struct TimedMessage
{
    std::string who;
    OpusMessage message;
    Picoseconds when;
};

/** @return a case in which channels give messages up, and are handed them again */
OpusCase GivenUp();

/**
 * Four servers of a GPU each: sends from 0 to 2 and from 1 to 3, then twice a ring of all; and
 * their messages.
 */
class TimelineScenario
{
  public:
    /** @param one setup, whatever its number of servers */
    explicit TimelineScenario(OpusCase one);

    ~TimelineScenario();

    /** Runs it. @param file which is complete then; empty: it is not recorded @param stop when */
    void Run(const std::string& file, Time stop = Time(0));

    /** @return messages of a type that came in */
    std::vector<TimedMessage> GetReceived(OpusMessage::Type type) const;

    std::unique_ptr<OpusBench> bench;
    std::vector<TimedMessage> sent;
    std::vector<TimedMessage> received;
    std::string findings;
    Picoseconds end{0};

  private:
    /** Notes messages. @param endpoint their sender or receiver, if any @param name of it */
    void Listen(const Ptr<OpusEndpoint>& endpoint, const std::string& name);

    void Sent(std::string who, const OpusMessage& message, const OpusPeer&);

    void Received(std::string who, const OpusMessage& message, const OpusPeer&);
};

/** @return slices of tracks whose names begin so, without the number of a track beside another */
Drawn Collect(const ReadFile& file, const std::string& process, const std::string& track);

/** @return the first that is in one of them only, for messages */
std::string Difference(const Drawn& drawn, const Drawn& expected);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_TIMELINE_BENCH_H */
