/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ENGINE_TRAIN_H
#define PHOTONIC_RAILS_ENGINE_TRAIN_H

#include "ns3/batch-mode.h"
#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/past-events.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A batch mode that an engine computes: it connects the engine to the simulation by one
 * pending event, at the next instant at which an effect may be visible.
 *
 * Who derives from it takes state over, returns it, and adds frames to counters.
 *
 * @tparam Engine CircuitEngine, or another with its functions
 */
template <typename Engine>
class EngineTrain : public BatchMode
{
  public:
    // BatchMode
    void MakeUp() override
    {
        if (m_ahead != nullptr)
        {
            m_ahead->Disturb();
        }
    }

    BatchAhead* GetAhead() const override
    {
        return m_ahead;
    }

    void PassOn(BatchAhead& ahead) override
    {
        m_ahead = &ahead;
    }

    void SetWatch(BatchWatch* watch) override
    {
        m_watch = watch;
    }

    BatchWatch* GetWatch() const override
    {
        return m_watch;
    }

    void CatchUp() override
    {
        MakeUp();
        m_engine->CatchUp(NowPicoseconds());
    }

    void Advance() override
    {
        MakeUp();
        m_engine->Advance(NowPicoseconds());
    }

    void CatchUpWholly() override
    {
        MakeUp();
        const Picoseconds now = NowPicoseconds();
        m_engine->CatchUpWholly(now);
        Count(now);
    }

    bool IsInThePast() const override
    {
        return m_engine->IsInThePast();
    }

  protected:
    /** Adds frames to the counters of ports, fibers and switches. */
    virtual void Count(Picoseconds now) = 0;
    /** Frames were delivered in an event: keeps the queues of sinks short. */
    virtual void Gather() = 0;
    /** Schedules the next event, or leaves. */
    virtual void Reschedule(Picoseconds now) = 0;

    /** The same after a call from outside; an event of the engine schedules the next one itself. */
    void RescheduleFromOutside(Picoseconds now)
    {
        if (!m_waking)
        {
            Reschedule(now);
        }
    }

    /**
     * Schedules an event that advances the engine and delivers at an end, unless the pending one is
     * early enough.
     */
    void ScheduleAt(Picoseconds at, Picoseconds now, const Ptr<Node>& node, uint32_t end)
    {
        if (at >= m_eventAt)
        {
            return;
        }
        m_eventAt = at;
        if (PastEvents::AreOn())
        {
            PastEvents::Schedule(
                node->GetId(),
                at,
                MakeEvent(&EngineTrain::Wake, Ptr<EngineTrain>(this), ++m_ticket, end));
            return;
        }
        Simulator::ScheduleWithContext(node->GetId(),
                                       ToTime(at - now),
                                       &EngineTrain::Wake,
                                       Ptr<EngineTrain>(this),
                                       ++m_ticket,
                                       end);
    }

    /** Ends the engine: there are no more events. */
    void Retire()
    {
        m_over = true;
        ++m_ticket; // the pending event becomes invalid
        m_engine->Retire();
        if (m_watch != nullptr)
        {
            std::exchange(m_watch, nullptr)->Interfere();
        }
    }

    std::unique_ptr<Engine> m_engine;
    bool m_over{false};           //!< it has left, or was abandoned
    BatchAhead* m_ahead{nullptr}; //!< it is reserved for this one
    BatchWatch* m_watch{nullptr}; //!< notified when it is left; null: nobody

  private:
    /** The event. @param ticket of the event, which has no effect if another has replaced it */
    static void Wake(Ptr<EngineTrain> train, uint64_t ticket, uint32_t end)
    {
        if (ticket != train->m_ticket)
        {
            return;
        }
        train->m_eventAt = NEVER;
        if (train->m_ahead != nullptr)
        {
            return; // it was quiet when it was reserved
        }
        train->m_waking = true;
        const Picoseconds now = NowPicoseconds();
        train->m_engine->Advance(now);
        train->m_engine->Deliver(now, end);
        train->m_waking = false;
        if (!train->m_over)
        {
            train->Gather();
            train->Reschedule(now);
        }
    }

    Picoseconds m_eventAt{NEVER}; //!< of the valid event
    uint64_t m_ticket{0};         //!< of that event
    bool m_waking{false};         //!< in Wake()
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ENGINE_TRAIN_H */
