/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_NETWORK_H
#define PHOTONIC_RAILS_TRAINS_NETWORK_H

#include "photonic-rails-trains-scenario.h"

#include "ns3/callback.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/optical-fiber.h"
#include "ns3/rail-net-device.h"
#include "ns3/rail.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-queue-pair.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The rail of a scenario and its queue pairs, in ns-3. */
class TrainsNetwork
{
  public:
    /** Gets a port's name, and whether there is light, whenever that changes. */
    using CarrierListener = Callback<void, std::string, bool>;
    /** Both ends of a queue pair. */
    using Ends = std::array<Ptr<RdmaQueuePair>, 2>;

    /** @param scenario what is built; must outlive this */
    explicit TrainsNetwork(const TrainsScenario& scenario);
    ~TrainsNetwork();

    /**
     * @param captures where captured frames go; empty: nothing is captured
     * @param listener observes all ports, from the first circuit on
     */
    void Build(const std::string& captures, CarrierListener listener);

    /** Gives a bare GPU an RDMA engine. */
    void Equip(uint32_t gpu) const;

    /** Lets go of the rail, before the simulator is destroyed. */
    void LetGo();

    const Rail& GetRail() const
    {
        return m_rail;
    }

    /** @return the optical switch; null if it is a packet switch */
    Ptr<OpticalCircuitSwitch> GetSwitch() const
    {
        return m_ocs;
    }

    const std::vector<Ends>& GetPairs() const
    {
        return m_pairs;
    }

    /** @return a port, counted through */
    Ptr<RailNetDevice> Nic(uint32_t port) const;

    /** @return its fiber */
    Ptr<OpticalFiber> Fiber(uint32_t port) const;

    /** @return the file of a port's captured frames @param folder of it @param port its number */
    std::string CaptureName(const std::string& folder, uint32_t port) const;

    /**
     * @param port of a fiber
     * @param way 0 towards the switch, 1 from it
     * @return the frames, by their ordinals, that the fiber's loss model has lost until now
     */
    std::vector<uint64_t> ListLost(uint32_t port, uint32_t way) const;

  private:
    void BuildRail(const std::string& captures, CarrierListener listener);

    /** @return the rail, around a switch of the scenario's kind */
    Rail InstallRail() const;
    /** Sets the memory of a packet switch, when its headroom is known. */
    void SizePacketSwitch() const;

    void BuildQueuePairs();
    /** @return what gives GPUs their RDMA engines */
    RdmaHelper MakeRdmaHelper() const;

    const TrainsScenario& m_scenario;
    Rail m_rail;
    Ptr<OpticalCircuitSwitch> m_ocs;
    std::vector<Ends> m_pairs;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_NETWORK_H */
