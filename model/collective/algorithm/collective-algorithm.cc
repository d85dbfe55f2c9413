/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"

#include "algorithm-samples.h"

#include "ns3/abort.h"
#include "ns3/collective-verifier.h"
#include "ns3/known-names.h"

#include <deque>
#include <list>
#include <map>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

using Registry = std::list<CollectiveAlgorithm>;

/**
 * Schedules that were made last. A choice makes those of all algorithms and keeps one; the next
 * rank that chooses, and the next operation, need the others again. Those that are very large are
 * not kept.
 */
class RecentSchedules
{
  public:
    void Keep(const std::shared_ptr<const CollectiveSchedule>& schedule)
    {
        m_kept.push_back(schedule);
        m_transfers += schedule->GetTransfers().size();
        while (m_kept.size() > MOST || m_transfers > MOST_TRANSFERS)
        {
            m_transfers -= m_kept.front()->GetTransfers().size();
            m_kept.pop_front();
        }
    }

  private:
    static constexpr std::size_t MOST = 64;
    static constexpr std::size_t MOST_TRANSFERS = 2'000'000; // some 50 MB

    std::deque<std::shared_ptr<const CollectiveSchedule>> m_kept; //!< in order
    std::size_t m_transfers{0};                                   //!< of all
};

/** Adds an algorithm to a registry, or aborts if its description has a mistake. */
void
AddTo(Registry& registry, const CollectiveAlgorithm& algorithm)
{
    for (const CollectiveAlgorithm& one : registry)
    {
        NS_ABORT_MSG_IF(one.kind == algorithm.kind && one.name == algorithm.name,
                        "CollectiveAlgorithm: there is already a \"" << one.name << "\" for "
                                                                     << ToString(one.kind)
                                                                     << "; give it another name");
    }
    NS_ABORT_MSG_UNLESS(algorithm.write && algorithm.bytesSent && !algorithm.name.empty(),
                        "CollectiveAlgorithm: \"" << algorithm.name
                                                  << "\" needs a name, write and bytesSent");
    registry.push_back(algorithm);
}

/** Aborts with the mistake in the schedules of an algorithm for small groups. */
void
Prove(const CollectiveAlgorithm& algorithm)
{
    constexpr uint32_t PROVED = 6; // largest number of ranks, from 2
    constexpr uint32_t PORTS = 4;  // of a rank, from 1
    for (uint32_t ranks = 2; ranks <= PROVED; ++ranks)
    {
        for (const CollectiveParameters& parameters :
             MakeSamples(algorithm.kind, ranks, algorithm.usesPorts ? PORTS : 1))
        {
            if (algorithm.GetWhyNot(parameters).empty())
            {
                const std::string mistake = GetMistakeOf(algorithm, parameters);
                NS_ABORT_MSG_UNLESS(mistake.empty(),
                                    "CollectiveAlgorithm: \"" << algorithm.name << "\" for "
                                                              << parameters.GetKey() << ": "
                                                              << mistake);
            }
        }
    }
}

/** The tests prove these for more ranks than Prove() does, so that no program has to. */
Registry
MakeBuiltIn()
{
    Registry registry;
    for (auto* make : {&MakeRingAlgorithms,
                       &MakeTreeAlgorithms,
                       &MakeHalvingDoublingAlgorithms,
                       &MakePatAlgorithms,
                       &MakeDirectAlgorithms,
                       &MakeRecursiveAlgorithms,
                       &MakeMultiRingAlgorithms,
                       &MakeRailRingsAlgorithms,
                       &MakeHierarchicalAlgorithms,
                       &MakeAllToAllAlgorithms,
                       &MakeChainAlgorithms,
                       &MakeStragglerAlgorithms})
    {
        for (const CollectiveAlgorithm& algorithm : make())
        {
            AddTo(registry, algorithm);
        }
    }
    return registry;
}

Registry&
GetRegistry()
{
    static Registry registry = MakeBuiltIn();
    return registry;
}

} // namespace

std::string
CollectiveAlgorithm::GetWhyNot(const CollectiveParameters& parameters) const
{
    if (parameters.ranks < 2)
    {
        return "a group of fewer than 2 ranks has no other rank to exchange with";
    }
    if (parameters.channels == 0 || (parameters.bidirectional && parameters.channels % 2 != 0))
    {
        return "channels must be 1 or more, and an even number if half of them go the other way";
    }
    return whyNot ? whyNot(parameters) : std::string();
}

CollectiveSchedule
CollectiveAlgorithm::Make(const CollectiveParameters& parameters) const
{
    CollectiveSchedule schedule(parameters);
    for (uint32_t l = 0; l < parameters.channels; ++l)
    {
        ScheduleChannel channel(schedule, l);
        write(channel);
    }
    return schedule;
}

void
CollectiveAlgorithm::Register(const CollectiveAlgorithm& algorithm)
{
    AddTo(GetRegistry(), algorithm);
    Prove(algorithm);
}

std::vector<const CollectiveAlgorithm*>
CollectiveAlgorithm::GetAll(CollectiveKind kind)
{
    std::vector<const CollectiveAlgorithm*> found;
    for (const CollectiveAlgorithm& one : GetRegistry())
    {
        if (one.kind == kind)
        {
            found.push_back(&one);
        }
    }
    return found;
}

const CollectiveAlgorithm*
CollectiveAlgorithm::Find(CollectiveKind kind, const std::string& name)
{
    for (const CollectiveAlgorithm* one : GetAll(kind))
    {
        if (one->name == name)
        {
            return one;
        }
    }
    return nullptr;
}

const CollectiveAlgorithm&
CollectiveAlgorithm::Get(CollectiveKind kind, const std::string& name)
{
    std::vector<std::string> names;
    for (const CollectiveAlgorithm* one : GetAll(kind))
    {
        names.push_back(one->name);
    }
    const KnownName known =
        FindKnownName(name, names, std::string("algorithm for ") + ToString(kind));
    NS_ABORT_MSG_UNLESS(known.why.empty(), "CollectiveAlgorithm: " << name << ": " << known.why);
    return *Find(kind, known.name);
}

std::shared_ptr<const CollectiveSchedule>
CollectiveAlgorithm::GetSchedule(const std::string& name, const CollectiveParameters& parameters)
{
    static std::map<std::string, std::weak_ptr<const CollectiveSchedule>> kept;
    static RecentSchedules recent;
    std::weak_ptr<const CollectiveSchedule>& place = kept[name + " " + parameters.GetKey()];
    std::shared_ptr<const CollectiveSchedule> schedule = place.lock();
    if (!schedule)
    {
        const CollectiveAlgorithm& algorithm = Get(parameters.kind, name);
        const std::string why = algorithm.GetWhyNot(parameters);
        NS_ABORT_MSG_UNLESS(why.empty(),
                            "CollectiveAlgorithm: \"" << name << "\" can't do "
                                                      << parameters.GetKey() << ": " << why);
        schedule = std::make_shared<const CollectiveSchedule>(algorithm.Make(parameters));
        place = schedule;
        recent.Keep(schedule);
    }
    return schedule;
}

std::string
GetMistakeOf(const CollectiveAlgorithm& algorithm, const CollectiveParameters& parameters)
{
    const CollectiveSchedule schedule = algorithm.Make(parameters);
    const std::string mistake = GetMistakeOf(schedule);
    if (!mistake.empty())
    {
        return mistake;
    }
    uint64_t buffer = parameters.kind == CollectiveKind::BARRIER ? 0 : 1;
    for (const CollectiveChunk& chunk : schedule.GetChunks())
    {
        buffer = std::lcm(buffer, chunk.ofBuffer ? chunk.parts : 1);
    }
    for (uint32_t rank = 0; rank < parameters.ranks; ++rank)
    {
        const uint64_t sent = schedule.GetBytesSent(rank, buffer);
        const uint64_t due = algorithm.bytesSent(parameters, rank, buffer);
        if (sent != due)
        {
            std::ostringstream why;
            why << "of " << buffer << " bytes rank " << rank << " sends " << sent
                << ", and the closed form says " << due;
            return why.str();
        }
    }
    return "";
}

std::string
GetWhyNoDemand(const CollectiveParameters& parameters)
{
    if (!parameters.demand)
    {
        return "it goes by a demand matrix, and there is none; set demand";
    }
    if (parameters.demand->GetRanks() != parameters.ranks)
    {
        return "the demand matrix is of " + std::to_string(parameters.demand->GetRanks()) +
               " ranks, and the group of " + std::to_string(parameters.ranks);
    }
    return "";
}

} // namespace ns3
