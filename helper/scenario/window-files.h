/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WINDOW_FILES_H
#define PHOTONIC_RAILS_WINDOW_FILES_H

#include "ns3/communication-window.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @return the files of WriteWindowFiles(): the windows, and beside them their distribution
 * @param name of the first
 */
std::vector<std::string> ListWindowFiles(const std::string& name);

/**
 * @ingroup photonic-rails
 * @brief Writes communication windows to a CSV file, and their distribution to a text file.
 * @param name of the first file
 * @param ofRanks windows of ranks, which make the distribution
 * @param ofRails windows of rails
 */
void WriteWindowFiles(const std::string& name,
                      const std::vector<CommunicationWindow>& ofRanks,
                      const std::vector<CommunicationWindow>& ofRails);

} // namespace ns3

#endif /* PHOTONIC_RAILS_WINDOW_FILES_H */
