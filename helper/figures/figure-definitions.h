/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIGURE_DEFINITIONS_H
#define PHOTONIC_RAILS_FIGURE_DEFINITIONS_H

#include "figure.h"

namespace ns3
{

// Each is in a file of its own, figure-NAME.cc.

/** @return "Llama3-8B on 16 A100": seconds an iteration by delay */
Figure MakeEmulation16();
/** @return the same on 64 A100 */
Figure MakeEmulation64();
/** @return an 80B-class model on 128 H200: seconds an iteration by delay */
Figure MakeSimulation128();
/** @return the same on 512 GB200 */
Figure MakeSimulation512();
/** @return Llama3.1-405B on 2,048 GB200 */
Figure MakeSimulation2048();
/** @return the same by the degree of data parallelism */
Figure MakeDpSweep();
/** @return the same by the rate of the NIC */
Figure MakeBandwidthSweep();
/** @return the same by the degree of expert parallelism */
Figure MakeEpSweep();
/** @return cost and power on H200 */
Figure MakeCostH200();
/** @return cost and power on GB200 */
Figure MakeCostGb200();
/** @return windows between phases */
Figure MakeWindows();
/** @return optical switches and the clusters that they join */
Figure MakeTechnologies();
/** @return the effect of NICs whose ports come up slowly */
Figure MakeLinkUp();

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIGURE_DEFINITIONS_H */
