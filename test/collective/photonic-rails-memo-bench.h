/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMO_BENCH_H
#define PHOTONIC_RAILS_MEMO_BENCH_H

#include "ns3/collective-kind.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** What happens beside the operations of a program. */
struct MemoDisturbance
{
    /** Its kind. */
    enum What
    {
        COUNTS,        //!< the counts of a NIC port are read
        TOTALS,        //!< those of a queue pair
        MESSAGE,       //!< another message goes over one of the circuits
        RATE,          //!< a port gets another rate
        CUT,           //!< a fiber is cut, and spliced later
        SINK,          //!< a port gets a sink that needs instants
        TRACE,         //!< the messages of an engine are observed
        INSIDE_COUNTS, //!< the counts of a port inside a server are read
        INSIDE_TRACE,  //!< the messages inside a server are observed
    };

    What what{COUNTS};
    Picoseconds at{0};
    uint32_t rank{0};
    uint32_t port{0};
    uint64_t ends{0}; //!< if not 0: so long after so many ranks have ended an operation
};

/** A send from a rank to a neighbour on the ring, beside others of its step. */
struct MemoSend
{
    uint32_t from{0};
    uint32_t to{0};
    uint64_t bytes{0};
    Picoseconds sends{0};    //!< after the sender has computed
    Picoseconds receives{0}; //!< after the receiver has computed
};

/** An operation of the ranks of one server, beside one of all. */
struct MemoInside
{
    uint64_t bytes{0};    //!< 0: there is none
    Picoseconds after{0}; //!< the ranks have computed
};

/** An operation of all ranks of a group, or sends, after each has computed. */
struct MemoStep
{
    std::vector<MemoSend> sends; //!< none: an operation
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    std::string algorithm{"ring"};
    uint64_t bytes{0};
    std::vector<Picoseconds> compute; //!< by rank
    std::vector<MemoInside> inside{}; //!< by server; none for others
    Picoseconds later{0};             //!< from the end of computing to the operation of all ranks
};

/** The sorts of random programs. */
enum class MemoSort
{
    RAIL,    //!< on one rail
    SERVERS, //!< on the rails of servers of several GPUs
    RAILS,   //!< on several rails at once, each with a group of its own
};

/** A random program on rings of circuits, whose operations repeat. */
struct MemoDraw
{
    /** Between two steps of a program by the clock; each computes less. */
    static constexpr Picoseconds PERIOD = 600'000'000;

    /** A program on one rail. */
    explicit MemoDraw(uint64_t theSeed);

    /** @return a program of a sort */
    static MemoDraw Of(MemoSort sort, uint64_t theSeed);

    /** @return it as text */
    std::string Describe() const;

    uint64_t seed;
    uint32_t ranks{0};
    uint32_t perServer{1};
    uint32_t ports{2};
    uint64_t messageSize{0};
    uint32_t ackEvery{64};
    bool reconfigures{false}; //!< circuits come and go with operations
    bool grantsLate{false};   //!< ranks get standing circuits some time after they request them
    bool answersFirst{true};  //!< acknowledgements go before data: operations may be worked out
    bool asOne{true};         //!< operations inside a server are worked out as one
    bool apart{false};        //!< a group for each rail, not one of all ranks
    bool byClock{false};      //!< ranks compute from one step to the next, whenever that ends
    std::vector<MemoStep> steps;
    std::vector<MemoDisturbance> disturbances;

  private:
    /** @return a program on the rails of servers of several GPUs */
    static MemoDraw OfServers(uint64_t theSeed);

    /** @return a program on several rails */
    static MemoDraw OfRails(uint64_t theSeed);
};

/** Counts of the operations of programs. */
struct MemoCounts
{
    uint64_t operations{0};
    uint64_t memoized{0};
    uint64_t workedOut{0}; //!< of these
    uint64_t madeUp{0};
};

/**
 * Runs a program with operations that take after earlier ones, and without.
 * @param events whether it is also run by packet events
 * @param [in,out] counts of operations
 * @return the first difference; empty: there is none
 */
std::string CompareMemo(const MemoDraw& drawn, bool events, MemoCounts& counts);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMO_BENCH_H */
