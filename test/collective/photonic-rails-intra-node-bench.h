/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_BENCH_H
#define PHOTONIC_RAILS_INTRA_NODE_BENCH_H

#include "ns3/job-programs.h"
#include "ns3/nstime.h"
#include "ns3/picoseconds.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * Random programs whose groups are inside servers, with what disturbs their operations: run as one
 * and by messages, with equal results.
 */

namespace ns3
{

/** A random job on servers. */
class IntraNodeDraw
{
  public:
    /** Something that happens while the job runs. */
    struct Disturbance
    {
        /** The kind. */
        enum class Kind : uint8_t
        {
            COUNT,    //!< counts of a fabric are read
            LISTEN,   //!< a trace source of a fabric is connected
            REPORT,   //!< a rank's report is read
            STOP,     //!< a rank stops
            COUNTERS, //!< a rank's counters are read
            SLOW,     //!< a rank computes slower from then on
            HALT,     //!< a rank's GPU fails
        };

        Kind kind{Kind::COUNT};
        Picoseconds at{0};
        uint32_t rank{0};
    };

    /** @param hasStretches whether ranks of a group do the same over stretches of their programs */
    explicit IntraNodeDraw(uint32_t drawn, bool hasStretches = false);

    /** @return the job as text */
    std::string Describe() const;

    uint32_t seed;
    uint32_t perServer{2};
    uint32_t servers{1};
    std::string policy; //!< of the control plane; electrical: there is none
    uint64_t rate{0};   //!< of a GPU's port in its server, bits a second
    Picoseconds latency{0};
    uint64_t messageSize{0}; //!< in groups inside a server
    Time stallLimit;
    std::vector<Picoseconds> starts; //!< by rank
    JobPrograms programs;
    std::vector<Disturbance> disturbances;

  private:
    uint32_t Below(uint32_t limit);

    /** @return one of several */
    template <typename T>
    T OneOf(const std::vector<T>& several)
    {
        return several[Below(several.size())];
    }

    std::vector<uint32_t> DrawRanks();
    void AddOperations();
    void AddStretches();
    void AddStretch(uint32_t group);
    void AddComputing();
    void AddCollective();
    /** @return a collective operation with an algorithm, of all ranks of a group in a server */
    RankOperation DrawNamed(uint32_t group);
    void AddMessage();
    void Add(uint32_t rank, RankOperation operation);
    uint32_t GetNumber(uint32_t rank, uint32_t group);
    void DrawDisturbances();
    Time DrawDuration();

    bool m_hasStretches;
    std::mt19937 m_dice;
    std::vector<RankProgram> m_programs;
};

/** How such a job is run. */
struct IntraNodeMode
{
    bool asOne{true};
    uint64_t salt{0};     //!< not 0: events of an instant come in an order of its choice
    bool observes{true};  //!< operations are observed one by one; else when they are over
    bool stretches{true}; //!< whether stretches may be worked out as a whole
};

/** What is seen of a run. */
struct IntraNodeOutcome
{
    std::vector<std::string> lines; //!< in order
    uint64_t operations{0};         //!< of ranks, whose groups are inside a server
    uint64_t asOne{0};              //!< of them
    uint64_t inStretches{0};        //!< of these, in stretches
};

/** Runs a job to its end. */
IntraNodeOutcome RunIntraNode(const IntraNodeDraw& drawn, const IntraNodeMode& mode);

/**
 * Runs a job as one and by messages, and with events of an instant in another order.
 * @param operations and @param asOne are increased by the numbers of the first run
 * @return the first difference as text; empty if there is none
 */
std::string CompareIntraNode(const IntraNodeDraw& drawn, uint64_t& operations, uint64_t& asOne);

/**
 * Runs a job by messages, and with stretches worked out as a whole, also with events of an instant
 * in another order.
 * @param operations and @param inStretches are increased by the numbers of the runs
 * @return the first difference as text; empty if there is none
 */
std::string CompareStretches(const IntraNodeDraw& drawn,
                             uint64_t& operations,
                             uint64_t& inStretches);

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_BENCH_H */
