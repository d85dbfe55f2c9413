# SPDX-License-Identifier: GPL-2.0-only
#
# The figure of lab 2: the sequence numbers of a message that is cut, as the capture of host 0 has them.
#
#     ./rails run rdma-over-circuit --bytes=131072 --cut-at=1us --cut-for=1us --pcap=message > lab-2.txt
#     tshark -r message-0-0.pcap -T fields -e frame.time_relative -e ip.src -e infiniband.bth.psn -e infiniband.aeth.syndrome > psn.txt
#     gnuplot -e "data='lab-2.txt'; psn='psn.txt'" doc/labs/lab-2.gnuplot > doc/labs/lab-2.svg

set terminal svg size 720,380 font "sans-serif,13" background "white"
set xlabel "time (us)"
set ylabel "packet sequence number (PSN)"
set xrange [0:5.2]
set yrange [-1:34]
set grid ytics lc rgb "#dddddd"
set key right bottom
mark(what) = real(system("awk '/".what."/ { print $1 / 1e6; exit }' ".data))
dark = mark("host 0     no carrier")
light = mark("host 0     carrier")
set object 1 rectangle from dark, graph 0 to light, graph 1 fc rgb "#999999" fs solid 0.3 noborder behind
set label 1 "no carrier" at (dark + light) / 2, 31 center
sent = "< awk 'BEGIN { last = -1 } NF == 3 && $3 > last { last = $3; print }' ".psn
again = "< awk 'BEGIN { last = -1 } NF == 3 { if ($3 <= last) print; else last = $3 }' ".psn
nak = "< awk 'NF == 4 && $4 > 31' ".psn
ack = "< awk 'NF == 4 && $4 <= 31' ".psn
plot sent using ($1*1e6):3 with points pt 7 ps 0.5 lc rgb "#0072b2" title "frame", \
     again using ($1*1e6):3 with points pt 6 ps 0.6 lc rgb "#d55e00" title "frame, sent again", \
     nak using ($1*1e6):3 with points pt 9 ps 1.3 lc rgb "#cc79a7" title "NAK: this one is missing", \
     ack using ($1*1e6):3 with points pt 5 ps 1.1 lc rgb "#009e73" title "ACK: all up to this one"
