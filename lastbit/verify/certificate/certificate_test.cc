#include "lastbit/verify/certificate/certificate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lastbit/base/test_support.h"

namespace lastbit::verify {
namespace certificate_test {

using Json = nlohmann::json;

Expression named(const std::string& name, int side = 0) {
  Expression result;
  result.op = Operator::kVariable;
  result.name = name;
  result.side = side;
  return result;
}
Expression number(const char* text) {
  Expression result;
  result.number = rational(text);
  return result;
}

// Every statement and sampler, and every operator once.
Program everything() {
  Program program;
  program.name = "m";
  program.parameters = {{"f", Type::kReal, ""}, {"n", Type::kInt, ""}, {"q", Type::kBool, "n"}};
  program.requirements = {{.op = Operator::kLess, .operands = {number("1/3"), named("n")}}};
  Adjacency value;
  value.conditions = {{.op = Operator::kLessEqual, .operands = {named("f", 1), named("f", 2)}}};
  Adjacency every{Reach::kEvery, "q", value.conditions};
  program.adjacent = {value, every};
  program.claimed_epsilon = number("0.5");
  program.claimed_delta = number("0");
  program.locals = {{"x", Type::kReal, ""}};
  Expression truth;
  truth.op = Operator::kBoolean;
  truth.number = Rational(1);
  Block body;
  for (int op = static_cast<int>(Operator::kEntry); op < kOperatorCount; ++op) {
    Expression expression{.op = static_cast<Operator>(op)};
    if (expression.op == Operator::kEntry) expression.name = "q";
    const auto count = static_cast<std::size_t>(argument_count(expression.op));
    expression.operands.assign(count, number("-7/9"));
    body.push_back({Assign{"x", expression}, {}});
  }
  for (int sampler = 0; sampler < kSamplerCount; ++sampler) {
    Sample sample{"x", static_cast<Sampler>(sampler), {}};
    sample.arguments.assign(static_cast<std::size_t>(argument_count(sample.sampler)), number("2"));
    body.push_back({sample, {}});
  }
  program.body = {{If{truth, body, {}}, {}},
                  {Loop{"i", number("0"), named("n"), truth, body}, {}},
                  {Loop{"i", number("0"), named("n"), std::nullopt, {}}, {}},
                  {Output{named("x"), false}, {}},
                  {Output{named("f"), true}, {}}};
  return program;
}

// Every step, with every field filled.
Certificate example() {
  const Polynomial x = Polynomial::symbol(0);
  const Polynomial p = Polynomial::term(rational("-2/3"), Monomial{{{1, -3}, {4, 2}}}) + x;
  const Fact fact{p, Sign::kPositive};
  const Shift shift{p, x};
  const std::vector<Step> steps = {
      Couple{shift},
      Couple{shift, fact, Shift{}},
      CoupleCoin{true},
      GiveUp{},
      IntroduceLaplace{3},
      Branch{},
      Mention{Operator::kEntry, "q", {x}},
      Mention{Operator::kFloor, "", {p}},
      SplitOne{7},
      SplitFunction{8},
      SplitSign{p},
      Absurd{},
      UseInvariant{{Disjunct{{p, std::nullopt}, {fact, fact}, x}, Disjunct{}}, 1},
      Repeat{2},
      Emit{},
      Finish{},
      Pointwise{}};
  Proof proof;
  for (const Step& step : steps) {
    proof.derivation.then.push_back({step, {}, {}});
    proof.derivation.step = step;
  }
  proof.reasons = {{}, {{{rational("1/7"), {0, 3}, Monomial{{{2, 1}}}}, {rational("2"), {}, {}}}}};
  proof.derivation.reasons = proof.reasons;
  Proof swapped = proof;
  swapped.swapped = true;
  return {everything(), {proof, swapped}};
}

ErrorCode code_of_text(const std::string& text) {
  return code_of([&] { (void)read_certificate(text); });
}
std::string problem_of_text(const std::string& text) {
  try {
    (void)read_certificate(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
    return error.problem();
  }
  return "accepted";
}

TEST(CertificateTest, WritingAndReadingGivesTheSameText) {
  const std::string text = write_certificate(example());
  const Certificate read = read_certificate(text);
  EXPECT_EQ(write_certificate(read), text);
  EXPECT_EQ(read.program, everything());
  EXPECT_EQ(read.proofs.size(), 2U);
  EXPECT_EQ(read.proofs[0].derivation.then.size(), 17U);
}

TEST(CertificateTest, OneCertificateHasOneText) {
  const std::string text = write_certificate(example());
  const char* const refusal = "the text is not in its canonical form";
  EXPECT_EQ(problem_of_text(" " + text), refusal);
  EXPECT_EQ(problem_of_text(text + "\n"), refusal);
  EXPECT_EQ(problem_of_text(text.substr(0, text.size() - 1)), refusal);
  EXPECT_EQ(problem_of_text(Json::parse(text).dump(1)), refusal);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const auto at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return problem_of_text(other.replace(at, from.size(), to));
  };
  EXPECT_EQ(changed(R"("op":"number")", R"("op": "number")"), refusal);
  EXPECT_EQ(changed(R"("name":"m")", R"("name":"\u006d")"), refusal);
  EXPECT_EQ(changed(R"("swap":true)", R"("swap":false,"swap":true)"), refusal);
  EXPECT_EQ(changed(R"({"case":2,"step":"repeat"})", R"({"step":"repeat","case":2})"), refusal);
  EXPECT_EQ(changed(R"("entry":7)", R"("entry":07)").starts_with("the text is not JSON"), true);
  EXPECT_EQ(changed(R"("entry":7)", R"("entry":7.0)"), "a whole number is expected here");
  EXPECT_EQ(changed(R"("entry":7)", R"("entry":7e0)"), "a whole number is expected here");
  EXPECT_EQ(changed(R"("1/7")", R"("2/14")"), "the number is not in its canonical form");
  EXPECT_EQ(changed(R"("1/7")", R"("0.25e0")"), "the number is not in its canonical form");
  EXPECT_EQ(changed(R"("1/7")", R"(" 1/7")").starts_with("an exact number is expected here"), true);
  EXPECT_EQ(changed(R"("1/7")", R"("1/0")").starts_with("an exact number is expected here"), true);
}

TEST(CertificateTest, PolynomialsAreInTheirOrder) {
  const auto with_value = [](const std::string& value) {
    Json json = Json::parse(write_certificate(example()));
    json["proofs"][0]["derivation"]["then"][10]["do"]["value"] = Json::parse(value);
    return problem_of_text(json.dump() + "\n");
  };
  EXPECT_EQ(with_value(R"([["1",[]]])"), "accepted");
  EXPECT_EQ(with_value(R"([["1",[]],["1",[0,1]]])"), "accepted");
  const char* const expression = "an expression is not in its canonical form";
  EXPECT_EQ(with_value(R"([["1",[0,1]],["1",[]]])"), expression);
  EXPECT_EQ(with_value(R"([["1",[]],["1",[]]])"), expression);
  EXPECT_EQ(with_value(R"([["0",[]]])"), expression);
  const char* const product = "a product is not in its canonical form";
  EXPECT_EQ(with_value(R"([["1",[0,0]]])"), product);
  EXPECT_EQ(with_value(R"([["1",[1,1,0,1]]])"), product);
  EXPECT_EQ(with_value(R"([["1",[1,1,1,1]]])"), product);
  EXPECT_EQ(with_value(R"([["1",[0]]])"), "a product needs pairs of symbol and exponent");
  EXPECT_EQ(with_value(R"([["1"]])"), "a term is a coefficient and a product");
  const char* const range = "the number is out of range";
  EXPECT_EQ(with_value(R"([["1",[0,65]]])"), range);
  EXPECT_EQ(with_value(R"([["1",[0,-65]]])"), range);
  EXPECT_EQ(with_value(R"([["1",[-1,1]]])"), range);
  EXPECT_EQ(with_value(R"([["1",[1048577,1]]])"), range);
  EXPECT_EQ(with_value(R"([["1",[18446744073709551615,1]]])"), range);
  EXPECT_EQ(with_value(R"([["1",[9223372036854775808,1]]])"), range);
  EXPECT_EQ(with_value(R"([["1",[0,-9223372036854775808]]])"), range);
}

TEST(CertificateTest, FieldsAreNeitherMissingNorAdded) {
  const Json good = Json::parse(write_certificate(example()));
  // Every object of the certificate loses each of its fields once, and gets one extra field.
  std::vector<Json::json_pointer> objects;
  const auto collect = [&](const auto& self, const Json& json,
                           const Json::json_pointer& at) -> void {
    if (json.is_object()) objects.push_back(at);
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) {
      self(self, value, json.is_array() ? at / std::stoul(key) : at / key);
    }
  };
  collect(collect, good, Json::json_pointer());
  ASSERT_GT(objects.size(), 200U);
  for (std::size_t index = 0; index < objects.size(); index += kThinning) {
    const auto& at = objects[index];
    for (const auto& [key, value] : good[at].items()) {
      Json less = good;
      less[at].erase(key);
      // A choice without both of its fields is a shift; `side` and `while` may be missing.
      if (key == "side" || key == "while" || key == "length") continue;
      EXPECT_NE(problem_of_text(less.dump() + "\n"), "accepted") << at.to_string() << " " << key;
    }
    Json more = good;
    more[at]["zzz"] = 1;
    EXPECT_EQ(problem_of_text(more.dump() + "\n"), "there is a field that does not belong here")
        << at.to_string();
  }
}

TEST(CertificateTest, ValuesHaveTheirTypes) {
  const Json good = Json::parse(write_certificate(example()));
  const std::vector<Json> strangers = {nullptr,
                                       true,
                                       -1,
                                       1.5,
                                       "",
                                       "word",
                                       Json::array(),
                                       Json::object(),
                                       18446744073709551615U,
                                       Json::array({Json::array()})};
  const Json flat = good.flatten();
  std::size_t accepted = 0;
  std::size_t index = 0;
  for (const auto& [path, value] : flat.items()) {
    if (++index % (4 * kThinning) != 0) continue;  // a quarter of the places is enough
    for (const Json& stranger : strangers) {
      if (stranger == value) continue;
      Json other = good;
      other[Json::json_pointer(path)] = stranger;
      if (problem_of_text(other.dump() + "\n") != "accepted") continue;
      ++accepted;
      // What flatten() calls null may be an empty list.
      const bool whole = value.is_number_integer() && stranger.is_number_integer();
      EXPECT_TRUE(value.is_null() || whole || value.type() == stranger.type()) << path << stranger;
    }
  }
  EXPECT_GT(accepted, 0U);  // names may be replaced by others
  EXPECT_GT(flat.size(), 500U);
}

TEST(CertificateTest, TruthValuesAreZeroOrOne) {
  Certificate certificate = example();
  auto& truth = std::get<If>(certificate.program.body[0].what).condition.number;
  truth = Rational(0);
  EXPECT_EQ(problem_of_text(write_certificate(certificate)), "accepted");
  truth = Rational(2);
  EXPECT_EQ(problem_of_text(write_certificate(certificate)), "a truth value is 0 or 1");
}

TEST(CertificateTest, OtherVersionsAndFormatsAreRefused) {
  Json json = Json::parse(write_certificate(example()));
  json["version"] = 2;
  EXPECT_EQ(problem_of_text(json.dump() + "\n"),
            "the certificate has another version than this program reads (1)");
  json["version"] = 1;
  json["format"] = "other";
  EXPECT_EQ(problem_of_text(json.dump() + "\n"), "this is not a certificate");
}

TEST(CertificateTest, TruncatedTextsAreRefused) {
  const std::string text = write_certificate(example());
  for (std::size_t i = 0; i < text.size(); i += i < 200 ? 1 : 37) {
    EXPECT_EQ(code_of_text(text.substr(0, i)), ErrorCode::kBadInput) << i;
  }
}

TEST(CertificateTest, HostileTextsAreRefused) {
  const std::string text = write_certificate(example());
  EXPECT_EQ(code_of_text(std::string(1'000'000, '[')), ErrorCode::kBadInput);
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += R"({"then":[)";
  EXPECT_EQ(code_of_text(deep), ErrorCode::kBadInput);
  EXPECT_EQ(problem_of_text(std::string(Certificate::kMaxBytes + 1, ' ')), "the text is too large");
  EXPECT_EQ(code_of_text(std::string(1'000'000, '9')), ErrorCode::kBadInput);
  EXPECT_EQ(code_of_text(std::string("{\"format\":\"\0\"}", 14)), ErrorCode::kBadInput);
  EXPECT_EQ(code_of_text("{\"format\":\"\xff\xfe\"}"), ErrorCode::kBadInput);
  EXPECT_EQ(code_of_text("{\"format\":\"\\ud800\"}"), ErrorCode::kBadInput);
  EXPECT_EQ(code_of_text("[1e999999999]"), ErrorCode::kBadInput);
  for (const char* small : {"", "null", "1", "\"\"", "[]", "{}", "tru", "nan", "\xef\xbb\xbf{}"}) {
    EXPECT_EQ(code_of_text(small), ErrorCode::kBadInput) << small;
  }
  const auto with_number = [&](const std::string& huge) {
    std::string other = text;
    const auto at = other.find(R"("1/7")");
    return problem_of_text(other.replace(at, 5, "\"" + huge + "\""));
  };
  EXPECT_EQ(with_number(std::string(2'001, '9')), "the number is too long");
  EXPECT_EQ(with_number(std::string(1'999, '9')), "accepted");
  EXPECT_EQ(with_number("1e20000"), "the number is not in its canonical form");
  EXPECT_EQ(with_number("1e999999999").starts_with("an exact number is expected here"), true);
}

TEST(CertificateTest, TheDeepestExpressionsAndDerivationsAreRead) {
  Certificate certificate = example();
  Expression deep = number("1");
  for (int i = 0; i < Certificate::kMaxDepth; ++i) {
    deep = Expression{.op = Operator::kNegate, .operands = {deep}};
  }
  certificate.program.claimed_epsilon = deep;
  EXPECT_EQ(problem_of_text(write_certificate(certificate)), "accepted");
  for (int i = 0; i < Certificate::kMaxDepth; ++i) {
    deep = Expression{.op = Operator::kNegate, .operands = {deep}};
  }
  certificate.program.claimed_epsilon = deep;
  EXPECT_EQ(problem_of_text(write_certificate(certificate)), "the text is nested too deeply");
}

}  // namespace certificate_test
}  // namespace lastbit::verify
