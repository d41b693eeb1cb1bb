// Commands with several topics: `lastbit accuracy TOPIC`, `lastbit ledger TOPIC`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/terminal/command.h"

namespace lastbit::cli {

struct Topic {
  std::string_view name;
  std::string_view summary;
  int (*run)(CommandArguments, Sink&);
};

// TopicCommand: `purpose` and `examples` are what --help says before and after the list of topics,
// as complete lines; `usage` is what follows "lastbit NAME TOPIC".
struct TopicCommand {
  std::string_view name;
  std::string_view purpose;
  std::string_view usage;
  std::span<const Topic> topics;
  std::string_view examples;
};

// run_topic: runs the topic that the first argument names, with the other arguments; or prints the
// help. A missing or unknown topic is a usage Failure that suggests the nearest one.
int run_topic(const TopicCommand& command, CommandArguments arguments, Sink& out);

}  // namespace lastbit::cli
