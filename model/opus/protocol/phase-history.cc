/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-history.h"

#include "opus-words.h"

namespace ns3
{

OpusPhase
GetConversation(const OpusPhase& phase)
{
    OpusPhase conversation = phase;
    conversation.operation = 0;
    conversation.stage = 0;
    if (!phase.pointToPoint)
    {
        conversation.from = RankId(0);
        conversation.to = RankId(0);
    }
    return conversation;
}

void
PhaseHistory::Add(const OpusPhase& phase, const std::string& refusal)
{
    Ended& ended = m_conversations[GetConversation(phase)];
    ended.kept[phase] = refusal;
    if (ended.kept.size() > KEPT)
    {
        ended.forgotten = ended.kept.begin()->first;
        ended.kept.erase(ended.kept.begin());
    }
}

std::optional<std::string>
PhaseHistory::Find(const OpusPhase& phase) const
{
    const auto conversation = m_conversations.find(GetConversation(phase));
    if (conversation == m_conversations.end())
    {
        return std::nullopt;
    }
    const Ended& ended = conversation->second;
    const auto kept = ended.kept.find(phase);
    if (kept != ended.kept.end())
    {
        return kept->second;
    }
    if (ended.forgotten && !(*ended.forgotten < phase))
    {
        return "many later ones are over, and it is not known any more";
    }
    return std::nullopt;
}

std::string
PhaseHistory::Describe() const
{
    std::string words;
    for (const auto& [conversation, ended] : m_conversations)
    {
        for (const auto& [phase, refusal] : ended.kept)
        {
            words += ToWords(phase) + " is over: " + refusal + "\n";
        }
    }
    return words;
}

} // namespace ns3
