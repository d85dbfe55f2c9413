/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-schema.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

namespace
{

ResultColumn
Integer(const char* name, const char* meaning)
{
    return {name, "INTEGER", meaning};
}

ResultColumn
Real(const char* name, const char* meaning)
{
    return {name, "REAL", meaning};
}

ResultColumn
Text(const char* name, const char* meaning)
{
    return {name, "TEXT", meaning};
}

ResultColumn
Any(const char* name, const char* meaning)
{
    return {name, "", meaning};
}

/** The number of the run, in the first column of most tables. */
const ResultColumn RUN = Integer("run", "the run, in the table runs");

/** The number of a job of a run. */
const ResultColumn JOB = Integer("job", "its job, in the table jobs");

/** @return the tables of what was run, and the tables themselves */
std::vector<ResultTable>
ListProgramTables()
{
    return {{"parameters",
             "name",
             {Text("name", "command, program, version, ns3, RngSeed, RngRun, or --OPTION"),
              Text("value", "its value, as it could be typed"),
              Integer("is_given", "1: an option that was on the command line")}},
            {"columns",
             "table_name,column_name",
             {Text("table_name", "the table"),
              Text("column_name", "the column"),
              Text("type", "INTEGER, REAL or TEXT; empty: any of them"),
              Text("meaning", "what it holds")}},
            {"results",
             "array_name,row_number",
             {Text("array_name", "the array in results.json, such as rows"),
              Integer("row_number", "its place in the array, from 0")}},
            {"summary",
             "name",
             {Text("name", "a member of results.json, outside arrays"), Any("value", "its value")}},
            {"figures",
             "name",
             {Text("name", "what the program is run for"),
              Text("unit", "of the value"),
              Real("value", "of this run")}},
            {"plots",
             "plot",
             {Integer("plot", "its number: those of --plot"),
              Text("title", "of the plot"),
              Text("x_label", "of the scale to the right"),
              Real("x_unit", "of its ticks, in the unit of points"),
              Text("x_kind", "numbers, seconds or bytes"),
              Integer("x_is_log", "1: the scale is logarithmic"),
              Integer("x_from_zero", "1: it begins at 0"),
              Text("y_label", "of the scale upwards"),
              Real("y_unit", "of its ticks, in the unit of points"),
              Text("y_kind", "numbers, seconds or bytes"),
              Integer("y_is_log", "1: the scale is logarithmic"),
              Integer("y_from_zero", "1: it begins at 0"),
              Text("x_names", "of x at 0, 1, 2 and so on, a line each; NULL: x is a number"),
              Text("style", "lines, steps or bars")}},
            {"points",
             "",
             {Integer("plot", "in the table plots"),
              Integer("curve_number", "in the order of the legend"),
              Text("curve", "its name"),
              Real("x", "NULL: the value holds at all x"),
              Real("y", "the value")}}};
}

/** @return the tables of runs and their iterations */
std::vector<ResultTable>
ListRunTables()
{
    return {{"runs",
             "run",
             {Integer("run", "its number, in the order of the printed table"),
              Text("name", "such as policy and reconfiguration time"),
              Text("policy", "policy of circuits"),
              Real("reconfiguration_s", "reconfiguration time; NULL: it does not matter"),
              Text("status", "waiting, running, complete or failed"),
              Text("error", "why it failed"),
              Integer("iterations", "that were completed"),
              Real("iteration_s", "a steady iteration: the mean of all but the first"),
              Real("computed_s", "of it, in which a GPU computes: the mean over GPUs"),
              Real("gpu_idle_s", "of it, in which a GPU does not compute"),
              Real("communicating_s",
                   "of gpu_idle_s, in which an operation with other GPUs is under way"),
              Real("exposed_s", "waits of a rank for circuits in it: the mean over ranks"),
              Real("exposed_link_up_s", "of exposed_s, link-up"),
              Real("hidden_s", "set-ups of circuits without a waiting rank"),
              Real("hidden_link_up_s", "of hidden_s, link-up"),
              Integer("reconfigurations", "phases that changed circuits, in a steady iteration"),
              Integer("control_messages", "of the control plane, in a steady iteration"),
              Integer("wrong_predictions", "of all shims, in a steady iteration"),
              Integer("messages", "between GPUs, in a steady iteration"),
              Integer("windows", "of all ranks, in the last iteration"),
              Integer("long_windows", "of them, longer than 1 ms"),
              Integer("frames", "on wires, of the whole run"),
              Integer("wire_bytes", "of these frames, with preambles and gaps"),
              Integer("rails", "number of rails"),
              Integer("operations_followed", "on rails that followed the first one"),
              Integer("operations_not_followed", "on such rails, with messages of their own"),
              Integer("events", "of the simulator"),
              Integer("end_ps", "the last operation ended"),
              Real("cpu_s", "CPU time"),
              Real("max_rss_mb", "peak memory"),
              Integer("is_main", "1: plots of a single run show this one")}},
            {"iterations",
             "run,job,iteration",
             {RUN,
              JOB,
              Integer("iteration", "from 1"),
              Integer("start_ps", "its begin: the end of the one before"),
              Integer("end_ps", "every rank has ended its operations"),
              Real("iteration_s", "its duration"),
              Real("computed_s", "in which a GPU computes: the mean over GPUs"),
              Real("exposed_s", "waits of a rank for circuits: the mean over ranks"),
              Real("hidden_s", "set-ups of circuits without a waiting rank"),
              Integer("reconfigurations", "phases that changed circuits"),
              Integer("control_messages", "of the control plane"),
              Integer("wrong_predictions", "of all shims"),
              Integer("messages", "between GPUs")}}};
}

/** @return the tables of jobs and their ranks */
std::vector<ResultTable>
ListJobTables()
{
    return {{"jobs",
             "run,job",
             {RUN,
              Integer("job", "its number in the run; each attempt after a failure has one"),
              Text("model", "name of the model"),
              Integer("ranks", "its GPUs"),
              Integer("servers", "that it uses"),
              Integer("gpus_per_server", "of a server, that it uses"),
              Integer("tp", "degree of tensor parallelism"),
              Integer("cp", "of context parallelism"),
              Integer("dp", "of data parallelism"),
              Integer("pp", "of pipeline parallelism"),
              Integer("ep", "of expert parallelism, in dp"),
              Integer("replicas", "of the parameters, in dp"),
              Integer("is_recorded", "1: it has operations, phases and windows")}},
            {"ranks",
             "run,job,rank",
             {RUN,
              JOB,
              Integer("rank", "its number in the job"),
              Integer("server", "its server"),
              Integer("rail", "its rail, which is its place in the server"),
              Integer("tp", "its place along tensor parallelism"),
              Integer("cp", "along context parallelism"),
              Integer("ep", "along expert parallelism"),
              Integer("shard", "along the data parallelism that shards"),
              Integer("replica", "along replicas"),
              Integer("pp", "along pipeline parallelism: its stage")}}};
}

/** @return the tables of what ranks do */
std::vector<ResultTable>
ListTrafficTables()
{
    return {{"operations",
             "",
             {RUN,
              JOB,
              Integer("rank", "the rank of this part of the operation"),
              Integer("operation", "its number in the rank's program"),
              Integer("iteration", "in which the rank called it"),
              Integer("stream", "of the GPU"),
              Text("kind",
                   "compute, send, receive, all-reduce, all-gather, reduce-scatter, broadcast, "
                   "reduce, all-to-all, all-to-all-v, send-recv, barrier"),
              Text("label", "for readers"),
              Text("parallelism", "tp, cp, ep, dp or pp; NULL: it computes"),
              Text("group_name", "the group of ranks"),
              Integer("number", "in the group, or among the sends of two ranks"),
              Text("algorithm", "that ran"),
              Text("protocol", "of its messages"),
              Text("path", "of its messages: circuits, relay, host and so on"),
              Integer("bytes", "of the buffer, or of the send or receive"),
              Integer("start_ps", "the rank called it"),
              Integer("end_ps", "it was over at the rank"),
              Integer("waited_ps", "without any granted circuits"),
              Integer("messages_sent", "by the rank"),
              Integer("bytes_sent", "by the rank"),
              Integer("messages_received", "by the rank"),
              Integer("bytes_received", "by the rank"),
              Integer("fell_back", "1: the fallback was run"),
              Text("failure", "why it failed; NULL: it ended")}},
            {"messages",
             "",
             {RUN,
              Integer("at_ps", "of the event"),
              Text("event", "arrived: whole at its receiver; settled, failed: at its sender"),
              Integer("rail", "of the GPU at which it happened"),
              Integer("server", "of that GPU"),
              Integer("queue_pair", "its number at that GPU"),
              Integer("message", "its number in the queue pair"),
              Text("verb", "of RDMA"),
              Integer("bytes", "of payload"),
              Text("failure", "why it was given up; NULL: it was not")}},
            {"phases",
             "",
             {RUN,
              JOB,
              Integer("rank", "its rank; NULL: a phase of the rail"),
              Integer("rail", "its rail"),
              Integer("iteration", "of its first operation"),
              Text("parallelism", "of all its operations"),
              Integer("start_ps", "the first start of an operation"),
              Integer("end_ps", "the last end of one"),
              Integer("operations", "in it"),
              Integer("bytes", "sent in it, by the rank or the rail")}},
            {"windows",
             "",
             {RUN,
              JOB,
              Integer("rank", "its rank; NULL: a window of the rail"),
              Integer("rail", "its rail"),
              Integer("iteration", "of the operation after it"),
              Integer("start_ps", "end of the earlier phase"),
              Integer("length_ps", "to the start of the later phase; negative: they overlap"),
              Text("earlier", "parallelism of the earlier phase"),
              Text("later", "parallelism of the later phase"),
              Integer("next_bytes", "sent in the later phase, by the rank or the rail"),
              Integer("next_operations", "of the later phase")}}};
}

/** @return the tables of circuits, and the control plane that changes them */
std::vector<ResultTable>
ListCircuitTables()
{
    return {{"reconfigurations",
             "",
             {RUN,
              Integer("start_ps", "the controller sent the first plan"),
              Integer("end_ps", "it had the last answer"),
              Integer("dark_ps", "from start to end"),
              Integer("link_up_ps", "of dark_ps, after the last switch was done"),
              Integer("exposed_ps", "of dark_ps, after all ranks had called the operation"),
              Integer("hidden_ps", "of dark_ps, before that"),
              JOB,
              Text("group_name", "the group of ranks that the circuits are for"),
              Text("parallelism", "of the group"),
              Integer("operation", "the first one that the circuits are for: its number"),
              Integer("stage", "of the operation"),
              Integer("sender", "of a send: the sending rank; NULL: a collective"),
              Integer("receiver", "of a send: the receiving rank; NULL: a collective")}},
            {"plans",
             "",
             {RUN,
              Integer("rail", "of the switch"),
              Integer("plan", "its number at the switch"),
              Integer("start_ps", "the switch began to reconfigure; NULL: it did not"),
              Integer("end_ps", "the switch was through with it"),
              Text("status", "done, failed or refused"),
              Text("circuits", "what it takes down and sets up: -0-1 +0-2"),
              Text("failure", "why it failed or was refused; NULL: it was done")}},
            {"circuits",
             "",
             {RUN,
              Integer("rail", "of the switch"),
              Integer("low_port", "of the switch: the lower end"),
              Integer("high_port", "of the switch: the higher end"),
              Integer("up_ps", "it carried light from then on"),
              Integer("down_ps", "until then; NULL: it was up when the run ended")}},
            {"control_messages",
             "",
             {RUN,
              Text("type", "request, grant, program and so on"),
              Text("sender", "controller, standby, server 3 shim, rail 0 agent"),
              Text("receiver", "the same; NULL: it did not arrive"),
              Integer("sent_ps", "given to the channel of the sender"),
              Integer("received_ps", "taken from the channel of the receiver"),
              Integer("rail", "of the agent that sent or received it; NULL: none did"),
              Integer("ranks", "number of ranks that it is about"),
              Integer("job", "of its phase; NULL: its type has no phase"),
              Integer("group_number", "the same"),
              Integer("operation", "the same, the first one of the phase"),
              Integer("stage", "the same")}}};
}

/** @return the tables of faults, losses and links */
std::vector<ResultTable>
ListComponentTables()
{
    return {
        {"faults",
         "",
         {RUN,
          Text("kind", "fiber-cut and so on"),
          Text("component", "in words"),
          Integer("start_ps", "it began"),
          Integer("end_ps", "it was repaired; NULL: it held when the run ended"),
          Text("outcome", "the state of the component, in words")}},
        {"drops",
         "",
         {RUN,
          Integer("at_ps", "the frame was lost"),
          Text("place", "switch, nic or fiber"),
          Integer("rail", "of the place"),
          Integer("switch_port", "of the switch, by which the frame came or would have come"),
          Text("reason", "cut, no-circuit and so on"),
          Integer("wire_bytes", "of the frame, with preamble and gap"),
          Integer("traffic_class", "0 to 7"),
          Text("source", "address of the frame's sender"),
          Text("destination", "address of the frame's receiver")}},
        {"ports",
         "run,rail,server,nic_port",
         {RUN,
          Integer("rail", "of the NIC port"),
          Integer("server", "of the NIC port"),
          Integer("nic_port", "of the GPU"),
          Integer("switch_port", "at the other end of the fiber"),
          Integer("rate_bps", "bit/s, preambles and gaps included"),
          Integer("frames_sent", "by the NIC port"),
          Integer("wire_bytes_sent", "with preambles and gaps"),
          Integer("payload_bytes_sent", "of messages"),
          Integer("frames_received", "whole, for any destination"),
          Integer("wire_bytes_received", "with preambles and gaps"),
          Integer("busy_ps", "a frame was on the wire from the NIC port"),
          Integer("dark_ps", "without carrier, from the begin to the end of the run"),
          Integer("is_followed", "1: of a rail that followed, with counts of the first rail")}}};
}

/** @return the table of what fabrics cost and draw */
std::vector<ResultTable>
ListCostTables()
{
    return {{"costs",
             "run,generation,fabric",
             {RUN,
              Text("generation", "of prices and power: those of cost-and-power"),
              Text("fabric", "electrical rails, fat tree or photonic rails"),
              Integer("is_own", "1: the fabric of the run; 0: another one for the same GPUs"),
              Integer("gpus", "that it joins"),
              Integer("switch_radix", "ports that one of its switches needs"),
              Integer("switches", "packet switches"),
              Integer("switch_ports", "used ports of packet switches"),
              Integer("optical_switches", "circuit switches"),
              Integer("optical_ports", "used ports of circuit switches"),
              Integer("transceivers", "of GPUs and switches"),
              Real("power_w", "of switches and transceivers"),
              Real("price_dollars", "of switches and transceivers")}}};
}

/** The bytes that a rank sends at least for a byte of the buffer, as GetBusFactor() has them. */
const char* const BUS_FACTOR = "CASE kind WHEN 'all-reduce' THEN 2.0 * (count(*) - 1) / count(*) "
                               "WHEN 'all-gather' THEN (count(*) - 1.0) / count(*) "
                               "WHEN 'reduce-scatter' THEN (count(*) - 1.0) / count(*) "
                               "WHEN 'all-to-all' THEN (count(*) - 1.0) / count(*) ELSE 1.0 END";

/** @return views of other tables */
std::vector<ResultTable>
ListViews()
{
    const std::string busBytes = "1e3 * nullif(bytes, 0) * " + std::string(BUS_FACTOR);
    return {{"collectives",
             "",
             {RUN,
              JOB,
              Text("group_name", "the group of ranks"),
              Text("kind", "all-reduce and so on"),
              Integer("number", "in the group"),
              Text("parallelism", "tp, cp, ep, dp or pp"),
              Text("path", "of its messages: circuits, relay, host and so on"),
              Integer("iteration", "in which the first rank called it"),
              Integer("bytes", "of the buffer"),
              Integer("ranks", "that took part and have ended it"),
              Integer("last_call_ps", "the last rank called it"),
              Integer("end_ps", "it was over at all ranks"),
              Integer("duration_ps", "from the last call to the end"),
              Integer("waited_ps", "without any granted circuits: the most of a rank"),
              Real("bus_bandwidth_gb_s", "as nccl-tests have it, over the duration"),
              Real("granted_bus_bandwidth_gb_s", "the same without waits for circuits")},
             "SELECT run, job, group_name, kind, number, parallelism, path, min(iteration) AS "
             "iteration, "
             "bytes, count(*) AS ranks, max(start_ps) AS last_call_ps, max(end_ps) AS end_ps, "
             "max(end_ps) - max(start_ps) AS duration_ps, max(waited_ps) AS waited_ps, " +
                 busBytes + " / nullif(max(end_ps) - max(start_ps), 0) AS bus_bandwidth_gb_s, " +
                 busBytes +
                 " / nullif(max(end_ps) - max(start_ps + waited_ps), 0) AS "
                 "granted_bus_bandwidth_gb_s FROM operations WHERE failure IS NULL AND kind NOT IN "
                 "('compute', 'send', 'receive') GROUP BY run, job, group_name, kind, number"}};
}

} // namespace

bool
ResultTable::IsView() const
{
    return !select.empty();
}

bool
ResultTable::IsOfRun() const
{
    return !IsView() && columns.front().name == "run";
}

const std::vector<ResultTable>&
GetResultTables()
{
    static const std::vector<ResultTable> tables = [] {
        std::vector<ResultTable> all;
        for (const auto& some : {ListProgramTables(),
                                 ListRunTables(),
                                 ListJobTables(),
                                 ListTrafficTables(),
                                 ListCircuitTables(),
                                 ListComponentTables(),
                                 ListCostTables(),
                                 ListViews()})
        {
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }();
    return tables;
}

std::size_t
FindResultTable(const std::string& name)
{
    const std::vector<ResultTable>& tables = GetResultTables();
    const auto found = std::find_if(tables.begin(), tables.end(), [&name](const auto& table) {
        return table.name == name;
    });
    NS_ABORT_MSG_IF(found == tables.end(), "there is no table of results " << name);
    return found - tables.begin();
}

} // namespace ns3
