/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-jobs-outcome.h"

#include "../support/observed-lines.h"
#include "../support/photonic-rails-event-order.h"
#include "../support/photonic-rails-training-bench.h"
#include "photonic-rails-jobs-draw.h"

#include "ns3/boolean.h"
#include "ns3/collective-helper.h"
#include "ns3/controller-core.h"
#include "ns3/object-factory.h"
#include "ns3/opus-encoding.h"
#include "ns3/opus-message.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-net-device.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/shim-core.h"
#include "ns3/shim-statistics.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-job-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3
{

namespace
{

/** One run of a job, and the lines of its events. */
class JobRecorder : private ObservedLines
{
  public:
    /** @return the lines, sorted @param drawn the job @param mode how it is run */
    std::vector<std::string> Run(const DrawnJob& drawn, const JobMode& mode)
    {
        See(drawn, mode);
        return TakeSorted();
    }

  private:
    void See(const DrawnJob& drawn, const JobMode& mode)
    {
        UsePicoseconds();
        SetEventOrder(mode.salt);
        ObjectFactory scheduler;
        scheduler.SetTypeId(mode.scheduler);
        Simulator::SetScheduler(scheduler);
        TrainingCase one = drawn.job;
        one.fidelity = mode.fidelity;
        one.messages = one.messages && !mode.folds && !mode.memoizes;
        one.adjust = [adjust = one.adjust, &mode](TrainingJobHelper& helper) {
            adjust(helper);
            helper.GetCollectives().SetAttribute("IntraNodeAsOne", BooleanValue(mode.asOne));
            helper.GetCollectives().SetAttribute("MemoizeOperations",
                                                 BooleanValue(mode.memoizes || mode.folds));
            helper.SetFold(mode.folds);
        };
        one.installed = [this, &drawn](TrainingRun& run) { Listen(drawn, run); };
        const TrainingBench bench(one);
        NoteRun(bench);
        NoteCounts(*bench.run);
        if (mode.memoizes)
        {
            const auto counters = bench.run->collectives->GetMemoCounters();
            Note(JobWitness::MEMOIZED, counters.memoized, counters.recorded, counters.madeUp);
        }
        if (mode.folds)
        {
            const bool hasFolded = bench.run->HasFolded();
            const auto counters =
                hasFolded ? bench.run->GetFold()->GetCounters() : RailFold::Counters();
            Note(JobWitness::FOLDED, counters.followed, counters.own, bench.run->GetWhyNotFolded());
        }
        NoteControlPlane(bench.run->plane);
    }

    void Listen(const DrawnJob& drawn, TrainingRun& run)
    {
        const std::vector<Ptr<OpusEndpoint>> endpoints = run.plane.GetEndpoints();
        for (uint64_t e = 0; e < endpoints.size(); ++e)
        {
            endpoints[e]->TraceConnectWithoutContext(
                "MessageSent",
                MakeCallback(&JobRecorder::Sent, this).Bind(e));
            endpoints[e]->TraceConnectWithoutContext(
                "MessageReceived",
                MakeCallback(&JobRecorder::Received, this).Bind(e));
        }
        if (drawn.cutFor.IsStrictlyPositive() && !run.plane.shims.empty())
        {
            m_network = run.plane.network;
            m_cut = run.plane.servers.Get(drawn.cutServer);
            Simulator::Schedule(drawn.cutAt, &JobRecorder::Cut, this);
            Simulator::Schedule(drawn.cutAt + drawn.cutFor, &JobRecorder::Restore, this);
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
        const OpusRecord record = OpusEncoding::MakeRecord(message);
        Note("control",
             what,
             endpoint,
             NowPicoseconds(),
             ToString(record.type),
             peer,
             record.term,
             record.phase.group,
             record.phase.from,
             record.phase.to,
             record.phase.operation,
             record.phase.stage,
             record.number,
             record.until,
             record.others,
             record.reconfiguration,
             record.flag,
             record.ranks.size());
    }

    void NoteRun(const TrainingBench& bench)
    {
        const TrainingRun& run = *bench.run;
        for (const OperationRecord& r : bench.records)
        {
            NoteOperation("operation", r);
        }
        for (const SeenMessage& m : bench.messages)
        {
            Note(JobWitness::MESSAGE, m.when, m.node, m.bytes, m.arrived);
            Note(JobWitness::NUMBERED, m.when, m.node, m.bytes, m.arrived, m.pair, m.id);
        }
        for (const ShimNote& n : bench.answers)
        {
            Note("answer",
                 n.rank,
                 n.parallelism,
                 n.phase.operation,
                 n.requested.GetTimeStep(),
                 n.answered.GetTimeStep(),
                 n.covered,
                 n.others.GetTimeStep(),
                 n.reconfiguration.GetTimeStep(),
                 n.exposed.GetTimeStep(),
                 n.hidden.GetTimeStep());
        }
        for (const auto& windows : {run.GetWindows(), run.GetRailWindows()})
        {
            for (const CommunicationWindow& w : windows)
            {
                Note("window",
                     w.rank ? int64_t{w.rank->Get()} : -1,
                     w.rail,
                     w.iteration,
                     w.start.GetTimeStep(),
                     w.length.GetTimeStep(),
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
                 t.end.GetTimeStep(),
                 t.exposed.GetTimeStep(),
                 t.hidden.GetTimeStep(),
                 t.computed.GetTimeStep(),
                 t.reconfigurations,
                 t.controlMessages,
                 t.wrongPredictions,
                 t.messages,
                 t.bytesForwarded,
                 t.paths[static_cast<std::size_t>(TrafficPath::MULTI_HOP)].forwarded);
        }
        Note("on wires", run.GetOnWire().frames, run.GetOnWire().wireBytes);
    }

    void NoteCounts(const TrainingRun& run)
    {
        for (const Rail& rail : run.rails)
        {
            for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
            {
                const auto engine = rail.GetGpu(gpu)->GetObject<RdmaEngine>();
                for (uint32_t port = 0; port < engine->GetPorts(); ++port)
                {
                    const auto c = engine->GetDevice(port)->GetCounters();
                    Note(JobWitness::COUNTED,
                         engine->GetDevice(port)->GetAddress(),
                         c.sent,
                         c.received,
                         c.forOffload,
                         c.droppedIn);
                }
                for (const Ptr<RdmaQueuePair>& pair : engine->GetQueuePairs())
                {
                    NotePair(rail.GetGpu(gpu)->GetId(), *pair);
                }
            }
        }
    }

    void NotePair(uint32_t node, const RdmaQueuePair& pair)
    {
        const RdmaQueuePair::Totals t = pair.GetTotals();
        const auto s = pair.GetSenderCounters();
        const auto r = pair.GetReceiverCounters();
        Note(JobWitness::COUNTED,
             node,
             t.posted,
             t.settled,
             t.arrived,
             t.postedBytes,
             t.settledBytes,
             t.arrivedBytes,
             s.frames,
             s.retransmitted,
             s.acks,
             s.timeouts,
             s.payload,
             r.frames,
             r.accepted,
             r.messages,
             r.payload);
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
            Note("agent",
                 c.programs,
                 c.done,
                 c.alarms,
                 c.repetitions,
                 c.stale,
                 c.reconfiguration.GetTimeStep());
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

    ManagementNetwork m_network;
    Ptr<Node> m_cut;
};

/** @return the lines of a file, from its beginning */
std::vector<std::string>
ReadLines(FILE* file)
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

} // namespace

std::string
JobMode::Describe() const
{
    return fidelity + (folds ? ", folded" : "") + (memoizes ? ", memoized" : "") +
           (asOne ? ", " : ", intra-node messages, ") +
           (salt == 0 ? scheduler : "events shuffled by " + std::to_string(salt));
}

bool
JobWitness::HasDiverged(const std::vector<std::string>& lines)
{
    return lines.front() == ABORTED &&
           std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
               return line.find("have diverged") != std::string::npos;
           });
}

std::vector<std::string>
JobWitness::RunApart(const DrawnJob& drawn, const JobMode& mode)
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
        for (const std::string& line : JobRecorder().Run(drawn, mode))
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

} // namespace ns3
