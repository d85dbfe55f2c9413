/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-opus-random.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

namespace ns3
{

RandomJob::RandomJob(uint64_t seed, bool partitions)
    : m_random(seed)
{
    DrawFault();
    if (partitions)
    {
        fault = RandomFault::PARTITION;
        standby = true;
        faultAt = Time(0);
    }
    DrawPlant();
    DrawGroups();
    DrawPolicy();
    for (uint32_t i = 0; i < m_iterations; ++i)
    {
        DrawIteration(i);
    }
    DrawTimes();
    if (partitions)
    {
        loss = std::min(loss, 0.02);
        DrawCuts();
    }
}

std::string
RandomJob::Describe() const
{
    static constexpr const char* FAULTS[] =
        {"", "controller", "agent", "server", "port", "links of"};
    std::ostringstream words;
    words << servers << " servers, " << rails << " rails, " << ports << " ports, policy " << policy
          << (granularity == "Rail" ? ", whole rails" : "")
          << (speculation == "Grant" ? ", guesses granted" : "") << (streams ? ", streams" : "")
          << (foresees ? "" : ", nothing foreseen") << (altered ? ", altered" : "")
          << (standby ? ", standby" : "") << ", " << operations.size() << " operations, turning "
          << reconfiguration.As(Time::US) << ", latency " << latency.As(Time::US) << ", loss "
          << loss;
    if (fault != RandomFault::NONE)
    {
        words << ", " << FAULTS[static_cast<std::size_t>(fault)] << " " << victim << " fails at "
              << faultAt.As(Time::US);
    }
    for (const RandomCut& cut : cuts)
    {
        static constexpr const char* PLACES[] = {"controller", "standby", "agent", "server"};
        static constexpr const char* WAYS[] = {"", " to it", " from it"};
        words << ", " << PLACES[static_cast<std::size_t>(cut.place)] << " " << cut.which << " cut"
              << WAYS[cut.ways] << " from " << cut.at.As(Time::US) << " to "
              << cut.mended.As(Time::US);
    }
    return words.str();
}

std::vector<uint32_t>
RandomJob::RanksOf(const RandomOperation& operation) const
{
    switch (operation.kind)
    {
    case RandomOperation::Kind::COLLECTIVE:
        return groups[operation.group].ranks;
    case RandomOperation::Kind::SEND:
        return {operation.from, operation.to};
    default:
        return {operation.from};
    }
}

bool
RandomJob::IsForetold() const
{
    return fault == RandomFault::NONE || fault == RandomFault::PARTITION ||
           (fault == RandomFault::CONTROLLER && standby) || IsFromTheStart();
}

bool
RandomJob::IsFromTheStart() const
{
    return fault != RandomFault::NONE && fault != RandomFault::PARTITION && faultAt.IsZero();
}

uint64_t
RandomJob::Draw(uint64_t below)
{
    return m_random() % below;
}

bool
RandomJob::Chance(uint32_t percent)
{
    return Draw(100) < percent;
}

void
RandomJob::DrawFault()
{
    const uint64_t kind = Draw(100);
    m_static = Chance(15);
    if (kind < 50)
    {
        standby = Chance(25);
        return;
    }
    if (kind < 70)
    {
        fault = RandomFault::CONTROLLER;
        standby = true;
        faultAt = DrawTime(1, 5'000);
        return;
    }
    static constexpr RandomFault FAULTS[] = {RandomFault::AGENT,
                                             RandomFault::SERVER,
                                             RandomFault::PORT,
                                             RandomFault::CONTROLLER};
    standby = Chance(25);
    if (kind < 90)
    {
        fault = FAULTS[Draw(3)];
        return; // from the beginning
    }
    fault = FAULTS[Draw(4)];
    standby = standby && fault != RandomFault::CONTROLLER;
    faultAt = DrawTime(1, 5'000);
}

Time
RandomJob::DrawTime(uint64_t least, uint64_t most)
{
    uint64_t top = least;
    while (top < most && Chance(80))
    {
        top *= 2;
    }
    return NanoSeconds(std::min(least * 1000 + Draw(top * 1000), most * 1000));
}

void
RandomJob::DrawPlant()
{
    servers = 2 + Draw(5);
    rails = 1 + Draw(2);
    ports = fault == RandomFault::PORT ? 1 : 1 + Draw(4);
    victim = fault == RandomFault::AGENT    ? Draw(rails)
             : fault == RandomFault::SERVER ? Draw(servers)
             : fault == RandomFault::PORT   ? Draw(servers * rails)
                                            : 0;
    if (servers >= 4 && Chance(12))
    {
        jobs.resize(2);
        for (uint32_t rank = 0; rank < servers * rails; ++rank)
        {
            jobs[rank / rails < servers / 2 ? 0 : 1].push_back(rank);
        }
    }
}

bool
RandomJob::CanRing(std::size_t ranks) const
{
    return ranks == 2 || ports >= 2;
}

void
RandomJob::AddGroup(const std::string& name, const std::vector<uint32_t>& ranks)
{
    if (ranks.size() < 2)
    {
        return;
    }
    RandomGroup group;
    group.name = name + " " + std::to_string(groups.size());
    group.ranks = ranks;
    group.hasCollectives = CanRing(ranks.size());
    group.stream = name == "dp" ? 0 : 3;
    groups.push_back(group);
}

void
RandomJob::DrawGroups()
{
    const uint32_t parts = jobs.empty() ? 1 : 2;
    for (uint32_t part = 0; part < parts; ++part)
    {
        const uint32_t first = part == 0 ? 0 : servers / 2;
        const uint32_t count = parts == 1 ? servers : part == 0 ? servers / 2 : servers - first;
        std::vector<uint32_t> divisors;
        for (uint32_t d = 1; d <= count; ++d)
        {
            if (count % d == 0)
            {
                divisors.push_back(d);
            }
        }
        const uint32_t stages = divisors[Draw(divisors.size())];
        const uint32_t others = Draw(3);
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            const auto rankOf = [&](uint32_t server) { return (first + server) * rails + rail; };
            for (uint32_t stage = 0; stage < stages; ++stage)
            {
                std::vector<uint32_t> ranks;
                for (uint32_t s = stage; s < count; s += stages)
                {
                    ranks.push_back(rankOf(s));
                }
                AddGroup("dp", ranks);
            }
            for (uint32_t replica = 0; replica < count / stages; ++replica)
            {
                std::vector<uint32_t> ranks;
                for (uint32_t s = 0; s < stages; ++s)
                {
                    ranks.push_back(rankOf(replica * stages + s));
                }
                AddGroup("pp", ranks);
            }
            for (uint32_t other = 0; other < others; ++other)
            {
                std::vector<uint32_t> ranks;
                for (uint32_t s = 0; s < count; ++s)
                {
                    if (Chance(60))
                    {
                        ranks.push_back(rankOf(s));
                    }
                }
                std::shuffle(ranks.begin(), ranks.end(), m_random);
                AddGroup("tp", ranks);
            }
        }
    }
}

uint32_t
RandomJob::GetDegree() const
{
    std::set<std::tuple<std::string, uint32_t, uint32_t>> pairs;
    for (const RandomGroup& group : groups)
    {
        const std::size_t count = group.ranks.size();
        for (std::size_t i = 0; i < count; ++i)
        {
            const uint32_t one = group.ranks[i];
            const uint32_t other = group.ranks[(i + 1) % count];
            pairs.emplace(group.name.substr(0, 2), std::min(one, other), std::max(one, other));
        }
    }
    std::map<uint32_t, uint32_t> degrees;
    uint32_t most = 0;
    for (const auto& [parallelism, one, other] : pairs)
    {
        most = std::max({most, ++degrees[one], ++degrees[other]});
    }
    return most;
}

void
RandomJob::DrawPolicy()
{
    const bool onlyPairs = std::all_of(groups.begin(), groups.end(), [](const auto& group) {
        return group.ranks.size() == 2;
    });
    granularity = Chance(25) ? "Rail" : "Group";
    speculation = Chance(30) ? "Grant" : "Prepare";
    foresees = Chance(IsFromTheStart() ? 50 : 90);
    streams = !IsFromTheStart() && Chance(50);
    const uint64_t which = Draw(100);
    static constexpr const char* STATIC[] = {"one-shot",
                                             "static-split",
                                             "static-split-by-traffic",
                                             "demand"};
    policy = which < 40 ? "on-demand" : "provisioned";
    if (IsFromTheStart())
    {
        return;
    }
    if (GetDegree() <= ports && m_static)
    {
        policy = STATIC[which % 4];
        m_onlyRings = true;
    }
    else if (onlyPairs && which % 10 < 4)
    {
        policy = "rotor";
    }
    else if (which >= 85)
    {
        policy = "co-scheduled";
    }
}

void
RandomJob::DrawIteration(uint32_t iteration)
{
    const bool isAltered = iteration > 0 && Chance(12);
    altered = altered || isAltered;
    if (iteration == 0 || isAltered)
    {
        m_template.clear();
        const uint32_t count = 1 + Draw(5);
        for (uint32_t c = 0; c < count && !groups.empty(); ++c)
        {
            DrawItem();
        }
    }
    for (RandomOperation operation : m_template)
    {
        operation.iteration = iteration;
        operations.push_back(operation);
    }
}

void
RandomJob::DrawItem()
{
    if (Chance(25))
    {
        for (uint32_t rank = 0; rank < servers * rails; ++rank)
        {
            if (Chance(70))
            {
                RandomOperation compute;
                compute.from = rank;
                compute.duration = DrawTime(1, 300).GetTimeStep();
                m_template.push_back(compute);
            }
        }
        return;
    }
    const std::string parallelism = groups[Draw(groups.size())].name.substr(0, 2);
    const uint64_t bytes = (1 + Draw(16)) << (10 + Draw(5));
    const bool isCollective = Chance(parallelism == "pp" ? 20 : 80);
    const bool backwards = Chance(50);
    const bool isPair = Chance(50);
    const uint64_t kind = Draw(4);
    const bool acquired = Chance(40);
    const bool released = Chance(40);
    for (uint32_t g = 0; g < groups.size(); ++g)
    {
        const RandomGroup& group = groups[g];
        if (group.name.substr(0, 2) != parallelism)
        {
            continue;
        }
        RandomOperation operation;
        operation.group = g;
        operation.bytes = bytes;
        operation.acquired = acquired;
        operation.released = released;
        if (isCollective && group.hasCollectives)
        {
            operation.kind = RandomOperation::Kind::COLLECTIVE;
            static constexpr CollectiveKind KINDS[] = {CollectiveKind::ALL_REDUCE,
                                                       CollectiveKind::ALL_GATHER,
                                                       CollectiveKind::REDUCE_SCATTER,
                                                       CollectiveKind::BROADCAST};
            // Foretell() does not have the ranks of a broadcast that are over without others,
            // and the demand matrix has the bytes of one way round the ring
            operation.collective = KINDS[IsFromTheStart() || m_onlyRings ? kind % 3 : kind];
            const std::size_t count = group.ranks.size();
            if (!m_onlyRings && policy != "rotor" && (count == 2 || count == 4) && kind == 0 &&
                isPair)
            {
                operation.algorithm = "halving-doubling";
            }
            m_template.push_back(operation);
            continue;
        }
        if (IsFromTheStart() && foresees)
        {
            continue; // over circuits that it has, a rank sends to one that never comes
        }
        operation.kind = RandomOperation::Kind::SEND;
        for (std::size_t i = 0; i + 1 < group.ranks.size(); ++i)
        {
            const std::size_t place = backwards ? group.ranks.size() - 1 - i : i;
            operation.from = group.ranks[place];
            operation.to = group.ranks[backwards ? place - 1 : place + 1];
            m_template.push_back(operation);
        }
    }
}

void
RandomJob::DrawTimes()
{
    reconfiguration = DrawTime(1, 1'000);
    latency = DrawTime(1, 100);
    hostLatency = DrawTime(1, 4);
    loss = Chance(25) ? 0.01 * (1 + Draw(20)) : 0;
    messageSize = uint64_t{1} << (12 + Draw(5));
    if (policy == "rotor")
    {
        loss = std::min(loss, 0.02);
        // time for a message in each slot, whatever the control plane takes
        const Time slot = 8 * (reconfiguration + 4 * latency) + DrawTime(100, 1'000);
        policy += ":" + std::to_string(slot.GetNanoSeconds()) + "ns";
    }
}

void
RandomJob::DrawCuts()
{
    const uint32_t count = 1 + Draw(5);
    std::map<std::pair<RandomCut::Place, uint32_t>, Time> mended;
    for (uint32_t c = 0; c < count; ++c)
    {
        RandomCut cut;
        // the controller in charge matters most
        const uint64_t place = Draw(100);
        cut.place = place < 35   ? RandomCut::Place::CONTROLLER
                    : place < 55 ? RandomCut::Place::STANDBY
                    : place < 75 ? RandomCut::Place::AGENT
                                 : RandomCut::Place::SERVER;
        cut.which = cut.place == RandomCut::Place::AGENT    ? Draw(rails)
                    : cut.place == RandomCut::Place::SERVER ? Draw(servers)
                                                            : 0;
        cut.ways = Draw(3);
        Time& last = mended[{cut.place, cut.which}];
        cut.at = last + DrawTime(1, Chance(50) ? 3'000 : 100'000);
        cut.mended = cut.at + DrawTime(10, 600'000);
        last = cut.mended;
        cuts.push_back(cut);
    }
}

} // namespace ns3
