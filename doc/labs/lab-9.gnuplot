# SPDX-License-Identifier: GPL-2.0-only
#
# The figure of lab 9: an iteration over the number of links of collective operations, by the solution of the lab.
#
#     for x in 2 3 4 5 6 7; do ./rails run opus-control-plane --load=lab-9.so --ports=8 --port-rate=50Gbps --chart=0 --activations=16M --ns3::CollectiveApplication::Channels=24 --policies="ns3::MyPolicy[SendLinks=$((8 - x))|CollectiveLinks=$x]" | awk -v x=$x '$1 ~ /^ns3::MyPolicy/ { print x, $2 }'; done > lab-9.txt
#     gnuplot -e "data='lab-9.txt'" doc/labs/lab-9.gnuplot > doc/labs/lab-9.svg

set terminal svg size 640,340 font "sans-serif,13" background "white"
set xlabel "x: links of a pair of a collective operation; a send has 8 - x"
set ylabel "iteration (ms)"
set xrange [1.7:7.3]
set yrange [70:*]
set grid ytics lc rgb "#dddddd"
set key center top
set arrow 1 from graph 0, first 72 to graph 1, first 72 nohead dt 3 lw 2 lc rgb "#777777"
set label 1 "computing" at graph 0.99, first 74 right tc rgb "#555555"
plot data using 1:2 with linespoints pt 7 lc rgb "#0072b2" title "circuits that stay"
