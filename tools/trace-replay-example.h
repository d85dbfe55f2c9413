/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_REPLAY_EXAMPLE_H
#define PHOTONIC_RAILS_TRACE_REPLAY_EXAMPLE_H

/** The trace that is replayed if none is named: two micro-batches through two pipeline stages. */
inline constexpr const char* TRACE_REPLAY_EXAMPLE =
    R"(# two pipeline stages of two data-parallel ranks each, two micro-batches
ranks,4
group,dp 0,0 1
group,dp 1,2 3
rank,kind,collective,parallelism,group,bytes,duration_us,peer,name
0,collective,all-gather,data,dp 0,67108864,,,parameters
0,compute,,forward,,,2000,,forward 0
0,send,,pipeline,,8388608,,2,
0,compute,,forward,,,2000,,forward 1
0,send,,pipeline,,8388608,,2,
0,receive,,pipeline,,8388608,,2,
0,compute,,backward,,,4000,,backward 1
0,receive,,pipeline,,8388608,,2,
0,compute,,backward,,,4000,,backward 0
0,collective,reduce-scatter,data,dp 0,67108864,,,gradients
1,collective,all-gather,data,dp 0,67108864,,,parameters
1,compute,,forward,,,2000,,forward 0
1,send,,pipeline,,8388608,,3,
1,compute,,forward,,,2000,,forward 1
1,send,,pipeline,,8388608,,3,
1,receive,,pipeline,,8388608,,3,
1,compute,,backward,,,4000,,backward 1
1,receive,,pipeline,,8388608,,3,
1,compute,,backward,,,4000,,backward 0
1,collective,reduce-scatter,data,dp 0,67108864,,,gradients
2,collective,all-gather,data,dp 1,67108864,,,parameters
2,receive,,pipeline,,8388608,,0,
2,compute,,forward,,,2000,,forward 0
2,receive,,pipeline,,8388608,,0,
2,compute,,forward,,,2000,,forward 1
2,compute,,backward,,,4000,,backward 1
2,send,,pipeline,,8388608,,0,
2,compute,,backward,,,4000,,backward 0
2,send,,pipeline,,8388608,,0,
2,collective,reduce-scatter,data,dp 1,67108864,,,gradients
3,collective,all-gather,data,dp 1,67108864,,,parameters
3,receive,,pipeline,,8388608,,1,
3,compute,,forward,,,2000,,forward 0
3,receive,,pipeline,,8388608,,1,
3,compute,,forward,,,2000,,forward 1
3,compute,,backward,,,4000,,backward 1
3,send,,pipeline,,8388608,,1,
3,compute,,backward,,,4000,,backward 0
3,send,,pipeline,,8388608,,1,
3,collective,reduce-scatter,data,dp 1,67108864,,,gradients
)";

#endif /* PHOTONIC_RAILS_TRACE_REPLAY_EXAMPLE_H */
