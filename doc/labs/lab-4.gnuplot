# SPDX-License-Identifier: GPL-2.0-only
#
# The figure of lab 4: two all-reduces one after another, with circuits that stay and circuits that are reconfigured.
#
#     for d in 10us 250us 500us 750us 1ms 1250us 1500us 1750us 2ms; do ./rails run static-or-not --size=16M --reconfiguration=$d | awk -v d=$d '/^static-split +[0-9]/ { s = $2 } /^on-demand +[0-9]/ { print (d ~ /us/ ? d / 1000 : d + 0), s, $2 }'; done > lab-4.txt
#     gnuplot -e "data='lab-4.txt'" doc/labs/lab-4.gnuplot > doc/labs/lab-4.svg

set terminal svg size 640,340 font "sans-serif,13" background "white"
set xlabel "reconfiguration time (ms)"
set ylabel "two all-reduces of 16 MiB (ms)"
set xrange [0:2.05]
set yrange [0:*]
set grid ytics lc rgb "#dddddd"
set key left top
plot data using 1:2 with linespoints pt 4 dt 2 lc rgb "#d55e00" title "static-split: half of the ports each", \
     data using 1:3 with linespoints pt 7 lc rgb "#0072b2" title "on-demand: all ports, in turn"
