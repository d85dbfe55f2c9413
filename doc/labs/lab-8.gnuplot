# SPDX-License-Identifier: GPL-2.0-only
#
# The plot of lab 8: where the time goes between a fault and training, by reaction.
#
#     ./rails run faults-and-spares > lab-8.txt
#     ./rails run faults-and-spares --link-up=2s --dark-limit=3s --on-failure=splice,shrink > lab-8-slow.txt
#     gnuplot -e "data='lab-8.txt'; slow='lab-8-slow.txt'" doc/labs/lab-8.gnuplot > doc/labs/lab-8.svg

set terminal svg size 640,420 font "sans-serif,13" background "white"
set ylabel "from the fault to the ranks' start (ms)"
set style data histograms
set style histogram rowstacked title offset 0,-1
set xtics rotate by -30
set bmargin 5
set style fill solid 0.9 border -1
set boxwidth 0.7
set key left top invert
set yrange [0:*]
# lines of the table of times: reaction, in reserve, sign, diagnosis, decision, stop, circuits down, copying, "(", waits, launch
pick = "awk '/^reaction/ {t = /sign/} t && NF > 9 && !/^reaction/ {gsub(/[()]/, \"\"); print}' "
plot newhistogram "ports at once", \
     "< ".pick.data using 3:xtic(1) title "sign" lc rgb "#56b4e9", \
     "" using 4 title "diagnosis" lc rgb "#0072b2", \
     "" using 7 title "circuits down" lc rgb "#e69f00", \
     "" using 8 title "copying" lc rgb "#d55e00", \
     "" using 10 title "launch" lc rgb "#999999", \
     newhistogram "ports in 2 s", \
     "< ".pick.slow using 3:xtic(1) notitle lc rgb "#56b4e9", \
     "" using 4 notitle lc rgb "#0072b2", \
     "" using 7 notitle lc rgb "#e69f00", \
     "" using 8 notitle lc rgb "#d55e00", \
     "" using 10 notitle lc rgb "#999999"
