#include "lastbit/release/sql/statement_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"

namespace lastbit::sql_internal {

using expression_internal::Refusal;
using expression_internal::SyntaxKind;

bool is_word(const Token& token, std::string_view word) {
  return token.kind == TokenKind::kWord && token.text == word;
}
bool is_sign(const Token& token, std::string_view sign) {
  return token.kind == TokenKind::kSign && token.text == sign;
}
bool is_name(const Token& token) {
  return token.kind == TokenKind::kQuotedName ||
         (token.kind == TokenKind::kWord && !expression_internal::is_reserved(token));
}
std::string name_in(const Token& token) {
  return token.kind == TokenKind::kQuotedName ? token.text : token.written;
}
bool is_call(TokenSpan tokens) {
  return tokens.size() >= 2 && tokens[0].kind == TokenKind::kWord && is_sign(tokens[1], "(") &&
         !expression_internal::is_reserved(tokens[0]);
}

std::size_t closing(TokenSpan tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (is_sign(tokens[i], "(")) ++depth;
    if (is_sign(tokens[i], ")") && --depth == 0) return i;
  }
  broken_invariant("parentheses are balanced", std::source_location::current());
}

std::string shown_token(const Token& token) {
  return token.kind == TokenKind::kEnd ? "the end" : quote(token.written);
}

bool same_syntax(const Syntax& a, const Syntax& b) {
  return a.kind == b.kind && a.text == b.text &&
         std::ranges::equal(a.operands, b.operands, same_syntax);
}

StatementText::StatementText(std::string_view text) : text_(text) {
  if (text_.size() > kMaxStatementBytes) {
    refuse_at(0, "the statement is too long",
              fmt::format("use at most {} bytes", kMaxStatementBytes));
  }
  const std::size_t broken = first_invalid_utf8(text_);
  if (broken < text_.size()) refuse_at(broken, "the statement is not UTF-8", "write it as UTF-8");
  // Semicolons may end it.
  const std::size_t last = text_.find_last_not_of(" \t\r\n;");
  text_ = text_.substr(0, last == std::string_view::npos ? 0 : last + 1);
  try {
    tokens_ = expression_internal::read_tokens(text_);
  } catch (const Refusal& refusal) {
    const auto& [offset, problem, remedy] = refusal.what;
    const std::string_view rest = text_.substr(std::min(offset, text_.size()));
    if (rest.starts_with(';')) {
      refuse_at(offset, "a second statement follows", "ask one question at a time");
    }
    if (rest.starts_with("--") || rest.starts_with("/*")) {
      refuse_at(offset, "a statement has no comments", "leave the comment out");
    }
    refuse_at(offset, problem, remedy);
  }
  require_balance();
}

void StatementText::require_balance() const {
  std::vector<const Token*> open;
  for (const Token& token : tokens()) {
    if (is_sign(token, "(")) open.push_back(&token);
    if (!is_sign(token, ")")) continue;
    if (open.empty()) refuse(token, "this parenthesis closes nothing", "remove it");
    open.pop_back();
  }
  if (!open.empty()) refuse(*open.back(), "this parenthesis is not closed", "close it with )");
}

const Token& StatementText::after(TokenSpan part) const {
  return at(static_cast<std::size_t>(part.data() + part.size() - tokens_.data()));
}

FilePosition StatementText::position(std::size_t offset) const {
  std::size_t character = 1;
  std::string_view before = text_.substr(0, offset);
  for (; !before.empty(); ++character) before.remove_prefix(read_character(before).bytes);
  return {FilePosition::kStatement, character};
}

Located<std::string> StatementText::written(TokenSpan part) const {
  const Token& last = part.back();
  const std::size_t start = part.front().offset;
  return {std::string(text_.substr(start, last.offset + last.written.size() - start)),
          position(start)};
}

std::string StatementText::in_one_line(TokenSpan part) const {
  std::string line;
  std::size_t end = part.front().offset;
  for (const Token& token : part) {
    if (token.offset > end) line += ' ';
    line += token.written;
    end = token.offset + token.written.size();
  }
  return line;
}

std::vector<TokenSpan> StatementText::split(TokenSpan part, std::string_view what) const {
  std::vector<TokenSpan> parts;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    const TokenSpan one = part.subspan(begin, end - begin);
    if (one.empty()) {
      const Token& there = end < part.size() ? part[end] : after(part);
      refuse(there, fmt::format("{} is expected here, not {}", what, shown_token(there)),
             fmt::format("{} {} there", begin > 0 ? "remove the comma, or write" : "write", what));
    }
    if (parts.size() == kMaxParts) {
      refuse(one.front(), "the list is too long", fmt::format("list at most {}", kMaxParts));
    }
    parts.push_back(one);
    begin = end + 1;
  };
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (is_sign(part[i], "(")) i = closing(part, i);
    if (is_sign(part[i], ",")) add(i);
  }
  add(part.size());
  return parts;
}

Syntax StatementText::syntax(TokenSpan part) const {
  const std::size_t start = part.front().offset;
  const Token& last = part.back();
  try {
    return expression_internal::parse_syntax(
        text_.substr(start, last.offset + last.written.size() - start));
  } catch (const Refusal& refusal) {
    refuse_at(start + refusal.what.offset, refusal.what.problem, refusal.what.remedy);
  }
}

SelectValue StatementText::row_value(TokenSpan part) const {
  const Syntax read = syntax(part);
  refuse_equal_to_null(part.front().offset, read);
  SelectValue value{written(part), in_one_line(part), std::nullopt};
  if (read.kind == SyntaxKind::kName) value.column = read.text;
  return value;
}

// Such a comparison holds in no row, so its answer would be noise alone.
void StatementText::refuse_equal_to_null(std::size_t start, const Syntax& part) const {
  const bool compares =
      part.kind == SyntaxKind::kOperator && (part.text == "=" || part.text == "<>");
  const auto is_null = [](const Syntax& one) { return one.kind == SyntaxKind::kNull; };
  if (compares && std::ranges::any_of(part.operands, is_null)) {
    refuse_at(start + part.offset, fmt::format("{} NULL holds in no row", part.text),
              part.text == "=" ? "write IS NULL" : "write IS NOT NULL");
  }
  for (const Syntax& one : part.operands) refuse_equal_to_null(start, one);
}

void StatementText::refuse(const Token& token, std::string problem, std::string remedy) const {
  refuse_at(token.offset, std::move(problem), std::move(remedy));
}

void StatementText::refuse_at(std::size_t offset, std::string problem, std::string remedy) const {
  throw Error(ErrorCode::kBadInput, fmt::format("query:1:{}", position(offset).column),
              std::move(problem), std::move(remedy));
}

}  // namespace lastbit::sql_internal
