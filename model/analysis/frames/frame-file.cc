/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-file.h"

namespace ns3
{

FrameFile::FrameFile(const std::string& name)
    : m_file(name, OutputFile::OnError::KEEP),
      m_buffer(new char[SIZE])
{
}

FrameFile::~FrameFile()
{
    Flush();
    m_file.Complete();
}

void
FrameFile::Flush()
{
    m_file.Append(m_buffer.get(), m_used);
    m_used = 0;
}

} // namespace ns3
