#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {
namespace {

// All in the order of the enumerators. The functions are the operators from kAbs on.
constexpr std::array<std::string_view, 13> kFunctions = {
    "abs",   "min",  "max", "clamp", "round",    "round_half_even", "round_toward_zero",
    "floor", "ceil", "ln",  "exp",   "pow2ceil", "logistic"};
// How many operands: of leaves, arithmetic, functions, comparisons, `and`, `or` and `not`.
constexpr std::string_view kOperands =
    "0001"
    "222212"
    "1223222111111"
    "222222"
    "221";
static_assert(kOperands.size() == kOperatorCount);
constexpr std::array<std::string_view, kSamplerCount> kSamplers = {
    "uniform", "sign", "bernoulli", "laplace", "exponential", "geometric", "discrete_laplace"};
constexpr std::array<std::string_view, 3> kTypes = {"bool", "int", "real"};

}  // namespace

void visit(const Block& block, const std::function<void(const Statement&)>& see) {
  for (const Statement& statement : block) {
    see(statement);
    if (const auto* branch = std::get_if<If>(&statement.what)) {
      visit(branch->then_block, see);
      visit(branch->else_block, see);
    }
    if (const auto* loop = std::get_if<Loop>(&statement.what)) visit(loop->body, see);
  }
}

std::string_view function_name(Operator op) {
  const auto index = static_cast<std::size_t>(op) - static_cast<std::size_t>(Operator::kAbs);
  return index < kFunctions.size() ? kFunctions[index] : "";
}

std::string_view sampler_name(Sampler sampler) {
  return kSamplers.at(static_cast<std::size_t>(sampler));
}

std::string_view type_name(Type type) { return kTypes.at(static_cast<std::size_t>(type)); }

int argument_count(Operator op) { return kOperands.at(static_cast<std::size_t>(op)) - '0'; }

int argument_count(Sampler sampler) {
  return sampler == Sampler::kUniform || sampler == Sampler::kSign ? 0 : 1;
}

}  // namespace lastbit::verify
