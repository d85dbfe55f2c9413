# SPDX-License-Identifier: GPL-2.0-only
#
# The figure of lab 6: dollars and watts of a GPU's share of a fabric, over the size of the cluster.
#
#     for s in 32 64 128 256 504; do ./rails run cost-and-power --servers=$s | awk -v s=$s '/^(electrical rails|fat tree|photonic rails) +[0-9]/ { print $1, 8 * s, $5 * 1000 / (8 * s), $6 * 1000000 / (8 * s) }'; done > lab-6.txt
#     gnuplot -e "data='lab-6.txt'" doc/labs/lab-6.gnuplot > doc/labs/lab-6.svg

set terminal svg size 760,340 font "sans-serif,13" background "white"
set multiplot layout 1,2
set xlabel "GPUs in servers of 8"
set logscale x 2
set xrange [220:4600]
set grid ytics lc rgb "#dddddd"
set key left top
rows(fabric) = "< awk '$1 == \"".fabric."\"' ".data
set yrange [0:6500]
set ylabel "dollars a GPU"
plot rows("electrical") using 2:4 with linespoints pt 4 dt 2 lc rgb "#d55e00" title "electrical rails", \
     rows("fat") using 2:4 with linespoints pt 8 dt 4 lc rgb "#e69f00" title "fat tree", \
     rows("photonic") using 2:4 with linespoints pt 7 lc rgb "#0072b2" title "photonic rails"
set yrange [0:380]
set ylabel "watts a GPU"
plot rows("electrical") using 2:3 with linespoints pt 4 dt 2 lc rgb "#d55e00" title "electrical rails", \
     rows("fat") using 2:3 with linespoints pt 8 dt 4 lc rgb "#e69f00" title "fat tree", \
     rows("photonic") using 2:3 with linespoints pt 7 lc rgb "#0072b2" title "photonic rails"
unset multiplot
