/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAKE_NETWORK_H
#define PHOTONIC_RAILS_OPUS_FAKE_NETWORK_H

#include "opus-fake-switches.h"
#include "opus-flat-message.h"

#include "ns3/controller-outbox.h"
#include "ns3/controller-settings.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class ControllerCore;

/** The faults of a FakeNetwork. */
struct FakeFaults
{
    uint32_t duplicates{0};   //!< percent of messages that come twice
    uint32_t losses{0};       //!< percent of messages that come late, by a repetition
    uint32_t wrongGuesses{0}; //!< percent of the guesses
    uint32_t promises{0}; //!< percent of requests that are for more than the rank may go through
    uint32_t alarms{0};   //!< percent of plans: nothing changes, or some circuits get no light
    uint32_t silences{0}; //!< percent of plans that are carried out, or not, without an answer
    bool takeover{false};
    Picoseconds grid{1}; //!< messages arrive at multiples of it
};

/**
 * The environment of a ControllerCore without the ranks: agents with switches that reconfigure;
 * messages that take their time, come twice or late, and between two peers in order; another
 * controller; and a twin of the one in charge, which takes the messages of an instant in another
 * order, but for messages of one peer. It fails the test as soon as a switch receives a plan for a
 * port with traffic, a circuit is used that is not there, or a plan does not fit the switch, unless
 * one before it, of which the controller had no answer yet, changed nothing.
 */
class FakeNetwork
{
  public:
    FakeNetwork(uint32_t seed,
                std::shared_ptr<const Cabling> cabling,
                const ControllerSettings& settings,
                FakeFaults faults);
    virtual ~FakeNetwork();

    /** All servers register a group of all ranks, before anything is lost or late. */
    void Register(GroupId group, const std::vector<RankId>& ranks, const std::string& name);

    const ControllerCore& GetController() const
    {
        return *m_inCharge;
    }

    const ControllerCore& GetTwin() const
    {
        return *m_twin;
    }

  protected:
    static constexpr Picoseconds MICROSECOND = 1'000'000;

    /** A message of the controller has come. */
    virtual void TakeByShim(const OpusMessage& message) = 0;
    /** Another controller is in charge. */
    virtual void NoteTerm() = 0;

    /** Handles all events. */
    void RunEvents();

    bool Chance(uint32_t percent);
    Picoseconds Draw(Picoseconds limit);
    void At(Picoseconds delay, std::function<void()> event);
    /** A message arrives after those before it on its path, lost and repeated ones included; and
     * perhaps again. */
    void Carry(const std::string& path, const std::function<void()>& arrive);
    void ToController(const OpusMessage& message);

    std::mt19937 m_random;
    std::shared_ptr<const Cabling> m_cabling;
    FakeFaults m_faults;
    ControllerSettings m_settings;
    std::vector<OpusMessage> m_registrations;
    std::unique_ptr<ControllerCore> m_inCharge;
    std::unique_ptr<ControllerCore> m_twin;
    FakeSwitches m_switches;
    Picoseconds m_now{0};

  private:
    struct Agent
    {
        uint32_t term{0};
        bool owes{false};                                       //!< an ACCEPT
        std::map<uint64_t, std::optional<OpusMessage>> answers; //!< none: it is still reconfiguring
        std::map<uint64_t, CircuitPlan> refused;                //!< nothing was changed
    };

    /** Both controllers take all that has arrived. */
    void EndInstant();
    void Post(const ControllerOutbox::Messages& outbox);
    /** @return the plans that an agent was sent, and did not answer as far as is known */
    std::set<uint64_t> FindOpen(RailId rail);
    void Crash();
    /** An agent reports the circuits that stand, if nothing is reconfiguring. */
    void Accept(RailId rail);
    /** @param open plans that had not been answered when this one was sent */
    void TakeByAgent(const FlatMessage<OpusProgram>& program, const std::set<uint64_t>& open);
    /**
     * @return whether the circuits that a plan needs were not taken down by a plan without an
     * answer
     */
    static bool IsInTheWay(const Agent& agent,
                           const CircuitPlan& plan,
                           const std::set<uint64_t>& open);
    void Answer(RailId rail, uint64_t plan, bool silent = false);

    std::vector<OpusMessage> m_arrived; //!< at this instant
    bool m_crashed{false};
    uint32_t m_age{0};
    std::map<RailId, Agent> m_agents;
    std::map<RailId, std::set<uint64_t>> m_sent; //!< plans
    std::map<std::string, Picoseconds> m_paths;  //!< the last arrival on each
    std::set<std::string> m_cut;                 //!< paths of the one that crashed
    std::multimap<Picoseconds, std::function<void()>> m_events;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAKE_NETWORK_H */
