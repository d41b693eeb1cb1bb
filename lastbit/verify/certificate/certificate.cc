#include "lastbit/verify/certificate/certificate.h"

#include <utility>

#include "lastbit/verify/certificate/fields.h"
#include "lastbit/verify/certificate/program_json.h"

namespace lastbit::verify {
namespace {

constexpr std::string_view kFormat = "lastbit-certificate";
constexpr int kMaxSymbol = 1 << 20;

// A monomial is [symbol, exponent, symbol, exponent, …].
Json to_json(const Monomial& monomial) {
  Json json = Json::array();
  for (const auto& [symbol, exponent] : monomial.powers) {
    json.push_back(symbol);
    json.push_back(exponent);
  }
  return json;
}

Monomial monomial_from(const Field& field) {
  if (field.size() % 2 != 0) field.fail("a product needs pairs of symbol and exponent");
  Monomial monomial;
  for (std::size_t i = 0; i < field.size(); i += 2) {
    const int symbol = field.at(i).whole(0, kMaxSymbol);
    const int exponent = field.at(i + 1).whole(-Polynomial::kMaxExponent, Polynomial::kMaxExponent);
    const bool in_order = monomial.powers.empty() || monomial.powers.back().first < symbol;
    if (exponent == 0 || !in_order) field.fail("a product is not in its canonical form");
    monomial.powers.emplace_back(symbol, exponent);
  }
  return monomial;
}

// A polynomial is [[coefficient, product], …] in the order of products.
Json to_json(const Polynomial& polynomial) {
  Json json = Json::array();
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    json.push_back({coefficient.to_string(), to_json(monomial)});
  }
  return json;
}

Polynomial polynomial_from(const Field& field) {
  if (field.size() > Polynomial::kMaxTerms) field.fail("an expression is too long");
  Polynomial polynomial;
  Monomial last;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const Field term = field.at(i);
    if (term.size() != 2) term.fail("a term is a coefficient and a product");
    const Rational coefficient = term.at(0).rational();
    const Monomial monomial = monomial_from(term.at(1));
    if (coefficient.sign() == 0 || (i > 0 && monomial <= last)) {
      term.fail("an expression is not in its canonical form");
    }
    polynomial += Polynomial::term(coefficient, monomial);
    last = monomial;
  }
  return polynomial;
}

Json to_json(const Fact& fact) {
  return {{"value", to_json(fact.value)}, {"sign", static_cast<int>(fact.sign)}};
}

Fact fact_from(const Field& field) {
  field.object({"value", "sign"});
  return {polynomial_from(field["value"]), static_cast<Sign>(field["sign"].whole(0, 2))};
}

Json to_json(const Shift& shift) {
  return {{"by", to_json(shift.by)}, {"cost", to_json(shift.cost)}};
}

Shift shift_from(const Field& field) {
  field.object({"by", "cost"});
  return {polynomial_from(field["by"]), polynomial_from(field["cost"])};
}

Json to_json(const Disjunct& disjunct) {
  return {
      {"offsets", list_of(disjunct.offsets,
                          [](const auto& offset) { return offset ? to_json(*offset) : Json(); })},
      {"facts", list_of(disjunct.facts, [](const Fact& fact) { return to_json(fact); })},
      {"spent", to_json(disjunct.spent)}};
}

Disjunct disjunct_from(const Field& field) {
  field.object({"offsets", "facts", "spent"});
  const auto offset_from = [](const Field& offset) -> std::optional<Polynomial> {
    if (offset.is_null()) return std::nullopt;
    return polynomial_from(offset);
  };
  return {list_from(field["offsets"], offset_from), list_from(field["facts"], fact_from),
          polynomial_from(field["spent"])};
}

struct StepWriter {
  Json operator()(const Couple& s) const {
    Json json = {{"step", "couple"}, {"shift", to_json(s.shift)}};
    if (s.test) json["test"] = to_json(*s.test);
    if (s.otherwise) json["otherwise"] = to_json(*s.otherwise);
    return json;
  }
  Json operator()(const CoupleCoin& s) const { return {{"step", "coin"}, {"swap", s.swap}}; }
  Json operator()(const GiveUp&) const { return {{"step", "give_up"}}; }
  Json operator()(const IntroduceLaplace& s) const {
    return {{"step", "introduce_laplace"}, {"statements", s.statements}};
  }
  Json operator()(const Branch&) const { return {{"step", "branch"}}; }
  Json operator()(const Mention& s) const {
    Json json = {
        {"step", "mention"},
        {"op", static_cast<int>(s.op)},
        {"arguments", list_of(s.arguments, [](const Polynomial& p) { return to_json(p); })}};
    if (s.op == Operator::kEntry) json["list"] = s.list;
    return json;
  }
  Json operator()(const SplitOne& s) const { return {{"step", "split_one"}, {"entry", s.entry}}; }
  Json operator()(const SplitFunction& s) const {
    return {{"step", "split_function"}, {"function", s.function}};
  }
  Json operator()(const SplitSign& s) const {
    return {{"step", "split_sign"}, {"value", to_json(s.value)}};
  }
  Json operator()(const Absurd&) const { return {{"step", "absurd"}}; }
  Json operator()(const UseInvariant& s) const {
    return {{"step", "invariant"},
            {"entry", s.entry},
            {"cases", list_of(s.disjuncts, [](const Disjunct& d) { return to_json(d); })}};
  }
  Json operator()(const Repeat& s) const { return {{"step", "repeat"}, {"case", s.disjunct}}; }
  Json operator()(const Emit&) const { return {{"step", "emit"}}; }
  Json operator()(const Finish&) const { return {{"step", "finish"}}; }
  Json operator()(const Pointwise&) const { return {{"step", "pointwise"}}; }
};

constexpr int kMaxIndex = 1 << 20;

std::size_t index_from(const Field& field) {
  return static_cast<std::size_t>(field.whole(0, kMaxIndex));
}

Couple couple_from(const Field& field) {
  field.object({"step", "shift", "test?", "otherwise?"});
  if (field.has("test") != field.has("otherwise")) field.fail("a choice needs two shifts");
  Couple couple{shift_from(field["shift"])};
  if (field.has("test")) {
    couple.test = fact_from(field["test"]);
    couple.otherwise = shift_from(field["otherwise"]);
  }
  return couple;
}

Mention mention_from(const Field& field) {
  field.object({"step", "op", "arguments", "list?"});
  Mention mention{static_cast<Operator>(field["op"].whole(0, kOperatorCount - 1))};
  if ((mention.op == Operator::kEntry) != field.has("list")) field.fail("only entries have a list");
  if (field.has("list")) mention.list = field["list"].text();
  mention.arguments = list_from(field["arguments"], polynomial_from);
  return mention;
}

Step step_from(const Field& field) {
  const std::string kind = field["step"].text();
  if (kind == "couple") return couple_from(field);
  if (kind == "mention") return mention_from(field);
  if (kind == "coin") {
    field.object({"step", "swap"});
    return CoupleCoin{field["swap"].truth()};
  }
  if (kind == "introduce_laplace") {
    field.object({"step", "statements"});
    return IntroduceLaplace{index_from(field["statements"])};
  }
  if (kind == "split_one") {
    field.object({"step", "entry"});
    return SplitOne{index_from(field["entry"])};
  }
  if (kind == "split_function") {
    field.object({"step", "function"});
    return SplitFunction{index_from(field["function"])};
  }
  if (kind == "split_sign") {
    field.object({"step", "value"});
    return SplitSign{polynomial_from(field["value"])};
  }
  if (kind == "invariant") {
    field.object({"step", "entry", "cases"});
    return UseInvariant{list_from(field["cases"], disjunct_from), index_from(field["entry"])};
  }
  if (kind == "repeat") {
    field.object({"step", "case"});
    return Repeat{index_from(field["case"])};
  }
  field.object({"step"});
  if (kind == "give_up") return GiveUp{};
  if (kind == "branch") return Branch{};
  if (kind == "absurd") return Absurd{};
  if (kind == "emit") return Emit{};
  if (kind == "finish") return Finish{};
  if (kind == "pointwise") return Pointwise{};
  field.fail("there is no such step");
}

Json to_json(const Reason& reason) {
  return list_of(reason.terms, [](const Term& term) {
    return Json{term.coefficient.to_string(), term.facts, to_json(term.factor)};
  });
}

Reason reason_from(const Field& field) {
  return {list_from(field, [](const Field& term) {
    if (term.size() != 3) term.fail("a term is a coefficient, facts and a product");
    return Term{term.at(0).rational(), list_from(term.at(1), index_from),
                monomial_from(term.at(2))};
  })};
}

Json to_json(const Derivation& derivation) {
  return {{"do", std::visit(StepWriter{}, derivation.step)},
          {"because", list_of(derivation.reasons, [](const Reason& r) { return to_json(r); })},
          {"then", list_of(derivation.then, [](const Derivation& d) { return to_json(d); })}};
}

Derivation derivation_from(const Field& field) {
  field.object({"do", "because", "then"});
  return {step_from(field["do"]), list_from(field["because"], reason_from),
          list_from(field["then"], derivation_from)};
}

Json to_json(const Proof& proof) {
  return {{"swapped", proof.swapped},
          {"because", list_of(proof.reasons, [](const Reason& r) { return to_json(r); })},
          {"derivation", to_json(proof.derivation)}};
}

Proof proof_from(const Field& field) {
  field.object({"swapped", "because", "derivation"});
  return {field["swapped"].truth(), list_from(field["because"], reason_from),
          derivation_from(field["derivation"])};
}

// Each level of a derivation or an expression takes up to three levels of JSON.
constexpr TextKind kKind = {
    .name = "certificate",
    .remedy = "certificates are written by lastbit prove --certificate",
    .max_bytes = Certificate::kMaxBytes,
    .max_depth = 3 * Certificate::kMaxDepth,
    .max_number_length = 2'000,
};

}  // namespace

std::string write_certificate(const Certificate& certificate) {
  const Json json = {
      {"format", kFormat},
      {"version", Certificate::kVersion},
      {"program", to_json(certificate.program)},
      {"proofs", list_of(certificate.proofs, [](const Proof& p) { return to_json(p); })}};
  return json.dump() + "\n";
}

Certificate read_certificate(std::string_view text) {
  const Json json = parse_json(text, kKind);
  const Field field(json, kKind);
  field.object({"format", "version", "program", "proofs"});
  if (field["format"].text() != kFormat) field.fail("this is not a certificate");
  if (field["version"].whole(0, INT32_MAX) != Certificate::kVersion) {
    field.fail("the certificate has another version than this program reads (1)");
  }
  Certificate certificate{program_from(field["program"]), list_from(field["proofs"], proof_from)};
  if (write_certificate(certificate) != text) {
    field.fail("the text is not in its canonical form");
  }
  return certificate;
}

}  // namespace lastbit::verify
