/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The runner of the ns-3 suites where no ns-3 tree, and so no test-runner, is at hand.

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
