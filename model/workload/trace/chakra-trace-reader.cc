/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "chakra-trace-reader.h"

#include "chakra-attributes.h"
#include "chakra-file.h"
#include "trace-text.h"

#include "ns3/optional-headers.h"

#ifdef PHOTONIC_RAILS_HAS_PROTOZERO

#include <optional>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

// The numbers of fields and values are those of schema/protobuf/et_def.proto, mlcommons/chakra.

namespace ns3
{

namespace
{

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

/** NodeType. */
enum class ChakraNode : uint64_t
{
    INVALID = 0,
    METADATA = 1,
    MEMORY_LOAD = 2,
    MEMORY_STORE = 3,
    COMPUTE = 4,
    SEND = 5,
    RECEIVE = 6,
    COLLECTIVE = 7,
};

/** @return a field and its wire type, to compare with */
constexpr uint32_t
At(uint32_t field, pbf_wire_type type)
{
    return tag_and_type(field, type);
}

/** Reads a file. */
class ChakraReader
{
  public:
    ChakraReader(ChakraFile& file, uint32_t rank, TraceConsumer& consumer)
        : m_file(file),
          m_rank(rank),
          m_consumer(consumer)
    {
    }

    void Read()
    {
        if (!m_file.Next())
        {
            throw TraceMistake("a GlobalMetadata message", "an empty file");
        }
        ReadMetadata();
        while (m_file.Next())
        {
            ReadNode();
        }
    }

  private:
    /** Reads the first message, which must be GlobalMetadata. */
    void ReadMetadata()
    {
        if (m_file.Get().size() >= 2 && m_file.GetFirst() == 1 && m_file.Get()[0] == '\x8b')
        {
            throw TraceMistake("a Chakra file", "one that gzip has made smaller; gunzip it first");
        }
        for (pbf_reader fields(m_file.Get()); Next(fields);)
        {
            if (fields.tag() <= 2 && fields.wire_type() != pbf_wire_type::length_delimited)
            {
                throw TraceMistake("a GlobalMetadata message",
                                   "field " + std::to_string(fields.tag()) + " of another type");
            }
            fields.skip();
        }
    }

    /** Goes to the next field. @return whether there is one */
    bool Next(pbf_reader& fields)
    {
        m_file.Note(fields.data().data());
        return fields.next();
    }

    /** Reads a node and passes it on. */
    void ReadNode()
    {
        RefuseOldSchema();
        TraceNode node;
        node.place = m_file.GetFirst();
        m_type = 0;
        m_micros = 0;
        m_attributes.Clear();
        for (pbf_reader fields(m_file.Get()); Next(fields);)
        {
            ReadField(fields, node);
        }
        Convert(node);
        TraceMistake::ThrowIf(m_consumer.Node(m_rank, node));
    }

    /** Refuses a node of the schema before 0.0.4, which has its attributes in field 11. */
    void RefuseOldSchema()
    {
        for (pbf_reader fields(m_file.Get()); Next(fields); fields.skip())
        {
            if (fields.tag() == 11)
            {
                throw TraceMistake("a node of the Chakra schema 0.0.4 or later (attributes in "
                                   "field 10); convert the trace",
                                   "field 11, where older ones have them");
            }
        }
    }

    /** Reads one field of a node. */
    void ReadField(pbf_reader& fields, TraceNode& node)
    {
        switch (fields.tag_and_type())
        {
        case At(1, pbf_wire_type::varint):
            node.id = fields.get_uint64();
            break;
        case At(2, pbf_wire_type::length_delimited):
            node.name = fields.get_string();
            break;
        case At(3, pbf_wire_type::varint):
            m_type = fields.get_uint64();
            break;
        case At(4, pbf_wire_type::varint):
        case At(5, pbf_wire_type::varint):
            AddDependency(node, fields.get_uint64());
            break;
        case At(4, pbf_wire_type::length_delimited):
        case At(5, pbf_wire_type::length_delimited):
            for (const uint64_t id : fields.get_packed_uint64())
            {
                AddDependency(node, id);
            }
            break;
        case At(7, pbf_wire_type::varint):
            m_micros = fields.get_uint64();
            break;
        case At(10, pbf_wire_type::length_delimited): {
            const auto bytes = fields.get_view();
            m_attributes.Read(bytes.data(), bytes.size());
            break;
        }
        default:
            RefuseOtherType(fields, fields.tag() <= 5 || fields.tag() == 7 || fields.tag() == 10);
            fields.skip();
        }
    }

    /** Adds a dependency. */
    static void AddDependency(TraceNode& node, uint64_t id)
    {
        constexpr std::size_t MOST = 1'000'000; // a limit of memory: each byte may be an entry
        if (node.after.size() == MOST)
        {
            throw TraceMistake("up to " + std::to_string(MOST) + " dependencies of a node", "more");
        }
        node.after.push_back(id);
    }

    /** Refuses a known field of another type. */
    static void RefuseOtherType(const pbf_reader& fields, bool isKnown)
    {
        if (isKnown)
        {
            throw TraceMistake("field " + std::to_string(fields.tag()) +
                                   " to have the type that et_def.proto gives it",
                               "wire type " +
                                   std::to_string(static_cast<uint32_t>(fields.wire_type())));
        }
    }

    /** Converts type and attributes to the operation of the node. */
    void Convert(TraceNode& node)
    {
        try
        {
            ConvertType(node);
        }
        catch (const TraceMistake& mistake)
        {
            throw TraceMistake(mistake.GetExpected(),
                               mistake.GetFound() + " in node " + std::to_string(node.id) + " " +
                                   QuoteTraceText(node.name));
        }
    }

    /** The same; mistakes do not include the node. */
    void ConvertType(TraceNode& node)
    {
        constexpr uint64_t MOST = static_cast<uint64_t>(NEVER - 1) / 1'000'000;
        switch (static_cast<ChakraNode>(m_type))
        {
        case ChakraNode::INVALID:
        case ChakraNode::METADATA:
            return;
        case ChakraNode::MEMORY_LOAD:
        case ChakraNode::MEMORY_STORE:
        case ChakraNode::COMPUTE:
            if (m_micros > MOST)
            {
                throw TraceMistake("duration_micros up to " + std::to_string(MOST),
                                   std::to_string(m_micros));
            }
            node.duration = static_cast<Picoseconds>(m_micros * 1'000'000);
            node.stream =
                static_cast<uint32_t>(m_attributes.FindNumber("is_cpu_op", 1).value_or(0));
            return;
        case ChakraNode::SEND:
        case ChakraNode::RECEIVE:
            return ConvertMessage(node);
        case ChakraNode::COLLECTIVE:
            return ConvertCollective(node);
        }
        throw TraceMistake("a node type from 0 to 7", std::to_string(m_type));
    }

    /** Makes a send or a receive. */
    void ConvertMessage(TraceNode& node)
    {
        const bool sends = static_cast<ChakraNode>(m_type) == ChakraNode::SEND;
        node.kind = sends ? TraceNode::Kind::SEND : TraceNode::Kind::RECEIVE;
        node.bytes = m_attributes.GetNumber("comm_size", UINT64_MAX);
        node.peer = static_cast<uint32_t>(
            m_attributes.GetNumber(sends ? "comm_dst" : "comm_src", MAX_TRACE_RANKS - 1));
        node.tag = m_attributes.FindNumber("comm_tag", UINT64_MAX).value_or(0);
        const char* const own = sends ? "comm_src" : "comm_dst";
        const std::optional<uint64_t> rank = m_attributes.FindNumber(own, UINT32_MAX);
        if (rank && *rank != m_rank)
        {
            throw TraceMistake(std::string(own) + " to be " + std::to_string(m_rank) +
                                   ", whose file this is",
                               std::to_string(*rank));
        }
    }

    /** Makes a collective. */
    void ConvertCollective(TraceNode& node)
    {
        node.kind = TraceNode::Kind::COLLECTIVE;
        const uint64_t type = m_attributes.GetNumber("comm_type", 9);
        switch (type) // CollectiveCommType
        {
        case 0:
            node.collective = CollectiveKind::ALL_REDUCE;
            break;
        case 1:
            node.collective = CollectiveKind::REDUCE;
            node.root = m_attributes.FindRank("comm_dst");
            break;
        case 2:
            node.collective = CollectiveKind::ALL_GATHER;
            node.ofShare = true;
            break;
        case 5:
            node.collective = CollectiveKind::BROADCAST;
            node.root = m_attributes.FindRank("comm_src");
            break;
        case 6:
            node.collective = CollectiveKind::ALL_TO_ALL;
            break;
        case 7:
        case 8:
            node.collective = CollectiveKind::REDUCE_SCATTER;
            break;
        case 9:
            node.collective = CollectiveKind::BARRIER;
            break;
        default:
            throw TraceMistake("a comm_type that can be simulated: ALL_REDUCE 0, REDUCE 1, "
                               "ALL_GATHER 2, BROADCAST 5, ALL_TO_ALL 6, REDUCE_SCATTER 7 and 8, "
                               "BARRIER 9",
                               std::to_string(type));
        }
        if (node.collective != CollectiveKind::BARRIER)
        {
            node.bytes = m_attributes.GetNumber("comm_size", UINT64_MAX);
        }
        node.group = m_attributes.FindText("pg_name");
    }

    ChakraFile& m_file;
    uint32_t m_rank;
    TraceConsumer& m_consumer;
    uint64_t m_type{0};   //!< of the node
    uint64_t m_micros{0}; //!< of the node
    ChakraAttributes m_attributes;
};

} // namespace

TraceResult
ReadChakraTrace(std::istream& in, const std::string& name, uint32_t rank, TraceConsumer& consumer)
{
    consumer.File(name, false);
    ChakraFile file(in);
    TraceError error;
    error.file = name;
    try
    {
        ChakraReader(file, rank, consumer).Read();
        if (!in.bad())
        {
            return {};
        }
        error.expected = "a file that can be read to its end";
        error.found = "an error of the system";
    }
    catch (const TraceMistake& mistake)
    {
        error.expected = mistake.GetExpected();
        error.found = mistake.GetFound();
    }
    catch (const protozero::exception& exception)
    {
        error.expected = "fields of protobuf";
        error.found = exception.what();
    }
    error.offset = file.GetPlace();
    return error;
}

} // namespace ns3

#else

namespace ns3
{

TraceResult
ReadChakraTrace(std::istream&, const std::string& name, uint32_t, TraceConsumer&)
{
    return TraceError{name,
                      0,
                      {},
                      "photonic-rails built with protozero (install libprotozero-dev and configure "
                      "again)",
                      "a build without it"};
}

} // namespace ns3

#endif
