/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-file.h"

#include "ns3/abort.h"

namespace ns3
{

FrameFile::FrameFile(const std::string& name)
    : m_name(name),
      m_file(name, std::ios::binary | std::ios::trunc),
      m_buffer(new char[SIZE])
{
    NS_ABORT_MSG_IF(m_file.fail(),
                    "cannot write the capture " << name
                                                << "; does its folder exist, and may you "
                                                   "write to it?");
}

FrameFile::~FrameFile()
{
    Flush();
}

void
FrameFile::Flush()
{
    m_file.write(m_buffer.get(), static_cast<std::streamsize>(m_used));
    m_file.flush();
    m_used = 0;
    NS_ABORT_MSG_IF(m_file.fail(),
                    "cannot write any more of the capture " << m_name << "; is the disk full?");
}

} // namespace ns3
