#include "lastbit/release/sql/select.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/release/sql/aggregates.h"
#include "lastbit/release/sql/statement_text.h"

namespace lastbit {
namespace sql_internal {
namespace {

// The clauses, in the order in which they must stand.
constexpr std::array<std::string_view, 6> kClauses = {"SELECT", "FROM",  "WHERE",
                                                      "GROUP",  "ORDER", "LIMIT"};

// RefusedWord: a word that begins something which has no private answer, or which one table does
// not need.
struct RefusedWord {
  std::string_view word;
  std::string_view problem;
  std::string_view remedy;
};
constexpr std::array<RefusedWord, 8> kRefusedWords = {{
    {"HAVING", "HAVING looks at the exact answers",
     "leave it out, and filter the released answers yourself: that costs nothing"},
    {"JOIN", "a join would let one person appear in any number of rows",
     "join the tables before, and make a dataset of the result with its own unit"},
    {"UNION", "a statement asks about one table once", "ask two statements"},
    {"INTERSECT", "a statement asks about one table once", "ask two statements"},
    {"EXCEPT", "a statement asks about one table once", "ask two statements"},
    {"OVER", "a window answers for every row, and rows of people cannot be released",
     "use GROUP BY"},
    {"QUALIFY", "a window answers for every row, and rows of people cannot be released",
     "use GROUP BY"},
    {"OFFSET", "OFFSET is not supported",
     "leave it out, and skip rows of the answer yourself: that costs nothing"},
}};

// ParsedItem: an item, with what ORDER BY and GROUP BY compare it with.
struct ParsedItem {
  TokenSpan tokens;  // without the name after AS
  std::optional<Located<std::string>> alias;
  std::optional<AggregateCall> aggregate;
};

class SelectParser {
 public:
  SelectParser(std::string_view text, const std::vector<FromName>& tables)
      : text_(text), tables_(tables) {}

  SelectStatement parse() {
    require_select();
    refuse_words();
    find_clauses();
    check_from();
    read_items();
    read_where();
    read_groups();
    make_items();
    read_order();
    read_limit();
    return std::move(result_);
  }

 private:
  void require_select() const {
    const Token& first = text_.at(0);
    if (is_word(first, "SELECT")) return;
    const std::string example = std::string("write SELECT count(*) FROM data");
    if (first.kind == TokenKind::kEnd) text_.refuse(first, "the statement is empty", example);
    if (is_word(first, "WITH")) {
      text_.refuse(first, "WITH names a query inside the statement", example);
    }
    if (is_sign(first, "(")) text_.refuse(first, "a statement begins with SELECT", example);
    text_.refuse(first, fmt::format("{} is not SELECT", quote(first.written)),
                 "a statement can only ask, and never changes anything: " + example);
  }

  void refuse_words() const {
    const TokenSpan tokens = text_.tokens();
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      if (tokens[i].kind != TokenKind::kWord) continue;
      if (tokens[i].text == "SELECT") {
        text_.refuse(tokens[i], "a query inside the statement is not supported",
                     "ask two statements; for values of the same row write an expression");
      }
      const auto found = std::ranges::find(kRefusedWords, tokens[i].text, &RefusedWord::word);
      // Words that SQL does not reserve may be names of columns.
      const bool reserved = expression_internal::is_reserved(tokens[i]);
      const bool begins =
          reserved || (i + 1 < tokens.size() &&
                       (is_word(tokens[i + 1], "SELECT") || is_word(tokens[i + 1], "ALL") ||
                        tokens[i + 1].kind == TokenKind::kInteger));
      if (found == kRefusedWords.end() || !begins) continue;
      text_.refuse(tokens[i], std::string(found->problem), std::string(found->remedy));
    }
  }

  // The parts of the statement by the clause that they belong to.
  void find_clauses() {
    const TokenSpan tokens = text_.tokens();
    std::size_t clause = 0;
    std::size_t begin = 1;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      if (is_sign(tokens[i], "(")) i = closing(tokens, i);
      if (tokens[i].kind != TokenKind::kWord || is_word(tokens[i - 1], "WITHIN")) continue;
      const auto* const found = std::ranges::find(kClauses, tokens[i].text);
      if (found == kClauses.end()) continue;
      const auto next = static_cast<std::size_t>(found - kClauses.begin());
      if (next <= clause) {
        text_.refuse(tokens[i], fmt::format("{} stands after {}", kClauses[next], kClauses[clause]),
                     "the order is SELECT, FROM, WHERE, GROUP BY, ORDER BY, LIMIT, each once");
      }
      clauses_[kClauses[clause]] = tokens.subspan(begin, i - begin);
      clause = next;
      begin = i + 1;
    }
    clauses_[kClauses[clause]] = tokens.subspan(begin);
    for (const auto& [name, part] : clauses_) {
      if (part.empty()) {
        text_.refuse(text_.after(part), fmt::format("nothing follows {}", name),
                     name == "SELECT" ? "write what is asked for: SELECT count(*) FROM data"
                                      : fmt::format("complete {}, or leave it out", name));
      }
    }
  }

  std::optional<TokenSpan> clause(std::string_view name) const {
    const auto found = clauses_.find(name);
    if (found == clauses_.end()) return std::nullopt;
    return found->second;
  }

  // The words after GROUP BY or ORDER BY.
  std::optional<TokenSpan> clause_by(std::string_view name) const {
    const auto part = clause(name);
    if (!part) return std::nullopt;
    if (!is_word(part->front(), "BY") || part->size() == 1) {
      text_.refuse(part->front(), fmt::format("{} BY is incomplete", name),
                   fmt::format("write {} BY and what comes after it", name));
    }
    return part->subspan(1);
  }

  // in_statement: a name as it is written in a statement.
  static std::string in_statement(const std::string& name) {
    const bool plain = std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
    });
    return plain ? name : fmt::format("\"{}\"", shown_text(name));
  }

  // means: whether the token is this name; only in double quotes does the case matter.
  static bool means(const Token& token, const std::string& name) {
    return name == name_in(token) ||
           (token.kind == TokenKind::kWord &&
            expression_internal::lower_case(name) == expression_internal::lower_case(token.text));
  }

  std::string tables_in_words() const {
    std::vector<std::string> shown;
    for (const FromName& name : tables_) {
      const std::string schema = name.schema.empty() ? "" : in_statement(name.schema) + ".";
      shown.push_back(schema + in_statement(name.table));
    }
    return "FROM can be " + joined(shown, ", ");
  }

  void check_from() const {
    const auto part = clause("FROM");
    if (!part) {
      text_.refuse_at(text_.after(text_.tokens()).offset, "FROM is missing", tables_in_words());
    }
    const Token& name = part->front();
    const std::string names = tables_in_words();
    if (name.kind == TokenKind::kText) {
      text_.refuse(name, "FROM names a file, and a statement reads no file but the dataset's",
                   names);
    }
    const bool dotted = part->size() > 2 && is_sign((*part)[1], ".");
    const bool has_schemas =
        std::ranges::any_of(tables_, [](const FromName& table) { return !table.schema.empty(); });
    // survey.csv
    if (dotted && !has_schemas) text_.refuse(name, "FROM names a table, not a file", names);
    if (is_sign(name, "(")) text_.refuse(name, "FROM holds a query", names);
    if (is_call(*part)) text_.refuse(name, "FROM calls a function", names);
    if (!is_name(name)) text_.refuse(name, fmt::format("{} is no table", shown_token(name)), names);
    const Token& last = (*part)[dotted ? 2 : 0];
    const bool known = std::ranges::any_of(tables_, [&](const FromName& table) {
      const bool in_schema = dotted ? means(name, table.schema) : table.schema.empty();
      return in_schema && means(last, table.table);
    });
    if (!known) {
      const std::string schema = dotted ? shown_token(name) + "." : "";
      text_.refuse(name, fmt::format("there is no table {}{}", schema, shown_token(last)), names);
    }
    refuse_after_table(part->subspan(dotted ? 3 : 1), names);
  }

  void refuse_after_table(TokenSpan rest, const std::string& names) const {
    if (rest.empty()) return;
    const Token& next = rest.front();
    if (is_sign(next, ",")) {
      text_.refuse(next, "a second table is a join, and a statement asks about one table", names);
    }
    if (is_name(next) || is_word(next, "AS")) {
      text_.refuse(next, "the table needs no other name",
                   "remove it, and name columns without a table before them");
    }
    text_.refuse(next, fmt::format("{} does not belong after FROM", shown_token(next)),
                 "continue with WHERE, GROUP BY, ORDER BY or LIMIT");
  }

  void read_items() {
    TokenSpan part = clauses_.at("SELECT");
    if (is_word(part.front(), "DISTINCT")) {
      text_.refuse(part.front(), "DISTINCT would show which rows there are",
                   "use GROUP BY, which gives each group once");
    }
    if (is_word(part.front(), "TOP") && part.size() > 1 && part[1].kind == TokenKind::kInteger) {
      text_.refuse(part.front(), "TOP is not supported",
                   fmt::format("write LIMIT {} at the end", part[1].text));
    }
    for (TokenSpan item : text_.split(part, "a column or an aggregate")) {
      items_.push_back(read_item(item));
    }
  }

  ParsedItem read_item(TokenSpan part) const {
    ParsedItem item{part, std::nullopt, std::nullopt};
    if (is_sign(part.back(), "*")) {
      text_.refuse(part.front(), "SELECT * shows rows of people, which cannot be released",
                   "ask for aggregates: SELECT count(*), avg(age)");
    }
    const std::size_t size = part.size();
    if (size > 2 && is_word(part[size - 2], "AS")) {
      if (!is_name(part.back())) {
        text_.refuse(part.back(), fmt::format("{} cannot be a name", shown_token(part.back())),
                     "write a word, or a name in double quotes");
      }
      item.alias = alias_in(part.back());
      item.tokens = part.first(size - 2);
    } else if (size > 1 && is_name(part.back()) && ends_value(part[size - 2])) {
      item.alias = alias_in(part.back());
      item.tokens = part.first(size - 1);
    }
    item.aggregate = read_aggregate(text_, item.tokens);
    return item;
  }
  Located<std::string> alias_in(const Token& token) const {
    return {name_in(token), text_.position(token.offset)};
  }
  // Whether a name may follow without AS.
  static bool ends_value(const Token& token) {
    return is_sign(token, ")") || is_name(token) || is_word(token, "END");
  }

  void read_where() {
    const auto part = clause("WHERE");
    if (!part) return;
    refuse_aggregates(text_, *part, "WHERE looks at one row, and an aggregate at many",
                      "filter the released answers yourself: that costs nothing");
    result_.where = text_.row_value(*part).text;
  }

  void read_groups() {
    const auto part = clause_by("GROUP");
    if (!part) return;
    for (const TokenSpan group : text_.split(*part, "a column")) add_group(group);
  }

  void add_group(TokenSpan group) {
    const Token& first = group.front();
    if (is_word(first, "ROLLUP") || is_word(first, "CUBE") || is_word(first, "GROUPING")) {
      text_.refuse(first, fmt::format("{} asks several questions at once", first.text),
                   "ask one statement for each set of groups");
    }
    if (const auto item = item_meant(group)) {
      if (items_[*item].aggregate) {
        text_.refuse(first, "an aggregate cannot make groups", "group by a column");
      }
      group = items_[*item].tokens;
    }
    refuse_aggregates(text_, group, "an aggregate cannot make groups", "group by a column");
    const SelectValue value = text_.row_value(group);
    const Syntax syntax = text_.syntax(group);
    for (const Syntax& other : group_syntax_) {
      if (same_syntax(other, syntax))
        text_.refuse(first, "this group is listed twice", "remove one");
    }
    result_.groups.push_back({value, {value.column.value_or(value.line), value.text.position}});
    group_syntax_.push_back(syntax);
  }

  // The item that a place in the list, or a name after AS, means.
  std::optional<std::size_t> item_meant(TokenSpan part) const {
    if (part.size() != 1) return std::nullopt;
    if (part[0].kind == TokenKind::kInteger) return item_at(part[0]);
    if (!is_name(part[0])) return std::nullopt;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const auto& alias = items_[i].alias;
      if (alias && alias->value == name_in(part[0])) return i;
    }
    return std::nullopt;
  }
  std::size_t item_at(const Token& token) const {
    const auto place = whole_number(token);
    if (place && *place >= 1 && *place <= items_.size()) return *place - 1;
    text_.refuse(token, fmt::format("SELECT has no item {}", token.written),
                 fmt::format("count from 1 to {}", items_.size()));
  }
  static std::optional<std::uint64_t> whole_number(const Token& token) {
    std::uint64_t value = 0;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, failed] = std::from_chars(token.text.data(), end, value);
    if (token.kind != TokenKind::kInteger || failed != std::errc() || stop != end) {
      return std::nullopt;
    }
    return value;
  }

  void make_items() {
    bool any = false;
    for (const ParsedItem& item : items_) {
      const Located<std::string> name = item.alias.value_or(Located<std::string>{
          text_.in_one_line(item.tokens), text_.written(item.tokens).position});
      require_new_name(name);
      any = any || item.aggregate.has_value();
      if (item.aggregate) {
        result_.items.push_back({name, *item.aggregate});
      } else {
        const std::size_t group = group_of(item);
        if (item.alias) result_.groups[group].name = *item.alias;
        result_.items.push_back({name, group});
      }
    }
    if (any) return;
    text_.refuse(items_.front().tokens.front(), "the statement asks for no aggregate",
                 "add one, such as count(*)");
  }

  void require_new_name(const Located<std::string>& name) const {
    for (const SelectItem& other : result_.items) {
      if (other.name.value != name.value) continue;
      throw Error(ErrorCode::kBadInput, fmt::format("query:1:{}", name.position.column),
                  fmt::format("two columns of the answer are called {}", quote(name.value, 80)),
                  "give one of them another name with AS");
    }
  }

  std::size_t group_of(const ParsedItem& item) const {
    const Syntax syntax = text_.syntax(item.tokens);
    for (std::size_t i = 0; i < group_syntax_.size(); ++i) {
      if (same_syntax(group_syntax_[i], syntax)) return i;
    }
    const std::string shown = quote(text_.in_one_line(item.tokens), 80);
    const auto aggregates = [](const ParsedItem& one) { return one.aggregate.has_value(); };
    if (group_syntax_.empty() && std::ranges::any_of(items_, aggregates)) {
      text_.refuse(item.tokens.front(),
                   fmt::format("{} is not aggregated, and GROUP BY is missing", shown),
                   fmt::format("add GROUP BY {}", shown_text(text_.in_one_line(item.tokens))));
    }
    if (group_syntax_.empty()) {
      text_.refuse(
          item.tokens.front(),
          fmt::format("this asks for {} of every row, and rows of people cannot be released",
                      shown),
          "aggregate it, as in count(*) or avg(…), or group by it and count");
    }
    text_.refuse(item.tokens.front(), fmt::format("{} is not in GROUP BY", shown),
                 "add it there, or aggregate it");
  }

  void read_order() {
    const auto part = clause_by("ORDER");
    if (!part) return;
    for (TokenSpan key : text_.split(*part, "a column of the answer")) {
      const bool descending = is_word(key.back(), "DESC");
      if (key.size() > 1 && (descending || is_word(key.back(), "ASC"))) {
        key = key.first(key.size() - 1);
      }
      result_.order.push_back({ordered_item(key), descending});
    }
  }

  std::size_t ordered_item(TokenSpan key) const {
    if (const auto item = item_meant(key)) return *item;
    const auto same = [](const Token& a, const Token& b) {
      return a.kind == b.kind &&
             (a.kind == TokenKind::kWord ? a.text == b.text : a.written == b.written);
    };
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (std::ranges::equal(items_[i].tokens, key, same)) return i;
    }
    text_.refuse(key.front(),
                 fmt::format("{} is not a column of the answer", quote(text_.in_one_line(key), 80)),
                 "order by an item of SELECT, its name after AS, or its place: ORDER BY 2 DESC");
  }

  void read_limit() {
    const auto part = clause("LIMIT");
    if (!part) return;
    result_.limit = whole_number(part->front());
    if (result_.limit && part->size() == 1) return;
    text_.refuse(part->front(), "LIMIT is not one whole number", "write LIMIT 10");
  }

  StatementText text_;
  const std::vector<FromName>& tables_;
  std::map<std::string_view, TokenSpan> clauses_;
  std::vector<ParsedItem> items_;
  std::vector<Syntax> group_syntax_;
  SelectStatement result_;
};

}  // namespace
}  // namespace sql_internal

SelectStatement parse_select(std::string_view text, const std::vector<FromName>& tables) {
  return sql_internal::SelectParser(text, tables).parse();
}

}  // namespace lastbit
