/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CONTROLLER_PARTS_H
#define PHOTONIC_RAILS_OPUS_CONTROLLER_PARTS_H

#include "ns3/cabling.h"
#include "ns3/circuit-setup.h"
#include "ns3/controller-outbox.h"
#include "ns3/controller-record.h"
#include "ns3/controller-settings.h"
#include "ns3/grant-extent.h"
#include "ns3/grant-recalls.h"
#include "ns3/group-register.h"
#include "ns3/named-pairs.h"
#include "ns3/open-phases.h"
#include "ns3/phase-endings.h"
#include "ns3/phase-grants.h"
#include "ns3/phase-outcomes.h"
#include "ns3/phase-ranks.h"
#include "ns3/phase-turns.h"
#include "ns3/phase-voting.h"
#include "ns3/port-ledger.h"
#include "ns3/program-plans.h"
#include "ns3/rail-traffic.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The parts of a controller that the tested class works with. On one rail, rank k is on server k,
 * and has one port. Job 0 owns all ports but the last, which is of job 1.
 */
struct OpusControllerParts
{
    static constexpr uint32_t RANKS = 5;
    static constexpr Picoseconds LIMIT = 1000; //!< for plans, and for the use of a grant

    /** @param isForGood whether granted circuits stay as long as the job runs */
    explicit OpusControllerParts(bool isForGood = false);
    ~OpusControllerParts();

    static std::shared_ptr<const Cabling> MakeCabling();
    /** @return an operation of group 0 of job 0 */
    static OpusPhase Operation(uint64_t operation);
    /** @return pairs that join some ranks in a chain */
    static std::vector<JoinedRanks> Chain(const std::vector<uint32_t>& ranks);
    /** Opens a phase of ranks in a chain, which have all called it. */
    ControllerPhase& Call(uint64_t operation,
                          const std::vector<uint32_t>& chain,
                          uint64_t until = 0);
    /** Opens a phase of ranks in a chain, which hold it. */
    ControllerPhase& Grant(uint64_t operation,
                           const std::vector<uint32_t>& chain,
                           uint64_t until = 0);
    /** Registers a group of job 0, of some ranks, by each of their servers. */
    void Register(uint32_t group, const std::vector<uint32_t>& members, const std::string& name);

    /** @return the message that all of one rank's pairs in a chain are wanted, or held */
    template <typename Content>
    static Content Naming(uint32_t rank, uint64_t operation, const std::vector<uint32_t>& chain)
    {
        Content content;
        content.phase = Operation(operation);
        content.ranks = {RankId(rank)};
        content.pairs = Chain(chain);
        content.whole = chain.size();
        content.digest = GetDigest(content.pairs);
        return content;
    }

    /** @return a circuit between the only ports of two ranks */
    static RankCircuit Between(uint32_t one, uint32_t other)
    {
        return {RankId(one), 0, RankId(other), 0};
    }

    /** Sets up a circuit between two ranks. */
    void JoinRanks(uint32_t one, uint32_t other);

    /** @return the contents of a type that were sent since the last call; others are dropped */
    template <typename Content>
    std::vector<Content> TakeSent()
    {
        std::vector<Content> sent;
        for (const OutgoingMessage& outgoing : outbox.Take())
        {
            if (outgoing.message.Is<Content>())
            {
                sent.push_back(outgoing.message.Get<Content>());
            }
        }
        return sent;
    }

    std::shared_ptr<const Cabling> cabling{MakeCabling()};
    ControllerSettings settings;
    ControllerRecord record;
    ControllerOutbox outbox{cabling};
    PortLedger ledger{cabling};
    RailTraffic traffic{false, {}};
    OpenPhases phases;
    PhaseTurns turns{phases, traffic, {false, {}, false}};
    PhaseOutcomes outcomes{record, outbox};
    PhaseEndings endings{phases, turns, ledger, traffic, outcomes};
    PhaseVoting voting{settings, phases, turns, endings, ledger, record};
    GrantExtent extent;
    GrantRecalls recalls{phases, record, outbox};
    PhaseGrants grants{extent, recalls, turns, record, outbox};
    ProgramPlans plans{phases, ledger, record, outbox};
    CircuitSetup setup{LIMIT, phases, ledger, traffic, plans, record};
    GroupRegister groups{cabling};
    PhaseRanks ranks{cabling, groups, phases};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTROLLER_PARTS_H */
