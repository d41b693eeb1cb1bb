#include "cli/terminal/topics.h"

#include <fmt/core.h>

#include <vector>

#include "cli/terminal/failure.h"
#include "lastbit/base/text.h"

namespace lastbit::cli {
namespace {

std::string help(const TopicCommand& command) {
  std::string topics;
  for (const Topic& topic : command.topics) {
    topics += fmt::format("  {:<12}{}\n", topic.name, topic.summary);
  }
  return fmt::format(
      "{}\n"
      "Usage: lastbit {} TOPIC {}\n"
      "\n"
      "Topics:\n"
      "{}"
      "\n"
      "Every topic has --help, with examples, and --json.\n"
      "\n"
      "Examples:\n"
      "{}",
      command.purpose, command.name, command.usage, topics, command.examples);
}

}  // namespace

int run_topic(const TopicCommand& command, CommandArguments arguments, Sink& out) {
  const std::string place(command.name);
  if (arguments.empty()) {
    throw Failure::usage(place, "no topic is given",
                         fmt::format("see lastbit {} --help", command.name));
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    out.write(help(command));
    return kExitOk;
  }
  std::vector<std::string> names = {"--help"};
  for (const Topic& topic : command.topics) {
    if (topic.name == name) return topic.run(arguments.subspan(1), out);
    names.emplace_back(topic.name);
  }
  const auto nearest = nearest_name(name, names);
  throw Failure::usage(place, fmt::format("there is no topic {}", lastbit::quote(name)),
                       nearest ? fmt::format("did you mean {}?", *nearest)
                               : fmt::format("lastbit {} --help lists them", command.name));
}

}  // namespace lastbit::cli
