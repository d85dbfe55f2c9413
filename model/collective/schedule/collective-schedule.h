/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_SCHEDULE_H
#define PHOTONIC_RAILS_COLLECTIVE_SCHEDULE_H

#include "collective-kind.h"
#include "collective-transfer.h"
#include "demand-matrix.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class RankSchedule;

/** A pair of ranks of a group, the smaller first. */
using RankPair = std::pair<uint32_t, uint32_t>;

/** The parameters of a schedule. Ranks are places in the group, from 0. */
struct CollectiveParameters
{
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint32_t ranks{2};
    uint32_t channels{1}; //!< equal parts of the buffer, sent in parallel
    bool bidirectional{
        false};       //!< the upper half of the channels runs the other way round; channels is even
    uint32_t root{0}; //!< of a broadcast or reduce
    uint32_t straggler{0}; //!< the late rank, for algorithms with a straggler
    uint32_t perServer{1}; //!< number of ranks of one server, which are consecutive
    uint32_t ports{1};     //!< of a rank: the number of others that circuits join it with at once
    std::shared_ptr<const DemandMatrix> demand; //!< of ALL_TO_ALL_V

    /** @return a name of all parameters, so that equal ones share a schedule */
    std::string GetKey() const;

    /** @return whether all parameters are equal, as their keys are */
    bool operator==(const CollectiveParameters& other) const;
};

/** A piece of the buffer that moves as a unit. */
struct CollectiveChunk
{
    uint32_t home{0};    //!< the rank whose share it is; for all-to-all the sender
    uint32_t to{0};      //!< for all-to-all: the receiver; else as home
    uint64_t place{0};   //!< the first of the equal parts of the whole in it, from 0
    uint64_t parts{1};   //!< the number of these parts
    uint64_t whole{0};   //!< bytes of the whole, if the buffer is not the whole
    bool ofBuffer{true}; //!< the whole is the buffer
    uint64_t span{1};    //!< number of parts in it; with parts of one byte, any range of bytes
};

/**
 * @ingroup photonic-rails
 * @brief A collective operation as data, for all ranks of a group: the transfers of chunks between
 * ranks and their dependencies.
 *
 * A schedule has no bytes and no times, so one serves all operations of its parameters: chunks are
 * shares of a buffer whose size comes with the operation. A large chunk goes in several messages,
 * and each message is forwarded as soon as it has arrived: the schedule holds for each message by
 * itself. So the rounds of a schedule run as a pipeline.
 *
 * The list is in an order in which it could be executed one by one. A transfer sends its chunk as
 * it was after a number of arrivals (`needs`), without later arrivals: an implementation keeps an
 * early arrival in a separate buffer until it has sent.
 *
 * It is plain data. GetMistakeOf() in collective-verifier.h proves that it has the result of its
 * kind.
 */
class CollectiveSchedule
{
  public:
    explicit CollectiveSchedule(const CollectiveParameters& parameters);

    /** Adds a chunk. @return its number */
    uint32_t Add(const CollectiveChunk& chunk);

    /** Adds a transfer, behind all transfers that it depends on. */
    void Add(const CollectiveTransfer& transfer);

    /**
     * Merges all rounds into one stage: they overlap, so the pairs of all rounds are needed at
     * once.
     */
    void JoinStages();

    /**
     * Has each rank keep to the rounds, as a library does that posts them one after another: on a
     * channel it sends nothing of a round before all that comes to it in earlier rounds has come,
     * and all that it sends in them is settled. Else it sends what it has, and on a packet switch a
     * receiver may get messages of several rounds at once.
     */
    void KeepRounds();

    /** @return whether ranks keep to the rounds */
    bool KeepsRounds() const
    {
        return m_keepsRounds;
    }

    /** @return the parameters */
    const CollectiveParameters& GetParameters() const;
    /** @return the chunks, by number */
    const std::vector<CollectiveChunk>& GetChunks() const;
    /** @return the transfers, in an order in which they could be executed */
    const std::vector<CollectiveTransfer>& GetTransfers() const;
    /** @return the number of rounds */
    uint32_t GetRounds() const;
    /** @return DependsOnAll() of its transfers, which is computed at the first use */
    bool EndsDependOnAll() const;

    /** Places in the list of transfers, in its order. */
    struct Places
    {
        const uint32_t* first{nullptr};
        const uint32_t* behind{nullptr};

        const uint32_t* begin() const
        {
            return first;
        }

        const uint32_t* end() const
        {
            return behind;
        }
    };

    /** @return the transfers that a rank sends or receives; valid until a transfer is added */
    Places GetTransfersOf(uint32_t rank) const;

    /**
     * @param chunk number of the chunk
     * @param buffer bytes of the buffer
     * @return bytes of the chunk
     */
    uint64_t GetBytes(uint32_t chunk, uint64_t buffer) const;

    /**
     * @param buffer bytes of the buffer
     * @return bytes that a rank sends
     */
    uint64_t GetBytesSent(uint32_t rank, uint64_t buffer) const;

    /** Consecutive rounds that need the same circuits. */
    struct Stage
    {
        uint32_t firstRound{0};
        uint32_t lastRound{0};
        std::vector<RankPair> pairs; //!< that exchange data on the rail, in order
    };

    /** @return the stages, in order; each has other pairs than the previous one */
    const std::vector<Stage>& GetStages() const;
    /** @return the stage of a round */
    uint32_t GetStageOf(uint32_t round) const;

  private:
    CollectiveParameters m_parameters;
    bool m_keepsRounds{false};
    std::vector<CollectiveChunk> m_chunks;
    std::vector<CollectiveTransfer> m_transfers;
    uint32_t m_rounds{0};
    bool m_joined{false};                        //!< there is one stage
    mutable std::optional<bool> m_dependsOnAll;  //!< computed at the first use
    mutable std::vector<Stage> m_stages;         //!< computed at the first use
    mutable std::vector<uint32_t> m_stageOf;     //!< by round, with the stages
    mutable std::vector<uint32_t> m_placesOf;    //!< rank by rank; computed at the first use
    mutable std::vector<std::size_t> m_firstsOf; //!< by rank: where its places begin

    friend class RankSchedule;
    mutable std::vector<std::weak_ptr<const RankSchedule>> m_parts; //!< by rank, those in use
};

/**
 * @param whole bytes to divide
 * @param place of the first part, from 0
 * @param parts that the whole is divided into; they are equal up to one byte
 * @param span number of parts
 * @return bytes of these parts
 */
uint64_t GetShare(uint64_t whole, uint64_t place, uint64_t parts, uint64_t span = 1);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_SCHEDULE_H */
