# SPDX-License-Identifier: GPL-2.0-only
#
# The figure of lab 2b: frames that go in trains, over the time for which a trace needs each frame.
#
#     for t in 1 2 4 6 8 10 12 14 16; do ./rails run rdma-over-circuit --fidelity=trains --trace-at=1us --trace-for=${t}us | awk -v t=$t '/in trains/ { print t, $3 }'; done > lab-2b.txt
#     gnuplot -e "data='lab-2b.txt'" doc/labs/lab-2b.gnuplot > doc/labs/lab-2b.svg

set terminal svg size 640,320 font "sans-serif,13" background "white"
set xlabel "time for which a trace source is connected (us)"
set ylabel "frames of 256"
set xrange [0.2:16.8]
set yrange [0:300]
set grid ytics lc rgb "#dddddd"
set style fill solid 0.9 border lc rgb "#ffffff"
set key top horizontal
set boxwidth 0.7
# the upper box is drawn first: it reaches from 0 to all frames, and the other one covers its lower part
plot data using 1:(256) with boxes fs pattern 2 lc rgb "#d55e00" title "with events of their own", \
     data using 1:2 with boxes lc rgb "#0072b2" title "in trains"
