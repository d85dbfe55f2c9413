# SPDX-License-Identifier: GPL-2.0-only
#
# The plot of the chapter on a year of faults: goodput over the number of spares, by reaction.
#
#     ./rails run fault-year > drawn.txt
#     ./rails run fault-year --trace=fault_trace.json > trace.txt
#     gnuplot -e "drawn='drawn.txt'; trace='trace.txt'" doc/fault-year.gnuplot > doc/fault-year.svg

set terminal svg size 760,380 font "sans-serif,12" background "white"
set multiplot layout 1,2
set xlabel "spares of 400 servers"
set ylabel "goodput (% of all GPUs)"
set xrange [0:32]
set xtics 0,4,32
set yrange [50:100]
set grid ytics lc rgb "#dddddd"
set key bottom right
# lines of the table: reaction, spares, goodput
rows(file, reaction) = "< awk '$1 == \"".reaction."\" && $2 ~ /^[0-9]+$/ && NF > 10' ".file
reactions = "splice detour move shrink stop"
colors = "#0072b2 #e69f00 #009e73 #d55e00 #999999"
do for [panel in "trace drawn"] {
    file = panel eq "trace" ? trace : drawn
    set title (panel eq "trace" ? "faults of the public trace" : "the same number, at random")
    plot for [i = 1:5] rows(file, word(reactions, i)) using 2:3 with linespoints lw 2 pt 7 ps 0.5 \
        lc rgb word(colors, i) title word(reactions, i)
}
unset multiplot
