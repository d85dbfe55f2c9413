/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SIMAI_WORKLOAD_READER_H
#define PHOTONIC_RAILS_SIMAI_WORKLOAD_READER_H

#include "trace-node.h"

#include <istream>
#include <string>

namespace ns3
{

/**
 * Reads a workload of SimAI, the text format of ASTRA-sim 1.0 and the output of AICB.
 * @code{.unparsed}
 * HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 4
 * 2
 * embedding -1 556000 ALLREDUCE 16777216 1 NONE 0 1 NONE 0 1
 * attention -1 875420 ALLGATHER 50331648 875420 REDUCESCATTER 0 875420 ALLREDUCE 4096 100
 * @endcode
 *
 * The first line is one line: the kind of parallelism (HYBRID_TRANSFORMER, or with _FWD_IN_BCKWD;
 * or MICRO, see below), then keys with values (ep: may be expert_parallel_npu_group:, mode: is not
 * used), of which checkpoints: and checkpoint_initiates: have
 * a count and that number of layers. The second is the number of layers; layers that the file does
 * not have are left out, as SimAI does. Then 12 fields a layer, with any line
 * breaks: name, dependency (not used, as in SimAI), and three times a time in nanoseconds, a
 * communication and its bytes (the buffer, see CollectiveKind: AICB writes the same bytes for an
 * ALLGATHER and the inverse REDUCESCATTER): forward, gradient of the input, gradient of the
 * weights; last the time of an update. Format and loop follow initialize_workload() and
 * iterate_hybrid_parallel_Transformer_fwd_in_bckwd() in astra-sim/workload/Workload.cc of
 * aliyun/SimAI.
 *
 * All ranks have the same program: forward through all layers; then from the last layer to the
 * first the gradient of the input and that of the weights. A step computes, then communicates. The
 * next step waits for that, except for gradients of weights, which continue in the background; a
 * layer's next forward pass waits for them. The update time is added to the communication. A layer
 * that initiates a checkpoint repeats the forward pass from the last layer that has one. AICB
 * writes separate layers for every micro-batch (SimAI's example has 24 embedding layers with ga:
 * 24), so one pass over the file is one iteration, and ga is not used.
 *
 * MICRO is a list of collectives: the steps of each layer, one after another. (SimAI repeats the
 * first layer instead.)
 *
 * Groups, with tp = model_parallel_NPU_group and dp = all_gpus / (tp pp), ranks counted tp first,
 * then ep, then the rest of dp, then pp: "tp" for forward and gradients of inputs, "dp" for
 * gradients of weights; with the suffix _EP "ep" (ep of the dp ranks), with _DP_EP "dp_ep" (the
 * others of them). A BROADCAST, on which SimAI spends no time, is one in the group, from its first
 * rank.
 *
 * Not modelled: transfers between pipeline stages (pp_comm; SimAI's loop has none either, its
 * analytical mode adds a term) and so the pipeline's bubble; vpp; SimAI's rounding of forward
 * messages up to 4 KiB. With pp above 1 SimAI's packet simulation uses a dp of all_gpus / tp; its
 * analytical mode uses the dp above.
 *
 * @param name of the file, for errors
 * @param passes number of iterations
 * @param consumer receives the contents
 * @param ranks number of ranks, which the first line need not have; 0: those of a stage. Stages of
 * a pipeline do the same and exchange nothing, so a stage has the times of all; those of the others
 * are counted (TraceConsumer::Skip()). Ranks may be those of several stages, up to all_gpus, or
 * fewer than those of one, a divisor of them and a multiple of tp ep: then dp is smaller, each
 * rank has the same work, and the ranks that are missing are counted (TraceConsumer::Skip())
 * @return the first error, if any
 */
TraceResult ReadSimAiWorkload(std::istream& in,
                              const std::string& name,
                              uint32_t passes,
                              TraceConsumer& consumer,
                              uint32_t ranks = 0);

} // namespace ns3

#endif /* PHOTONIC_RAILS_SIMAI_WORKLOAD_READER_H */
