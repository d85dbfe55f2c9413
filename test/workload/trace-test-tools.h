/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_TEST_TOOLS_H
#define PHOTONIC_RAILS_TRACE_TEST_TOOLS_H

#include "ns3/trace-collection.h"
#include "ns3/trace-node.h"
#include "ns3/trace-programs.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <streambuf>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/** Keeps all nodes that a reader finds. */
class TraceRecorder : public ns3::TraceConsumer
{
  public:
    std::string Ranks(uint32_t ranks) override;
    std::string Group(const std::string& name, const std::vector<uint32_t>& ranks) override;
    std::string Node(uint32_t rank, const ns3::TraceNode& node) override;
    std::string Skip(const std::string& reason, uint64_t number) override;

    std::map<std::string, uint64_t> skipped; //!< number by reason
    uint32_t count{0};
    std::vector<std::pair<std::string, std::vector<uint32_t>>> groups;
    std::map<uint32_t, std::vector<ns3::TraceNode>> nodes;
};

/** Counts the nodes that a reader finds, and keeps nothing. */
class TraceCounter : public ns3::TraceConsumer
{
  public:
    std::string Node(uint32_t, const ns3::TraceNode& node) override;

    uint64_t nodes{0};
    int64_t computing{0};
};

/** A text that is made while it is read: a beginning, and a piece again and again. */
class RepeatedText : public std::streambuf
{
  public:
    RepeatedText(std::string first, std::string piece, uint64_t times);

  protected:
    int_type underflow() override;

  private:
    std::string m_now;
    std::string m_piece;
    uint64_t m_times;
};

/** @return the most memory that this process has had so far, in bytes */
uint64_t GetPeakMemory();

/** Writes protobuf by its specification, independently of any library. */
class ProtoBytes
{
  public:
    ProtoBytes& Varint(uint64_t value);

    ProtoBytes& Number(uint32_t field, uint64_t value)
    {
        return Varint(field << 3).Varint(value);
    }

    ProtoBytes& Text(uint32_t field, const std::string& text);
    ProtoBytes& Fixed(uint32_t field, uint64_t value, uint32_t size);

    /** A whole number as an attribute. @param field of AttributeProto */
    ProtoBytes& Attribute(const std::string& name, uint64_t value, uint32_t field = 9)
    {
        return Text(10, ProtoBytes().Text(1, name).Number(field, value).bytes);
    }

    /** @return it behind its length, as a file holds it */
    std::string Delimited() const
    {
        return ProtoBytes().Varint(bytes.size()).bytes + bytes;
    }

    std::string bytes;
};

/** Runs a job without time: possible operations are done, until none is possible. */
class JobPlayer
{
  public:
    explicit JobPlayer(const ns3::JobPrograms& job);
    /** @return whether all operations come to their end, and calls that meet are of equal bytes */
    bool Play();

  private:
    /** A flow: group, from, to; of a collective the last two are equal. */
    using FlowKey = std::tuple<uint32_t, uint32_t, uint32_t>;

    const std::vector<ns3::RankOperation>& Get(uint32_t rank) const
    {
        return m_job.ranks[rank].program->GetOperations();
    }

    FlowKey GetFlowKey(uint32_t rank, const ns3::RankOperation& call) const;
    /** Does what may be done of an operation. @return whether anything was */
    bool Try(uint32_t rank, uint32_t operation);
    bool MayBegin(uint32_t rank, uint32_t operation) const;

    const ns3::JobPrograms& m_job;
    bool m_isSame{true};
    std::map<std::pair<FlowKey, uint32_t>, uint64_t> m_bytes; //!< of the first rank
    std::vector<std::vector<bool>> m_begun;
    std::vector<std::vector<bool>> m_done;
    std::map<std::pair<uint32_t, FlowKey>, uint32_t> m_over; //!< by rank: how many are over
    std::map<std::pair<FlowKey, uint32_t>, std::size_t> m_come;
};

#endif /* PHOTONIC_RAILS_TRACE_TEST_TOOLS_H */
