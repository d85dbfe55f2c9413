/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_KIND_SOURCE_H
#define PHOTONIC_RAILS_FAULT_KIND_SOURCE_H

#include "ns3/fault-kind.h"
#include "ns3/fault.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/traced-callback.h"

#include <map>
#include <string>

namespace ns3
{

/** The trace sources of an object, one for each kind of fault. */
class FaultKindSources
{
  public:
    virtual ~FaultKindSources() = default;

    /** @return the source of a kind: the fault, and whether it begins */
    TracedCallback<const Fault&, bool>& EditSource(FaultKind kind)
    {
        return m_sources[kind];
    }

  private:
    std::map<FaultKind, TracedCallback<const Fault&, bool>> m_sources;
};

/**
 * @ingroup photonic-rails
 * @brief Reaches the trace source of one kind of fault in an object with FaultKindSources.
 *
 * The sources are elements of one container, so there is no pointer to a member of each.
 */
class FaultKindSource : public TraceSourceAccessor
{
  public:
    /** @param kind of the faults */
    explicit FaultKindSource(FaultKind kind);

    /** @return the name of the source of a kind: "FiberCut" for "fiber-cut" */
    static std::string GetName(FaultKind kind);

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override;
    bool Connect(ObjectBase* object,
                 std::string context,
                 const CallbackBase& callback) const override;
    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override;
    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& callback) const override;

  private:
    FaultKind m_kind;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_KIND_SOURCE_H */
