/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_APPLICATION_BASE_H
#define PHOTONIC_RAILS_COLLECTIVE_APPLICATION_BASE_H

#include "collective-settings.h"
#include "operation-record.h"

#include "ns3/application.h"
#include "ns3/collective-protocol.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/transport-times.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The attributes and the trace sources of CollectiveApplication.
 *
 * Most attributes hold for a whole run: they can't be set after the application has started.
 */
class CollectiveApplicationBase : public Application
{
  public:
    /** The protocol of messages, for an attribute. */
    enum Protocol
    {
        SIMPLE,
        LL128,
        LL,
        TUNED, //!< as NCCL's tuning chooses
    };

    /** @return whether it has started, after which most attributes can't be set */
    virtual bool HasStarted() const = 0;

    /** Reports the operations that are over by now to OperationOver. */
    virtual void CatchUp() const = 0;

    /** Sets the attribute ComputeFactor, which takes effect at once. */
    void SetComputeFactor(Ptr<RandomVariableStream> factor);

    /** @return the attribute ComputeFactor */
    Ptr<RandomVariableStream> GetComputeFactor() const;

    /** Signature of OperationStarted, OperationEnded, OperationOver, OperationFailed. */
    typedef void (*RecordCallback)(const OperationRecord& record);
    /** Signature of Stalled: a report. */
    typedef void (*ReportCallback)(const std::string& report);
    /** Signature of ProgramEnded, ProcessEnded. */
    typedef void (*RankCallback)(RankId rank);

    /** @return the attributes that hold for a whole run, as they are now */
    CollectiveSettings MakeSettings() const;

  protected:
    /** @return the type of CollectiveApplication, which adds its constructor */
    static TypeId MakeTypeId();
    /** @return the type with the attributes of protocols, and of the times that a library takes */
    static TypeId AddTimes(TypeId tid);

    Time m_bootstrapLatency;
    Ptr<RandomVariableStream> m_computeFactor;
    Time m_stallLimit;
    bool m_abort;

    TracedCallback<const OperationRecord&> m_operationStarted;
    TracedCallback<const OperationRecord&> m_operationEnded;
    TracedCallback<const OperationRecord&> m_operationOver;
    TracedCallback<const OperationRecord&> m_operationFailed;
    TracedCallback<const std::string&> m_stalled;
    TracedCallback<RankId> m_programEnded;
    TracedCallback<RankId> m_processEnded;

  private:
    /** @return the protocol; none: as NCCL's tuning chooses */
    std::optional<CollectiveProtocol> GetProtocol() const;
    /** @return the times that the library takes */
    CollectiveTimes MakeTimes() const;

    uint64_t m_messageSize;
    uint64_t m_pointToPointSize;
    uint64_t m_insideSize;
    uint32_t m_channels;
    uint32_t m_ports;
    bool m_bidirectional;
    bool m_fallback;
    bool m_mayUseHost;
    bool m_weighHost;
    bool m_intraNodeAsOne;
    bool m_intraNodeStretches;
    bool m_memoizeOperations;
    bool m_stragglerAware;
    uint32_t m_latenessWindow;
    uint64_t m_eagerBytes;
    uint32_t m_eagerSends;
    uint64_t m_bytesPerSecond;
    uint64_t m_intraNodeBytesPerSecond;
    Time m_hopLatency;
    Protocol m_protocol;
    // one for each attribute, as accessors take members
    Time m_railStart;
    Time m_railStep;
    Time m_railMessage;
    Time m_scaleUpStart;
    Time m_scaleUpStep;
    Time m_scaleUpMessage;
    Time m_hostStart;
    Time m_hostStep;
    Time m_hostMessage;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_APPLICATION_BASE_H */
