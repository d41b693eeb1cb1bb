// What tests of this module share: scratch files, random tables in every format, and the
// engine that follows the definition of proofs/engine.md word for word. For tests only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/sql/bounded_query.h"
#include "lastbit/sources/test_support.h"

namespace lastbit::engine {

// Scratch: a folder that is removed with everything in it.
class Scratch {
 public:
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  std::filesystem::path write(const std::string& name, const std::string& text) const;
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

// unlocked: runs a statement in an engine that is not locked, to write files with.
void unlocked(const std::string& sql);
void unlocked(const std::filesystem::path& database, const std::string& sql);

using source::Dice;

// Person: a row of the test tables.
struct Person {
  std::int64_t table = 0;
  std::optional<std::int64_t> id;
  std::optional<std::string> town;
  std::optional<std::int64_t> year;
  std::optional<double> weight;
  std::optional<std::int64_t> visits;
  std::optional<bool> member;
  std::optional<std::chrono::sys_days> born;
  std::optional<std::string> paid;  // a local time, as a text
  std::optional<std::int64_t> opens;
  std::optional<std::int64_t> cents;  // of the column `price`, which has two decimals
  std::optional<std::uint64_t> serial;
};

// paid_type: of the column `paid`; its zone changes its clocks, if this machine knows such a zone.
FieldType paid_type();

// random_people: few ids, towns and years, so that they coincide; weights at corner cases.
std::vector<Person> random_people(Dice& dice, std::int64_t tables, std::int64_t most_rows);

enum class Writing { kCsv, kTsv, kJsonLines, kJsonArray, kParquet, kDuckDb };
// written: the rows as a file; NaN and infinities as a decimal beyond the doubles or as a word.
DataSource written(const Scratch& scratch, const std::string& name,
                   const std::vector<Person>& people, Writing writing);

// expected: what run_bounded must answer, for queries with the column of units `id`, or rows as
// units, on people.
std::vector<GroupAnswer> expected(const BoundedQuery& query, const SecretKey& key,
                                  const std::vector<Person>& people);

// as_text: for comparing and printing.
std::string as_text(const std::vector<GroupAnswer>& groups);

}  // namespace lastbit::engine
