/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOBS_OUTCOME_H
#define PHOTONIC_RAILS_JOBS_OUTCOME_H

#include "photonic-rails-jobs-draw.h"
#include "photonic-rails-shuffled-simulator.h"

#include "ns3/object-factory.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/**
 * @file
 * All that can be seen of a training job: operations, messages, windows, control messages with
 * their instants, counters at the end. Each is a line; two runs are equal if their lines are.
 */

namespace ns3
{

/** How a job is run. */
struct JobMode
{
    std::string fidelity{"PacketTrains"};
    std::string scheduler{"ns3::MapScheduler"};
    uint64_t salt{0}; //!< not 0: events of an instant come in an order of its choice

    /** @return it in words */
    std::string Describe() const
    {
        return fidelity + ", " +
               (salt == 0 ? scheduler : "events shuffled by " + std::to_string(salt));
    }
};

/** Runs a job, and writes down what happens. */
class JobWitness
{
  public:
    /** @return the lines, sorted @param drawn the job @param mode how it is run */
    static std::vector<std::string> Run(const DrawnJob& drawn, const JobMode& mode)
    {
        JobWitness witness;
        witness.See(drawn, mode);
        std::sort(witness.m_lines.begin(), witness.m_lines.end());
        return witness.m_lines;
    }

    /**
     * The same in a process of its own, so that one that aborts can be told of as well.
     * @return the lines; the last words of one that aborted
     */
    static std::vector<std::string> RunApart(const DrawnJob& drawn, const JobMode& mode)
    {
        FILE* const lines = std::tmpfile();
        FILE* const words = std::tmpfile();
        const pid_t child = fork();
        if (child == 0)
        {
            const rlimit noCore{0, 0};
            setrlimit(RLIMIT_CORE, &noCore);
            dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
            dup2(fileno(words), STDERR_FILENO);
            for (const std::string& line : Run(drawn, mode))
            {
                std::fputs((line + "\n").c_str(), lines);
            }
            std::fflush(lines);
            std::_Exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        std::vector<std::string> result = ReadLines(ended ? lines : words);
        if (!ended)
        {
            result.insert(result.begin(), ABORTED);
        }
        std::fclose(lines);
        std::fclose(words);
        return result;
    }

    /** What the lines of a run that aborted begin with. */
    static constexpr const char* ABORTED = "aborted";
    /** What lines of queue pairs' numbers begin with: they are given when pairs are first used. */
    static constexpr const char* NUMBERED = "queue pair";

  private:
    static std::vector<std::string> ReadLines(FILE* file)
    {
        std::rewind(file);
        std::vector<std::string> lines(1);
        for (int c; (c = std::fgetc(file)) != EOF;)
        {
            c == '\n' ? lines.push_back("") : lines.back().push_back(static_cast<char>(c));
        }
        lines.pop_back();
        return lines;
    }

    template <typename... Parts>
    void Note(const Parts&... parts)
    {
        std::ostringstream line;
        ((line << parts << ' '), ...);
        m_lines.push_back(line.str());
    }

    void See(const DrawnJob& drawn, const JobMode& mode)
    {
        UsePicoseconds();
        if (mode.salt != 0)
        {
            GlobalValue::Bind("SimulatorImplementationType",
                              StringValue("ns3::ShuffledSimulatorImpl"));
            Simulator::GetImplementation()->SetAttribute("Salt", UintegerValue(mode.salt));
        }
        ObjectFactory scheduler;
        scheduler.SetTypeId(mode.scheduler);
        Simulator::SetScheduler(scheduler);
        TrainingCase one = drawn.job;
        one.fidelity = mode.fidelity;
        one.installed = [this, &drawn](TrainingRun& run) { Listen(drawn, run); };
        const TrainingBench bench(one);
        NoteRun(bench);
        NoteControlPlane(bench.run->plane);
    }

    void Listen(const DrawnJob& drawn, TrainingRun& run)
    {
        std::vector<Ptr<OpusEndpoint>> endpoints(run.plane.shims.begin(), run.plane.shims.end());
        endpoints.insert(endpoints.end(), run.plane.agents.begin(), run.plane.agents.end());
        for (const Ptr<OpusControllerApp>& controller : {run.plane.controller, run.plane.standby})
        {
            if (controller)
            {
                endpoints.push_back(controller);
            }
        }
        for (uint64_t e = 0; e < endpoints.size(); ++e)
        {
            endpoints[e]->TraceConnectWithoutContext("MessageSent",
                                                     MakeCallback(&JobWitness::Sent, this).Bind(e));
            endpoints[e]->TraceConnectWithoutContext(
                "MessageReceived",
                MakeCallback(&JobWitness::Received, this).Bind(e));
        }
        if (drawn.cutFor.IsStrictlyPositive() && !run.plane.shims.empty())
        {
            m_network = run.plane.network;
            m_cut = run.plane.servers.Get(drawn.cutServer);
            Simulator::Schedule(drawn.cutAt, &JobWitness::Cut, this);
            Simulator::Schedule(drawn.cutAt + drawn.cutFor, &JobWitness::Restore, this);
        }
    }

    void Cut()
    {
        m_network.Cut(m_cut);
    }

    void Restore()
    {
        m_network.Restore(m_cut);
    }

    void Sent(uint64_t endpoint, const OpusMessage& message, const OpusPeer& peer)
    {
        NoteMessage("sent", endpoint, message, peer);
    }

    void Received(uint64_t endpoint, const OpusMessage& message, const OpusPeer& peer)
    {
        NoteMessage("received", endpoint, message, peer);
    }

    void NoteMessage(const char* what,
                     uint64_t endpoint,
                     const OpusMessage& message,
                     const OpusPeer& peer)
    {
        Note("control",
             what,
             endpoint,
             NowPicoseconds(),
             ToString(message.type),
             peer,
             message.term,
             message.phase.group,
             message.phase.from,
             message.phase.to,
             message.phase.operation,
             message.phase.stage,
             message.plan,
             message.until,
             message.others,
             message.reconfiguration,
             message.speculative,
             message.ranks.size());
    }

    void NoteRun(const TrainingBench& bench)
    {
        const TrainingRun& run = *bench.run;
        for (const OperationRecord& r : bench.records)
        {
            Note("operation",
                 r.rank,
                 r.operation,
                 r.start,
                 r.end,
                 r.waited,
                 r.bytesSent,
                 r.bytesReceived,
                 r.messagesSent,
                 r.messagesReceived,
                 r.algorithm);
        }
        for (const SeenMessage& m : bench.messages)
        {
            Note("message", m.when, m.node, m.bytes, m.arrived);
            Note(NUMBERED, m.when, m.node, m.bytes, m.arrived, m.pair, m.id);
        }
        for (const ShimNote& n : bench.answers)
        {
            Note("answer",
                 n.rank,
                 n.parallelism,
                 n.phase.operation,
                 n.requested,
                 n.answered,
                 n.covered,
                 n.others,
                 n.reconfiguration,
                 n.exposed,
                 n.hidden);
        }
        for (const auto& windows : {run.GetWindows(), run.GetRailWindows()})
        {
            for (const CommunicationWindow& w : windows)
            {
                Note("window",
                     w.rank ? int64_t{w.rank->Get()} : -1,
                     w.rail,
                     w.iteration,
                     w.start,
                     w.length,
                     w.from,
                     w.to,
                     w.nextBytes,
                     w.nextOperations);
            }
        }
        for (uint32_t i = 1; i <= run.GetIterations(); ++i)
        {
            const JobTally t = run.GetIteration(i);
            Note("iteration",
                 i,
                 t.end,
                 t.exposed,
                 t.hidden,
                 t.computed,
                 t.reconfigurations,
                 t.controlMessages,
                 t.wrongPredictions,
                 t.messages,
                 t.bytesForwarded);
        }
        Note("on wires", run.GetOnWire().frames, run.GetOnWire().wireBytes);
    }

    void NoteControlPlane(const OpusControlPlane& plane)
    {
        for (const Ptr<OpusShimApp>& shim : plane.shims)
        {
            const ShimCounters& c = shim->GetCore().GetCounters();
            Note("shim",
                 shim->GetServer(),
                 c.requests,
                 c.coalesced,
                 c.guesses,
                 c.rightGuesses,
                 c.withdrawnGuesses,
                 c.wrongPredictions,
                 c.covered,
                 c.unusedGrants,
                 c.withdrawn,
                 c.refused,
                 c.givenUp,
                 c.stale);
            NoteChannel(*shim);
        }
        for (const Ptr<OcsAgent>& agent : plane.agents)
        {
            const OcsAgent::Counters& c = agent->GetCounters();
            Note("agent", c.programs, c.done, c.alarms, c.repetitions, c.stale, c.reconfiguration);
            NoteChannel(*agent);
        }
        for (const Ptr<OpusControllerApp>& controller : {plane.controller, plane.standby})
        {
            if (controller)
            {
                Note("controller", controller->GetCore().Describe());
                NoteChannel(*controller);
            }
        }
    }

    void NoteChannel(const OpusEndpoint& endpoint)
    {
        const OpusChannelCounters& c = endpoint.GetChannelCounters();
        Note("channel of node",
             endpoint.GetNode()->GetId(),
             c.sent,
             c.received,
             c.acknowledged,
             c.failed,
             c.datagrams,
             c.retransmitted,
             c.bare,
             c.duplicates);
    }

    std::vector<std::string> m_lines;
    ManagementNetwork m_network;
    Ptr<Node> m_cut;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOBS_OUTCOME_H */
