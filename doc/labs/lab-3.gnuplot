# SPDX-License-Identifier: GPL-2.0-only
#
# The figure of lab 3: the bus bandwidth of an all-reduce of eight ranks, by size.
#
#     ./rails run rail-collective --min=4K --max=64M > ring.txt
#     ./rails run rail-collective --min=4K --max=64M --rail-kind=electrical --algorithm=halving-doubling > halving.txt
#     ./rails run rail-collective --min=4K --max=64M --reconfiguration=10us --algorithm=halving-doubling > circuits.txt
#     gnuplot -e "ring='ring.txt'; halving='halving.txt'; circuits='circuits.txt'" doc/labs/lab-3.gnuplot > doc/labs/lab-3.svg

set terminal svg size 680,380 font "sans-serif,13" background "white"
set xlabel "size of the buffer (bytes)"
set ylabel "busbw (GB/s)"
set logscale x 2
set format x "2^{%L}"
set xrange [2**12:2**26]
set yrange [0:56]
set grid ytics lc rgb "#dddddd"
set key right bottom
set arrow 1 from graph 0, first 49.02 to graph 1, first 49.02 nohead dt 3 lc rgb "#777777"
set label 1 "payload of two ports of 200 Gb/s" at graph 0.99, first 51 right tc rgb "#555555"
# lines of the table: bytes, count, time, algbw, busbw, algorithm
rows(file) = "< awk 'NF == 6 && $1 ~ /^[0-9]+$/' ".file
plot rows(ring) using 1:5 with linespoints pt 7 lc rgb "#0072b2" title "ring, on circuits", \
     rows(halving) using 1:5 with linespoints pt 4 dt 2 lc rgb "#d55e00" title "halving-doubling, on a packet switch", \
     rows(circuits) using 1:5 with linespoints pt 8 dt 4 lc rgb "#009e73" title "halving-doubling, circuits in 10 us"
