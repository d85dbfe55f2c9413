/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "readable-file.h"

#include "ns3/fatal-impl.h"

namespace ns3
{

ReadableFile::ReadableFile(const std::string& filename,
                           const Form& form,
                           const std::function<void()>& complete)
    : m_file(filename, OutputFile::OnError::KEEP),
      m_stream(this),
      m_form(form),
      m_complete(complete),
      m_text(form.head)
{
    FatalImpl::RegisterStream(&m_stream);
}

ReadableFile::~ReadableFile()
{
    FatalImpl::UnregisterStream(&m_stream);
    sync();
}

void
ReadableFile::Add(const std::string& text)
{
    m_text += text;
    if (m_text.size() >= m_form.part)
    {
        WriteOut();
    }
}

int
ReadableFile::sync()
{
    if (!m_isOver)
    {
        m_isOver = true; // first: a full disk is a fatal error itself
        if (m_complete)
        {
            m_complete();
        }
        WriteOut();
        m_file.Complete();
    }
    return 0;
}

void
ReadableFile::WriteOut()
{
    m_file.Append(m_text, m_form.tail);
    m_text.clear();
}

} // namespace ns3
