// inspect_release: what the rows of a release hold, and what the release does with them: for the
// eyes of the custodian, before a release.
//
// Guarantee      fields are read, conditions evaluated and keys compared as a release does it.
//                Counts are exact, unless a comment says otherwise. No ledger is opened, and
//                nothing is written.
// Not promised   any privacy. All of it is about the rows themselves, without noise. Nothing of it
//                may be published, and a limit or a bound that is chosen from it reveals something
//                about the data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/release/engine.h"
#include "lastbit/release/inspect/limit_choices.h"
#include "lastbit/release/inspect/row_facts.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit {

// InspectedColumn: a column that the release uses, in all rows.
struct InspectedColumn {
  std::string name;
  FieldType type;
  bool derived = false;
  bool names_units = false;
  std::optional<Rational> lower;  // of the column, or of the first statistic that bounds it
  std::optional<Rational> upper;
  std::int64_t below = 0;  // values below `lower`
  std::int64_t above = 0;
  FieldFacts facts;
};

// InspectedKeys: the public keys of one or more columns, in all rows.
struct InspectedKeys {
  std::vector<std::string> columns;
  KeyFacts facts;
  // promised: the file says that each row that counts has one of the keys. broken: how many rows do
  // not, of those that a statistic by these keys counts; the largest number of all statistics.
  bool promised = false;
  std::int64_t broken = 0;
};

// BoundChoice: bounds of a column, and how many values lie beyond them.
struct BoundChoice {
  Rational lower;
  Rational upper;
  std::int64_t below = 0;
  std::int64_t above = 0;
  std::optional<double> noise = std::nullopt;  // by what the noise is multiplied, at the same loss
};

// InspectedNumber: a bounded column of a statistic, in the rows that have keys.
struct InspectedNumber {
  std::string column;
  std::int64_t values = 0;
  std::vector<BoundChoice> choices;  // the bounds in use, first, and others
};

// InspectedLimits: the limits of a unit.
struct InspectedLimits {
  LimitsInUse in_use;
  double countable = 0;  // what would count without limits: rows, or pairs of a unit and a group
  std::vector<LimitChoice> choices;  // those in use, first, and others
};

struct InspectedStatistic {
  Statistic statistic;
  bool has_condition = false;
  StatisticFacts facts;
  std::optional<InspectedLimits> limits;  // nothing where rows are units
  std::vector<InspectedNumber> numbers;
};

// Inspection: private.
struct Inspection {
  std::string file;        // the release file
  std::string source;      // the name of the data's file
  bool text_file = false;  // which has lines
  std::int64_t rows = 0;
  std::optional<std::string> unit;  // the column that names units
  std::int64_t units = 0;
  std::vector<InspectedColumn> columns;
  std::vector<InspectedKeys> keys;
  std::vector<InspectedStatistic> statistics;  // without totals, which count the same rows
};

// inspect_release
// Fails  as Engine::examine.
Inspection inspect_release(const ReleasePlan& plan, const Engine& engine,
                           const engine::EngineLimits& limits = {},
                           const engine::Progress& progress = {});

}  // namespace lastbit
