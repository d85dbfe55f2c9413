# SPDX-License-Identifier: GPL-2.0-only
#
# The figure of lab 10: the time of an all-reduce of eight ranks on a packet switch, by a star and by a ring.
#
#     ./rails run rail-collective --load=lab-10-start.so --algorithm=my-star --rail-kind=electrical --min=1K --max=16M --factor=4 > star.txt
#     ./rails run rail-collective --algorithm=ring --rail-kind=electrical --min=1K --max=16M --factor=4 > ring.txt
#     gnuplot -e "star='star.txt'; ring='ring.txt'" doc/labs/lab-10.gnuplot > doc/labs/lab-10.svg

set terminal svg size 640,360 font "sans-serif,13" background "white"
set xlabel "size of the buffer (bytes)"
set ylabel "time (us)"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set xrange [2**10:2**24]
set grid ytics lc rgb "#dddddd"
set key left top
# lines of the table: bytes, count, time, algbw, busbw, algorithm
rows(file) = "< awk 'NF == 6 && $1 ~ /^[0-9]+$/' ".file
plot rows(star) using 1:3 with linespoints pt 4 dt 2 lc rgb "#d55e00" title "star: all over rank 0", \
     rows(ring) using 1:3 with linespoints pt 7 lc rgb "#0072b2" title "ring"
