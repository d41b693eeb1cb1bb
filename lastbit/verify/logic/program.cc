#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

std::string_view function_name(Operator op) {
  switch (op) {
    case Operator::kAbs:
      return "abs";
    case Operator::kMin:
      return "min";
    case Operator::kMax:
      return "max";
    case Operator::kClamp:
      return "clamp";
    case Operator::kRound:
      return "round";
    case Operator::kRoundHalfEven:
      return "round_half_even";
    case Operator::kRoundTowardZero:
      return "round_toward_zero";
    case Operator::kFloor:
      return "floor";
    case Operator::kCeil:
      return "ceil";
    case Operator::kLn:
      return "ln";
    case Operator::kExp:
      return "exp";
    case Operator::kPow2Ceil:
      return "pow2ceil";
    case Operator::kLogistic:
      return "logistic";
    default:
      return "";
  }
}

std::string_view sampler_name(Sampler sampler) {
  switch (sampler) {
    case Sampler::kUniform:
      return "uniform";
    case Sampler::kSign:
      return "sign";
    case Sampler::kBernoulli:
      return "bernoulli";
    case Sampler::kLaplace:
      return "laplace";
    case Sampler::kExponential:
      return "exponential";
    case Sampler::kGeometric:
      return "geometric";
    case Sampler::kDiscreteLaplace:
      return "discrete_laplace";
  }
  return "";
}

std::string_view type_name(Type type) {
  switch (type) {
    case Type::kBool:
      return "bool";
    case Type::kInt:
      return "int";
    case Type::kReal:
      return "real";
  }
  return "";
}

int argument_count(Operator op) {
  switch (op) {
    case Operator::kNumber:
    case Operator::kBoolean:
    case Operator::kVariable:
      return 0;
    case Operator::kEntry:
    case Operator::kNegate:
    case Operator::kNot:
    case Operator::kAbs:
    case Operator::kFloor:
    case Operator::kCeil:
    case Operator::kLn:
    case Operator::kExp:
    case Operator::kPow2Ceil:
    case Operator::kLogistic:
      return 1;
    case Operator::kClamp:
      return 3;
    default:
      return 2;
  }
}

int argument_count(Sampler sampler) {
  return sampler == Sampler::kUniform || sampler == Sampler::kSign ? 0 : 1;
}

}  // namespace lastbit::verify
