#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/duckdb_engine.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/run.h"

namespace lastbit {
namespace release_test {

using engine::as_text;
using engine::Dice;
using engine::Person;
using engine::Scratch;
using engine::unlocked;
using engine::Writing;

constexpr auto kStatistics = R"(
[columns]
weight = { type = "real", lower = -4, upper = 8 }
visits = { type = "integer", lower = 0, upper = 4 }
town = { type = "text", keys = ["Bath", "Ayr", "Ely"] }
year = { type = "integer", keys = { from = 1999, to = 2001 } }
id = { type = "integer" }

[[statistics]]
kind = "count"
by = "town"
[[statistics]]
kind = "mean"
column = "weight"
by = ["town", "year"]
[[statistics]]
kind = "histogram"
column = "visits"
bins = [0, 2, 4]
[[statistics]]
kind = "quantiles"
column = "weight"
quantiles = [0.5]
by = "town"
)";

class ReleaseTest : public ::testing::Test {
 protected:
  ReleaseTest() { std::filesystem::create_directory(scratch_.path("folder")); }

  // A release file in a folder of its own, about data beside that folder.
  std::filesystem::path release_file(const std::string& source, const std::string& unit = "'row'",
                                     const std::string& name = "folder/r.toml") {
    return scratch_.write(name, "version = 1\nsource = " + source + "\nunit = " + unit +
                                    "\nbudget = { epsilon = 1, ledger = '../l.ledger' }\n" +
                                    kStatistics);
  }
  ReleasePlan people_plan(const std::string& unit = "'row'") {
    Dice dice(11);
    people_ = engine::random_people(dice, 20, 12);
    engine::written(scratch_, "people.csv", people_, Writing::kCsv);
    return plan_file(release_file("{ path = '../people.csv', name = 'the people' }", unit),
                     DuckDbEngine());
  }
  Ledger ledger(const char* epsilon) {
    return Ledger::create(scratch_.path("l.ledger"), Budget(Cost::pure(rational(epsilon))), "");
  }

  Scratch scratch_;
  std::vector<Person> people_;
};

constexpr auto kPersons = "{ id = 'id', max_rows_per_group = 2, max_groups = 2 }";

TEST_F(ReleaseTest, LedgerHoldsWhatWasReleasedAndWhatIsLeft) {
  const ReleasePlan plan = people_plan(kPersons);
  Ledger budget = ledger("2.5");
  BitSource bits = testing::seeded_tape(1);
  const Release release = run_release(plan, DuckDbEngine(), budget, bits, {});
  EXPECT_EQ(release.entry.id, 1);
  EXPECT_EQ(release.entry.spending.plan, plan.digest);
  EXPECT_EQ(release.entry.spending.data, "the people");
  EXPECT_EQ(release.entry.spending.mechanisms, plan.mechanisms);
  EXPECT_EQ(release.entry.spending.description, "'r.toml': 4 statistics");
  EXPECT_EQ(release.entry.spending.unit, "column id");
  EXPECT_EQ(release.left, Cost::pure(rational("1.5")));
  EXPECT_TRUE(release.completed);
  const LedgerContents contents = budget.verify();
  EXPECT_FALSE(contents.damage.has_value());
  EXPECT_EQ(contents.spent, plan.cost);
  ASSERT_EQ(contents.entries.size(), 1U);
  EXPECT_TRUE(contents.entries[0].completed.has_value());
  ASSERT_EQ(release.answers.size(), 4U);
  EXPECT_EQ(release.answers[0].lines.size(), 3U);
  EXPECT_EQ(release.answers[1].lines.size(), 9U);
}

TEST_F(ReleaseTest, AggregationsAreThoseOfTheDefinitionWithTheKeyThatWasDrawn) {
  for (const char* unit : {"'row'", kPersons}) {
    const ReleasePlan plan = people_plan(unit);
    BitSource bits = testing::seeded_tape(7);
    const ExactAnswers exact = aggregate_source(plan, DuckDbEngine(), bits, {});
    BitSource again = testing::seeded_tape(7);
    const engine::SecretKey key = engine::SecretKey::draw(again);
    ASSERT_EQ(exact.size(), plan.aggregations.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      engine::BoundedQuery query;
      static_cast<Aggregation&>(query) = plan.aggregations[i];
      EXPECT_EQ(as_text(exact[i]), as_text(engine::expected(query, key, people_))) << i;
    }
  }
}

TEST_F(ReleaseTest, FormatOfTheSourceChangesNoAnswer) {
  people_plan();
  std::optional<std::string> first;
  const auto expect_same = [&](Writing writing, const std::string& source) {
    engine::written(scratch_, "w", people_, writing);
    BitSource bits = testing::seeded_tape(3);
    std::string text;
    const ReleasePlan plan = plan_file(release_file(source, kPersons), DuckDbEngine());
    for (const auto& answer : aggregate_source(plan, DuckDbEngine(), bits, {}))
      text += as_text(answer);
    if (!first) first = text;
    EXPECT_EQ(text, first) << source;
    std::filesystem::remove(scratch_.path("w.typed"));
  };
  expect_same(Writing::kCsv, "{ path = '../w', format = 'csv' }");
  expect_same(Writing::kTsv, "{ path = '../w', format = 'tsv' }");
  expect_same(Writing::kJsonLines, "{ path = '../w', format = 'json' }");
  expect_same(Writing::kJsonArray, "{ path = '../w', format = 'json' }");
  expect_same(Writing::kParquet, "{ path = '../w.typed', format = 'parquet' }");
  expect_same(Writing::kDuckDb, "{ path = '../w.typed', format = 'duckdb', table = 'the people' }");
}

TEST_F(ReleaseTest, TooSmallABudgetIsRefusedBeforeTheDataAreRead) {
  const ReleasePlan plan = people_plan();
  Ledger budget = ledger("0.75");
  std::filesystem::remove(scratch_.path("people.csv"));
  BitSource bits = testing::tape_of_words({});
  try {
    run_release(plan, DuckDbEngine(), budget, bits, {});
    ADD_FAILURE() << "the ledger was large enough";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBudget);
    EXPECT_EQ(error.problem(), "epsilon 1 is asked for, and epsilon 0.75 is left of epsilon 0.75");
  }
  EXPECT_EQ(budget.spent(), Cost::pure(0));
}

TEST_F(ReleaseTest, OtherPeopleAndTheSamePlanAreRefusedBeforeTheDataAreRead) {
  Ledger budget = ledger("9");
  BitSource bits = testing::seeded_tape(1);
  const ReleasePlan rows = people_plan();
  run_release(rows, DuckDbEngine(), budget, bits, {});
  const std::filesystem::path data = scratch_.path("people.csv");
  const auto refusal_of = [&](const ReleasePlan& plan, const SpendingIntent& intent) {
    std::filesystem::rename(data, data.string() + ".away");
    std::string problem;
    try {
      run_release(plan, DuckDbEngine(), budget, bits, {.intent = intent});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kRefused) << error.what();
      problem = error.problem();
    }
    std::filesystem::rename(data.string() + ".away", data);
    EXPECT_EQ(budget.spent(), Cost::pure(1));
    return problem;
  };
  EXPECT_TRUE(refusal_of(rows, {.same_people = true}).starts_with("this plan was spent before"));
  const ReleasePlan persons = people_plan(kPersons);
  EXPECT_EQ(refusal_of(persons, {.again = true}),
            "the ledger is about 'the people' (unit: row), and this release is about 'the people' "
            "(unit: column id)");
  const ReleasePlan unnamed = plan_file(release_file("'../people.csv'"), DuckDbEngine());
  EXPECT_EQ(refusal_of(unnamed, {}),
            "the ledger is about 'the people' (unit: row), and this release is about 'people.csv' "
            "(unit: row)");
  run_release(persons, DuckDbEngine(), budget, bits, {.intent = {.same_people = true}});
  run_release(rows, DuckDbEngine(), budget, bits, {.intent = {.again = true}});
  EXPECT_EQ(budget.spent(), Cost::pure(3));
}

TEST_F(ReleaseTest, WhatOthersSpendMeanwhileIsNotOverlooked) {
  const ReleasePlan rows = people_plan();
  Ledger budget = ledger("9");
  BitSource bits = testing::seeded_tape(1);
  BitSource others = testing::seeded_tape(2);
  const auto race = [&](const ReleasePlan& plan) {
    PreparedRelease prepared = prepare_release(rows, DuckDbEngine(), budget, bits, {});
    Ledger other = Ledger::open(scratch_.path("l.ledger"));
    run_release(plan, DuckDbEngine(), other, others, {});
    return code_of([&] { const BookedRelease booked(std::move(prepared), budget); });
  };
  EXPECT_EQ(race(rows), ErrorCode::kRefused);
  std::filesystem::remove(scratch_.path("l.ledger"));
  budget = ledger("9");
  EXPECT_EQ(race(people_plan(kPersons)), ErrorCode::kRefused);
  EXPECT_EQ(budget.verify().entries.size(), 1U);
}

TEST_F(ReleaseTest, NamesOfUnitsAndDataAreOnesOfTheFile) {
  people_plan();
  engine::written(scratch_, "w", people_, Writing::kDuckDb);
  const auto named = [&](const std::string& source, const std::string& unit = "'row'") {
    return spending_of(plan_file(release_file(source, unit), DuckDbEngine()), LossKind::kPure);
  };
  EXPECT_EQ(named("'../people.csv'").data, "people.csv");
  EXPECT_EQ(named("'../folder/../people.csv'").data, "people.csv");
  EXPECT_EQ(named("{ path = '../w.typed', format = 'duckdb', table = 'the people' }").data,
            "w.typed: the people");
  EXPECT_EQ(named("{ path = '../people.csv', name = \"a\\u202eb\" }").data, "'a\\xe2\\x80\\xaeb'");
  EXPECT_EQ(named("'../people.csv'").unit, "row");
  EXPECT_EQ(named("'../people.csv'", kPersons).unit, "column id");
}

TEST_F(ReleaseTest, WhatFailsBeforeSpendingCostsNothing) {
  const ReleasePlan plan = people_plan();
  Ledger budget = ledger("5");
  BitSource bits = testing::seeded_tape(1);
  prepare_release(plan, DuckDbEngine(), budget, bits, {});
  EXPECT_EQ(testing::words_used(bits), 4U) << "nothing but the key";
  std::filesystem::remove(scratch_.path("people.csv"));
  EXPECT_EQ(code_of([&] { run_release(plan, DuckDbEngine(), budget, bits, {}); }),
            ErrorCode::kBadInput);
  EXPECT_EQ(budget.verify().records, 0);
}

TEST_F(ReleaseTest, WhatFailsAfterSpendingStaysSpent) {
  const ReleasePlan plan = people_plan();
  Ledger budget = ledger("5");
  // Enough for the key but not for the noise.
  BitSource bits = testing::tape_of_words({1, 2, 3, 4, 5});
  EXPECT_EQ(code_of([&] { run_release(plan, DuckDbEngine(), budget, bits, {}); }),
            ErrorCode::kTapeEnded);
  const LedgerContents contents = budget.verify();
  EXPECT_EQ(contents.spent, plan.cost);
  ASSERT_EQ(contents.entries.size(), 1U);
  EXPECT_FALSE(contents.entries[0].completed.has_value());
}

TEST_F(ReleaseTest, AnswersAreNotLostWhenTheirEndCannotBeNoted) {
  ReleasePlan plan = people_plan();
  Ledger budget = ledger("5");
  plan.statistics[0].staged = nullptr;  // so that it is drawn by `release`
  plan.statistics[0].release = [&, noise = plan.statistics[0].release](const auto& exact,
                                                                       BitSource& bits) {
    EXPECT_EQ(budget.spent(), plan.cost) << "booked before the first noise";
    std::filesystem::remove(scratch_.path("l.ledger"));
    return noise(exact, bits);
  };
  BitSource bits = testing::seeded_tape(1);
  const Release release = run_release(plan, DuckDbEngine(), budget, bits, {});
  EXPECT_FALSE(release.completed);
  EXPECT_EQ(release.answers.size(), 4U);
  EXPECT_EQ(release.left, Cost::pure(4));
}

TEST_F(ReleaseTest, AnyNameOfAFileFitsTheLedger) {
  people_plan();
  const std::string name = "folder/" + std::string(80, 'r') + "\n\x01\xff' --.toml";
  const ReleasePlan plan =
      plan_file(release_file("'../people.csv'", "'row'", name), DuckDbEngine());
  EXPECT_EQ(ledger_address(plan).text(), scratch_.path("folder/../l.ledger").string());
  Ledger budget = ledger("5");
  BitSource bits = testing::seeded_tape(1);
  EXPECT_TRUE(run_release(plan, DuckDbEngine(), budget, bits, {}).completed);
}

TEST_F(ReleaseTest, ProgressGoesFromNoneToAllAndCanStopTheRelease) {
  const ReleasePlan plan = people_plan(kPersons);
  Ledger budget = ledger("5");
  BitSource bits = testing::seeded_tape(1);
  ReleaseOptions options;
  options.progress = [](double) { throw std::runtime_error("enough"); };
  EXPECT_THROW(run_release(plan, DuckDbEngine(), budget, bits, options), std::runtime_error);
  EXPECT_EQ(budget.verify().records, 0);
  std::vector<double> told;
  options.progress = [&](double part) {
    EXPECT_GE(part, told.empty() ? 0.0 : told.back());
    told.push_back(part);
  };
  run_release(plan, DuckDbEngine(), budget, bits, options);
  EXPECT_GE(told.size(), plan.aggregations.size());
  EXPECT_EQ(told.back(), 1.0);
}

// Keeps the engine idle for a while.
class SlowFunction final : public engine::RowFunction {
 public:
  void run(std::span<const FieldBatch> arguments, std::size_t rows,
           engine::Output& out) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (std::size_t row = 0; row < rows; ++row) {
      out.set(row, arguments[0].value<std::int64_t>(row));
    }
  }
};

TEST(LockedEngineTest, ProgressIsToldByTheThreadThatAsksAndNothingIsPrinted) {
  const Scratch scratch;
  const auto file = scratch.path("slow.parquet");
  unlocked("COPY (SELECT range AS x FROM range(500000)) TO '" + file.string() +
           "' (FORMAT parquet)");
  engine::EngineLimits limits;
  limits.threads = 1;
  engine::LockedEngine engine({file, engine::FileFormat::kParquet, ',', {}, ""}, limits);
  engine.add_function("slow", std::vector<engine::ArgumentType>(1),
                      std::make_shared<SlowFunction>());
  engine::Statement statement = engine.typed_rows({});
  statement.sql = "SELECT CAST(sum(slow(x)) AS HUGEINT) FROM " + statement.sql;
  std::vector<double> told;
  const auto here = std::this_thread::get_id();
  const auto tell = [&](double part) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_GE(part, told.empty() ? 0.0 : told.back());
    EXPECT_LE(part, 1.0);
    told.push_back(part);
  };
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  std::vector<engine::Answer> answer = {engine::WideIntegers()};
  engine.ask(statement, answer, tell);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(std::get<engine::WideIntegers>(answer[0]).at(0), Integer(124'999'750'000));
  ASSERT_GE(told.size(), 2U);
  EXPECT_GT(told.back(), 0.3);
  // A progress function that throws ends this statement and no other.
  const auto stop = [](double) { throw std::runtime_error("enough"); };
  EXPECT_THROW(engine.ask(statement, answer, stop), std::runtime_error);
  EXPECT_FALSE(engine.refuses("SELECT 1"));
}

}  // namespace release_test
}  // namespace lastbit
