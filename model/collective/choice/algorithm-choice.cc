/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "algorithm-choice.h"

#include "nccl-tuning.h"
#include "time-estimate.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace ns3
{

namespace
{

/**
 * Adds the schedule of an algorithm, and its pairs.
 * @return the reason why it can't run; empty if it can
 */
std::string
Write(AlgorithmChoice& choice,
      const CollectiveParameters& parameters,
      const std::vector<RankId>& ranks,
      const CircuitBroker& broker,
      const AlgorithmPreference& preference)
{
    choice.schedule = CollectiveAlgorithm::GetSchedule(choice.algorithm, parameters);
    choice.pairs.clear();
    choice.intraNode.clear();
    if (!preference.inside && UsesScaleUp(*choice.schedule))
    {
        return "it sends inside servers, and no fabric joins their GPUs";
    }
    for (const CollectiveSchedule::Stage& stage : choice.schedule->GetStages())
    {
        auto pairs = std::make_shared<std::vector<std::pair<RankId, RankId>>>();
        auto intraNode = std::make_shared<std::vector<std::pair<RankId, RankId>>>();
        for (const auto& [one, other] : stage.pairs)
        {
            const bool isIntraNode = broker.AreIntraNode(ranks[one], ranks[other]);
            (isIntraNode ? intraNode : pairs)->emplace_back(ranks[one], ranks[other]);
        }
        choice.pairs.push_back(std::move(pairs));
        choice.intraNode.push_back(std::move(intraNode));
    }
    return "";
}

/** @return the reason why the pairs of some stage can't be joined; empty if they can */
std::string
GetWhyNotJoined(const AlgorithmChoice& choice,
                const std::vector<RankId>& ranks,
                const CircuitBroker& broker)
{
    for (const auto& pairs : choice.pairs)
    {
        const std::string why = broker.GetWhyNot(ranks, *pairs);
        if (!why.empty())
        {
            return why;
        }
    }
    return "";
}

/**
 * The same, with a check whether its pairs can be joined.
 * @return the reason why it can't run; empty if it can
 */
std::string
Complete(AlgorithmChoice& choice,
         const CollectiveParameters& parameters,
         const std::vector<RankId>& ranks,
         const CircuitBroker& broker,
         const AlgorithmPreference& preference)
{
    const std::string why = Write(choice, parameters, ranks, broker, preference);
    return why.empty() ? GetWhyNotJoined(choice, ranks, broker) : why;
}

/**
 * Replaces an algorithm that can't run by its fallback, or by the fallback of that, until one can.
 * @param choice has the reason why the algorithm can't run, and gets those of its fallbacks
 */
void
FallBack(AlgorithmChoice& choice,
         const CollectiveAlgorithm& preferred,
         const CollectiveParameters& parameters,
         const std::vector<RankId>& ranks,
         const CircuitBroker& broker,
         const AlgorithmPreference& preference)
{
    const std::string reason = choice.why;
    std::set<std::string> tried{preferred.name};
    const CollectiveAlgorithm* instead =
        CollectiveAlgorithm::Find(parameters.kind, preferred.fallback);
    if (instead == nullptr || !preference.fallback)
    {
        choice.why += instead == nullptr
                          ? "; it has no fallback: choose another algorithm"
                          : "; its fallback is \"" + instead->name + "\", which is not allowed";
        choice.algorithm.clear();
        return;
    }
    for (; instead != nullptr && tried.insert(instead->name).second;
         instead = CollectiveAlgorithm::Find(parameters.kind, instead->fallback))
    {
        choice.algorithm = instead->name;
        choice.fellBack = true;
        std::string whyNot = instead->GetWhyNot(parameters);
        whyNot = whyNot.empty() ? Complete(choice, parameters, ranks, broker, preference) : whyNot;
        if (whyNot.empty())
        {
            choice.why = reason;
            return;
        }
        choice.why += "; nor its fallback \"" + instead->name + "\": " + whyNot;
    }
    choice.algorithm.clear();
}

/** @return the choice of the algorithm of a name, or the reason why it is not possible */
AlgorithmChoice
ChooseByName(const CollectiveParameters& parameters,
             const std::vector<RankId>& ranks,
             const CircuitBroker& broker,
             const AlgorithmPreference& preference)
{
    AlgorithmChoice choice;
    choice.algorithm = preference.algorithm;
    const CollectiveAlgorithm& preferred =
        CollectiveAlgorithm::Get(parameters.kind, preference.algorithm);
    choice.why = preferred.GetWhyNot(parameters);
    if (choice.why.empty())
    {
        choice.why = Complete(choice, parameters, ranks, broker, preference);
    }
    choice.reason = "asked for by name";
    if (choice.why.empty())
    {
        return choice;
    }
    choice.reason = "the fallback of \"" + preferred.name + "\", which was asked for by name";
    choice.why = "\"" + preferred.name + "\" for " + ToString(parameters.kind) + ": " + choice.why;
    FallBack(choice, preferred, parameters, ranks, broker, preference);
    return choice;
}

/** An algorithm on a path. */
struct Offer
{
    AlgorithmChoice choice;
    PathEstimate way; //!< its time is Time::Max() if there is no offer
};

/** The best offer by path, and the inputs of the comparison. */
struct Offers
{
    const PathCosts& costs;
    std::array<Offer, PATHS> best{};

    /** @return whether paths are compared; if not, all offers have one place */
    bool AreWeighed() const
    {
        return costs.hostBytesPerSecond > 0 || costs.reconfiguration.IsStrictlyPositive();
    }

    /** Adds an offer; of equal ones the first is kept. */
    void Add(const Offer& offer)
    {
        Offer& place = best[static_cast<std::size_t>(*offer.choice.operationPath)];
        if (place.way.time == Time::Max() ||
            GetTimeOf(offer.way, costs) < GetTimeOf(place.way, costs))
        {
            place = offer;
        }
    }

    /** @return whether some algorithm can run over circuits */
    bool HasCircuits() const
    {
        for (std::size_t path = 0; path < PATHS; ++path)
        {
            if (static_cast<OperationPath>(path) != OperationPath::HOST_NETWORK &&
                best[path].way.time != Time::Max())
            {
                return true;
            }
        }
        return false;
    }

    /** @return the choice of the offer with the least time, if there is any */
    AlgorithmChoice Choose(const CollectiveParameters& parameters, uint64_t bytes) const
    {
        if (std::all_of(best.begin(), best.end(), [](const Offer& one) {
                return one.way.time == Time::Max();
            }))
        {
            return {};
        }
        PathQuestion question;
        question.kind = parameters.kind;
        question.ranks = parameters.ranks;
        question.bytes = bytes;
        question.costs = costs;
        for (std::size_t c = 0; c < PATHS; ++c)
        {
            question.ways[c] = best[c].way;
        }
        const PathChoice operationPath = ChoosePath(question);
        AlgorithmChoice choice =
            best[static_cast<std::size_t>(*operationPath.operationPath)].choice;
        choice.reason = "\"" + choice.algorithm + "\", " + operationPath.reason;
        return choice;
    }
};

/** @return a preference whose links carry each byte once for each hop that it takes, in the mean */
AlgorithmPreference
TaxHops(const AlgorithmPreference& preference,
        const AlgorithmChoice& choice,
        const CircuitBroker& broker)
{
    uint64_t pairs = 0;
    uint64_t hops = 0;
    for (const auto& stage : choice.pairs)
    {
        for (const auto& [one, other] : *stage)
        {
            ++pairs;
            hops += broker.CountHops(one, other);
        }
    }
    AlgorithmPreference taxed = preference;
    if (hops > pairs)
    {
        taxed.bytesPerSecond = std::max<uint64_t>(1, preference.bytesPerSecond / hops * pairs);
        taxed.hopLatency = ToTime(preference.hopLatency.GetTimeStep() * hops / pairs);
    }
    return taxed;
}

/** @return an algorithm over circuits that stand, or are reconfigured for it */
Offer
OfferCircuits(const AlgorithmChoice& choice,
              uint64_t bytes,
              const CircuitBroker& broker,
              const PathCosts& costs,
              const AlgorithmPreference& preference)
{
    const AlgorithmPreference taxed = TaxHops(preference, choice, broker);
    Offer offer{choice, {RecallTimeEstimate(choice.schedule, bytes, taxed), 0, 0, false}};
    for (std::size_t s = 0; s < choice.pairs.size() && costs.reconfiguration.IsStrictlyPositive();
         ++s)
    {
        // after a reconfiguration for it, earlier circuits may be gone
        if (offer.way.reconfigurations > 0 ||
            !(choice.pairs[s]->empty() || broker.Stands(*choice.pairs[s])))
        {
            ++offer.way.reconfigurations;
            offer.way.reconfiguresBeforehand = offer.way.reconfiguresBeforehand || s == 0;
        }
    }
    if (offer.way.reconfigurations > 0)
    {
        // it does not end with the circuits of its beginning, unless it has one set of pairs
        offer.way.reconfigurationsOfNext = choice.pairs.size() > 1 ? choice.pairs.size() : 0;
        offer.choice.operationPath =
            choice.pairs.size() > 1 ? OperationPath::MATCHINGS : OperationPath::RECONFIGURE;
        return offer;
    }
    offer.choice.operationPath = UsesScaleUp(*choice.schedule)   ? OperationPath::FORWARD_INTRA_NODE
                                 : IsForwarded(*choice.schedule) ? OperationPath::FORWARD_ON_RING
                                                                 : OperationPath::STANDING;
    return offer;
}

/** @return an algorithm over the network of the hosts, which joins all ranks */
Offer
OfferHosts(const AlgorithmChoice& choice,
           uint64_t bytes,
           const PathCosts& costs,
           const AlgorithmPreference& preference)
{
    AlgorithmPreference hosts = preference;
    hosts.bytesPerSecond = costs.hostBytesPerSecond;
    hosts.hopLatency = costs.hostHopLatency;
    hosts.step = preference.hostStep;
    Offer offer{choice, {RecallTimeEstimate(choice.schedule, bytes, hosts), 0, 0, false}};
    offer.choice.operationPath = OperationPath::HOST_NETWORK;
    offer.choice.host = true;
    return offer;
}

/**
 * Adds the offers of an algorithm.
 * @return the reason why it can't run over circuits; empty if it can
 */
std::string
AddOffers(Offers& offers,
          const CollectiveAlgorithm& algorithm,
          const CollectiveParameters& parameters,
          uint64_t bytes,
          const std::vector<RankId>& ranks,
          const CircuitBroker& broker,
          const AlgorithmPreference& preference)
{
    AlgorithmChoice choice;
    choice.algorithm = algorithm.name;
    std::string why = algorithm.GetWhyNot(parameters);
    why = why.empty() ? Write(choice, parameters, ranks, broker, preference) : why;
    if (why.empty() && offers.costs.hostBytesPerSecond > 0)
    {
        offers.Add(OfferHosts(choice, bytes, offers.costs, preference));
    }
    why = why.empty() ? GetWhyNotJoined(choice, ranks, broker) : why;
    if (why.empty())
    {
        Offer offer = OfferCircuits(choice, bytes, broker, offers.costs, preference);
        if (!offers.AreWeighed())
        {
            offer.choice.operationPath = OperationPath::STANDING; // they differ in time only
        }
        offers.Add(offer);
    }
    return why;
}

/** @return the algorithm of a name, or the same over the network of the hosts if that is faster */
AlgorithmChoice
ChooseHostsIfQuicker(const AlgorithmChoice& named,
                     const CollectiveParameters& parameters,
                     uint64_t bytes,
                     const std::vector<RankId>& ranks,
                     const CircuitBroker& broker,
                     const PathCosts& costs,
                     const AlgorithmPreference& preference)
{
    AlgorithmChoice preferred;
    preferred.algorithm = preference.algorithm;
    const CollectiveAlgorithm& algorithm =
        CollectiveAlgorithm::Get(parameters.kind, preference.algorithm);
    if (!algorithm.GetWhyNot(parameters).empty() ||
        !Write(preferred, parameters, ranks, broker, preference).empty())
    {
        return named;
    }
    Offers offers{costs};
    offers.Add(OfferHosts(preferred, bytes, costs, preference));
    if (!named.algorithm.empty())
    {
        offers.Add(OfferCircuits(named, bytes, broker, costs, preference));
    }
    return offers.Choose(parameters, bytes);
}

/** @return the algorithm of a name over the network of the hosts, or the reason why it can't be */
AlgorithmChoice
ChooseOnHosts(const CollectiveParameters& parameters,
              const std::vector<RankId>& ranks,
              const CircuitBroker& broker,
              const AlgorithmPreference& preference)
{
    AlgorithmChoice choice;
    choice.algorithm = preference.algorithm;
    choice.host = true;
    choice.operationPath = OperationPath::HOST_NETWORK;
    choice.reason = "its program has it on the network of the hosts";
    choice.why =
        preference.hostNetwork
            ? CollectiveAlgorithm::Get(parameters.kind, preference.algorithm).GetWhyNot(parameters)
            : "there is no network of the hosts, which the program has it on";
    choice.why =
        choice.why.empty() ? Write(choice, parameters, ranks, broker, preference) : choice.why;
    if (!choice.why.empty())
    {
        choice.algorithm.clear();
    }
    return choice;
}

/** @return the choice, without its path for counts */
AlgorithmChoice
Choose(const CollectiveParameters& parameters,
       uint64_t bytes,
       const std::vector<RankId>& ranks,
       const CircuitBroker& broker,
       const AlgorithmPreference& preference)
{
    if (preference.onlyHost)
    {
        return ChooseOnHosts(parameters, ranks, broker, preference);
    }
    PathCosts costs = broker.GetCosts(MakeQuestion(preference, parameters, bytes, ranks));
    costs.hostBytesPerSecond = preference.hostNetwork ? costs.hostBytesPerSecond : 0;
    const bool hosts = costs.hostBytesPerSecond > 0;
    if (!preference.algorithm.empty())
    {
        const AlgorithmChoice named = ChooseByName(parameters, ranks, broker, preference);
        return hosts && preference.mayUseHost ? ChooseHostsIfQuicker(named,
                                                                     parameters,
                                                                     bytes,
                                                                     ranks,
                                                                     broker,
                                                                     costs,
                                                                     preference)
                                              : named;
    }
    Offers offers{costs};
    const bool weighed = offers.AreWeighed();
    std::string why;
    for (const bool isReserve : {false, true})
    {
        if (isReserve && offers.HasCircuits())
        {
            break;
        }
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(parameters.kind))
        {
            if (algorithm->isReserve != isReserve)
            {
                continue;
            }
            const std::string its =
                AddOffers(offers, *algorithm, parameters, bytes, ranks, broker, preference);
            if (!its.empty())
            {
                why += (why.empty() ? "" : "; ") + algorithm->name + ": " + its;
            }
        }
    }
    AlgorithmChoice best =
        weighed ? offers.Choose(parameters, bytes)
                : offers.best[static_cast<std::size_t>(OperationPath::STANDING)].choice;
    if (best.algorithm.empty())
    {
        best.why =
            std::string("no algorithm for ") + ToString(parameters.kind) + " can run here: " + why;
    }
    else if (!weighed)
    {
        best.operationPath.reset();
        best.reason = "\"" + best.algorithm + "\" takes least time of what can be joined";
    }
    return best;
}

} // namespace

bool
AlgorithmChoice::IsSame(const AlgorithmChoice& other) const
{
    const auto areSame = [](const auto& ours, const auto& theirs) {
        return std::equal(ours.begin(),
                          ours.end(),
                          theirs.begin(),
                          theirs.end(),
                          [](const auto& one, const auto& two) { return *one == *two; });
    };
    const auto list = [](const AlgorithmChoice& its) {
        return std::tie(its.schedule,
                        its.protocol,
                        its.fellBack,
                        its.host,
                        its.trafficPath,
                        its.operationPath,
                        its.algorithm,
                        its.why,
                        its.reason);
    };
    return list(*this) == list(other) && areSame(pairs, other.pairs) &&
           areSame(intraNode, other.intraNode);
}

AlgorithmChoice
ChooseAlgorithm(const CollectiveParameters& parameters,
                uint64_t bytes,
                const std::vector<RankId>& ranks,
                const CircuitBroker& broker,
                const AlgorithmPreference& preference)
{
    AlgorithmChoice choice = Choose(parameters, bytes, ranks, broker, preference);
    if (choice.schedule)
    {
        const NcclOperation operation{choice.algorithm,
                                      choice.schedule.get(),
                                      bytes,
                                      preference.bytesPerSecond,
                                      preference.intraNodeBytesPerSecond};
        choice.protocol =
            preference.protocol ? *preference.protocol : ChooseNcclProtocol(operation);
    }
    if (choice.host)
    {
        choice.trafficPath = TrafficPath::HOST_NETWORK;
    }
    else if (choice.schedule)
    {
        const auto isOnRails = [](const auto& pairs) { return !pairs->empty(); };
        choice.trafficPath =
            GetTrafficPath(*choice.schedule,
                           std::count_if(choice.pairs.begin(), choice.pairs.end(), isOnRails));
    }
    return choice;
}

} // namespace ns3
