# SPDX-License-Identifier: GPL-2.0-only
#
# The plot of lab 7: an all-reduce of 1 GiB in a server of 8 GPUs, behind a rank that is late.
#
#     ./rails run straggler-sweep --sizes=1G --delays=0s,250us,500us,750us,1ms,1500us,2ms,3ms,4ms > lab-7.txt
#     gnuplot -e "data='lab-7.txt'" doc/labs/lab-7.gnuplot > doc/labs/lab-7.svg

set terminal svg size 640,420 font "sans-serif,13" background "white"
set xlabel "delay of the straggler (ms)"
set ylabel "from the others' calls to the end (ms)"
set key left top
set xrange [0:4.2]
set yrange [0:*]
set grid
ring(delay, time) = (delay + time) / 1000
# lines of the table that begin with two numbers: bytes, delay, switch, ring, straggl-ar, less, |, forms
plot data using ($2/1000):(ring($2, $4)) with linespoints pt 6 lc rgb "#777777" title "ring", \
     data using ($2/1000):(ring($2, $5)) with linespoints pt 4 lc rgb "#0072b2" title "straggl-ar", \
     data using ($2/1000):(ring($2, $9)) with lines dt 2 lc rgb "#0072b2" title "straggl-ar, by the closed form", \
     data using ($2/1000):(ring($2, $13)) with points pt 7 ps 0.6 lc rgb "#d55e00" title "as ranks choose"
