#include "lastbit/verify/report/latex_math.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "lastbit/base/text.h"

namespace lastbit::verify {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Longer signs first: the first match is taken.
constexpr std::array<Pair, 23> kSigns = {{{"|-", "\\vdash "},
                                          {"=>", "\\Rightarrow "},
                                          {"<-", "\\leftarrow "},
                                          {":=", "\\mathrel{:=}"},
                                          {"<=", "\\le "},
                                          {">=", "\\ge "},
                                          {"==", "="},
                                          {"!=", "\\ne "},
                                          {"..", "\\,.\\,.\\,"},
                                          {"*", "\\cdot "},
                                          {"%", "\\bmod "},
                                          {"~", "\\sim "},
                                          {"<", "<"},
                                          {">", ">"},
                                          {"{", "\\{"},
                                          {"}", "\\}"},
                                          {"#", "\\#"},
                                          {"&", "\\&"},
                                          {"$", "\\$"},
                                          {"\\", "\\backslash "},
                                          {"?", "\\mathbin{?}"},
                                          {";", ";\\ "},
                                          {",", ",\\allowbreak "}}};

constexpr std::array<Pair, 14> kWords = {{{"eps", "\\varepsilon "},
                                          {"delta", "\\delta "},
                                          {"eta", "\\eta "},
                                          {"nu", "\\nu "},
                                          {"lambda", "\\lambda "},
                                          {"rho", "\\rho "},
                                          {"ln", "\\ln "},
                                          {"exp", "\\exp "},
                                          {"min", "\\min "},
                                          {"max", "\\max "},
                                          {"and", "\\text{ and }"},
                                          {"or", "\\text{ or }"},
                                          {"not", "\\text{ not }"},
                                          {"implies", "\\text{ implies }"}}};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string name_math(std::string_view name) {
  for (const auto& [word, math] : kWords) {
    if (name == word) return std::string(math);
  }
  if (name.size() == 1 && name != "_") return std::string(name);
  if (name.size() == 3 && name[1] == '_') return fmt::format("{}_{{{}}}", name[0], name[2]);
  return "\\mathit{" + latex_text(name) + "}";
}

// size_while: how many characters from `from` on meet the condition.
template <class Predicate>
std::size_t size_while(std::string_view code, std::size_t from, Predicate is_such) {
  std::size_t end = from;
  while (end < code.size() && is_such(code[end])) ++end;
  return end - from;
}

// A translated part of the code, and how long it was.
struct Translated {
  std::string math;
  std::size_t used = 0;
};

Translated next_math(std::string_view code, char before) {
  const char first = code.front();
  if (starts_name(first)) {
    const std::size_t size = size_while(code, 0, continues_name);
    return {name_math(code.substr(0, size)), size};
  }
  if (is_digit(first)) {
    const std::size_t size = size_while(code, 0, [](char c) { return is_digit(c) || c == '.'; });
    return {std::string(code.substr(0, size)), size};
  }
  // The values in the two runs.
  const bool is_side = (code.starts_with(".1") || code.starts_with(".2")) &&
                       (continues_name(before) || before == ']' || before == '\'');
  if (is_side) return {fmt::format("_{{{}}}", code[1]), 2};
  // A power; and the number that tells draws of one name apart, as in eta'2.
  if (first == '^' || first == '\'') {
    const std::size_t size = size_while(code, 1, is_digit);
    const char* prime = first == '^' ? "" : size == 0 ? "\\prime" : "\\prime ";
    return {fmt::format("^{{{}{}}}", prime, code.substr(1, size)), size + 1};
  }
  for (const auto& [sign, math] : kSigns) {
    if (code.starts_with(sign)) return {std::string(math), sign.size()};
  }
  return {std::string(1, first), 1};
}

}  // namespace

std::string latex_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '<':
        result += "\\textless{}";
        break;
      case '>':
        result += "\\textgreater{}";
        break;
      case '|':
        result += "\\textbar{}";
        break;
      case '-':
        result += "-{}";  // two of them would become a dash
        break;
      case '_':
      case '%':
      case '&':
      case '#':
      case '$':
      case '{':
      case '}':
        result += '\\';
        [[fallthrough]];
      default:
        result += c;
    }
  }
  return result;
}

std::string latex_math(std::string_view code) {
  std::string result;
  char before = ' ';
  while (!code.empty()) {
    const Translated next = next_math(code, before);
    result += next.math;
    before = code[next.used - 1];
    code.remove_prefix(next.used);
  }
  return result;
}

std::string latex_judgement(std::string_view text) {
  // Words of more than one letter are text, everything else is mathematics.
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::size_t size = text.substr(0, end).find_last_not_of(",;") + 1;
    const std::string_view word = text.substr(0, size);
    const bool is_word = size > 1 && std::ranges::all_of(word, [](char c) {
                           return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '-';
                         });
    result += is_word ? latex_text(word) : "$" + latex_math(word) + "$";
    result += text.substr(size, end - size);
    if (end < text.size()) result += ' ';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace lastbit::verify
