/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-map-option.h"

#include "scenario-options.h"

#include "ns3/callback.h"
#include "ns3/circuit-plan-report.h"
#include "ns3/exact-decimal.h"
#include "ns3/output-file.h"
#include "ns3/parallelism-plan.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/switch-picture.h"
#include "ns3/training-job.h"
#include "ns3/training-run.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

/** The circuits of a rail as they were at an instant, and what they are since. */
class CircuitMapRecord : public SimpleRefCount<CircuitMapRecord>
{
  public:
    /** @param last the instant that counts; before 0: the end */
    CircuitMapRecord(const Rail& rail,
                     const std::string& hosts,
                     const CircuitMapOption::Kinds& kinds,
                     Time last)
        : m_rail(rail),
          m_hosts(hosts),
          m_kinds(kinds),
          m_last(last)
    {
        for (uint32_t host = 0; host < rail.GetGpus(); ++host)
        {
            for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
            {
                m_hostOf[rail.GetSwitchPort(host, port).Get()] = host;
            }
        }
        Take();
    }

    /** Keeps the circuits of a rail with an optical switch. */
    static Ptr<CircuitMapRecord> Observe(const Rail& rail,
                                         const std::string& hosts,
                                         const CircuitMapOption::Kinds& kinds,
                                         Time last)
    {
        const auto record = Create<CircuitMapRecord>(rail, hosts, kinds, last);
        const Ptr<OpticalCircuitSwitch> middle = rail.GetOpticalSwitch();
        const auto light = MakeCallback(&CircuitMapRecord::LightChanged, record);
        middle->TraceConnectWithoutContext("CircuitUp", light);
        middle->TraceConnectWithoutContext("CircuitDown", light);
        middle->TraceConnectWithoutContext("PlanAccepted",
                                           MakeCallback(&CircuitMapRecord::PlanAccepted, record));
        middle->TraceConnectWithoutContext("PlanEnded",
                                           MakeCallback(&CircuitMapRecord::PlanEnded, record));
        middle->TraceConnectWithoutContext("Power", MakeCallback(&CircuitMapRecord::Power, record));
        return record;
    }

    /** Takes the circuits as they are now. */
    void TakeLast()
    {
        since = std::max(Time(0), m_change);
        Take();
    }

    CircuitMapPicture picture;
    Time since{0}; //!< the picture is what stands since then

  private:
    void LightChanged(PortId, PortId, uint64_t)
    {
        Changed();
    }

    void PlanAccepted(uint64_t, const CircuitPlan&)
    {
        Changed();
    }

    void PlanEnded(const CircuitPlanReport&)
    {
        Changed();
    }

    void Power(bool)
    {
        Changed();
    }

    /** Circuits change now: takes them when the events of this instant are over. */
    void Changed()
    {
        const Time now = Simulator::Now();
        const bool isNew = now != m_change;
        m_change = now;
        if (isNew && now <= m_last)
        {
            Simulator::Schedule(PicoSeconds(1),
                                &CircuitMapRecord::TakeChange,
                                Ptr<CircuitMapRecord>(this),
                                now);
        }
    }

    void TakeChange(Time change)
    {
        since = change;
        Take();
    }

    void Take()
    {
        picture = MakeCircuitMap(m_rail, m_hosts);
        for (CircuitMapPicture::Arc& circuit : picture.circuits)
        {
            const auto from = m_hostOf.find(circuit.from);
            const auto to = m_hostOf.find(circuit.to);
            if (m_kinds && from != m_hostOf.end() && to != m_hostOf.end())
            {
                circuit.kind = m_kinds(from->second, to->second);
            }
        }
    }

    Rail m_rail;
    std::string m_hosts;
    CircuitMapOption::Kinds m_kinds;
    std::map<std::size_t, uint32_t> m_hostOf; //!< by port of the switch
    Time m_last;
    Time m_change{-1}; //!< the last one
};

CircuitMapOption::CircuitMapOption() = default;
CircuitMapOption::~CircuitMapOption() = default;
CircuitMapOption::CircuitMapOption(const CircuitMapOption&) = default;
CircuitMapOption& CircuitMapOption::operator=(const CircuitMapOption&) = default;

void
CircuitMapOption::Add(ScenarioOptions& options)
{
    options
        .Add("circuit-map",
             "File for a picture of the circuits of the first rail, SVG: NAME.svg",
             m_file)
        .Writes()
        .EndsIn(".svg");
    options
        .Add("circuit-map-at",
             "The instant of that picture, such as 25ms; not given: the end of the run",
             m_at)
        .AtLeast(Time(0));
}

void
CircuitMapOption::Check(const ScenarioOptions& options, bool hasCircuits)
{
    m_isAtGiven = options.IsGiven("circuit-map-at");
    options.Require(!m_isAtGiven || IsOn(), "circuit-map-at", "give --circuit-map=FILE.svg too");
    options.Require(!IsOn() || hasCircuits,
                    "circuit-map",
                    "there are no circuits: the rails have packet switches");
}

void
CircuitMapOption::Claim(ScenarioOptions& options, const std::vector<std::string>& runs) const
{
    for (const std::string& run : runs)
    {
        if (IsOn())
        {
            options.Claim("circuit-map", {OutputFile::GetNameOf(m_file, run)});
        }
    }
}

bool
CircuitMapOption::IsOn() const
{
    return !m_file.empty();
}

void
CircuitMapOption::Record(const TrainingRun& run)
{
    const RankLayout layout = run.GetJob().GetLayout();
    const uint32_t perServer = run.GetJob().GetTask().plan.scaleUp;
    Record(run.rails.front(), "server", [layout, perServer](uint32_t server, uint32_t other) {
        std::set<std::string> parallelisms;
        for (const Parallelism one : GetParallelisms())
        {
            // experts and replicas take their ranks from dp
            const bool isData = one == Parallelism::EXPERT || one == Parallelism::REPLICA;
            if (layout.GetPlace(server * perServer, one) != layout.GetPlace(other * perServer, one))
            {
                parallelisms.insert(isData ? "dp" : ToString(one));
            }
        }
        return parallelisms.size() == 1 ? *parallelisms.begin() : "";
    });
}

void
CircuitMapOption::Record(const Rail& rail, const std::string& hosts, const Kinds& kinds)
{
    m_record = IsOn() && rail.GetOpticalSwitch()
                   ? CircuitMapRecord::Observe(rail, hosts, kinds, m_isAtGiven ? m_at : Time(-1))
                   : nullptr;
}

void
CircuitMapOption::Write(const std::string& run)
{
    if (!m_record)
    {
        return;
    }
    const Time end = Simulator::Now();
    const bool isAtEnd = !m_isAtGiven || m_at >= end;
    if (isAtEnd)
    {
        m_record->TakeLast();
    }
    CircuitMapPicture& picture = m_record->picture;
    picture.title = picture.title.substr(0, picture.title.find(" at "));
    picture.title +=
        isAtEnd ? " at the end of the run, " + ToInstantText(end) : " at " + ToInstantText(m_at);
    picture.title +=
        (m_record->since.IsZero() ? "" : ", unchanged since " + ToInstantText(m_record->since)) +
        (run.empty() ? "" : ": " + run);
    OutputFile(run.empty() ? m_file : OutputFile::GetNameOf(m_file, run)).Replace(picture.Draw());
    m_record = nullptr;
}

} // namespace ns3
