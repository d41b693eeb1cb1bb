// A synthetic survey: seeded test data that looks like a real one.
//
// The generator here makes test data, never noise: its numbers are predictable from the seed, and
// must never be used to hide anything private. Noise comes from lastbit/random only. Everything is
// integer arithmetic, so one seed gives the same bytes on every machine, and the first rows are the
// same however many rows are requested.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/output.h"

namespace lastbit::cli {

struct Person {
  std::uint64_t person_id = 0;
  std::uint64_t household_id = 0;
  int household_size = 1;
  std::string_view region;
  std::string_view sex;
  int age = 0;
  std::string_view education;
  std::optional<bool> employed;              // null under 15
  std::optional<int> half_hours;             // worked per week; null if not employed or no answer
  std::optional<std::int64_t> income_cents;  // per year; null under 15 or no answer
  std::optional<std::int64_t> rent;          // of the household per month; null for owners
};

// Survey: an endless sequence of people, household by household.
class Survey {
 public:
  explicit Survey(std::uint64_t seed) : seed_(seed) {}
  Person next();

 private:
  std::uint64_t seed_;
  std::uint64_t households_ = 0;
  std::uint64_t people_ = 0;
  std::vector<Person> waiting_;  // the rest of the household, last one first
};

// survey_regions, survey_sexes, survey_educations: the values these columns can have.
std::vector<std::string> survey_regions();
std::vector<std::string> survey_sexes();
std::vector<std::string> survey_educations();

// survey_header, survey_line: the survey as CSV, each line ending in a line feed; null is an empty
// field.
std::string survey_header();
std::string survey_line(const Person& person);

// write_survey: the header and `rows` people; stops early when nobody reads `sink` any longer.
void write_survey(Sink& sink, std::uint64_t rows, std::uint64_t seed);

}  // namespace lastbit::cli
