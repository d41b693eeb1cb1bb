// What the parts of engines_agree share: a table on a server, asked for exact answers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lastbit/engines/memory/memory_engine.h"
#include "lastbit/postgres/connection.h"

namespace lastbit {

// server_release: a release whose source is a table on the server. Nothing else in it matters.
ReleaseFile server_release(const std::string& url, const std::string& table);

// answers_of: of an engine, as a text; an error as its words.
std::string answers_of(const Engine& engine, const ReleaseFile& release,
                       std::span<const Aggregation> aggregations, const engine::SecretKey& key);
std::string answers_of(const MemoryTable& table, const Aggregation& aggregation,
                       const engine::SecretKey& key);

// odd_types_agree: whether a table of the server's odd types has the rows that it should have.
bool odd_types_agree(const std::string& url, postgres::Connection& writer);

}  // namespace lastbit
