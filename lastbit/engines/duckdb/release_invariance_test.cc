// Whole plans: the order of the rows, the threads, the memory and the format of the file change
// none of the exact answers.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/release_test_support.h"

namespace lastbit::engine {
namespace release_invariance_test {

constexpr std::uint64_t kKey = 17;

std::string all_text(const ExactAnswers& answers) {
  std::string text;
  for (const auto& groups : answers) text += as_text(groups) + "--\n";
  return text;
}

// source_text: how a release file describes where these rows are.
std::string source_text(const DataSource& source, Writing writing) {
  constexpr std::array<const char*, 6> kFormats = {"csv",  "tsv",     "json",
                                                   "json", "parquet", "duckdb"};
  return fmt::format("source = {{ path = '{}', format = '{}'{} }}", source.path.filename().string(),
                     kFormats[static_cast<std::size_t>(writing)],
                     writing == Writing::kDuckDb ? ", table = 'the people'" : "");
}

std::vector<PeopleRelease> releases() {
  return {{.rows_are_units = true, .budget = "epsilon = 1, delta = 1e-6"},
          {.max_rows = 1, .max_groups = 2, .budget = "epsilon = 1, delta = 1e-6"},
          {.max_rows = 3, .max_groups = 1, .budget = "rho = 1", .tables = 60},
          {.max_rows = 2, .max_groups = 4, .budget = "epsilon = 1", .tables = 60}};
}

class ReleaseInvarianceTest : public ::testing::Test {
 protected:
  // answers: those of a release file chosen by the dice, about these people.
  std::string answers(PeopleRelease release, Dice dice, const std::vector<Person>& people,
                      Writing writing = Writing::kCsv, const EngineLimits& limits = {}) {
    std::filesystem::remove(scratch_.path("people.typed"));
    release.source = source_text(written(scratch_, "people", people, writing), writing);
    return all_text(exact(planned(scratch_, release.text(dice)), kKey, limits));
  }

  Scratch scratch_;
};

// SLOW: ReleaseInvarianceTest.*
TEST_F(ReleaseInvarianceTest, OrderOfRowsChangesNothing) {
  Dice dice(71);
  for (const PeopleRelease& release : releases()) {
    const Dice choices(dice.word());
    std::vector<Person> people = random_people(dice, 60, 40);
    const std::string before = answers(release, choices, people);
    std::ranges::reverse(people);
    EXPECT_EQ(answers(release, choices, people), before);
    for (std::size_t i = people.size(); i > 1; --i) {
      std::swap(people[i - 1], people[static_cast<std::size_t>(dice.below(std::int64_t(i)))]);
    }
    EXPECT_EQ(answers(release, choices, people), before);
  }
}

TEST_F(ReleaseInvarianceTest, FormatOfTheFileChangesNothing) {
  Dice dice(72);
  for (const PeopleRelease& release : releases()) {
    const Dice choices(dice.word());
    const std::vector<Person> people = random_people(dice, 60, 10);
    const std::string csv = answers(release, choices, people);
    for (const Writing writing : {Writing::kTsv, Writing::kJsonLines, Writing::kJsonArray,
                                  Writing::kParquet, Writing::kDuckDb}) {
      EXPECT_EQ(answers(release, choices, people, writing), csv) << static_cast<int>(writing);
    }
  }
}

// More rows than the engine gives to one thread at a time.
TEST_F(ReleaseInvarianceTest, ThreadsAndMemoryChangeNothing) {
  constexpr std::int64_t kRows = 260'000 / kThinning;
  unlocked(fmt::format(
      "COPY (SELECT i % 60 AS \"table\", i * 7919 % 200003 % 5000 AS id, "
      "(['Ayr', 'Bath', 'Cork', NULL])[1 + i * 31 % 101 % 4] AS town, 1998 + i * 17 % 103 % 5 AS "
      "year, ((i * 29 % 4001)::DOUBLE - 700) / 64 AS weight, i * 13 % 37 % 9 - 2 AS visits, "
      "i % 3 = 0 AS member, DATE '1970-01-01' + (i % 3)::INTEGER AS born FROM range({}) t(i)) "
      "TO '{}' (FORMAT parquet)",
      kRows, scratch_.path("people.parquet").string()));
  const std::filesystem::path spill = scratch_.path("spill");
  std::filesystem::create_directory(spill);
  Dice dice(73);
  for (PeopleRelease release : {releases()[1], releases()[2]}) {
    release.source = "source = 'people.parquet'";
    const ReleasePlan plan = planned(scratch_, release.text(dice));
    const std::string answer = all_text(exact(plan, kKey));
    EngineLimits limits;
    for (const unsigned threads : {1U, 2U, 4U}) {
      limits.threads = threads;
      EXPECT_EQ(all_text(exact(plan, kKey, limits)), answer) << threads;
    }
    // Too little for all rows, so that the engine spills.
    limits = {spill, std::uint64_t{40} << 20, 2U};
    EXPECT_EQ(all_text(exact(plan, kKey, limits)), answer);
    EXPECT_TRUE(std::filesystem::is_empty(spill));
    // Another key chooses other rows, so the answers above are not constants.
    EXPECT_NE(all_text(exact(plan, kKey + 1)), answer);
  }
}

}  // namespace release_invariance_test
}  // namespace lastbit::engine
