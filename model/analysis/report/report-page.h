/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REPORT_PAGE_H
#define PHOTONIC_RAILS_REPORT_PAGE_H

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Makes a page of HTML that holds all it needs and loads nothing: with its style, and with a
 * script that sorts tables by a click on a heading and steps through pictures of circuits.
 * @param title of the page
 * @param body of HTML
 */
std::string MakeReportPage(const std::string& title, const std::string& body);

} // namespace ns3

#endif /* PHOTONIC_RAILS_REPORT_PAGE_H */
