#include <fmt/core.h>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/verify/refute/events.h"

namespace lastbit::verify::refutation {
namespace {

constexpr std::string_view kImpossible = " then impossible";

bool is_point(const Interval& interval) {
  return interval.low && interval.high && *interval.low == *interval.high;
}

std::string number_text(const Rational& value, bool is_truth) {
  if (is_truth) return value.sign() != 0 ? "true" : "false";
  return value.to_string();
}

std::string condition_text(const Condition& condition) {
  std::string subject = fmt::format("output[{}]", condition.output);
  if (condition.minus) subject += fmt::format(" - output[{}]", *condition.minus);
  const Interval& interval = condition.interval;
  if (is_point(interval)) return fmt::format("{} = {}", subject, known(interval.low).to_string());
  if (interval.low && interval.high) {
    return fmt::format("{} in [{}, {}]", subject, interval.low->to_string(),
                       interval.high->to_string());
  }
  if (interval.low) return fmt::format("{} >= {}", subject, interval.low->to_string());
  return fmt::format("{} <= {}", subject, known(interval.high).to_string());
}

std::string cell_text(const Cell& cell) {
  std::vector<std::string> entries(static_cast<std::size_t>(cell.length), "_");
  std::vector<std::string> rest;
  for (const Condition& condition : cell.conditions) {
    if (!condition.minus && is_point(condition.interval)) {
      entries[static_cast<std::size_t>(condition.output)] =
          number_text(known(condition.interval.low), condition.is_truth);
    } else {
      rest.push_back(condition_text(condition));
    }
  }
  std::string text = fmt::format("output = [{}]", joined(entries, ", "));
  if (cell.is_impossible) text += kImpossible;
  if (!rest.empty()) text += " with " + joined(rest, " and ");
  return text;
}

Error unreadable(std::string_view what, std::string_view text) {
  return {ErrorCode::kBadText, "witness", fmt::format("{} is no {}", quote(text, 80), what),
          "give the text of a witness as it was written"};
}

// Cuts a text at every separator.
std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// The inside of [ … ] as its entries.
std::vector<std::string_view> entries_of(std::string_view text, std::string_view whole) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    throw unreadable("list in brackets", whole);
  }
  text = text.substr(1, text.size() - 2);
  if (text.empty()) return {};
  return split(text, ", ");
}

int output_index(std::string_view& text, std::string_view whole, int length) {
  if (!take(text, "output[")) throw unreadable("event", whole);
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos || end == 0 || end > 6) throw unreadable("event", whole);
  const Integer index = Integer::parse(text.substr(0, end));
  if (index.sign() < 0 || index >= length) throw unreadable("event", whole);
  text.remove_prefix(end + 1);
  return static_cast<int>(index.to_int64());
}

Condition parsed_condition(std::string_view text, int length) {
  const std::string_view whole = text;
  Condition condition;
  condition.output = output_index(text, whole, length);
  if (take(text, " - ")) condition.minus = output_index(text, whole, length);
  if (take(text, " in ")) {
    const std::vector<std::string_view> ends = entries_of(text, whole);
    if (ends.size() != 2) throw unreadable("event", whole);
    condition.interval = {parsed_number(ends[0]), parsed_number(ends[1])};
  } else if (take(text, " = ")) {
    condition.interval = {parsed_number(text), parsed_number(text)};
  } else if (take(text, " >= ")) {
    condition.interval.low = parsed_number(text);
  } else if (take(text, " <= ")) {
    condition.interval.high = parsed_number(text);
  } else {
    throw unreadable("event", whole);
  }
  return condition;
}

Cell parsed_cell(std::string_view text) {
  const std::string_view whole = text;
  if (!take(text, "output = ")) throw unreadable("event", whole);
  const std::vector<std::string_view> halves = split(text, " with ");
  if (halves.size() > 2) throw unreadable("event", whole);
  std::string_view list = halves[0];
  const bool is_impossible = list.ends_with(kImpossible);
  if (is_impossible) list.remove_suffix(kImpossible.size());
  const std::vector<std::string_view> entries = entries_of(list, whole);
  Cell cell{static_cast<int>(entries.size()), {}, is_impossible};
  for (int i = 0; i < cell.length; ++i) {
    const std::string_view entry = entries[static_cast<std::size_t>(i)];
    if (entry == "_") continue;
    const Rational value = parsed_number(entry);
    const bool is_truth = entry == "true" || entry == "false";
    cell.conditions.push_back({i, std::nullopt, {value, value}, is_truth});
  }
  if (halves.size() == 2) {
    for (const std::string_view part : split(halves[1], " and ")) {
      cell.conditions.push_back(parsed_condition(part, cell.length));
    }
  }
  return cell;
}

}  // namespace

std::string event_text(const Event& event) {
  std::vector<std::string> cells;
  for (const Cell& cell : event) cells.push_back(cell_text(cell));
  return joined(cells, " or ");
}

Event parsed_event(std::string_view text) {
  Event event;
  for (const std::string_view cell : split(text, " or ")) event.push_back(parsed_cell(cell));
  return event;
}

Rational parsed_number(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  return Rational::parse(text);
}

std::vector<Rational> parsed_list(std::string_view text) {
  if (!text.starts_with("[")) return {parsed_number(text)};
  std::vector<Rational> values;
  for (const std::string_view entry : entries_of(text, text)) {
    values.push_back(parsed_number(entry));
  }
  return values;
}

}  // namespace lastbit::verify::refutation
