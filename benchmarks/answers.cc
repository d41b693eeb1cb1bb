// Many answers of one release file, for measuring how large errors are: the file is planned and its
// source aggregated once, as by `lastbit release`; then the noise is drawn and the answers are made
// again and again. benchmarks/peers compares the errors with others.
// Usage: bench_answers RELEASE.toml [--answers N] [--seconds N]
//
// Prints each release as a line of JSON: a list per statistic of its answers, a number each, or the
// chosen category. It ends after N releases or N seconds. It books nothing, so it is for invented
// or public data only. benchmarks/peers also runs the tool and compares.
#include <fmt/core.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "benchmarks/options.h"
#include "lastbit/accounting/cost.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/engines/engines.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/release/run.h"
#include "lastbit/report/numbers/answer_numbers.h"

namespace lastbit {
namespace {

nlohmann::json json_of_choice(const KeyValue& key) {
  if (const auto* whole = std::get_if<std::int64_t>(&key)) return *whole;
  return text_of(key);
}

nlohmann::json json_of_line(const AnswerLine& line) {
  if (line.choice) return json_of_choice(*line.choice);
  return line.value ? nlohmann::json(report::nearest_double(*line.value)) : nlohmann::json(nullptr);
}

nlohmann::json json_of_answers(const std::vector<StatisticAnswers>& answers) {
  nlohmann::json all = nlohmann::json::array();
  for (const StatisticAnswers& statistic : answers) {
    nlohmann::json lines = nlohmann::json::array();
    for (const AnswerLine& line : statistic.lines) lines.push_back(json_of_line(line));
    all.push_back(std::move(lines));
  }
  return all;
}

void run(const std::filesystem::path& file, const BenchmarkOptions& options) {
  const Engine& engine = engine_for_files();
  // In epsilons, as the tool plans for a ledger that counts in them.
  const ReleasePlan plan = plan_for_ledger(plan_file(file, engine), Cost::pure(1'000'000));
  BitSource bits = BitSource::secure();
  const ExactAnswers exact = aggregate_source(plan, engine, bits, {});
  const Stopwatch watch;
  const auto seconds = static_cast<double>(options.at("--seconds"));
  for (std::int64_t i = 0; i < options.at("--answers") && watch.seconds() < seconds; ++i) {
    fmt::print("{}\n", json_of_answers(release_answers(plan, exact, bits)).dump());
  }
}

}  // namespace
}  // namespace lastbit

int main(int argc, char** argv) try {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() < 2 || std::string_view(arguments[1]).starts_with("--")) {
    fmt::print(stderr, "usage: bench_answers RELEASE.toml [--answers N] [--seconds N]\n");
    return 64;
  }
  lastbit::run(arguments[1],
               lastbit::parse_options(argc - 1, argv + 1,
                                      {.numbers = {{"--answers", 1'000}, {"--seconds", 60}}}));
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
