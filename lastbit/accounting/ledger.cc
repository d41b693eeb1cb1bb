#include "lastbit/accounting/ledger.h"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "lastbit/accounting/ledger_file.h"
#include "lastbit/accounting/ledger_rules.h"
#include "lastbit/accounting/ledger_server.h"
#include "lastbit/accounting/ledger_store.h"
#include "lastbit/accounting/ledger_walk.h"
#include "lastbit/accounting/while_waiting.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {

using accounting_internal::Header;
using accounting_internal::kCompletionKind;
using accounting_internal::kSpendingKind;
using accounting_internal::LedgerFile;
using accounting_internal::LedgerServer;
using accounting_internal::LedgerStore;
using accounting_internal::Record;
using accounting_internal::require_plain_text;
using accounting_internal::StoreTransaction;
using accounting_internal::Tail;

struct Ledger::State {
  explicit State(std::unique_ptr<LedgerStore> opened)
      : store(std::move(opened)), budget(accounting_internal::budget_of(*store)) {}

  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (process != getpid()) store->abandon();
  }

  Tail tail() const { return accounting_internal::tail_of(*store, budget); }
  // allowed_total: the total after this spending; throws if it is refused.
  Cost allowed_total(const Tail& last, const Spending& spending,
                     const SpendingIntent& intent) const {
    accounting_internal::require_open(*store);
    if (!intent.same_people) accounting_internal::require_known_subject(*store, spending);
    const Cost price = budget.price(spending.cost);
    auto total = budget.after(last.spent, spending.cost);
    if (!total) {
      throw Error(ErrorCode::kBudget, store->name(),
                  fmt::format("{} is asked for, and {} is left of {}", price.to_string(),
                              budget.left(last.spent).to_string(), budget.cap().to_string()),
                  "ask for less; nothing was spent");
    }
    if (!intent.again) accounting_internal::require_new_plan(*store, spending.plan, price);
    return *std::move(total);
  }
  // append: fills in what follows from the tail, and adds the record.
  Record append(const Tail& last, Record record, const Cost& total) const {
    record.id = last.id + 1;
    record.time = accounting_internal::utc_now();
    record.total = total.to_string();
    record.previous = last.hash;
    record.hash = record.computed_hash();
    store->insert(record);
    return record;
  }

  std::unique_ptr<LedgerStore> store;
  Budget budget;
  pid_t process = getpid();
};

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Ledger Ledger::create(const LedgerAddress& address, const Budget& budget,
                      const std::string& description) {
  require_plain_text("ledger", "description", description);
  BitSource& bits = thread_bit_source();
  const Header header{budget.cap().to_string(), description, accounting_internal::utc_now(),
                      fmt::format("{:016x}{:016x}", bits.word(), bits.word())};
  if (const auto* server = std::get_if<ServerLedger>(&address.place())) {
    LedgerServer::start(*server, header, kPatience)->commit();
  } else {
    LedgerFile::create(std::get<std::filesystem::path>(address.place()), header);
  }
  return open(address);
}

std::optional<Ledger> Ledger::find(const LedgerAddress& address, Access access,
                                   std::chrono::milliseconds patience) {
  if (patience.count() < 0 || patience > std::chrono::hours(24)) {
    throw Error::bad_parameter("ledger", "patience", "is not between nothing and a day",
                               "give the time to wait for others");
  }
  std::unique_ptr<LedgerStore> store;
  if (const auto* server = std::get_if<ServerLedger>(&address.place())) {
    store = LedgerServer::find(*server, access, patience);
    if (!store) return std::nullopt;
  } else {
    const auto& path = std::get<std::filesystem::path>(address.place());
    std::error_code ignored;
    const auto status = std::filesystem::symlink_status(path, ignored);
    if (status.type() == std::filesystem::file_type::not_found) return std::nullopt;
    store = std::make_unique<LedgerFile>(path, access, patience);
  }
  return Ledger(std::make_unique<State>(std::move(store)));
}

Ledger Ledger::open(const LedgerAddress& address, Access access,
                    std::chrono::milliseconds patience) {
  auto ledger = find(address, access, patience);
  if (ledger) return *std::move(ledger);
  throw Error(
      ErrorCode::kBadInput, lastbit::quote(address.text(), 300),
      address.is_file() ? "cannot be found" : "there is no ledger of that name",
      address.is_file()
          ? "check the address; `lastbit ledger init` makes a new ledger"
          : "check the address; if a ledger was being moved there, run `lastbit ledger move` "
            "again; `lastbit ledger init` makes a new ledger");
}

Ledger::State& Ledger::usable() const {
  invariant(state_ != nullptr, "a moved-from ledger is not used");
  if (state_->process == getpid()) return *state_;
  throw Error::bad_parameter("ledger", "this", "was opened by another process, before a fork",
                             "open the ledger again in this process");
}

const Budget& Ledger::budget() const { return usable().budget; }

LedgerEntry Ledger::spend(const Spending& spending, const SpendingIntent& intent) {
  State& state = usable();
  state.store->require_writable();
  accounting_internal::require_plain_texts(spending);
  const Cost price = state.budget.price(spending.cost);

  StoreTransaction transaction(*state.store, LedgerStore::Work::kWrite);
  const Tail last = state.tail();
  const Cost total = state.allowed_total(last, spending, intent);
  Record record{.kind = std::string(kSpendingKind),
                .entry = state.store->count_entries() + 1,
                .plan = spending.plan,
                .data = spending.data,
                .description = spending.description,
                .mechanisms = spending.mechanisms,
                .unit = spending.unit,
                .cost = spending.cost.to_string()};
  record = state.append(last, std::move(record), total);
  transaction.commit();
  return {record.entry, record.time, spending, price, total, record.hash, std::nullopt};
}

void Ledger::require_allowed(const Spending& spending, const SpendingIntent& intent) const {
  State& state = usable();
  accounting_internal::require_plain_texts(spending);
  const StoreTransaction transaction(*state.store, LedgerStore::Work::kRead);
  static_cast<void>(state.allowed_total(state.tail(), spending, intent));
}

void Ledger::complete(std::int64_t id) {
  const WhileWaiting paid_for({});
  State& state = usable();
  state.store->require_writable();
  StoreTransaction transaction(*state.store, LedgerStore::Work::kWrite);
  accounting_internal::require_open(*state.store);
  const Tail last = state.tail();
  if (!state.store->has_record(kSpendingKind, id)) {
    throw Error::bad_parameter("complete", "id", "belongs to no entry", "use the id of spend()");
  }
  if (state.store->has_record(kCompletionKind, id)) {
    throw Error::bad_parameter("complete", "id", "belongs to an entry that is already complete",
                               "complete an entry once");
  }
  state.append(last, Record{.kind = std::string(kCompletionKind), .entry = id}, last.spent);
  transaction.commit();
}

Cost Ledger::spent() const {
  State& state = usable();
  const StoreTransaction transaction(*state.store, LedgerStore::Work::kRead);
  return state.tail().spent;
}

LedgerContents Ledger::verify(const std::optional<std::string>& noted_head) const {
  State& state = usable();
  const StoreTransaction transaction(*state.store, LedgerStore::Work::kRead);
  return accounting_internal::walk(*state.store, state.budget, noted_head);
}

}  // namespace lastbit
