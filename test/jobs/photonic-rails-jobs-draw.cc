/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-jobs-draw.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/model-shape.h"
#include "ns3/parallelism-plan.h"
#include "ns3/string.h"
#include "ns3/training-job-helper.h"
#include "ns3/transport-times.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

DrawnJob::DrawnJob()
    : seed(0)
{
    job.messages = true;
    job.adjust = [this](TrainingJobHelper& helper) { Adjust(helper); };
}

DrawnJob::DrawnJob(uint64_t drawn, DrawnRange range)
    : seed(drawn),
      m_random(drawn)
{
    DrawModel();
    switch (range)
    {
    case DrawnRange::WHOLE:
        DrawPlan();
        break;
    case DrawnRange::ANY_PLAN:
        DrawLargePlan();
        break;
    case DrawnRange::EQUAL_RAILS:
        DrawEqualRails();
        break;
    }
    DrawRecipe();
    DrawNetwork();
    DrawRouter();
    DrawHosts();
    DrawScatter();
    DrawLibrary();
    DrawStraggler();
    DrawMarks(); // the last one: the other draws are those of jobs without it
    if (range == DrawnRange::ANY_PLAN)
    {
        loss = 0;
        cutFor = Time(0);
        job.iterations = 1;
        job.recipe.sequence = 64 * job.plan.tp * job.plan.cp; // divides among its ranks
    }
    if (range == DrawnRange::EQUAL_RAILS)
    {
        loss = 0;
        cutFor = Time(0);
        hosts = 0;
        jitter = 0;
        slower = 1;
        job.recipe.sequence = 64 * job.plan.tp * job.plan.cp; // divides among its ranks
    }
    job.draw = 1 + seed % 1000;
    job.messages = true;
}

std::string
DrawnJob::Describe() const
{
    std::ostringstream words;
    words << "job " << seed << ": tp " << job.plan.tp << ", cp " << job.plan.cp << ", dp "
          << job.plan.dp << ", pp " << job.plan.pp << ", ep " << job.plan.ep << " by "
          << job.plan.order << " on servers of " << job.plan.scaleUp << ", routed by "
          << job.recipe.router.skew.GetName() << " with capacity "
          << job.recipe.router.capacityFactor
          << (job.plan.sharding == ParameterSharding::FULL ? " sharded" : "") << ", "
          << job.recipe.schedule << " with " << job.recipe.chunks << " chunks, "
          << job.recipe.microBatches << " micro-batches of " << job.recipe.microBatchSize << " x "
          << job.recipe.sequence << " tokens, context "
          << (job.recipe.context == ContextExchange::RING ? "ring" : "gathered") << ", policy "
          << job.policy << ", granularity " << granularity << ", speculation " << speculation
          << ", " << ports << " ports, " << job.reconfiguration.As(Time::US)
          << " to reconfigure, latency " << latency.As(Time::US) << ", loss " << loss
          << ", hosts of " << hosts << " Gb/s, protocol " << protocol << ", start "
          << start.As(Time::US) << ", step " << step.As(Time::US) << ", message "
          << message.As(Time::US) << (standby ? ", a standby" : "") << ", jitter " << jitter
          << ", server " << cutServer << " cut off at " << cutAt.As(Time::US) << " for "
          << cutFor.As(Time::US) << ", marks from " << markFrom << " bytes"
          << (markEqually ? ", equal on all rails" : "") << ", rank " << straggler << " slower by "
          << slower << (stragglerAware ? ", aware of it" : "") << "\n";
    return words.str();
}

void
DrawnJob::DrawModel()
{
    ModelShape shape = MakeTinyShape();
    shape.layers = OneOf<uint32_t>({4, 8});
    shape.hidden = OneOf<uint32_t>({128, 256});
    shape.headSize = shape.hidden / shape.heads;
    shape.keyHeads = OneOf<uint32_t>({2, 4});
    shape.feedForward = OneOf<uint32_t>({256, 640});
    shape.vocabulary = OneOf<uint32_t>({512, 1000});
    job.shape = shape;
    job.efficiency = OneOf<double>({0.005, 0.05, 0.3});
}

void
DrawnJob::DrawPlan()
{
    ParallelismPlan& plan = job.plan;
    do
    {
        plan.tp = OneOf<uint32_t>({1, 1, 2});
        plan.cp = OneOf<uint32_t>({1, 1, 2, 4});
        plan.dp = OneOf<uint32_t>({1, 2, 2, 3, 4});
        plan.pp = OneOf<uint32_t>({1, 2, 2, 4});
    } while (plan.GetRanks() / plan.tp < 2 || plan.GetRanks() > 16);
    plan.scaleUp = plan.tp;
    if (InHundred(50))
    {
        DrawServers();
    }
    plan.sharding = OneOf<ParameterSharding>({ParameterSharding::FULL, ParameterSharding::NONE});
    if (plan.dp % 2 == 0 && InHundred(20))
    {
        DrawExperts(2);
    }
}

void
DrawnJob::DrawExperts(uint32_t ep)
{
    job.plan.ep = ep;
    job.shape.experts = 8;
    job.shape.activeExperts = 2;
    job.shape.expertFeedForward = 64;
}

void
DrawnJob::DrawLargePlan()
{
    ParallelismPlan& plan = job.plan;
    do
    {
        plan.tp = OneOf<uint32_t>({1, 1, 2, 4});
        plan.cp = OneOf<uint32_t>({1, 1, 2, 3, 4});
        plan.dp = OneOf<uint32_t>({1, 2, 3, 4, 5, 6, 8, 16});
        plan.pp = OneOf<uint32_t>({1, 2, 4, 8});
    } while (plan.GetRanks() < 4 || plan.GetRanks() > 64);
    job.shape.layers = 2 * plan.pp; // two chunks of a layer at each stage
    plan.sharding = OneOf<ParameterSharding>({ParameterSharding::FULL, ParameterSharding::NONE});
    DrawServers();
    const uint32_t ep = OneOf<uint32_t>({1, 1, 2, 4, 8});
    if (ep > 1 && plan.dp % ep == 0)
    {
        DrawExperts(ep);
    }
}

void
DrawnJob::DrawServers()
{
    ParallelismPlan& plan = job.plan;
    do
    {
        plan.scaleUp = 1 + m_random() % 8;
    } while (plan.GetRanks() % plan.scaleUp != 0);
    std::vector<std::string> order{"tp", "cp", "ep", "dp", "pp"};
    std::shuffle(order.begin(), order.end(), m_random);
    plan.order = order[0];
    for (std::size_t i = 1; i < order.size(); ++i)
    {
        plan.order += "-" + order[i];
    }
}

void
DrawnJob::DrawEqualRails()
{
    ParallelismPlan& plan = job.plan;
    do
    {
        plan.tp = OneOf<uint32_t>({2, 2, 3, 4});
        plan.cp = OneOf<uint32_t>({1, 1, 1, 2});
        plan.dp = OneOf<uint32_t>({1, 2, 3, 4, 8});
        plan.pp = OneOf<uint32_t>({1, 2, 4});
    } while (plan.GetRanks() / plan.tp < 2 || plan.GetRanks() > 32);
    job.shape.layers = 2 * plan.pp;
    plan.scaleUp = plan.tp;
    plan.sharding = OneOf<ParameterSharding>({ParameterSharding::FULL, ParameterSharding::NONE});
    if (plan.dp % 2 == 0 && InHundred(20))
    {
        DrawExperts(2);
    }
}

bool
DrawnJob::HasFaults() const
{
    return loss > 0 || cutFor.IsStrictlyPositive();
}

void
DrawnJob::DrawRecipe()
{
    TrainingRecipe& recipe = job.recipe;
    recipe.sequence = OneOf<uint32_t>({128, 256, 512});
    recipe.microBatchSize = OneOf<uint32_t>({1, 2});
    recipe.microBatches = OneOf<uint32_t>({1, 2, 4});
    recipe.context = OneOf<ContextExchange>({ContextExchange::ALL_GATHER, ContextExchange::RING});
    recipe.reshard = InHundred(60);
    recipe.overlap = InHundred(60);
    if (job.plan.pp > 1)
    {
        recipe.schedule = OneOf<std::string>({"1f1b", "1f1b", "gpipe", "interleaved", "zb-h1"});
    }
    if (recipe.schedule == "interleaved")
    {
        recipe.chunks = job.shape.layers / job.plan.pp >= 2 ? 2 : 1;
        recipe.microBatches = job.plan.pp;
    }
    job.iterations = OneOf<uint32_t>({2, 2, 3});
}

void
DrawnJob::DrawNetwork()
{
    job.policy = OneOf<std::string>({"on-demand",
                                     "on-demand",
                                     "on-demand",
                                     "provisioned",
                                     "provisioned",
                                     "provisioned",
                                     "co-scheduled",
                                     "static-split",
                                     "giant-ring",
                                     "electrical",
                                     "rotor:300us"});
    job.reconfiguration = OneOf<Time>(
        {MicroSeconds(0), MicroSeconds(1), MicroSeconds(20), MicroSeconds(100), MilliSeconds(1)});
    ports = job.policy == "static-split" ? 4 : OneOf<uint32_t>({1, 2, 2, 3, 4});
    ports = job.policy == "giant-ring" && ports == 1 ? 2 : ports;
    latency = OneOf<Time>({NanoSeconds(700), MicroSeconds(5), MicroSeconds(10)});
    granularity = OneOf<std::string>({"Group", "Group", "Rail", "Network"});
    speculation = OneOf<std::string>({"Prepare", "Prepare", "Grant"});
    loss = InHundred(70) ? 0 : OneOf<double>({0.01, 0.05});
    standby = InHundred(20);
    jitter = InHundred(80) ? 0 : 0.1;
    if (InHundred(15))
    {
        cutAt = MicroSeconds(50 + m_random() % 3000);
        cutFor = MicroSeconds(10 + m_random() % 5000);
        cutServer = m_random() % (job.plan.GetRanks() / job.plan.scaleUp);
    }
    job.adjust = [this](TrainingJobHelper& helper) { Adjust(helper); };
}

void
DrawnJob::DrawRouter()
{
    if (job.plan.ep > 1)
    {
        const std::string skew = OneOf<std::string>({"uniform", "zipf:1.2", "dirichlet:0.2"});
        job.recipe.router.skew = ParseExpertSkew(skew).value;
        job.recipe.router.skew.seed = m_random() % 1000;
        job.recipe.router.capacityFactor = OneOf<double>({0, 0.8, 1.5});
    }
}

void
DrawnJob::DrawHosts()
{
    hosts = InHundred(70) ? 0 : OneOf<uint64_t>({10, 25, 100});
}

void
DrawnJob::DrawScatter()
{
    job.recipe.reduceScatter = OneOf<GradientScatter>(
        {GradientScatter::BY_STAGES, GradientScatter::BY_STAGES, GradientScatter::PER_LAYER});
}

void
DrawnJob::DrawLibrary()
{
    if (InHundred(60))
    {
        return;
    }
    protocol = OneOf<std::string>({"Simple", "LL128", "LL", "Tuned"});
    start = OneOf<Time>({MicroSeconds(0), NanoSeconds(8400), MicroSeconds(80)});
    step = OneOf<Time>({MicroSeconds(0), NanoSeconds(3400), MicroSeconds(14)});
    message = OneOf<Time>({MicroSeconds(0), NanoSeconds(300), MicroSeconds(1)});
}

void
DrawnJob::DrawStraggler()
{
    if (InHundred(70))
    {
        return;
    }
    stragglerAware = true;
    slower = OneOf<double>({1, 1.2, 3});
    straggler = m_random() % job.plan.GetRanks();
}

void
DrawnJob::DrawMarks()
{
    markFrom = InHundred(60) ? 0 : OneOf<uint32_t>({1, 2'000, 20'000});
    markEqually = InHundred(50);
}

void
DrawnJob::Adjust(TrainingJobHelper& helper) const
{
    Config::SetDefault("ns3::ElectricalRailSwitch::EcnKmin", UintegerValue(markFrom));
    Config::SetDefault("ns3::ElectricalRailSwitch::EcnKmax", UintegerValue(8 * markFrom));
    helper.SetCommonMarks(markEqually);
    helper.GetCollectives().SetAttribute("StragglerAware", BooleanValue(stragglerAware));
    if (slower != 1)
    {
        helper.AddStraggler(straggler, slower);
    }
    CollectiveTimes times;
    for (const auto kind : {TransportKind::RAIL, TransportKind::SCALE_UP, TransportKind::HOST})
    {
        times.Edit(kind) = {start, step, message};
    }
    helper.GetCollectives().SetTimes(times);
    helper.GetCollectives().SetAttribute("Protocol", StringValue(protocol));
    helper.SetPorts(ports, DataRate(300'000'000'000 / ports));
    helper.SetManagementLatency(latency);
    helper.SetManagementLoss(loss);
    helper.SetHostNetwork(DataRate(hosts * 1'000'000'000));
    helper.GetOpus().SetStandby(standby);
    helper.GetOpus().SetControllerAttribute("Granularity", StringValue(granularity));
    helper.GetOpus().SetControllerAttribute("Speculation", StringValue(speculation));
    if (jitter > 0)
    {
        std::ostringstream variable;
        variable << "ns3::UniformRandomVariable[Min=1|Max=" << 1 + jitter << "]";
        helper.SetJitter(variable.str());
    }
}

} // namespace ns3
