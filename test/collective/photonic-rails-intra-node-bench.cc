/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-intra-node-bench.h"

#include "../support/observed-lines.h"
#include "../support/photonic-rails-event-order.h"

#include "ns3/boolean.h"
#include "ns3/collective-algorithm.h"
#include "ns3/collective-helper.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/job-helper.h"
#include "ns3/job-run.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <regex>
#include <sstream>

namespace ns3
{

// -------------------------------------------------------------------------- draw

IntraNodeDraw::IntraNodeDraw(uint32_t drawn, bool hasStretches)
    : seed(drawn),
      m_hasStretches(hasStretches),
      m_dice(drawn)
{
    perServer = OneOf<uint32_t>({2, 2, 3, 4, 4, 5, 8});
    servers = OneOf<uint32_t>({1, 1, 2});
    policy = servers > 1 && Below(2) == 0 ? "on-demand" : "electrical";
    rate = OneOf<uint64_t>({3'600'000'000'000, 8'000'000'000'000, 25'000'000'000, 333'333'333'333});
    latency = OneOf<Picoseconds>({500'000, 500'000, 1'000, 3, 2, 1});
    messageSize = OneOf<uint64_t>({uint64_t{1} << 40, uint64_t{1} << 40, 10'000, 65'536});
    stallLimit = Below(4) == 0 ? PicoSeconds(1 + Below(20'000'000)) : MilliSeconds(20);
    const uint32_t ranks = perServer * servers;
    const bool isLate = !hasStretches || Below(4) == 0; // ranks are
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        starts.push_back(isLate && Below(5) == 0 ? Below(3'000'000) : 0);
    }
    programs.ranks.resize(ranks);
    m_programs.resize(ranks);
    const uint32_t groups = 1 + Below(hasStretches ? 2 : 4);
    for (uint32_t group = 0; group < groups; ++group)
    {
        programs.groups.push_back({"group " + std::to_string(group), DrawRanks()});
    }
    if (hasStretches)
    {
        AddStretches();
    }
    else
    {
        AddOperations();
    }
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        programs.ranks[rank].program = std::make_shared<RankProgram>(std::move(m_programs[rank]));
    }
    DrawDisturbances();
}

uint32_t
IntraNodeDraw::Below(uint32_t limit)
{
    return m_dice() % limit; // distributions differ by library
}

std::vector<uint32_t>
IntraNodeDraw::DrawRanks()
{
    const bool isInside = servers == 1 || Below(5) > 0;
    const uint32_t all = isInside ? perServer : perServer * servers;
    std::vector<uint32_t> ranks(all);
    std::iota(ranks.begin(), ranks.end(), isInside ? Below(servers) * perServer : 0);
    if (Below(2) == 0)
    {
        return ranks;
    }
    for (uint32_t place = all - 1; place > 0; --place)
    {
        std::swap(ranks[place], ranks[Below(place + 1)]);
    }
    ranks.resize(2 + Below(all - 1));
    if (Below(2) == 0)
    {
        std::sort(ranks.begin(), ranks.end());
    }
    return ranks;
}

void
IntraNodeDraw::AddOperations()
{
    const uint32_t operations = 3 + Below(20);
    const uint32_t messages = OneOf<uint32_t>({0, 0, 1, 3});
    for (uint32_t operation = 0; operation < operations; ++operation)
    {
        const uint32_t what = Below(10);
        if (what < 3)
        {
            AddComputing();
        }
        else if (what < 3 + messages)
        {
            AddMessage();
        }
        else
        {
            AddCollective();
        }
    }
}

Time
IntraNodeDraw::DrawDuration()
{
    const int64_t unit = OneOf<int64_t>({0, 1, 1'000, 100'000});
    return PicoSeconds(Below(100) * unit);
}

uint32_t
IntraNodeDraw::GetNumber(uint32_t rank, uint32_t group)
{
    std::vector<uint32_t>& own = programs.ranks[rank].groups;
    const auto known = std::find(own.begin(), own.end(), group);
    const uint32_t number = known - own.begin();
    if (known == own.end())
    {
        own.push_back(group);
    }
    return number;
}

void
IntraNodeDraw::Add(uint32_t rank, RankOperation operation)
{
    const uint32_t soFar = m_programs[rank].GetOperations().size();
    if (soFar > 0 && Below(6) == 0)
    {
        operation.after.push_back(Below(soFar));
    }
    m_programs[rank].Add(operation);
}

void
IntraNodeDraw::AddComputing()
{
    RankOperation operation;
    operation.stream = Below(3);
    operation.duration = DrawDuration();
    if (Below(2) == 0)
    {
        Add(Below(m_programs.size()), operation);
        return;
    }
    for (uint32_t rank = 0; rank < m_programs.size(); ++rank)
    {
        Add(rank, operation);
    }
}

void
IntraNodeDraw::AddCollective()
{
    const uint32_t group = Below(programs.groups.size());
    const std::vector<uint32_t>& ranks = programs.groups[group].ranks;
    RankOperation operation;
    operation.kind = RankOperation::Kind::COLLECTIVE;
    operation.collective = OneOf<CollectiveKind>({CollectiveKind::ALL_REDUCE,
                                                  CollectiveKind::ALL_GATHER,
                                                  CollectiveKind::ALL_GATHER,
                                                  CollectiveKind::REDUCE_SCATTER,
                                                  CollectiveKind::BROADCAST,
                                                  CollectiveKind::REDUCE,
                                                  CollectiveKind::ALL_TO_ALL,
                                                  CollectiveKind::ALL_TO_ALL_V,
                                                  CollectiveKind::BARRIER});
    operation.stream = Below(3);
    operation.bytes = OneOf<uint64_t>({1, 424, 4'096, 100'003, 1'000'000});
    const bool isRooted = operation.collective == CollectiveKind::BROADCAST ||
                          operation.collective == CollectiveKind::REDUCE;
    operation.place = isRooted ? Below(ranks.size()) : 0;
    if (operation.collective == CollectiveKind::BARRIER)
    {
        operation.bytes = 0;
    }
    if (operation.collective == CollectiveKind::ALL_TO_ALL_V)
    {
        const auto demand = std::make_shared<DemandMatrix>(ranks.size());
        for (uint32_t from = 0; from < ranks.size(); ++from)
        {
            for (uint32_t to = 0; to < ranks.size(); ++to)
            {
                demand->Set(from, to, from == to || Below(4) == 0 ? 0 : 1 + Below(100'000));
            }
        }
        operation.bytes = 0;
        operation.demand = demand;
    }
    else if (Below(3) == 0)
    {
        CollectiveParameters parameters;
        parameters.kind = operation.collective;
        parameters.ranks = ranks.size();
        parameters.perServer = ranks.size();
        parameters.root = operation.place;
        const auto algorithms = CollectiveAlgorithm::GetAll(operation.collective);
        const CollectiveAlgorithm* const algorithm = algorithms[Below(algorithms.size())];
        const bool isInside = ranks.front() / perServer == ranks.back() / perServer;
        operation.algorithm =
            isInside && algorithm->GetWhyNot(parameters).empty() ? algorithm->name : "";
    }
    const bool late = Below(3) == 0;
    for (const uint32_t rank : ranks)
    {
        if (late && Below(2) == 0)
        {
            RankOperation computing;
            computing.stream = operation.stream;
            computing.duration = DrawDuration();
            Add(rank, computing);
        }
        operation.group = GetNumber(rank, group);
        Add(rank, operation);
    }
}

void
IntraNodeDraw::AddMessage()
{
    const uint32_t group = Below(programs.groups.size());
    const std::vector<uint32_t>& ranks = programs.groups[group].ranks;
    const uint32_t from = Below(ranks.size());
    const uint32_t to = (from + 1 + Below(ranks.size() - 1)) % ranks.size();
    RankOperation operation;
    operation.stream = Below(3);
    operation.bytes = OneOf<uint64_t>({1, 4'096, 200'000});
    operation.kind = RankOperation::Kind::SEND;
    operation.group = GetNumber(ranks[from], group);
    operation.place = to;
    Add(ranks[from], operation);
    operation.kind = RankOperation::Kind::RECEIVE;
    operation.stream = Below(3);
    operation.group = GetNumber(ranks[to], group);
    operation.place = from;
    Add(ranks[to], operation);
}

RankOperation
IntraNodeDraw::DrawNamed(uint32_t group)
{
    RankOperation operation;
    operation.kind = RankOperation::Kind::COLLECTIVE;
    operation.collective = OneOf<CollectiveKind>({CollectiveKind::ALL_REDUCE,
                                                  CollectiveKind::ALL_GATHER,
                                                  CollectiveKind::REDUCE_SCATTER,
                                                  CollectiveKind::ALL_TO_ALL});
    operation.bytes = OneOf<uint64_t>({424, 4'096, 100'003, 1'000'000});
    CollectiveParameters parameters;
    parameters.kind = operation.collective;
    parameters.ranks = programs.groups[group].ranks.size();
    parameters.perServer = parameters.ranks;
    const auto algorithms = CollectiveAlgorithm::GetAll(operation.collective);
    const CollectiveAlgorithm* const algorithm = algorithms[Below(algorithms.size())];
    operation.algorithm = algorithm->GetWhyNot(parameters).empty() ? algorithm->name : "ring";
    return operation;
}

void
IntraNodeDraw::AddStretch(uint32_t group)
{
    const std::vector<uint32_t>& ranks = programs.groups[group].ranks;
    const uint32_t stream = Below(8) == 0 ? 1 : 0;
    const uint32_t repetitions = 1 + Below(3);
    std::vector<RankOperation> operations;
    for (uint32_t count = 2 + Below(5); count > 0; --count)
    {
        if (Below(5) > 0)
        {
            RankOperation& computing = operations.emplace_back();
            computing.duration = DrawDuration();
        }
        operations.push_back(DrawNamed(group));
    }
    const bool isLate = Below(5) == 0; // a rank is
    for (const uint32_t rank : ranks)
    {
        if (isLate && Below(3) == 0)
        {
            RankOperation computing;
            computing.stream = stream;
            computing.duration = DrawDuration();
            m_programs[rank].Add(computing);
        }
        for (uint32_t repetition = 0; repetition < repetitions; ++repetition)
        {
            for (RankOperation operation : operations)
            {
                operation.stream = stream;
                operation.group =
                    operation.kind == RankOperation::Kind::COLLECTIVE ? GetNumber(rank, group) : 0;
                m_programs[rank].Add(operation);
            }
        }
    }
}

void
IntraNodeDraw::AddStretches()
{
    const uint32_t parts = 2 + Below(5);
    const uint32_t others = OneOf<uint32_t>({0, 0, 1, 4});
    for (uint32_t part = 0; part < parts; ++part)
    {
        const uint32_t group = Below(programs.groups.size());
        const std::vector<uint32_t>& ranks = programs.groups[group].ranks;
        if (ranks.front() / perServer == ranks.back() / perServer)
        {
            AddStretch(group);
        }
        else
        {
            AddCollective();
        }
        for (uint32_t other = Below(1 + others); other > 0; --other)
        {
            const uint32_t what = Below(3);
            what == 0 ? AddComputing() : what == 1 ? AddMessage() : AddCollective();
        }
    }
}

void
IntraNodeDraw::DrawDisturbances()
{
    if (Below(2) == 0)
    {
        return;
    }
    const uint32_t count = 1 + Below(3);
    for (uint32_t one = 0; one < count; ++one)
    {
        using Kind = Disturbance::Kind;
        const Kind kind =
            m_hasStretches
                ? OneOf<Kind>({Kind::COUNT,
                               Kind::LISTEN,
                               Kind::REPORT,
                               Kind::STOP,
                               Kind::COUNTERS,
                               Kind::SLOW,
                               Kind::HALT})
                : OneOf<Kind>({Kind::COUNT, Kind::COUNT, Kind::LISTEN, Kind::REPORT, Kind::STOP});
        // between the instants at which ranks act, as the order of an instant's events is no matter
        const uint32_t longest = OneOf<uint32_t>({1'000'000, 10'000'000, 100'000'000});
        disturbances.push_back({kind, 7 + Below(longest), Below(m_programs.size())});
    }
}

std::string
IntraNodeDraw::Describe() const
{
    std::ostringstream words;
    words << servers << " servers of " << perServer << ", " << policy << ", " << rate << " b/s, "
          << latency << " ps, messages of " << messageSize << ", stalled after "
          << stallLimit.As(Time::PS) << "\n";
    for (const JobPrograms::Group& group : programs.groups)
    {
        words << group.name << ":";
        for (const uint32_t rank : group.ranks)
        {
            words << " " << rank;
        }
        words << "\n";
    }
    for (uint32_t rank = 0; rank < programs.ranks.size(); ++rank)
    {
        words << "rank " << rank << " from " << starts[rank] << " ps\n";
        for (const RankOperation& call : programs.ranks[rank].program->GetOperations())
        {
            words << "  stream " << call.stream;
            if (call.kind == RankOperation::Kind::COMPUTE)
            {
                words << " computes " << call.duration.GetTimeStep() << " ps";
            }
            else
            {
                words << " "
                      << (call.kind == RankOperation::Kind::COLLECTIVE ? ToString(call.collective)
                          : call.kind == RankOperation::Kind::SEND     ? "sends"
                                                                       : "receives")
                      << " " << call.algorithm << " " << call.bytes << " bytes, "
                      << programs.groups[programs.ranks[rank].groups[call.group]].name << " place "
                      << call.place;
            }
            for (const uint32_t after : call.after)
            {
                words << " after " << after;
            }
            words << "\n";
        }
    }
    for (const Disturbance& one : disturbances)
    {
        words << "disturbance " << static_cast<int>(one.kind) << " at " << one.at << " ps, rank "
              << one.rank << "\n";
    }
    return words.str();
}

// --------------------------------------------------------------------------- run

namespace
{

/** @return a report without the numbers of queue pairs, which are given when they are first used */
std::string
WithoutNumbers(const std::string& report)
{
    return std::regex_replace(report, std::regex("queue pair [0-9]+"), "queue pair");
}

/** A run of such a job. */
class IntraNodeRunner : private ObservedLines
{
  public:
    IntraNodeRunner(const IntraNodeDraw& drawn, const IntraNodeMode& mode)
        : m_drawn(drawn)
    {
        SetEventOrder(mode.salt);
        JobHelper helper;
        helper.SetGpusPerServer(drawn.perServer);
        helper.SetScaleUp(true);
        helper.SetElectrical(drawn.policy == "electrical");
        helper.SetPorts(2, DataRate("200Gbps"));
        helper.SetReconfigurationTime(MicroSeconds(3));
        helper.GetOpus().SetPolicy(drawn.policy);
        helper.GetScaleUp().SetAttribute("PortRate", DataRateValue(DataRate(drawn.rate)));
        helper.GetScaleUp().SetAttribute("Latency", TimeValue(PicoSeconds(drawn.latency)));
        CollectiveHelper& ranks = helper.GetCollectives();
        ranks.SetAttribute("IntraNodeAsOne", BooleanValue(mode.asOne));
        ranks.SetAttribute("IntraNodeStretches", BooleanValue(mode.stretches));
        m_observes = mode.observes;
        ranks.SetAttribute("IntraNodeMessageSize", UintegerValue(drawn.messageSize));
        ranks.SetAttribute("StallLimit", TimeValue(drawn.stallLimit));
        ranks.SetAttribute("AbortOnFailure", BooleanValue(false));
        m_run = helper.Install(drawn.programs);
    }

    IntraNodeOutcome Run()
    {
        for (uint32_t rank = 0; rank < m_run->applications.GetN(); ++rank)
        {
            m_run->applications.Get(rank)->SetStartTime(PicoSeconds(m_drawn.starts[rank]));
        }
        if (m_observes)
        {
            m_run->collectives->TraceConnect("OperationStarted",
                                             MakeCallback(&IntraNodeRunner::Started, this));
            m_run->collectives->TraceConnect("OperationEnded",
                                             MakeCallback(&IntraNodeRunner::Ended, this));
        }
        m_run->collectives->TraceConnect("OperationOver",
                                         MakeCallback(&IntraNodeRunner::Over, this));
        m_run->collectives->TraceConnect("OperationFailed",
                                         MakeCallback(&IntraNodeRunner::Failed, this));
        m_run->collectives->TraceConnect("Stalled", MakeCallback(&IntraNodeRunner::Stalled, this));
        for (const IntraNodeDraw::Disturbance& one : m_drawn.disturbances)
        {
            if (one.kind == IntraNodeDraw::Disturbance::Kind::STOP)
            {
                m_run->applications.Get(one.rank)->SetStopTime(PicoSeconds(one.at));
            }
            Simulator::Schedule(PicoSeconds(one.at),
                                &IntraNodeRunner::Disturb,
                                this,
                                static_cast<uint32_t>(&one - m_drawn.disturbances.data()));
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        for (uint32_t rank = 0; rank < m_run->applications.GetN(); ++rank)
        {
            const auto& counters = m_run->collectives->Get(rank)->GetCounters();
            Note("rank",
                 rank,
                 counters.started,
                 counters.ended,
                 counters.failed,
                 counters.messagesSent,
                 counters.bytesSent,
                 counters.messagesReceived,
                 counters.bytesReceived,
                 counters.mostEarly);
            m_outcome.asOne += counters.asOne;
            m_outcome.inStretches += counters.inStretches;
            NoteCount("in the end", rank);
        }
        m_outcome.lines = TakeSorted();
        m_run = nullptr;
        Simulator::Destroy();
        SetEventOrder(0);
        Config::Reset();
        return m_outcome;
    }

  private:
    void NoteRecord(const char* what, const OperationRecord& r)
    {
        NoteOperation(what, r, NowPicoseconds(), r.why, Simulator::GetContext());
    }

    void Started(const OperationRecord& record)
    {
        NoteRecord("started", record);
    }

    void Ended(const OperationRecord& record)
    {
        NoteRecord("ended", record);
        m_outcome.operations += record.call.kind == RankOperation::Kind::COLLECTIVE ? 1 : 0;
    }

    void Over(const OperationRecord& record)
    {
        NoteOperation("over", record);
        m_outcome.operations +=
            !m_observes && record.call.kind == RankOperation::Kind::COLLECTIVE ? 1 : 0;
    }

    void Failed(const OperationRecord& record)
    {
        NoteRecord("failed", record);
    }

    void Stalled(const std::string& report)
    {
        Note("stalled", NowPicoseconds(), WithoutNumbers(report));
    }

    void NoteCounters(uint32_t rank)
    {
        const auto& counters = m_run->collectives->Get(rank)->GetCounters();
        Note("counters",
             rank,
             NowPicoseconds(),
             counters.started,
             counters.ended,
             counters.messagesSent,
             counters.bytesReceived,
             counters.mostEarly);
    }

    void NoteCount(const std::string& when, uint32_t rank)
    {
        const ScaleUpCount& count =
            m_run->domains[rank / m_drawn.perServer]->GetCount(MemberId(rank % m_drawn.perServer));
        Note("count",
             when,
             rank,
             count.messagesSent,
             count.bytesSent,
             count.messagesDelivered,
             count.bytesDelivered);
    }

    void Sent(const ScaleUpMessage& message)
    {
        Note("message sent", NowPicoseconds(), message.from, message.to, message.bytes);
    }

    void Delivered(const ScaleUpMessage& message)
    {
        Note("message delivered",
             NowPicoseconds(),
             message.from,
             message.to,
             message.bytes,
             Simulator::GetContext());
    }

    void Disturb(uint32_t number)
    {
        using Kind = IntraNodeDraw::Disturbance::Kind;
        const IntraNodeDraw::Disturbance& one = m_drawn.disturbances[number];
        const Ptr<ScaleUpDomain> domain = m_run->domains[one.rank / m_drawn.perServer];
        const Ptr<CollectiveApplication> application = m_run->collectives->Get(one.rank);
        switch (one.kind)
        {
        case Kind::COUNT:
            for (uint32_t rank = 0; rank < m_run->applications.GetN(); ++rank)
            {
                NoteCount(std::to_string(one.at), rank);
            }
            break;
        case Kind::LISTEN:
            domain->TraceConnectWithoutContext("MessageSent",
                                               MakeCallback(&IntraNodeRunner::Sent, this));
            domain->TraceConnectWithoutContext("MessageDelivered",
                                               MakeCallback(&IntraNodeRunner::Delivered, this));
            break;
        case Kind::REPORT:
            Note("report", one.at, one.rank, WithoutNumbers(application->GetReport()));
            break;
        case Kind::COUNTERS:
            NoteCounters(one.rank);
            break;
        case Kind::SLOW:
            application->SetSlowFactor(1.5);
            break;
        case Kind::HALT:
            application->Halt();
            break;
        case Kind::STOP:
            break; // the application has the time
        }
    }

    const IntraNodeDraw& m_drawn;
    bool m_observes{true};
    Ptr<JobRun> m_run;
    IntraNodeOutcome m_outcome;
};

/** @return the first difference of two outcomes; empty if there is none */
std::string
FindDifference(const IntraNodeOutcome& one, const IntraNodeOutcome& other)
{
    const std::vector<std::string> left = LinesOnlyIn(one.lines, other.lines);
    const std::vector<std::string> right = LinesOnlyIn(other.lines, one.lines);
    if (left.empty() && right.empty() && one.lines.size() == other.lines.size())
    {
        return "";
    }
    return (left.empty() ? "-" : left.front()) + "\n" + (right.empty() ? "-" : right.front());
}

} // namespace

IntraNodeOutcome
RunIntraNode(const IntraNodeDraw& drawn, const IntraNodeMode& mode)
{
    return IntraNodeRunner(drawn, mode).Run();
}

std::string
CompareIntraNode(const IntraNodeDraw& drawn, uint64_t& operations, uint64_t& asOne)
{
    const IntraNodeOutcome messages = RunIntraNode(drawn, {false, 0});
    const IntraNodeOutcome one = RunIntraNode(drawn, {true, 0});
    operations += one.operations;
    asOne += one.asOne;
    std::string words = FindDifference(messages, one);
    if (words.empty())
    {
        const IntraNodeOutcome shuffled = RunIntraNode(drawn, {true, 1 + drawn.seed});
        words = FindDifference(one, shuffled);
        words = words.empty() ? "" : "shuffled: " + words;
        if (one.asOne != shuffled.asOne)
        {
            words += "shuffled, another number of operations goes as one";
        }
    }
    return words;
}

std::string
CompareStretches(const IntraNodeDraw& drawn, uint64_t& operations, uint64_t& inStretches)
{
    const IntraNodeOutcome messages = RunIntraNode(drawn, {false, 0, false, false});
    const IntraNodeOutcome whole = RunIntraNode(drawn, {true, 0, false, true});
    operations += whole.operations;
    inStretches += whole.inStretches;
    std::string words = FindDifference(messages, whole);
    if (words.empty())
    {
        const IntraNodeOutcome shuffled = RunIntraNode(drawn, {true, 1 + drawn.seed, false, true});
        words = FindDifference(whole, shuffled);
        words = words.empty() ? "" : "shuffled: " + words;
    }
    return words;
}

} // namespace ns3
