// lastbit utility: how good an answer will be, before it is asked for. Nothing here sees data.
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/failure.h"
#include "cli/utility_topics.h"
#include "lastbit/base/text.h"

namespace lastbit::cli {
namespace {

struct Topic {
  std::string_view name;
  std::string_view summary;
  int (*run)(CommandArguments, Sink&);
};
constexpr std::array<Topic, 4> kTopics = {{
    {"accuracy", "The error that a loss buys, for each mechanism", run_utility_accuracy},
    {"epsilon", "The smallest loss for a wished accuracy", run_utility_epsilon},
    {"bias", "How far the mean of the answers is off, for a guessed value", run_utility_bias},
    {"bound", "Where a statistic can lie, and bounds that noise rarely meets", run_utility_bound},
}};

std::string help() {
  std::string topics;
  for (const Topic& topic : kTopics)
    topics += fmt::format("  {:<12}{}\n", topic.name, topic.summary);
  return fmt::format(
      "Say how good an answer will be before anything is spent. Only public numbers go in, so the\n"
      "answers reveal nothing.\n"
      "\n"
      "Usage: lastbit utility TOPIC [options]\n"
      "\n"
      "Topics:\n"
      "{}"
      "\n"
      "Every topic has --help, with examples, and --json.\n"
      "\n"
      "Examples:\n"
      "  lastbit utility accuracy --epsilon 1 --alpha 0.05 --bound 1000\n"
      "  lastbit utility epsilon --accuracy 5 --alpha 0.05\n"
      "  lastbit utility bias --value 990 --epsilon 0.1 --bound 1000\n"
      "  lastbit utility bound mean --n 1000 --lower 0 --upper 200000 --gamma 0.01 --epsilon 1\n",
      topics);
}

}  // namespace

int run_utility(CommandArguments arguments, Sink& out) {
  if (arguments.empty()) {
    throw Failure::usage("utility", "no topic is given", "see lastbit utility --help");
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    out.write(help());
    return kExitOk;
  }
  std::vector<std::string> names = {"--help"};
  for (const Topic& topic : kTopics) {
    if (topic.name == name) return topic.run(arguments.subspan(1), out);
    names.emplace_back(topic.name);
  }
  const auto nearest = nearest_name(name, names);
  throw Failure::usage(
      "utility", fmt::format("there is no topic {}", lastbit::quoted(name)),
      nearest ? fmt::format("did you mean {}?", *nearest) : "lastbit utility --help lists them");
}

}  // namespace lastbit::cli
