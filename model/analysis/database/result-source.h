/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_SOURCE_H
#define PHOTONIC_RAILS_RESULT_SOURCE_H

#include "result-writer.h"

#include "ns3/callback.h"
#include "ns3/object-base.h"
#include "ns3/simple-ref-count.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A part of a run that writes the events of its trace sources as rows of a table.
 *
 * It writes rows that are complete. Close() writes the others, as they are when the run ends.
 */
class ResultSource : public SimpleRefCount<ResultSource>
{
  public:
    virtual ~ResultSource() = default;

    /** The run ends: writes the rows that are not complete. */
    virtual void Close()
    {
    }

  protected:
    /** @param table that it writes */
    ResultSource(std::shared_ptr<ResultWriter> writer, const std::string& table);

    /** Adds a row. @param values of all columns but the number of the run */
    template <typename... Values>
    void Add(Values&&... values)
    {
        m_writer->Add(m_table, std::forward<Values>(values)...);
    }

    /** Connects a trace source; aborts if the object has no such source. */
    static void Listen(ObjectBase& object, const char* trace, const CallbackBase& callback);

  private:
    std::shared_ptr<ResultWriter> m_writer;
    ResultWriter::Table m_table;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_SOURCE_H */
