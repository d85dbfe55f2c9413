/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_TRAIN_H
#define PHOTONIC_RAILS_SWITCH_TRAIN_H

#include "packet-switch-clock.h"
#include "packet-switch-core.h"
#include "switch-calm.h"

#include "ns3/batch-port.h"
#include "ns3/engine-train.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/switch-engine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class ElectricalSwitchPort;
class OpticalFiber;

/**
 * @ingroup photonic-rails
 * @brief The NIC ports around a packet switch in trains (`PhotonicRailsFidelity` is PacketTrains).
 *
 * It connects a SwitchEngine to the simulation, as CircuitTrain connects a CircuitEngine. Enter()
 * takes over the NIC ports, fibers and the switch at any instant, with all frames; Leave() returns
 * them at any instant, and packet events continue from there.
 *
 * **Congestion.** Trains go on while no frame can be marked, dropped or paused: while fewer bytes
 * wait for each port than PacketSwitchCore::GetUnmarkedBytes(), and in the whole switch than
 * PacketSwitchCore::GetCalmBytes(). They become more no faster than all NICs send, or than those
 * with data for a port do. So the instant until which the switch is calm is known beforehand
 * (SwitchCalm). There is an event then, which finds out how many wait, and leaves if there are too
 * many.
 */
class SwitchTrain final : public EngineTrain<SwitchEngine>
{
  public:
    /** The switch that is taken over. */
    struct Parts
    {
        PacketSwitchCore& core;
        PacketSwitchClock& clock;
        const std::vector<Ptr<ElectricalSwitchPort>>& ports;
        const std::vector<Ptr<OpticalFiber>>& fibers; //!< by port
        Picoseconds delay{0};                         //!< its SwitchingDelay
        uint32_t largestFrame{0};                     //!< bytes with check sequence
        BatchMode*& train; //!< the train that has taken the switch over, or null
    };

    /**
     * Takes a switch over, if that is possible now.
     * @param [out] why the reason if it is not possible
     * @return the train, or null
     */
    static Ptr<SwitchTrain> Enter(const Parts& parts, std::string& why);

    ~SwitchTrain() override;

    // BatchMode
    void Leave(const std::string& why) override;
    void Abandon() override;
    void Advance() override;
    void Kick(uint32_t end) override;

  private:
    /** A NIC port, its fiber, and the port of the switch. */
    struct End
    {
        uint32_t port{0};
        BatchPort* nic{nullptr};
        BatchOffload* offload{nullptr};
        OpticalFiber* fiber{nullptr};
        ElectricalSwitchPort* egress{nullptr};
        bool kicked{false}; //!< it has new frames to send

        // of the counts that ports, fibers and switch include already
        uint64_t sent{0};
        SwitchWire::Counts received;  //!< by the switch
        SwitchWire::Counts forwarded; //!< by the switch
        uint64_t queued{0};           //!< by the switch
        uint64_t arrived{0};          //!< at the NIC
    };

    explicit SwitchTrain(const Parts& parts)
        : m_parts(parts)
    {
    }

    /** Finds the NIC ports. @return whether all can go in trains; else why not */
    bool FindEnds(std::string& why);
    /** @return whether all frames in flight will arrive; else why not */
    bool FramesComeThrough(std::string& why) const;
    /** @return whether the present frames and those to come, from any NIC, leave it calm */
    bool HasRoom(uint64_t waiting) const;
    /** @return whether the switch is likely to be calm for a while, before the engine is made */
    bool MayHaveRoom() const;
    /** Makes the engine. */
    void TakeOver();
    /** Returns all frames, and the progress of the wires of the switch. */
    void GiveBack(Picoseconds now);
    /** Returns the frames that come to a wire of the switch or wait there. */
    void GiveBackPart(const SwitchWire& wire,
                      const SwitchPart& part,
                      SwitchedFrame place,
                      Picoseconds now,
                      std::vector<SwitchedFrame>& comingToSwitch,
                      PacketSwitchState& state) const;
    /** Ends the engine and frees the fibers. */
    void LetGo();
    /** Determines how long the switch is calm at least. @return whether it is calm enough */
    bool Renew(Picoseconds now);
    /** The same, by the rates of all NICs. @param waiting bytes that wait now */
    void RenewByRates(Picoseconds now, uint64_t waiting);
    /** The same, by the flows that there are. */
    void RenewByFlows(Picoseconds now);
    /** @return whether a sink receives frames of a port */
    bool HasSinks() const;
    /** What ends the time in which the switch is calm. */
    enum class CalmWhile
    {
        ANYTHING,       //!< nothing but its end
        NO_POSTS,       //!< a NIC that gets frames to send
        FLOWS_FORESEEN, //!< a NIC that gets frames to send to another port than was foreseen
    };

    // EngineTrain
    void Count(Picoseconds now) override;
    void Gather() override;
    void Reschedule(Picoseconds now) override;

    Parts m_parts;
    std::vector<End> m_ends;
    std::vector<uint32_t> m_endOf;              //!< by port of the switch
    std::vector<Mac48Address> m_addresses;      //!< of the NIC ports, in order
    SwitchCalm m_calm;                          //!< limits, by end
    uint64_t m_rates{0};                        //!< bits a second, of all NICs
    Picoseconds m_calmUntil{0};                 //!< no congestion before
    CalmWhile m_calmWhile{CalmWhile::ANYTHING}; //!< that holds only
    uint64_t m_posts{0};                        //!< messages that may still be posted until then
    uint32_t m_renewalsToFlows{0};              //!< before RenewByFlows() is called again
    uint32_t m_renewalsWithout{0};              //!< so many after the last one
    uint32_t m_wakes{0};                        //!< calls of Gather()
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_TRAIN_H */
