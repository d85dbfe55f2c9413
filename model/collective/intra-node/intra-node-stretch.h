/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_STRETCH_H
#define PHOTONIC_RAILS_INTRA_NODE_STRETCH_H

#include "intra-node-memory.h"
#include "intra-node-run.h"

#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/scale-up-domain.h"
#include "ns3/stretch-rank.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One stretch of the ranks of a group: their operations one after another, from the instants
 * at which the ranks begin the first. It has parts, each of which begins on idle ports.
 *
 * Until all ranks have begun, a rank's computations up to the first collective operation are known,
 * and that it calls this.
 *
 * Plain C++: the caller gives the times and has the events.
 */
class IntraNodeStretch
{
  public:
    /** A rank. */
    struct Party
    {
        StretchRank* library{nullptr}; //!< null: it has not begun
        bool isOver{false};
        std::vector<StretchTime> times; //!< of its operations, as far as they are known
    };

    /** @param first its first rank's entry @param ranks of the group */
    IntraNodeStretch(const StretchEntry& first,
                     std::shared_ptr<const IntraNodeRanks> ranks,
                     Ptr<const ScaleUpDomain> domain,
                     Ptr<IntraNodeMemory> memory);

    /** @return whether none of its operations is over anywhere before all ranks have called it */
    bool NeedsAll() const;

    /** @return whether a rank that begins one is in this */
    bool Fits(const StretchEntry& entry) const;

    /** A rank begins, at an instant. */
    void Enter(const StretchEntry& entry, Picoseconds at);

    /** @return whether all ranks have begun */
    bool IsWhole() const
    {
        return m_entered == m_parties.size();
    }

    /**
     * All ranks have begun: works out all times.
     * @return whether that can be done: else ports are not idle at the first call
     */
    bool WorkOut();

    /** @return the last end of all; NEVER: it is not known */
    Picoseconds GetLastEnd() const;

    /** @return the first step of a rank that is not over before an instant */
    std::size_t GetStep(const Party& party, Picoseconds at) const;

    /** @return the steps of the parts that are over before an instant at all ranks */
    std::size_t CountShared(Picoseconds at) const;

    /** @return what a member sends and receives in the first steps */
    ScaleUpCount GetCount(std::size_t place, std::size_t steps) const;

    /** Sets how busy the ports of the ranks are after the first parts, which are over. */
    void SetBusy(ScaleUpDomain& domain, std::size_t steps) const;

    /** @return the most messages that had waited for a rank's call of one of the first steps */
    uint64_t GetEarly(std::size_t place, std::size_t steps) const;

    /** @return the number of a step in the flow of the group */
    uint64_t GetNumber(std::size_t step) const;

    /** @return the steps, the same at all ranks */
    const StretchSteps& GetSteps() const
    {
        return *m_steps;
    }

    /** @return the ranks */
    const IntraNodeRanks& GetRanks() const
    {
        return *m_ranks;
    }

    /** @return the group of the ranks */
    const CommunicationGroup& GetGroup() const
    {
        return *m_group;
    }

    /** @return the ranks, by place */
    std::vector<Party>& GetParties()
    {
        return m_parties;
    }

    std::shared_ptr<IntraNodeStretch> before; //!< of the caller: it is not over at all ranks
    bool isClosed{false};                     //!< of the caller: its counts are given

  private:
    /** A part that was worked out. */
    struct Worked
    {
        std::size_t first; //!< step
        Picoseconds from;  //!< its first call
        std::shared_ptr<const StretchPart> part;
    };

    /** The ranks on their way through the steps. */
    struct Course
    {
        std::size_t step{0};
        std::vector<Picoseconds> now;                //!< by place
        std::vector<std::vector<StretchTime>> times; //!< by place
    };

    /** Finds the plans of operations. */
    void FindPlans();
    /** All ranks compute. */
    void Compute(Course& course) const;
    /** Goes through a part. */
    void GoThrough(const Worked& worked, Course& course) const;
    /** @return the part that begins at a step, by the instants of calls */
    std::shared_ptr<const StretchPart> FindPart(std::size_t first,
                                                const std::vector<Picoseconds>& calls) const;
    /** @return whether the ports of all ranks are idle from an instant on */
    bool AreIdle(Picoseconds from) const;

    std::shared_ptr<const StretchSteps> m_steps;
    uint64_t m_number;
    const CommunicationGroup* m_group;
    std::shared_ptr<const IntraNodeRanks> m_ranks;
    Ptr<const ScaleUpDomain> m_domain;
    Ptr<IntraNodeMemory> m_memory;
    std::vector<Party> m_parties; //!< by place
    uint32_t m_entered{0};
    bool m_isWorkedOut{false};
    std::vector<std::shared_ptr<const IntraNodePlan>> m_plans; //!< by step; null: a computation
    std::vector<Worked> m_worked;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_STRETCH_H */
