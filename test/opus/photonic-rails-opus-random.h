/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_RANDOM_H
#define PHOTONIC_RAILS_OPUS_RANDOM_H

#include "ns3/collective-kind.h"
#include "ns3/nstime.h"
#include "ns3/picoseconds.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * Random jobs on random rails: the operations of all ranks are one list, and each rank's program is
 * its part of it, in that order; so no two ranks wait for each other crosswise.
 */

namespace ns3
{

/** A group of a random job. */
struct RandomGroup
{
    std::string name;
    std::vector<uint32_t> ranks;
    bool hasCollectives{true}; //!< its ring, if it has one, finds the ports that it needs
    uint32_t stream{0};        //!< of its collectives
};

/** An operation of a random job. */
struct RandomOperation
{
    enum class Kind : uint8_t
    {
        COLLECTIVE,
        SEND,
        COMPUTE,
    };

    Kind kind{Kind::COMPUTE};
    uint32_t iteration{0};
    uint32_t group{0};
    CollectiveKind collective{CollectiveKind::ALL_REDUCE};
    std::string algorithm{"ring"};
    uint32_t from{0}; //!< of a send: ranks; of computing: the rank
    uint32_t to{0};
    uint64_t bytes{0};
    Picoseconds duration{0};
    bool acquired{false}; //!< ranks acquire its circuits just before
    bool released{false}; //!< and release them just after
};

/** The faults. */
enum class RandomFault : uint8_t
{
    NONE,
    CONTROLLER, //!< it crashes
    AGENT,      //!< one crashes
    SERVER,     //!< one's link to the management network is cut, for ever
    PORT,       //!< one of a switch stays dark
    PARTITION,  //!< links of the management network are cut for a while
};

/** A link of the management network that is cut for a while. */
struct RandomCut
{
    /** The link. */
    enum class Place : uint8_t
    {
        CONTROLLER,
        STANDBY,
        AGENT,
        SERVER,
    };

    Place place{Place::CONTROLLER};
    uint32_t which{0}; //!< agent or server
    uint32_t ways{0};  //!< 0: both, 1: to it, 2: from it
    Time at{0};
    Time mended{0};
};

/** A random job, and the rails it runs on. */
class RandomJob
{
  public:
    /** @param seed of everything @param partitions whether the only fault is that links are cut */
    explicit RandomJob(uint64_t seed, bool partitions = false);

    /** @return it in a line */
    std::string Describe() const;

    /** @return ranks that take part in an operation */
    std::vector<uint32_t> RanksOf(const RandomOperation& operation) const;

    /** @return whether the result of the fault is known beforehand */
    bool IsForetold() const;

    /** @return whether something is broken from the beginning on */
    bool IsFromTheStart() const;

    uint32_t servers{2};
    uint32_t rails{1};
    uint32_t ports{1};
    std::vector<std::vector<uint32_t>> jobs; //!< none: all ranks are one
    std::vector<RandomGroup> groups;
    std::vector<RandomOperation> operations;
    std::string policy{"on-demand"};
    std::string granularity{"Group"};
    std::string speculation{"Prepare"};
    bool streams{false}; //!< sends, receives and a second kind of collectives have their own
    bool altered{false}; //!< a later iteration is another
    bool standby{false};
    bool foresees{true}; //!< shims learn from the first iteration
    Time reconfiguration{MicroSeconds(10)};
    Time latency{MicroSeconds(10)};
    Time hostLatency{MicroSeconds(1)};
    double loss{0};
    uint64_t messageSize{1 << 14};
    RandomFault fault{RandomFault::NONE};
    Time faultAt{0};
    uint32_t victim{0};
    std::vector<RandomCut> cuts;

  private:
    /** @return a number less than this one */
    uint64_t Draw(uint64_t below);

    /** @return true so often, percent */
    bool Chance(uint32_t percent);

    /** What fails, and when. */
    void DrawFault();

    /** @return a time that is as likely to be short as long, microseconds */
    Time DrawTime(uint64_t least, uint64_t most);

    /** Servers, rails and ports; one job or two. */
    void DrawPlant();

    /** @return whether so many ranks have the ports for a ring */
    bool CanRing(std::size_t ranks) const;

    /** Adds a group, unless it is a single rank. */
    void AddGroup(const std::string& name, const std::vector<uint32_t>& ranks);

    /** The servers of a job are stages of pipelines, replicated; and some groups are any. */
    void DrawGroups();

    /** @return ports that the busiest rank needs if all circuits of all parallelisms stand */
    uint32_t GetDegree() const;

    /** Draws one that can grant all requests of the groups, and its attributes. */
    void DrawPolicy();

    /** Mostly the same operations as in the iteration before. */
    void DrawIteration(uint32_t iteration);

    /** All groups of a parallelism, or ranks, do something. */
    void DrawItem();

    /** Times, loss and the size of messages. */
    void DrawTimes();

    /** A link that is cut twice is mended in between. */
    void DrawCuts();

    std::mt19937_64 m_random;
    uint32_t m_iterations{1 + static_cast<uint32_t>(m_random() % 4)};
    bool m_static{false};
    bool m_onlyRings{false};
    std::vector<RandomOperation> m_template;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_RANDOM_H */
