/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-dump.h"

#include "../support/photonic-rails-recording-sink.h"
#include "photonic-rails-trains-outcome.h"
#include "photonic-rails-trains-scenario.h"

#include "ns3/json-writer.h"
#include "ns3/rdma-message.h"
#include "ns3/wire-frame.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/** Writes the parts, one by one. */
class DumpWriter
{
  public:
    DumpWriter(std::ostream& os, const TrainsScenario& scenario, const TrainsOutcome& outcome)
        : m_json(os),
          m_scenario(scenario),
          m_outcome(outcome)
    {
        m_json.BeginObject();
        m_json.Field("seed", scenario.seed);
        m_json.Field("rate_bps", scenario.rates[0]);
        List("delay_ps", scenario.fibers);
        m_json.Field("propagation_ps", scenario.propagation);
        m_json.Field("mtu", scenario.mtu);
        m_json.Field("initial_psn", scenario.initialPsn);
        WriteQueuePairs();
        WritePosts();
        WriteLost();
        WriteFrames();
        WriteCompletions();
        m_json.EndObject();
        os << "\n";
    }

  private:
    template <typename T>
    void List(const std::string& key, const std::vector<T>& values)
    {
        m_json.BeginArray(key);
        for (const T& value : values)
        {
            m_json.Value(value);
        }
        m_json.EndArray();
    }

    void WriteQueuePairs()
    {
        m_json.BeginArray("queue_pairs");
        for (std::size_t q = 0; q < m_scenario.queuePairs.size(); ++q)
        {
            const TrainsScenario::Settings& settings = m_scenario.queuePairs[q].settings[0];
            const bool turned = m_scenario.queuePairs[q].gpu[0] != 0;
            m_json.BeginObject();
            m_json.BeginArray("number");
            m_json.Value(m_outcome.numbers[q][turned ? 1 : 0]);
            m_json.Value(m_outcome.numbers[q][turned ? 0 : 1]);
            m_json.EndArray();
            m_json.Field("ack_every", settings.ackEvery);
            m_json.Field("timeout_exponent", settings.timeoutExponent);
            m_json.Field("retry_limit", settings.retryLimit);
            m_json.Field("window_bytes",
                         settings.congestion == TrainsScenario::STATIC_WINDOW ? settings.window
                                                                              : uint64_t{0});
            m_json.Field("data_class", settings.dataClass);
            m_json.Field("ack_class", settings.ackClass);
            m_json.EndObject();
        }
        m_json.EndArray();
    }

    /** @return the GPU at an end of a queue pair */
    uint32_t GpuAt(uint32_t queuePair, uint32_t end) const
    {
        return m_scenario.queuePairs[queuePair].gpu[end];
    }

    void WritePosts()
    {
        m_json.BeginArray("posts");
        for (const TrainsScenario::Action& action : m_scenario.actions)
        {
            m_json.BeginObject();
            m_json.Field("at_ps", action.at);
            m_json.Field("end", GpuAt(action.a, action.b));
            m_json.Field("queue_pair", action.a);
            m_json.Field("verb", ToString(static_cast<RdmaVerb>(action.c)));
            m_json.Field("bytes", action.number);
            m_json.EndObject();
        }
        m_json.EndArray();
    }

    void WriteLost()
    {
        m_json.BeginObject("lost");
        // the fiber of the sender, towards the switch; then that of the other, from the switch
        m_json.BeginArray("first_fiber");
        Inner(m_outcome.lost[0]);
        Inner(m_outcome.lost[2]);
        m_json.EndArray();
        m_json.BeginArray("second_fiber");
        Inner(m_outcome.lost[3]);
        Inner(m_outcome.lost[1]);
        m_json.EndArray();
        m_json.EndObject();
    }

    void Inner(const std::vector<uint64_t>& values)
    {
        m_json.BeginArray();
        for (const uint64_t value : values)
        {
            m_json.Value(value);
        }
        m_json.EndArray();
    }

    void WriteFrames()
    {
        m_json.BeginArray("frames");
        for (const std::vector<WireFrame>& rows : m_outcome.sent)
        {
            m_json.BeginArray();
            for (const WireFrame& frame : rows)
            {
                m_json.BeginArray();
                m_json.Value(frame.first);
                m_json.Value(frame.last);
                m_json.Value(KindOf(frame));
                m_json.Value(frame.roce.psn);
                m_json.Value(frame.wireBytes);
                m_json.Value(frame.roce.ackRequest ? 1 : 0);
                m_json.Value(frame.roce.destinationQp);
                m_json.EndArray();
            }
            m_json.EndArray();
        }
        m_json.EndArray();
    }

    void WriteCompletions()
    {
        m_json.BeginArray("completions");
        for (const TrainsOutcome::Completion& completion : m_outcome.completions)
        {
            m_json.BeginObject();
            m_json.Field("end", GpuAt(completion.queuePair, completion.end));
            m_json.Field("what", completion.what);
            m_json.Field("at_ps", completion.at);
            m_json.Field("queue_pair", completion.queuePair);
            m_json.Field("id", completion.id);
            m_json.Field("bytes", completion.bytes);
            m_json.EndObject();
        }
        m_json.EndArray();
    }

    JsonWriter m_json;
    const TrainsScenario& m_scenario;
    const TrainsOutcome& m_outcome;
};

} // namespace

void
DumpTrains(std::ostream& os, const TrainsScenario& scenario, const TrainsOutcome& outcome)
{
    DumpWriter(os, scenario, outcome);
}

} // namespace ns3
