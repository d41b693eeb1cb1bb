// lastbit accuracy: how good an answer will be, before it is asked for. Nothing here sees data.
#include <array>

#include "cli/commands/accuracy/accuracy_topics.h"
#include "cli/terminal/topics.h"

namespace lastbit::cli {
namespace {

constexpr std::array<Topic, 4> kAccuracyTopics = {{
    {"error", "The error at a given loss, for each mechanism", run_accuracy_error},
    {"epsilon", "The smallest loss for a target error", run_accuracy_epsilon},
    {"bias", "How far answers are off on average, for a guessed value", run_accuracy_bias},
    {"bounds", "Where a statistic can lie, and bounds that answers rarely reach",
     run_accuracy_bounds},
}};

constexpr TopicCommand kAccuracy = {
    .name = "accuracy",
    .purpose =
        "Say how accurate an answer will be, before anything is spent. Only public numbers go in, "
        "so "
        "the\n"
        "answers reveal nothing.\n",
    .usage = "[options]",
    .topics = kAccuracyTopics,
    .examples =
        "  lastbit accuracy error --epsilon 1 --alpha 0.05 --bound 1000\n"
        "  lastbit accuracy epsilon --accuracy 5 --alpha 0.05\n"
        "  lastbit accuracy bias --value 990 --epsilon 0.1 --bound 1000\n"
        "  lastbit accuracy bounds mean --n 1000 --lower 0 --upper 200000 --gamma 0.01 --epsilon "
        "1\n"};

}  // namespace

int run_accuracy(CommandArguments arguments, Sink& out) {
  return run_topic(kAccuracy, arguments, out);
}

}  // namespace lastbit::cli
