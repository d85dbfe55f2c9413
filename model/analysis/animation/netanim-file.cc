/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "netanim-file.h"

#include "ns3/exact-decimal.h"

#include <algorithm>
#include <cstddef>
#include <iomanip>

namespace ns3
{

namespace
{

/** @return the number of bytes of the UTF-8 character that begins there; 0: none does */
std::size_t
CountCharacterBytes(const std::string& text, std::size_t at)
{
    const auto byte = [&text](std::size_t place) {
        return place < text.size() ? static_cast<unsigned char>(text[place]) : 0U;
    };
    const unsigned first = byte(at);
    const std::size_t count = first < 0x80   ? 1
                              : first < 0xc2 ? 0
                              : first < 0xe0 ? 2
                              : first < 0xf0 ? 3
                              : first < 0xf5 ? 4
                                             : 0;
    for (std::size_t next = 1; next < count; ++next)
    {
        if ((byte(at + next) & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    // of several forms of a character, UTF-8 has the shortest; surrogates are no characters
    const unsigned second = byte(at + 1);
    const bool isForbidden = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                             (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return isForbidden && count > 2 ? 0 : count;
}

} // namespace

std::string
ToExactSeconds(Time time)
{
    return ToExactDecimal(time.GetTimeStep(), 12);
}

std::string
ToXmlAttribute(const std::string& text)
{
    std::string escaped = "\"";
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t bytes = CountCharacterBytes(text, at);
        const char one = text[at];
        if (bytes > 1)
        {
            escaped += text.substr(at, bytes);
        }
        else if (one == '&')
        {
            escaped += "&amp;";
        }
        else if (one == '<')
        {
            escaped += "&lt;";
        }
        else if (one == '>')
        {
            escaped += "&gt;";
        }
        else if (one == '"')
        {
            escaped += "&quot;";
        }
        else if (one == '\n')
        {
            escaped += "&#10;";
        }
        else
        {
            escaped += bytes == 0 || (one >= 0 && one < ' ') || one == 0x7f ? '?' : one;
        }
        at += std::max<std::size_t>(bytes, 1);
    }
    return escaped + '"';
}

NetanimFile::NetanimFile(const std::string& filename, const std::function<void()>& complete)
    : m_file(filename,
             ReadableFile::Form{"<anim ver=\"netanim-3.108\" filetype=\"animation\">\n",
                                "</anim>\n",
                                0},
             complete)
{
    m_elements << std::fixed << std::setprecision(3); // of places and diameters
}

void
NetanimFile::AddNode(uint32_t id, AnimationPoint at)
{
    m_elements << "<node id=\"" << id << "\" sysId=\"0\" locX=\"" << at.x << "\" locY=\"" << at.y
               << "\"/>\n";
}

void
NetanimFile::AddLink(uint32_t from,
                     uint32_t to,
                     const std::string& fromName,
                     const std::string& toName)
{
    m_elements << "<link fromId=\"" << from << "\" toId=\"" << to
               << "\" fd=" << ToXmlAttribute(fromName) << " td=" << ToXmlAttribute(toName)
               << " ld=\"\"/>\n";
}

void
NetanimFile::AddCounter(uint32_t id, const std::string& name)
{
    m_elements << "<ncs ncId=\"" << id << "\" n=" << ToXmlAttribute(name) << " t=\"UINT32\"/>\n";
}

std::ostream&
NetanimFile::Update(char property, Time when, uint32_t node)
{
    return m_elements << "<nu p=\"" << property << "\" t=\"" << ToExactSeconds(when) << "\" id=\""
                      << node << "\"";
}

void
NetanimFile::Move(Time when, uint32_t node, AnimationPoint to)
{
    Update('p', when, node) << " x=\"" << to.x << "\" y=\"" << to.y << "\"/>\n";
}

void
NetanimFile::Paint(Time when, uint32_t node, AnimationColour colour)
{
    Update('c', when, node) << " r=\"" << +colour.red << "\" g=\"" << +colour.green << "\" b=\""
                            << +colour.blue << "\"/>\n";
}

void
NetanimFile::Resize(Time when, uint32_t node, double diameter)
{
    Update('s', when, node) << " w=\"" << diameter << "\" h=\"" << diameter << "\"/>\n";
}

void
NetanimFile::Describe(Time when, uint32_t node, const std::string& text)
{
    Update('d', when, node) << " descr=" << ToXmlAttribute(text) << "/>\n";
}

void
NetanimFile::Count(Time when, uint32_t counter, uint32_t node, uint64_t value)
{
    m_elements << "<nc c=\"" << counter << "\" i=\"" << node << "\" t=\"" << ToExactSeconds(when)
               << "\" v=\"" << value << "\"/>\n";
}

void
NetanimFile::WriteOut()
{
    const std::string elements = m_elements.str();
    m_elements.str("");
    if (!elements.empty())
    {
        m_file.Add(elements);
    }
}

} // namespace ns3
