/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Brings ns3::ShuffledSimulatorImpl to any program that loads this library first (LD_PRELOAD), which
// then runs with it if the global value SimulatorImplementationType says so.

#include "photonic-rails-shuffled-simulator.h"
