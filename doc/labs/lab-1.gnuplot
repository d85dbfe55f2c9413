# SPDX-License-Identifier: GPL-2.0-only
#
# The figure of lab 1: data frames between two hosts, over time and place, around a change of their circuit.
#
#     ./rails run ocs-first-circuit --at=300us --reconfiguration=2us --fiber-delay=500ns > lab-1.txt
#     gnuplot -e "data='lab-1.txt'" doc/labs/lab-1.gnuplot > doc/labs/lab-1.svg

set terminal svg size 720,340 font "sans-serif,13" background "white"
set xlabel "time from the request (us)"
set xrange [-3:5.5]
set yrange [2.25:-0.45]
set ytics ("host 0" 0, "switch" 1, "host 1" 2)
set grid ytics lt 1 lc rgb "#bbbbbb"
set key off
set style fill solid 0.85 border lc rgb "#ffffff"
# a frame is a band: first and last bit (723.04 ns from frame to frame, 722.08 ns long) go down the fibers, 500 ns each
bands(kind) = "< awk -v kind=".kind." '\
    function band(f, y,   l) { \
        l = f + 0.72208; \
        printf \"%f 0\\n%f 0\\n\", f - 0.5, l - 0.5; \
        if (y == 2) printf \"%f 2\\n%f 2\\n\\n\\n\", l + 0.5, f + 0.5; \
        else printf \"%f 1\\n%f 1\\n\\n\\n\", l, f; \
    } \
    / no carrier/ && /host 0/ { dark = $1 / 1e6 - 300 } \
    / carrier / && /host 0/ && !/no carrier/ { light = $1 / 1e6 - 300 } \
    /port 0 +lost/ { first[++n] = $1 / 1e6 - 300 - 0.72208; why[n] = $NF } \
    END { \
        for (i = 1; i <= n; ++i) if (why[i] == kind) band(first[i], 1); \
        if (kind == \"passed\") { \
            for (i = 1; i <= 5; ++i) band(first[1] - i * 0.72304, 2); \
            for (i = 0; i < 4; ++i) band(light + 0.5 + i * 0.72304, 2); \
        } \
    }' ".data
mark(what) = real(system("awk '/".what."/ { print $1 / 1e6 - 300; exit }' ".data))
down = mark("circuit 1 down")
up = mark("circuit 2 up")
dark = mark("host 0     no carrier")
light = mark("host 0     carrier")
set object 1 rectangle from down, 0.86 to up, 1.14 fc rgb "#999999" fs solid 0.5 noborder
set object 2 rectangle from dark, -0.14 to light, 0.0 fc rgb "#999999" fs solid 0.5 noborder
set label 1 "no circuit" at (down + up) / 2, 1.32 center
set label 2 "host 0 has no carrier" at (dark + light) / 2, -0.25 center
set label 3 "cut" at -0.33, 0.5 center tc rgb "#ffffff" front
set label 4 "not sent: it waits" at (dark + light) / 2 + 0.35, 0.5 center
plot bands("passed") using 1:2 with filledcurves closed lc rgb "#0072b2", \
     bands("cut") using 1:2 with filledcurves closed lc rgb "#d55e00", \
     bands("no-circuit") using 1:2 with filledcurves closed fs pattern 2 lc rgb "#d55e00"
