#include "cli/demo/demo_statistics.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cli/demo/survey.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/core/chain.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/transformations/clamp.h"
#include "lastbit/transformations/count.h"
#include "lastbit/transformations/histogram.h"
#include "lastbit/transformations/impute.h"
#include "lastbit/transformations/mean.h"
#include "lastbit/transformations/resize.h"
#include "lastbit/transformations/sum.h"
#include "lastbit/verify/stability/check.h"
#include "lastbit/verify/stability/coupling.h"
#include "lastbit/verify/stability/enumerate.h"
#include "lastbit/verify/stability/walk.h"
#include "lastbit/verify/stability/wrong_transformations.h"

namespace lastbit::cli {
namespace {

constexpr std::int64_t kMostIncome = 200'000;
const SymmetricDistance kPeople;  // one person more or less is at distance 1

// The chains. Each starts from what the engine returns: rows that may be null.

auto income_total() {
  return make_impute_constant(vector_of(optional_of(doubles())), kPeople, 0) >>
         make_clamp(0, kMostIncome) >> make_sum();
}

auto hours_total() {
  return make_drop_null(vector_of(optional_of(doubles())), kPeople) >> make_clamp(0, 100) >>
         make_sum();
}

auto people_count() { return make_count(vector_of(optional_of(integers())), kPeople); }

auto region_count() {
  return make_drop_null(vector_of(optional_of(strings())), kPeople) >> make_count_distinct();
}

auto sex_counts() {
  return make_drop_null(vector_of(optional_of(strings())), kPeople) >>
         make_histogram<1>(survey_sexes(), Other::kCounted);
}

auto age_mean(std::size_t sample) {
  return make_drop_null(vector_of(optional_of(integers())), kPeople) >> make_clamp(0, 100) >>
         make_resize(Integer(sample), 40) >> make_mean();
}

std::string shown(std::int64_t value) { return std::to_string(value); }
std::string shown(const Rational& value) { return value.to_string(); }
std::string shown(const std::vector<std::int64_t>& counts) {
  auto names = survey_sexes();
  names.emplace_back("anything else");
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", names.at(i), counts[i]);
  }
  return text;
}

// The exact result as a person reads it: a long fraction to four decimals.
std::string readable(const std::string& exact) {
  if (exact.find('/') == std::string::npos || exact.find(' ') != std::string::npos) return exact;
  const Rational tens(10'000);
  const Rational nearest((Rational::parse(exact) * tens + rational("1/2")).floor());
  return fmt::format("{} to four decimals, {}", (nearest / tens).to_string(), exact);
}

// Titles and words of a statistic; {} stands for the sensitivity.
struct Words {
  std::string title;
  std::string meaning;
};

template <AnyTransformation T>
Statistic evaluated(const Words& words, const T& chain, const typename T::Input& rows) {
  const std::string sensitivity = chain.map(1).to_string();
  const Stopwatch watch;
  const auto result = chain(rows, thread_bit_source());
  const double seconds = watch.seconds();
  return {.title = words.title,
          .chain = chain.name(),
          .from = fmt::format("{}; {}", chain.input_domain().describe(), T::InputMetric::kName),
          .to = fmt::format("{}; {}", chain.output_domain().describe(), T::OutputMetric::kName),
          .sensitivity = sensitivity,
          .meaning = fmt::format(fmt::runtime(words.meaning), sensitivity),
          .result = shown(result),
          .readable = readable(shown(result)),
          .seconds = seconds,
          .checks = {}};
}

// The claim on all pairs of small tables, then on walks through larger ones. The walks take fresh
// bits, since they only choose what to try.
template <AnyTransformation T>
Statistic checked(const Words& words, const T& chain, const typename T::Input& rows) {
  Statistic statistic = evaluated(words, chain, rows);
  statistic.checks.push_back(timed([&] {
    return verify::check_all_pairs(chain, verify::members(chain.input_domain(), {5, 3}));
  }));
  statistic.checks.push_back(
      timed([&] { return verify::check_walks(chain, thread_bit_source()); }));
  return statistic;
}

// A chain that draws bits is checked by couplings, with a sample small enough to enumerate.
Statistic checked_mean(const Words& words, std::size_t sample,
                       const std::vector<std::optional<std::int64_t>>& rows) {
  constexpr unsigned kMostBits = 10;
  constexpr std::size_t kSmallSample = 2;
  Statistic statistic = evaluated(words, age_mean(sample), rows);
  statistic.checks.push_back(timed([&] {
    const auto small = age_mean(kSmallSample);
    return verify::check_couplings(small, verify::members(small.input_domain(), {3, 3}), kMostBits);
  }));
  return statistic;
}

}  // namespace

std::vector<Statistic> survey_statistics(const SurveyTable& survey, std::size_t sample,
                                         const std::function<void(std::size_t)>& done) {
  std::vector<Statistic> all;
  const auto add = [&](Statistic statistic) {
    all.push_back(std::move(statistic));
    done(all.size());
  };
  const std::string person = "adding or removing one person ";
  add(checked({"total income", person + "moves the total by at most {}"}, income_total(),
              survey.income));
  add(checked({"total hours worked", person + "moves the total by at most {}"}, hours_total(),
              survey.hours));
  add(checked({"people", person + "moves the count by at most {}"}, people_count(), survey.age));
  add(checked({"regions", person + "moves the number of regions by at most {}"}, region_count(),
              survey.region));
  add(checked({"people by sex", person + "moves all counts together by at most {}"}, sex_counts(),
              survey.sex));
  add(checked_mean(
      {"mean age",
       person + fmt::format("moves the mean of {} sampled people by at most {{}}", sample)},
      sample, survey.age));
  return all;
}

WrongSum wrong_sum(const SurveyTable& survey) {
  const auto wrong = verify::wrong::float_sum(vector_of(interval(0.0, double{kMostIncome})));
  const auto clamped = make_impute_constant(vector_of(optional_of(doubles())), kPeople, 0) >>
                       make_clamp(0, kMostIncome);
  auto rows = clamped(survey.income);
  WrongSum sum;
  sum.in_file_order = wrong(rows);
  std::ranges::reverse(rows);
  sum.in_reverse_order = wrong(rows);
  sum.check = timed([&] {
    return verify::check_all_pairs(wrong, verify::members(wrong.input_domain(), {5, 3}));
  });
  return sum;
}

}  // namespace lastbit::cli
