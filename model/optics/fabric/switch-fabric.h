/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_FABRIC_H
#define PHOTONIC_RAILS_SWITCH_FABRIC_H

#include "ns3/fabric-description.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The inside of an optical circuit switch: what joins its ports.
 *
 * A fabric has attributes, and describes itself once, when the ports of its switch are known. The
 * description never changes: the switch asks it for the routes of each plan, and a control plane,
 * which gets it at set-up, for the circuits that can be set together.
 *
 * A user writes a fabric in any file, as an Object with a TypeId that derives from this one, and
 * sets it by its name:
 * @code
 * rails.SetFabric("ns3::MyFabric");
 * rails.SetFabric("hexagonal", "Rows", UintegerValue(9), "Columns", UintegerValue(9));
 * @endcode
 */
class SwitchFabric : public Object
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    SwitchFabric();
    ~SwitchFabric() override;

    /**
     * @param ports of the switch
     * @return the description; null, the default: any circuits go together, without loss or delay
     */
    virtual std::shared_ptr<const FabricDescription> Describe(uint32_t ports) const;

    /**
     * @return the time that it takes to change circuits, unless the switch has a
     * ReconfigurationTime; none, the default: as the technology says
     */
    virtual std::optional<Time> GetTuningTime() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_FABRIC_H */
