/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SQL_QUOTES_H
#define PHOTONIC_RAILS_SQL_QUOTES_H

#include <string>

namespace ns3
{

/** @return the name of a table or a column, as a statement of SQL has it, whatever is in it */
std::string QuoteSqlName(const std::string& name);

/** @return a text likewise */
std::string QuoteSqlText(const std::string& text);

} // namespace ns3

#endif /* PHOTONIC_RAILS_SQL_QUOTES_H */
