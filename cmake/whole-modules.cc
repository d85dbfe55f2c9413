/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CMake precompiles headers for a target, and a target needs a source.
