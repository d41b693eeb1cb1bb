// exact_answers: what the engine computes for release files before any noise, for tests that
// compare it with what others compute, or for two files that differ by a record.
//
//   exact_answers JOBS
//
// Each line of JOBS has, with tabs between them: the path of a release file, the seed of the key,
// the number of threads, and optionally a memory limit in MB and a folder to spill to. For each it
// prints one line of JSON: {"aggregations": […]}, with what each claims about one unit and its
// groups; or, where the release is refused, {"error": problem, "code": word}. The answers are
// private: this is no tool for data.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/engines/engines.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/run.h"

namespace lastbit {
namespace {

constexpr int kUsage = 64;
constexpr std::uint64_t kMegabyte = 1'000'000;

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

// json_list: the parts, each written by `write`, between brackets.
std::string json_list(const auto& parts, const auto& write) {
  std::vector<std::string> texts;
  for (const auto& part : parts) texts.push_back(write(part));
  return fmt::format("[{}]", fmt::join(texts, ","));
}

std::string json_number(const Integer& number) { return number.to_string(); }
std::string json_numbers(const std::vector<Integer>& numbers) {
  return json_list(numbers, json_number);
}

// A date is its text, which no other type of key of the same column can be.
std::string json_key(const KeyValue& key) {
  if (const auto* flag = std::get_if<bool>(&key)) return *flag ? "true" : "false";
  if (std::holds_alternative<std::int64_t>(key)) return text_of(key);
  return json_text(text_of(key));
}

std::string json_stepped(std::string_view kind, const SteppedField& field) {
  return fmt::format(R"("kind":"{}","field":{},"grid":{},"offset":{})", kind,
                     json_text(field.field.name), field.grid_exponent, field.offset);
}
std::string json_field(std::string_view kind, const FieldUse& field) {
  return fmt::format(R"("kind":"{}","field":{})", kind, json_text(field.name));
}

// TallyText: what a measure counts. A test has to know the grid, which the plan chooses.
struct TallyText {
  std::string operator()(const RowCount& count) const {
    return count.field ? json_field("rows", *count.field) : R"("kind":"rows","field":null)";
  }
  std::string operator()(const UnitCount&) const { return R"("kind":"units")"; }
  std::string operator()(const DistinctCount& count) const {
    return json_field("distinct", count.field);
  }
  std::string operator()(const StepSum& sum) const { return json_stepped("sum", sum.field); }
  std::string operator()(const SquareSum& sum) const { return json_stepped("squares", sum.field); }
  static std::string pair(const char* kind, const SteppedField& first, const SteppedField& second) {
    return json_stepped(kind, first) + R"(,"second":{)" + json_stepped("sum", second) + "}";
  }
  std::string operator()(const PairSum& sum) const { return pair("pairs", sum.first, sum.second); }
  std::string operator()(const ProductSum& sum) const {
    return pair("products", sum.first, sum.second);
  }
  std::string operator()(const LadderSum& sum) const { return json_stepped("ladder", sum.field); }
  std::string operator()(const BinCounts& bins) const { return json_field("bins", bins.field); }
  std::string operator()(const BelowCounts& below) const {
    return json_field("below", below.field);
  }
  std::string operator()(const CategoryCounts& categories) const {
    return json_field("categories", categories.field);
  }
};

std::string json_answers(const Aggregation& aggregation, const std::vector<GroupAnswer>& groups) {
  const auto measure = [&](const Tally& tally) {
    return fmt::format(R"({{{},"bounds":{},"total":{}}})", std::visit(TallyText(), tally),
                       json_numbers(entry_bounds(aggregation, tally)),
                       json_number(total_bound(aggregation, tally)));
  };
  const auto group = [](const GroupAnswer& answer) {
    return fmt::format("[{},{}]", json_list(answer.key, json_key),
                       json_list(answer.entries, json_numbers));
  };
  const auto name = [](const KeyColumn& column) { return json_text(column.name); };
  return fmt::format(R"({{"groups_changed":{},"found":{},"by":{},"measures":{},"groups":{}}})",
                     json_number(groups_changed(aggregation)), !public_groups(aggregation),
                     json_list(key_columns(aggregation), name),
                     json_list(aggregation.measures, measure), json_list(groups, group));
}

std::string answer(const std::string& release_file, std::uint64_t seed,
                   const ReleaseOptions& options) {
  try {
    const ReleasePlan plan = plan_file(release_file, engine_for_files());
    BitSource bits = testing::seeded_tape(seed);
    const ExactAnswers exact = aggregate_source(plan, engine_for_files(), bits, options);
    std::vector<std::string> answers;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      answers.push_back(json_answers(plan.aggregations.at(i), exact[i]));
    }
    return fmt::format(R"({{"aggregations":[{}]}})", fmt::join(answers, ","));
  } catch (const Error& error) {
    return fmt::format(R"({{"error":{},"code":"{}"}})", json_text(error.problem()),
                       error_code_name(error.code()));
  }
}

int run(const std::string& jobs) {
  std::ifstream file(jobs);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<std::string> job;
    for (std::string word; std::getline(words, word, '\t');) job.push_back(word);
    if (job.size() < 3 || job.size() > 5) return kUsage;
    ReleaseOptions options;
    options.limits.threads = static_cast<unsigned>(std::stoul(job[2]));
    if (job.size() > 3) options.limits.memory_bytes = std::stoull(job[3]) * kMegabyte;
    if (job.size() > 4) options.limits.spill_directory = job[4];
    fmt::print("{}\n", answer(job[0], std::stoull(job[1]), options));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace lastbit

int main(int argc, char** argv) {
  try {
    if (argc == 2) return lastbit::run(argv[1]);
    fmt::print(stderr, "usage: exact_answers JOBS\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return lastbit::kUsage;
}
