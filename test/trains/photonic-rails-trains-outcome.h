/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_OUTCOME_H
#define PHOTONIC_RAILS_TRAINS_OUTCOME_H

#include "ns3/picoseconds.h"
#include "ns3/wire-frame.h"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

class Rail;

/** All observations of a run, in a form that can be compared with another's. */
struct TrainsOutcome
{
    /** A message that ended at a GPU. */
    struct Completion
    {
        Picoseconds at;
        uint32_t queuePair;
        uint32_t end;
        std::string what; //!< "settled", "arrived", "failed"
        uint64_t id;
        uint64_t bytes;
        uint32_t verb;
        uint32_t immediate;
        std::string why;

        auto Key() const
        {
            return std::tie(at, queuePair, end, what, id, bytes, verb, immediate, why);
        }

        bool operator<(const Completion& other) const
        {
            return Key() < other.Key();
        }

        bool operator==(const Completion& other) const
        {
            return Key() == other.Key();
        }

        std::string InWords() const;
    };

    std::vector<std::string> ports; //!< the frames that each NIC port sent and received, as digests
    std::vector<Completion> completions;          //!< in the order of their instants
    std::vector<std::string> facts;               //!< reads, traces, drops, plans, audit, captures
    std::vector<std::vector<WireFrame>> sent;     //!< by port, if rows are kept
    std::vector<std::vector<WireFrame>> received; //!< by port, if rows are kept
    std::vector<std::vector<uint64_t>> lost; //!< by port: ordinals that are lost on its fiber by
                                             //!< its loss model, towards the switch, then from it
    std::vector<std::array<uint32_t, 2>> numbers; //!< by queue pair: its number at each end
    uint64_t frames{0};                           //!< sent by all ports
    uint64_t longestRun{0};                       //!< in one call of a sink
    uint64_t events{0};                           //!< that ns-3 ran
    bool ambiguous{false}; //!< a check fell on the very instant at which a frame passed
    bool trainsRan{false};

    /** @return the first difference, as text; empty if there is none */
    std::string DifferenceFrom(const TrainsOutcome& other) const;

    /** @return the first frame that differs, with those around it; empty without rows */
    std::string FirstFrameThatDiffers(const TrainsOutcome& other) const;
};

/** @return all counters of a rail, a line an object */
std::vector<std::string> CountersInWords(const Rail& rail, bool queues = false);

/** @return whether trains were really used on a rail: whether ports sent frames in them */
bool TrainsRan(const Rail& rail);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_OUTCOME_H */
