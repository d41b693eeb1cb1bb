#include "lastbit/release/expressions/other_words.h"

#include <algorithm>
#include <array>

namespace lastbit::release_internal {
namespace {

struct OtherWord {
  std::string_view word;
  std::string_view ours;
};
// Of several lines with one word, the first whose meaning is possible counts.
constexpr auto kOtherWords = std::to_array<OtherWord>({
    // Functions of statements, before the kinds that they stand for.
    {"average", "avg"},
    {"average", "mean"},
    {"avg", "mean"},
    {"ceiling", "ceil"},
    {"char_length", "length"},
    {"character_length", "length"},
    {"corr", "correlation"},
    {"cov", "covar_samp"},
    {"cov", "covariance"},
    {"covar", "covar_samp"},
    {"covariance", "covar_samp"},
    {"correlation", "corr"},
    {"dayofweek", "weekday"},
    {"ifnull", "coalesce"},
    {"isnull", "coalesce"},
    {"lcase", "lower"},
    {"len", "length"},
    {"mid", "substring"},
    {"nvl", "coalesce"},
    {"percentile", "quantile"},
    {"sd", "stddev"},
    {"standard_deviation", "stddev"},
    {"stdev", "stddev"},
    {"substr", "substring"},
    {"total", "sum"},
    {"ucase", "upper"},
    {"var", "variance"},
    // Kinds of statistics.
    {"countif", "share"},
    {"count_unique", "count_distinct"},
    {"distinct", "count_distinct"},
    {"distinct_count", "count_distinct"},
    {"fraction", "share"},
    {"frequency", "histogram"},
    {"maximum", "max"},
    {"minimum", "min"},
    {"mode", "top"},
    {"most_frequent", "top"},
    {"n", "count"},
    {"number", "count"},
    {"nunique", "count_distinct"},
    {"percent", "share"},
    {"percentage", "share"},
    {"percentile", "quantiles"},
    {"percentiles", "quantiles"},
    {"proportion", "share"},
    {"quantile", "quantiles"},
    {"quartiles", "quantiles"},
    {"rows", "count"},
    {"sd", "standard_deviation"},
    {"size", "count"},
    {"std", "standard_deviation"},
    {"stddev", "standard_deviation"},
    {"stdev", "standard_deviation"},
    {"top_k", "top"},
    {"unique", "count_distinct"},
    {"users", "count_units"},
    // Keys.
    {"a_priori_rows", "expected_rows"},
    {"alpha", "confidence"},
    {"condition", "where"},
    {"data", "source"},
    {"dataset", "source"},
    {"datafile", "source"},
    {"dimensions", "by"},
    {"edges", "bins"},
    {"eps", "epsilon"},
    {"error", "accuracy"},
    {"field", "column"},
    {"fields", "columns"},
    {"file", "source"},
    {"file", "path"},
    {"filename", "path"},
    {"filter", "where"},
    {"function", "kind"},
    {"group", "by"},
    {"group_by", "by"},
    {"groupby", "by"},
    {"groups", "by"},
    {"high", "upper"},
    {"id_column", "id"},
    {"id_column", "unit"},
    {"identifier", "id"},
    {"input", "source"},
    {"levels", "quantiles"},
    {"low", "lower"},
    {"max", "upper"},
    {"max_epsilon", "epsilon"},
    {"max_rows", "max_rows_per_group"},
    {"maximum", "upper"},
    {"measures", "statistics"},
    {"metric", "kind"},
    {"metrics", "statistics"},
    {"min", "lower"},
    {"minimum", "lower"},
    {"missing", "nulls"},
    {"na", "null_text"},
    {"path", "source"},
    {"people", "unit"},
    {"person", "unit"},
    {"privacy_budget", "budget"},
    {"privacy_unit", "unit"},
    {"probabilities", "quantiles"},
    {"queries", "statistics"},
    {"sep", "delimiter"},
    {"separator", "delimiter"},
    {"statistic", "kind"},
    {"stats", "statistics"},
    {"unit_id", "id"},
    {"user_id", "id"},
    {"values", "keys"},
    // Types.
    {"bigint", "integer"},
    {"bool", "boolean"},
    {"category", "text"},
    {"char", "text"},
    {"datetime", "timestamp"},
    {"double", "real"},
    {"factor", "text"},
    {"float", "real"},
    {"float64", "real"},
    {"int", "integer"},
    {"int64", "integer"},
    {"logical", "boolean"},
    {"money", "decimal"},
    {"numeric", "decimal"},
    {"str", "text"},
    {"string", "text"},
    {"uint64", "unsigned"},
    {"varchar", "text"},
    // Groups of dates.
    {"annual", "year"},
    {"daily", "day"},
    {"day_of_week", "weekday"},
    {"hourly", "hour"},
    {"monthly", "month"},
    {"quarterly", "quarter"},
    {"weekly", "week"},
    {"yearly", "year"},
});

std::string plain(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '-') c = '_';
  }
  return result;
}

}  // namespace

std::optional<std::string> other_word(std::string_view word,
                                      std::span<const std::string> candidates) {
  constexpr std::size_t kLongest = 30;
  if (word.size() > kLongest) return std::nullopt;
  const std::string wanted = plain(word);
  for (const auto& [other, ours] : kOtherWords) {
    if (other != wanted) continue;
    if (std::ranges::find(candidates, ours) != candidates.end()) return std::string(ours);
  }
  return std::nullopt;
}

}  // namespace lastbit::release_internal
