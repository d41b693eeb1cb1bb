// Decisions about mechanisms, and certificates that the kernel checks. Other Python threads run
// meanwhile.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <limits>
#include <optional>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/verify/certificate/certificate.h"
#include "lastbit/verify/decide.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/lang/printer.h"
#include "lastbit/verify/refute/refute.h"
#include "lastbit/verify/report/derivation.h"
#include "lastbit/verify/report/html.h"
#include "lastbit/verify/report/latex.h"
#include "lastbit/verify/report/smtlib.h"
#include "lastbit/verify/report/text.h"
#include "lastbit/verify/report/theorem.h"
#include "python/extension/interpreter.h"
#include "python/extension/proofs/bindings.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

nb::dict named(const verify::NamedValues& values) {
  nb::dict result;
  for (const auto& [name, value] : values) result[name.c_str()] = value;
  return result;
}

// Each end is the one that leaves a violation a violation.
nb::dict witness_of(const verify::Witness& witness) {
  nb::dict result;
  result["parameters"] = named(witness.parameters);
  result["input1"] = named(witness.input1);
  result["input2"] = named(witness.input2);
  result["event"] = witness.event;
  result["probability1"] = witness.probability1.lower();
  result["probability2"] = witness.probability2.upper();
  result["loss"] =
      witness.infinite_loss ? std::numeric_limits<double>::infinity() : witness.loss.lower();
  result["epsilon"] = witness.epsilon.upper();
  result["delta"] = witness.delta.upper();
  result["explanation"] = verify::explain(witness);
  return result;
}

nb::dict prove(const std::string& text, const std::string& name, double seconds) {
  const verify::Decision decision = [&] {
    const OthersRun others_run;
    return verify::decide_text(text, {.seconds = seconds}, name);
  }();
  const bool proved = decision.verdict == verify::Verdict::kProved;
  nb::dict result;
  result["verdict"] = std::string(verify::verdict_name(decision.verdict));
  result["mechanism"] = decision.program.name;
  result["claim"] = verify::privacy_text(decision.program);
  result["theorem"] = proved ? nb::cast(verify::theorem_text(decision.program)) : nb::none();
  result["least_epsilon"] =
      decision.least_epsilon.empty() ? nb::none() : nb::cast(decision.least_epsilon);
  result["supported_epsilon"] =
      decision.supported_epsilon.empty() ? nb::none() : nb::cast(decision.supported_epsilon);
  result["certificate"] = proved ? nb::cast(decision.certificate) : nb::none();
  result["witness"] = decision.witness ? nb::object(witness_of(*decision.witness)) : nb::none();
  result["reason"] = decision.reason.empty() ? nb::none() : nb::cast(decision.reason);
  result["steps"] = decision.theorem.steps;
  result["obligations"] = decision.theorem.obligations;
  result["seconds"] = decision.seconds;
  return result;
}

struct Checked {
  verify::Theorem theorem;
  verify::PrintedProgram program;
};

Checked checked(const std::string& text, const std::optional<std::string>& program,
                const std::string& name) {
  const verify::Certificate certificate = verify::read_certificate(text);
  Checked result{verify::check(certificate), verify::printed(certificate.program)};
  if (program && verify::parse_program(*program, name) != certificate.program) {
    throw Error(ErrorCode::kBadInput, "certificate", "is not about the program in " + name,
                "check without a program shows which one it is about");
  }
  return result;
}

nb::dict check(const std::string& text, const std::optional<std::string>& program,
               const std::string& name) {
  const Checked result = [&] {
    const OthersRun others_run;
    return checked(text, program, name);
  }();
  nb::dict theorem;
  theorem["statement"] = verify::theorem_text(result.program.program);
  theorem["mechanism"] = result.program.program.name;
  theorem["claim"] = verify::privacy_text(result.program.program);
  theorem["program"] = result.program.text;
  theorem["steps"] = result.theorem.steps;
  theorem["obligations"] = result.theorem.obligations;
  return theorem;
}

template <class Write>
auto derivation(Write write) {
  return [write](const std::string& text) {
    const OthersRun others_run;
    return write(verify::derive(verify::read_certificate(text)));
  };
}

}  // namespace

void define_decisions(nb::module_& module) {
  module.attr("most_program_bytes") = verify::kMaxSourceBytes;
  module.attr("most_certificate_bytes") = verify::Certificate::kMaxBytes;
  module.def("prove", prove, nb::arg("text"), nb::arg("name"), nb::arg("seconds"));
  module.def("check", check, nb::arg("text"), nb::arg("program").none(), nb::arg("name"));
  module.def("derivation_text",
             derivation([](const verify::Derived& derived) { return verify::as_text(derived); }));
  module.def("derivation_html",
             derivation([](const verify::Derived& derived) { return verify::as_html(derived); }));
  module.def("derivation_latex",
             derivation([](const verify::Derived& derived) { return verify::as_latex(derived); }));
  module.def("smtlib", [](const std::string& text) {
    const OthersRun others_run;
    return verify::as_smtlib(verify::read_certificate(text)).text;
  });
}

}  // namespace lastbit::python
