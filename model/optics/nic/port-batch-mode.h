/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_BATCH_MODE_H
#define PHOTONIC_RAILS_PORT_BATCH_MODE_H

#include "ns3/batch-mode.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

namespace ns3
{

class BatchPort;

/** Counts of a port's frames in trains, and of its changes between trains and packet events. */
struct TrainCounters
{
    uint64_t frames{0};  //!< of this port's, sent in trains
    uint64_t entered{0}; //!< changes from packet events to trains
    uint64_t left{0};    //!< changes from trains to packet events
    uint64_t refused{0}; //!< attempts to enter trains that failed
    std::string why;     //!< reason of the latest failure

    /** Adds the counts of another port or run, without its reason. */
    void Add(const TrainCounters& more)
    {
        frames += more.frames;
        entered += more.entered;
        left += more.left;
        refused += more.refused;
    }
};

/**
 * @ingroup photonic-rails
 * @brief The batch mode of a NIC port: the mode of its circuit while it is in trains, and counts.
 *
 * Either the port has a batch mode and its frames have no events, or it has none and every call
 * here is without effect.
 */
class PortBatchMode
{
  public:
    /** @return whether the port is in trains, now */
    bool IsOn() const
    {
        return m_mode != nullptr;
    }

    /**
     * Attempts to bring the circuit of a port into batch mode, and counts a failure.
     * @param port the owner
     * @return whether trains take over; the port has then called Enter()
     */
    bool Attempt(BatchPort& port);

    /**
     * The same before there is something to send, for a circuit without packet switches. A failure
     * does not count.
     */
    static bool AttemptAhead(BatchPort& port);

    /** @return the batch mode of the circuit; null: packet events */
    const Ptr<BatchMode>& GetMode() const
    {
        return m_mode;
    }

    /** @return the port's end of the circuit */
    uint32_t GetEnd() const
    {
        return m_end;
    }

    /**
     * Trains take over.
     * @param mode the batch mode of the circuit
     * @param end the port's end of the circuit, 0 or 1
     */
    void Enter(Ptr<BatchMode> mode, uint32_t end);

    /** Packet events have taken over. @param why the reason */
    void NoteLeft(const std::string& why);

    /** The simulation is over: drops the batch mode. */
    void Forget();

    /** The same, by the port: the circuit drops all state. */
    void Abandon();

    /** Returns to packet events before a change that trains do not support. */
    void LeaveTrain(const char* why)
    {
        if (m_mode)
        {
            m_mode->Leave(why);
        }
    }

    /** Brings the circuit into its present state, if it is reserved. */
    void MakeUp() const
    {
        if (m_mode)
        {
            m_mode->MakeUp();
        }
    }

    /** Computes the past, before a call to the offload. */
    void CatchUp()
    {
        if (m_mode)
        {
            m_mode->CatchUp();
        }
    }

    /** The same, for a call that only adds frames to send. */
    void Advance()
    {
        if (m_mode)
        {
            m_mode->Advance();
        }
    }

    /** Computes and counts the past, before a change that leaves a quiet circuit as it is. */
    void CatchUpUnlessReserved() const
    {
        if (m_mode && !m_mode->IsReserved())
        {
            m_mode->CatchUpWholly();
        }
    }

    /** Computes and counts the past, before a read of counts. */
    void CatchUpWholly() const
    {
        if (m_mode)
        {
            m_mode->CatchUpWholly();
        }
    }

    /**
     * The offload has a run to send.
     * @return false if the port sends it by packet events
     */
    bool Kick()
    {
        if (m_mode)
        {
            m_mode->Kick(m_end);
            return true;
        }
        return false;
    }

    /** @return whether the present calls to the offload belong to a past instant */
    bool IsInThePast() const
    {
        return m_mode && m_mode->IsInThePast();
    }

    /** @param frames that the port sent in trains */
    void CountSent(uint64_t frames)
    {
        m_counters.frames += frames;
    }

    /** @return the counts, up to the latest CatchUpWholly() */
    const TrainCounters& GetCounters() const
    {
        return m_counters;
    }

  private:
    Ptr<BatchMode> m_mode; //!< of the circuit; null: packet events
    uint32_t m_end{0};     //!< this port's end of the circuit
    TrainCounters m_counters;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_BATCH_MODE_H */
