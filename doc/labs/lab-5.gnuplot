# SPDX-License-Identifier: GPL-2.0-only
#
# The figure of lab 5: an iteration over the reconfiguration time, by policy. A stage computes forward in 3 ms.
#
#     for d in 10us 1ms 2ms 3ms 4ms 5ms 6ms 8ms 10ms 12ms; do ./rails run opus-control-plane --chart=0 --forward=3ms --reconfiguration=$d --policies=electrical,on-demand,provisioned,static-split | awk -v d=$d '$1 ~ /^(electrical|on-demand|provisioned|static-split)$/ { print $1, (d ~ /us/ ? d / 1000 : d + 0), $2 }'; done > lab-5.txt
#     gnuplot -e "data='lab-5.txt'" doc/labs/lab-5.gnuplot > doc/labs/lab-5.svg

set terminal svg size 680,380 font "sans-serif,13" background "white"
set xlabel "reconfiguration time d (ms)"
set ylabel "iteration (ms)"
set xrange [0:12.3]
set yrange [30:*]
set grid ytics lc rgb "#dddddd"
set key left top
rows(policy) = "< awk '$1 == \"".policy."\"' ".data
plot rows("on-demand") using 2:3 with linespoints pt 7 lc rgb "#0072b2" title "on-demand", \
     rows("provisioned") using 2:3 with linespoints pt 6 lc rgb "#009e73" title "provisioned", \
     rows("static-split") using 2:3 with linespoints pt 4 dt 2 lc rgb "#d55e00" title "static-split", \
     rows("electrical") using 2:3 with lines dt 3 lw 2 lc rgb "#777777" title "packet switches"
