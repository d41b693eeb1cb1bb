#include "lastbit/accounting/ledger_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit {

std::string LedgerSubject::to_string() const {
  const std::string name = data.empty() ? "data without a name" : quote(data, 200);
  return fmt::format("{} (unit: {})", name, unit.empty() ? "not recorded" : unit);
}

namespace accounting_internal {
namespace {

// in_words: the first few of them; some ledgers have one for every month.
std::string in_words(const std::vector<LedgerSubject>& subjects) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kShown, subjects.size()); ++i) {
    texts.push_back(subjects[i].to_string());
  }
  std::string text = joined(texts, " and ");
  if (subjects.size() > kShown) text += fmt::format(" and {} more", subjects.size() - kShown);
  return text;
}

}  // namespace

void require_plain_texts(const Spending& spending) {
  require_plain_text("spending", "plan", spending.plan);
  require_plain_text("spending", "data", spending.data);
  require_plain_text("spending", "unit", spending.unit);
  require_plain_text("spending", "description", spending.description);
  require_plain_text("spending", "mechanisms", spending.mechanisms);
}

void require_known_subject(LedgerStore& store, const Spending& spending) {
  if (store.has_spending_about(spending.unit, spending.data)) return;
  const std::vector<LedgerSubject> subjects = store.subjects();
  if (subjects.empty()) return;
  throw Error(
      ErrorCode::kRefused, store.name(),
      fmt::format("the ledger is about {}, and this release is about {}", in_words(subjects),
                  LedgerSubject{spending.unit, spending.data}.to_string()),
      "use a separate ledger for other people; if each unit stands for the same person "
      "in both, say so with --same-people, and the costs add up here; nothing was "
      "spent");
}

void require_open(LedgerStore& store) {
  const auto address = store.moved_to();
  if (!address) return;
  throw Error(ErrorCode::kRefused, store.name(),
              fmt::format("this ledger was moved to {}, and pays for nothing more", *address),
              "name that one as the ledger; if it is not there, the move was interrupted: run "
              "`lastbit ledger move` with both again; nothing was spent");
}

void require_new_plan(LedgerStore& store, const std::string& plan, const Cost& price) {
  if (plan.empty()) return;
  const auto earlier = store.last_spending_of(plan);
  if (!earlier) return;
  throw Error(
      ErrorCode::kRefused, store.name(),
      fmt::format("this plan was spent before, as entry {} at {}{}", earlier->entry, earlier->time,
                  earlier->completed ? "" : ", by a release that has not finished"),
      fmt::format("use the answers of that release; --again would spend {} again; "
                  "nothing was spent",
                  price.to_string()));
}

}  // namespace accounting_internal
}  // namespace lastbit
