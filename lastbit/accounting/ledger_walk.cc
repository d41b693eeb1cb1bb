#include "lastbit/accounting/ledger_walk.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/error.h"

namespace lastbit::accounting_internal {
namespace {

// parsed: the cost that a text stands for, or nothing.
std::optional<Cost> parsed(const std::string& text) {
  try {
    return Cost::parse(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void note_subject(const Record& record, LedgerContents& contents) {
  const bool known = std::ranges::any_of(contents.subjects, [&](const LedgerSubject& subject) {
    return subject.unit == record.unit && subject.data == record.data;
  });
  if (!known) contents.subjects.push_back({record.unit, record.data, record.entry});
}

// Each of the following adds one record to what has been read, or says what is wrong with it.

std::string add_spending(const Record& record, LedgerContents& contents) {
  if (record.entry != static_cast<std::int64_t>(contents.entries.size()) + 1) {
    return fmt::format("it is spending {} instead of {}", record.entry,
                       contents.entries.size() + 1);
  }
  const auto cost = parsed(record.cost);
  if (!cost) return "its cost cannot be read";
  std::optional<Cost> price;
  std::optional<Cost> total;
  try {
    price = contents.budget.price(*cost);
    total = contents.budget.after(contents.spent, *cost);
  } catch (const Error& error) {
    return "its cost does not fit the budget: " + error.problem();
  }
  if (!price || !total) return "it exceeds the budget";
  if (total->to_string() != record.total) return "its total is not the sum of the costs";
  contents.spent = *total;
  note_subject(record, contents);
  contents.entries.push_back(
      {record.entry,
       record.time,
       {*cost, record.plan, record.data, record.unit, record.description, record.mechanisms},
       *price,
       *total,
       record.hash,
       std::nullopt});
  return "";
}

std::string add_completion(const Record& record, LedgerContents& contents) {
  const bool exists =
      record.entry >= 1 && record.entry <= static_cast<std::int64_t>(contents.entries.size());
  if (!exists) return "it completes an entry that does not exist";
  LedgerEntry& entry = contents.entries[static_cast<std::size_t>(record.entry - 1)];
  if (entry.completed) return "it completes an entry for the second time";
  if (record.total != contents.spent.to_string()) return "its total is not the sum of the costs";
  const bool is_empty = (record.plan + record.data + record.unit + record.description +
                         record.mechanisms + record.cost)
                            .empty();
  if (!is_empty) return "it completes an entry and has texts of its own";
  entry.completed = record.time;
  return "";
}

std::string add(const Record& record, LedgerContents& contents) {
  if (record.id != contents.records + 1) {
    return fmt::format("record {} is missing", contents.records + 1);
  }
  if (record.previous != contents.head) return "it does not follow the record before it";
  if (record.hash != record.computed_hash()) return "it does not fit its hash";
  for (const std::string* text : {&record.time, &record.plan, &record.data, &record.unit,
                                  &record.description, &record.mechanisms}) {
    if (!is_plain_text(*text)) return "it has a text that is not one line of UTF-8";
  }
  if (record.kind == kSpendingKind) return add_spending(record, contents);
  if (record.kind == kCompletionKind) return add_completion(record, contents);
  return "it is of an unknown kind";
}

// total_of: a running total, which must be of the budget's kind and within it.
Cost total_of(const LedgerStore& store, const Budget& budget, const std::string& text) {
  const auto total = parsed(text);
  if (!total || total->kind() != budget.kind() || !budget.after(*total, budget.none())) {
    throw store.damaged("is damaged: the total of its last record is not within the budget");
  }
  return *total;
}

}  // namespace

Budget budget_of(const LedgerStore& store) {
  try {
    return Budget(Cost::parse(store.header().cap));
  } catch (const Error&) {
    throw store.damaged("has a header without a budget");
  }
}

LedgerContents walk(LedgerStore& store, const Budget& budget,
                    const std::optional<std::string>& noted_head) {
  const Header& header = store.header();
  LedgerContents contents{.budget = budget,
                          .description = header.description,
                          .created = header.created,
                          .entries = {},
                          .subjects = {},
                          .spent = budget.none(),
                          .head = header.hash(),
                          .damage = std::nullopt,
                          .moved_to = store.moved_to()};
  if (!store.is_sound()) {
    contents.damage = {0, "the file is damaged"};
    return contents;
  }
  const auto is_noted = [&](const std::string& head) { return !noted_head || *noted_head == head; };
  bool has_head = is_noted(contents.head);
  store.each_record([&](const Record& record) {
    const std::string problem = add(record, contents);
    if (!problem.empty()) {
      contents.damage = {record.id, problem};
      return false;
    }
    contents.head = record.hash;
    ++contents.records;
    has_head = has_head || is_noted(contents.head);
    return true;
  });
  if (!has_head && !contents.damage) {
    contents.damage = {0,
                       "the noted head is not in the chain: the ledger was cut off, rewritten or "
                       "replaced by another one"};
  }
  return contents;
}

Tail tail_of(LedgerStore& store, const Budget& budget) {
  if (store.is_shared()) {
    const LedgerContents all = walk(store, budget, std::nullopt);
    if (all.damage) throw store.damaged("the ledger is damaged: " + all.damage->problem);
    return {all.records, all.head, all.spent};
  }
  const auto last = store.last_record();
  if (!last) return {0, store.header().hash(), budget.none()};
  const bool follows = last->id > 1 || last->previous == store.header().hash();
  if (last->id < 1 || !follows || last->hash != last->computed_hash()) {
    throw store.damaged("is damaged: its last record does not fit its hash");
  }
  return {last->id, last->hash, total_of(store, budget, last->total)};
}

}  // namespace lastbit::accounting_internal
