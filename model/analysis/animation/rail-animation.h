/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_ANIMATION_H
#define PHOTONIC_RAILS_RAIL_ANIMATION_H

#include "ns3/application-container.h"
#include "ns3/event-id.h"
#include "ns3/ptr.h"
#include "ns3/rail.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class AnimationScene;
class FaultInjector;
class GpuTexts;
struct OpusControlPlane;

/**
 * @ingroup photonic-rails
 * @brief Animates small rails: a file for NetAnim, in which circuits come and go. It gives a
 * program the option `--netanim=FILE`.
 *
 * Each rail has a ring: the ports of the switch, the NIC ports around them, the GPUs outside. A
 * line between two ports of the switch is a circuit, and is there while the circuit carries light.
 *
 * | node           | colours                                                                    |
 * |----------------|----------------------------------------------------------------------------|
 * | port of switch | green: its circuit has light; orange: it reconfigures; white: no circuit;  |
 * |                | black: dark by a fault                                                     |
 * | NIC port       | light blue: carrier; black: none                                           |
 * | GPU            | grey; blue, with names: operations over rails                              |
 * | packet switch  | purple                                                                     |
 *
 * A headline has the instant, and the reasons: plans, circuits, carrier, decisions of controllers,
 * faults. Counters are those of circuits of each switch, and of operations of each GPU. There are
 * no packets: with packet trains frames have no events. It connects no trace source that fires for
 * every frame or message, so packet trains run as without it.
 *
 * ns3::AnimationInterface is not used: it draws links of point-to-point channels alone, and those
 * for good, writes instants in ten digits, and adds an event every quarter of a second.
 *
 * Rails must be added before the simulation runs. The file is complete after Simulator::Destroy(),
 * or when the object is destroyed, whichever is first.
 * @code
 * RailAnimation animation("animation.xml");
 * animation.Add(rail);
 * animation.Add(applications);
 * Simulator::Run();
 * @endcode
 */
class RailAnimation
{
  public:
    static constexpr uint32_t MOST_PORTS = 64;      //!< NIC ports of a rail
    static constexpr uint32_t MOST_PORTS_ALL = 256; //!< NIC ports of all rails

    /**
     * @param rails their number
     * @param gpus of each rail
     * @param ports NIC ports of each GPU
     * @return the reason why such rails are not animated, with value, limit and remedy; empty: they
     *         are
     */
    static std::string GetWhyNot(uint64_t rails, uint64_t gpus, uint64_t ports);

    /** Animates nothing. */
    RailAnimation() = default;

    /** @param filename an existing file is replaced; aborts if it cannot be written */
    explicit RailAnimation(const std::string& filename);

    ~RailAnimation();
    RailAnimation(const RailAnimation&) = delete;
    RailAnimation& operator=(const RailAnimation&) = delete;

    /** Begins the file; aborts if it cannot be written. Add() does so too. */
    void Check();

    /** @return whether there is an animation */
    bool IsOn() const;

    /** Adds a rail, if the animation is on. Aborts if there are too many ports. */
    void Add(const Rail& rail);

    /** Adds each rail, if the animation is on. */
    void Add(const std::vector<Rail>& rails);

    /**
     * Adds the operations of ranks, if the animation is on.
     * @param applications only those of type CollectiveApplication
     */
    void Add(const ApplicationContainer& applications);

    /** Adds the decisions of a control plane, if the animation is on. */
    void Add(const OpusControlPlane& plane);

    /** Adds the faults of a cluster, if the animation is on. */
    void Add(const Ptr<FaultInjector>& injector);

    /** Completes the file, now. */
    void Finish();

  private:
    /** Begins the file, which the end of the run completes. */
    void Begin();

    std::string m_file; //!< empty: no animation
    std::shared_ptr<AnimationScene> m_scene;
    std::shared_ptr<GpuTexts> m_texts;
    uint32_t m_rails{0}; //!< so far
    uint64_t m_ports{0}; //!< their NIC ports
    EventId m_destroy;   //!< completes the file
    bool m_finished{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_ANIMATION_H */
