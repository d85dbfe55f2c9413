/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_RANDOM_RUN_H
#define PHOTONIC_RAILS_OPUS_RANDOM_RUN_H

#include "photonic-rails-opus-random-programs.h"
#include "photonic-rails-opus-random.h"

#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/test.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * Runs a random job, and compares its results with the required ones.
 */

namespace ns3
{

class CommunicationGroup;
class Node;
class OpusBench;
enum class FrameDropReason;
struct OpusCase;
struct WireFrame;

/** A random job as it runs. */
class RandomRun
{
  public:
    // limits, in percent of which are taken: each is beyond the time that it has to outlast
    static constexpr int64_t VOTES_MS = 500;    //!< longer than anything but a fault
    static constexpr int64_t PROGRAM_MS = 300;  //!< longer than reconfiguration, and lost messages
    static constexpr int64_t PORTS_MS = 1500;   //!< longer than votes and program
    static constexpr int64_t GIVE_UP_MS = 4000; //!< longer than votes, ports and program
    static constexpr int64_t RETRY_MS = 2000;   //!< of the channel, not in percent
    static constexpr int64_t STALL_MS = 10'000; //!< longer than giving up

    /** @param seed of the job @param partitions whether the management network is cut */
    explicit RandomRun(uint64_t seed, bool partitions = false);

    /** @return the fault; empty if there is none */
    std::string Run();

  private:
    /** @return a limit for this job @param ms in general */
    Time Limit(int64_t ms) const;

    /** @return the setup of the cluster */
    OpusCase MakeCase() const;

    /** Gives ranks their programs, and the control plane their demand. */
    void SetPrograms();

    /**
     * A rank's operation is over, or has failed, within a stall after all of those before it in the
     * list; then retransmissions, heartbeats and timers without a waiting rank.
     */
    Time GetBound() const;

    /** The fault happens. */
    void Break();

    /** @return the node whose link is cut */
    Ptr<Node> NodeOf(const RandomCut& cut) const;

    /** A link is cut. */
    void Cut(RandomCut cut);

    /** And mended. */
    void Mend(RandomCut cut);

    /** All should be over. */
    void GiveUp();

    void Stalled(const std::string& report);

    void Dropped(PortId, const WireFrame&, FrameDropReason reason);

    /** Notes a mistake, unless all is well. @param is whether it is */
    void Expect(bool is, const std::string& mistake);

    /** @return a rank and an operation, for messages */
    static std::string Name(const std::pair<uint32_t, uint32_t>& one);

    /** Each operation ends once at each rank, or is reported, or no rank came to it. */
    void CheckOperations();

    /** No wait is longer than its limit. */
    void CheckWaits();

    /** Switches have refused nothing, and lost nothing. */
    void CheckSwitches();

    /** No shim and no controller keeps anything. */
    void CheckRest();

    RandomJob m_job;
    RandomPrograms m_programs;
    OpusBench* m_bench{nullptr};
    std::vector<std::shared_ptr<const CommunicationGroup>> m_groups;
    std::vector<std::string> m_stalled;
    bool m_early{false}; //!< some rank's program ended before its end
    std::string m_line;
    std::string m_mistakes;
};

/** Random jobs, one after another. */
class RandomJobsCase : public TestCase
{
  public:
    /** @param first seed @param count of seeds @param partitions whether links are cut */
    RandomJobsCase(uint64_t first, uint64_t count, bool partitions = false);

  private:
    void DoRun() override;

    uint64_t m_first;
    uint64_t m_count;
    bool m_partitions;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_RANDOM_RUN_H */
