/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_SCHEDULE_H
#define PHOTONIC_RAILS_COLLECTIVE_SCHEDULE_H

#include "collective-kind.h"
#include "demand-matrix.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class RankSchedule;

/** A pair of ranks of a group, the smaller first. */
using RankPair = std::pair<uint32_t, uint32_t>;

/** What a schedule is made for. Ranks are places in the group, from 0. */
struct CollectiveParameters
{
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint32_t ranks{2};
    uint32_t channels{1}; //!< equal parts of the buffer that go side by side, each its own way
    bool bidirectional{
        false}; //!< the upper half of the channels goes round the other way; channels are even
    uint32_t root{0};      //!< of a broadcast or reduce
    uint32_t straggler{0}; //!< for algorithms that know who is late
    uint32_t perServer{1}; //!< ranks of one server stand next to each other, so many of them
    std::shared_ptr<const DemandMatrix> demand; //!< of ALL_TO_ALL_V

    /** @return a name of all of it, so that equal ones share a schedule */
    std::string GetKey() const;
};

/** A piece of the buffer that moves as one. */
struct CollectiveChunk
{
    uint32_t home{0};    //!< the rank whose share it is; for all-to-all the one it comes from
    uint32_t to{0};      //!< for all-to-all: the rank it is for; else as home
    uint64_t place{0};   //!< with which of the equal parts of the whole it begins, from 0
    uint64_t parts{1};   //!< the number of these parts
    uint64_t whole{0};   //!< bytes of the whole, if that is not the buffer
    bool ofBuffer{true}; //!< the whole is the buffer
    uint64_t span{1};    //!< how many of the parts it is; with a part a byte, any range of bytes
};

/** A chunk goes from a rank to another. */
struct CollectiveTransfer
{
    /** What becomes of it at the other end. */
    enum class Action : uint8_t
    {
        COPY,   //!< takes the place of what is there
        REDUCE, //!< is added to what is there
    };

    /** Which wires it takes. */
    enum class Wires : uint8_t
    {
        RAIL,     //!< between servers
        SCALE_UP, //!< inside a server
    };

    uint32_t from{0};
    uint32_t to{0};
    uint32_t chunk{0};
    /**
     * What is sent: what the chunk is at `from` once the first so many transfers of the list that
     * bring it this chunk have come. 0: what it was in the beginning.
     */
    uint32_t needs{0};
    uint32_t round{0};   //!< it needs nothing that comes in this round or later
    uint16_t channel{0}; //!< transfers of different channels do not wait for each other on a wire
    Action action{Action::COPY};
    Wires wires{Wires::RAIL};
};

/**
 * @ingroup photonic-rails
 * @brief Who sends which chunk to whom, and what it must have received before: a collective
 * operation as data, for all ranks of a group.
 *
 * A schedule has no bytes and no times in it, so one serves all operations of its parameters:
 * chunks are shares of a buffer whose size comes with the operation. A large chunk goes in several
 * messages, and each of them goes on as soon as it is there: the schedule holds for each message by
 * itself. So what stands here in rounds is a pipeline when it runs.
 *
 * The list is in an order in which it could be executed one by one. A transfer sends what its chunk
 * was after a certain number of arrivals (`needs`), whatever has come since: an implementation
 * keeps what comes early in a buffer of its own until it has sent.
 *
 * It is plain data. That it does what its kind promises is proved by GetMistakeOf() in
 * collective-verifier.h.
 */
class CollectiveSchedule
{
  public:
    /** @param parameters what it is made for */
    explicit CollectiveSchedule(const CollectiveParameters& parameters);

    /** Adds a chunk. @param chunk it @return its number */
    uint32_t Add(const CollectiveChunk& chunk);

    /** Adds a transfer, behind all that it depends on. @param transfer it */
    void Add(const CollectiveTransfer& transfer);

    /** Its rounds run into each other, so it needs the pairs of all rounds at once. */
    void JoinStages();

    /** @return what it is made for */
    const CollectiveParameters& GetParameters() const;
    /** @return the chunks, by number */
    const std::vector<CollectiveChunk>& GetChunks() const;
    /** @return the transfers, in an order in which they could be executed */
    const std::vector<CollectiveTransfer>& GetTransfers() const;
    /** @return the number of rounds */
    uint32_t GetRounds() const;

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

    /** @return the transfers that a rank sends or receives, valid until one is added @param rank it
     */
    Places GetTransfersOf(uint32_t rank) const;

    /**
     * @param chunk a chunk's number
     * @param buffer bytes of the buffer
     * @return bytes of the chunk
     */
    uint64_t GetBytes(uint32_t chunk, uint64_t buffer) const;

    /**
     * @param rank a rank
     * @param buffer bytes of the buffer
     * @return bytes that it sends
     */
    uint64_t GetBytesSent(uint32_t rank, uint64_t buffer) const;

    /** Rounds in a row that need the same circuits. */
    struct Stage
    {
        uint32_t firstRound{0};
        uint32_t lastRound{0};
        std::vector<RankPair> pairs; //!< that exchange anything on the rail, in order
    };

    /** @return the stages, in order; each has other pairs than the one before it */
    const std::vector<Stage>& GetStages() const;
    /** @return the stage that a round is in @param round it */
    uint32_t GetStageOf(uint32_t round) const;

  private:
    CollectiveParameters m_parameters;
    std::vector<CollectiveChunk> m_chunks;
    std::vector<CollectiveTransfer> m_transfers;
    uint32_t m_rounds{0};
    bool m_joined{false};                        //!< there is one stage
    mutable std::vector<Stage> m_stages;         //!< worked out when first asked for
    mutable std::vector<uint32_t> m_stageOf;     //!< by round, with the stages
    mutable std::vector<uint32_t> m_placesOf;    //!< rank by rank, worked out when first asked for
    mutable std::vector<std::size_t> m_firstsOf; //!< by rank: where its places begin

    friend class RankSchedule;
    mutable std::vector<std::weak_ptr<const RankSchedule>> m_parts; //!< by rank, those in use
};

/**
 * @param whole bytes
 * @param place from 0
 * @param parts equal parts, but for a byte
 * @param span how many of them
 * @return bytes of so many parts from that place
 */
uint64_t GetShare(uint64_t whole, uint64_t place, uint64_t parts, uint64_t span = 1);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_SCHEDULE_H */
