/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "chakra-trace-reader.h"

#include "chakra-attributes.h"
#include "chakra-file.h"
#include "group-file.h"
#include "trace-text.h"

#include "ns3/optional-headers.h"

#ifdef PHOTONIC_RAILS_HAS_PROTOZERO

#include <array>
#include <memory>
#include <optional>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <unordered_map>
#include <utility>

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
        if (m_file.Get().size() >= 2 && m_file.GetFirst() == 1 && m_file.Get()[0] == '\x8b')
        {
            throw TraceMistake("a Chakra file", "one that gzip has made smaller; gunzip it first");
        }
        FindSchema();
        if (m_isOld)
        {
            ReadNode(); // the first schemas have no metadata
        }
        else
        {
            ReadMetadata();
        }
        while (m_file.Next())
        {
            ReadNode();
        }
    }

  private:
    /** Reads the first message, which must be GlobalMetadata. */
    void ReadMetadata()
    {
        for (pbf_reader fields(m_file.Get()); Next(fields);)
        {
            if (fields.tag() <= 2 && fields.wire_type() != pbf_wire_type::length_delimited)
            {
                throw TraceMistake("a GlobalMetadata message",
                                   "field " + std::to_string(fields.tag()) + " of another type");
            }
            if (fields.tag() == 2)
            {
                const auto bytes = fields.get_view();
                m_attributes.Read(bytes.data(), bytes.size());
                continue;
            }
            fields.skip();
        }
        m_isWhole = m_attributes.FindNumber("whole_program", 1).value_or(0) == 1;
        if (m_isWhole)
        {
            TraceMistake::ThrowIf(m_consumer.Program(m_rank, {}));
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
        FindSchema();
        TraceNode node;
        node.place = m_file.GetFirst();
        m_type = 0;
        m_micros = 0;
        m_inputs = {};
        m_attributes.Clear();
        for (pbf_reader fields(m_file.Get()); Next(fields);)
        {
            if (m_isOld)
            {
                ReadOldField(fields, node);
            }
            else
            {
                ReadField(fields, node);
            }
        }
        if (node.name.find("process_group:init") != std::string::npos)
        {
            TakeGroups();
            if (m_isWhole && static_cast<ChakraNode>(m_type) == ChakraNode::METADATA)
            {
                return; // it is no operation
            }
        }
        Convert(node);
        TraceMistake::ThrowIf(m_consumer.Node(m_rank, node));
    }

    /** Takes the process groups that the inputs of a node list. */
    void TakeGroups()
    {
        std::vector<TraceProgramGroup> own;
        for (const ProcessGroup& group : FindProcessGroups(GetInputValues()))
        {
            const std::string complaint = m_consumer.Group(group.name, group.ranks);
            if (m_isWhole)
            {
                TraceMistake::ThrowIf(complaint);
                own.push_back({static_cast<uint32_t>(
                                   ReadTraceNumber(group.name, UINT32_MAX, "the name of a group")),
                               group.description,
                               m_file.GetFirst()});
            }
            else if (!complaint.empty())
            {
                Skip("process groups that differ from those of other files");
            }
        }
        if (m_isWhole)
        {
            TraceMistake::ThrowIf(m_consumer.Program(m_rank, own));
        }
    }

    /** @return the values of the node's inputs, an IOInfo message */
    std::string GetInputValues() const
    {
        std::string values;
        for (pbf_reader fields(m_inputs); fields.next();)
        {
            if (fields.tag_and_type() == At(1, pbf_wire_type::length_delimited))
            {
                values = fields.get_string();
                continue;
            }
            fields.skip();
        }
        return values;
    }

    /**
     * Finds out whether a node is of a schema before 0.0.4: its attributes are in field 11, and
     * inputs and outputs are texts in fields 5 to 10. Then so is the rest of the file.
     */
    void FindSchema()
    {
        for (pbf_reader fields(m_file.Get()); !m_isOld && Next(fields); fields.skip())
        {
            const bool isText = fields.wire_type() == pbf_wire_type::length_delimited;
            m_isOld = isText && (fields.tag() == 11 || fields.tag() == 6 || fields.tag() == 7);
        }
    }

    /** Reads one field of a node of an old schema. */
    void ReadOldField(pbf_reader& fields, TraceNode& node)
    {
        if (fields.tag() <= 4)
        {
            ReadField(fields, node);
        }
        else if (fields.tag_and_type() == At(11, pbf_wire_type::length_delimited))
        {
            const auto bytes = fields.get_view();
            m_attributes.ReadOld(bytes.data(), bytes.size());
        }
        else
        {
            RefuseOtherType(fields, fields.tag() == 11);
            fields.skip();
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
            AddDependency(node.control, fields.get_uint64());
            break;
        case At(4, pbf_wire_type::length_delimited):
            AddDependencies(node.control, fields.get_packed_uint64());
            break;
        case At(5, pbf_wire_type::varint):
            AddDependency(node.after, fields.get_uint64());
            break;
        case At(5, pbf_wire_type::length_delimited):
            AddDependencies(node.after, fields.get_packed_uint64());
            break;
        case At(7, pbf_wire_type::varint):
            m_micros = fields.get_uint64();
            break;
        case At(8, pbf_wire_type::length_delimited):
            m_inputs = fields.get_view();
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
    static void AddDependency(std::vector<uint64_t>& ids, uint64_t id)
    {
        constexpr std::size_t MOST = 1'000'000; // a limit of memory: each byte may be an entry
        if (ids.size() == MOST)
        {
            throw TraceMistake("up to " + std::to_string(MOST) + " dependencies of a node", "more");
        }
        ids.push_back(id);
    }

    /** Adds a packed field of dependencies. */
    template <typename Range>
    static void AddDependencies(std::vector<uint64_t>& ids, const Range& packed)
    {
        for (const uint64_t id : packed)
        {
            AddDependency(ids, id);
        }
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
        switch (static_cast<ChakraNode>(m_type))
        {
        case ChakraNode::INVALID:
            return;
        case ChakraNode::METADATA:
            return ConvertMetadata(node);
        case ChakraNode::MEMORY_LOAD:
        case ChakraNode::MEMORY_STORE:
        case ChakraNode::COMPUTE:
            return ConvertComputing(node);
        case ChakraNode::SEND:
        case ChakraNode::RECEIVE:
        case ChakraNode::COLLECTIVE:
            return ConvertExchange(node);
        }
        Skip("nodes of type " + std::to_string(m_type) + "; 0 to 7 are known");
    }

    /** Makes the beginning of an iteration, or nothing that takes time. */
    void ConvertMetadata(TraceNode& node)
    {
        node.stream = m_isWhole ? FindStream() : 0;
        if (m_isWhole && m_attributes.FindNumber("iteration", 1).value_or(0) == 1)
        {
            node.kind = TraceNode::Kind::ITERATION;
        }
    }

    /** @return the stream that a node names, or 0 */
    uint32_t FindStream() const
    {
        return static_cast<uint32_t>(m_attributes.FindNumber("stream", UINT32_MAX - 1).value_or(0));
    }

    /** Makes computing. */
    void ConvertComputing(TraceNode& node)
    {
        node.duration = GetDuration();
        const bool isOnHost = m_attributes.FindNumber("is_cpu_op", 1).value_or(0) == 1;
        const uint32_t stream = FindStream();
        node.stream = m_isWhole ? stream : isOnHost ? 1 : stream == 0 ? 0 : stream + 1;
    }

    /** @return the time of computing: of the unit that is exact, if there are several */
    Picoseconds GetDuration() const
    {
        const auto inPicoseconds = [](uint64_t count, uint64_t unit, const std::string& name) {
            const uint64_t most = static_cast<uint64_t>(NEVER - 1) / unit;
            if (count > most)
            {
                throw TraceMistake(name + " up to " + std::to_string(most), std::to_string(count));
            }
            return static_cast<Picoseconds>(count * unit);
        };
        using Unit = std::pair<const char*, uint64_t>;
        for (const auto& [name, unit] :
             {Unit{"duration_ps", 1}, Unit{"duration_ns", 1000}, Unit{"runtime_ns", 1000}})
        {
            if (const auto count = m_attributes.FindNumber(name, UINT64_MAX))
            {
                return inPicoseconds(*count, unit, name);
            }
        }
        return m_isOld ? inPicoseconds(m_attributes.FindNumber("runtime", UINT64_MAX).value_or(0),
                                       1'000'000,
                                       "runtime")
                       : inPicoseconds(m_micros, 1'000'000, "duration_micros");
    }

    /** Makes a send, receive or collective. */
    void ConvertExchange(TraceNode& node)
    {
        const bool isOnHost = m_attributes.FindNumber("is_cpu_op", 1).value_or(0) == 1;
        const auto type = static_cast<ChakraNode>(m_type);
        const char* const what = type == ChakraNode::COLLECTIVE ? "comm_type"
                                 : type == ChakraNode::SEND     ? "comm_dst"
                                                                : "comm_src";
        node.stream = m_isWhole ? FindStream() : 0;
        if (!m_attributes.FindNumber(what, UINT64_MAX))
        {
            // the call on the host; a node of the GPU after it has what it does
            return isOnHost ? ConvertComputing(node)
                            : Skip(std::string("exchanges without the attribute ") + what);
        }
        const bool isBarrier =
            type == ChakraNode::COLLECTIVE && GetCollective() == 9; // without comm_size
        if (!isBarrier && !m_attributes.FindNumber("comm_size", UINT64_MAX))
        {
            return Skip("exchanges without the attribute comm_size");
        }
        return type == ChakraNode::COLLECTIVE ? ConvertCollective(node) : ConvertMessage(node);
    }

    /** Leaves a node out: it takes no time, and others may depend on it. */
    void Skip(const std::string& reason)
    {
        TraceMistake::ThrowIf(m_consumer.Skip(reason));
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
        node.group = m_isWhole ? m_attributes.FindText("pg_name") : "";
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
        const uint64_t type = GetCollective();
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
            return Skip("collectives of comm_type " + std::to_string(type) +
                        "; known are ALL_REDUCE 0, REDUCE 1, ALL_GATHER 2, BROADCAST 5, ALL_TO_ALL "
                        "6, REDUCE_SCATTER 7 and 8, BARRIER 9");
        }
        node.kind = TraceNode::Kind::COLLECTIVE;
        if (node.collective != CollectiveKind::BARRIER)
        {
            node.bytes = m_attributes.GetNumber("comm_size", UINT64_MAX);
        }
        node.group = m_attributes.FindText("pg_name");
        if (m_isWhole)
        {
            ConvertCall(node);
        }
    }

    /** Sets what a whole program has of a collective, beside its kind and bytes. */
    void ConvertCall(TraceNode& node)
    {
        if (const auto buffer = m_attributes.FindNumber("comm_buffer", UINT64_MAX))
        {
            node.bytes = *buffer;
            node.ofShare = false;
        }
        node.algorithm = m_attributes.FindText("comm_algorithm");
        node.straggler = static_cast<uint32_t>(
            m_attributes.FindNumber("comm_straggler", UINT32_MAX).value_or(0));
        std::vector<uint64_t> bytes = m_attributes.FindList("comm_matrix");
        const auto of = m_attributes.FindNumber("comm_matrix_of", UINT64_MAX);
        if (bytes.empty() && !of)
        {
            return;
        }
        node.collective = CollectiveKind::ALL_TO_ALL_V;
        if (of)
        {
            const auto known = m_matrices.find(*of);
            if (known == m_matrices.end())
            {
                throw TraceMistake("an earlier node with a comm_matrix", std::to_string(*of));
            }
            node.demand = known->second;
            return;
        }
        uint32_t ranks = 0;
        while (uint64_t{ranks} * ranks < bytes.size())
        {
            ++ranks;
        }
        if (uint64_t{ranks} * ranks != bytes.size())
        {
            throw TraceMistake("a square comm_matrix", std::to_string(bytes.size()) + " numbers");
        }
        const auto demand = std::make_shared<DemandMatrix>(ranks);
        for (uint32_t from = 0; from < ranks; ++from)
        {
            for (uint32_t to = 0; to < ranks; ++to)
            {
                demand->Set(from, to, bytes[std::size_t{from} * ranks + to]);
            }
        }
        node.demand = demand;
        m_matrices[node.id] = demand;
    }

    /** @return the node's comm_type, as the schema from 0.0.4 on has it */
    uint64_t GetCollective() const
    {
        static const std::array<uint64_t, 5> BEFORE{0, 6, 2, 7, 5};
        const uint64_t type = m_attributes.GetNumber("comm_type", UINT64_MAX);
        return m_isOld && type < BEFORE.size() ? BEFORE[type] : type;
    }

    ChakraFile& m_file;
    uint32_t m_rank;
    TraceConsumer& m_consumer;
    bool m_isOld{false};             //!< whether the schema is one before 0.0.4
    bool m_isWhole{false};           //!< whether the nodes are a whole program
    protozero::data_view m_inputs{}; //!< of the node: an IOInfo message, in the file's message
    std::unordered_map<uint64_t, std::shared_ptr<const DemandMatrix>> m_matrices; //!< by node
    uint64_t m_type{0};                                                           //!< of the node
    uint64_t m_micros{0};                                                         //!< of the node
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
