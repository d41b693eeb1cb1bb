#include "lastbit/accounting/ledger.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "lastbit/accounting/ledger_file.h"
#include "lastbit/accounting/ledger_rules.h"
#include "lastbit/accounting/ledger_walk.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {

using accounting_internal::FileAccess;
using accounting_internal::Header;
using accounting_internal::kCompletionKind;
using accounting_internal::kSpendingKind;
using accounting_internal::Record;
using accounting_internal::require_plain_text;
using accounting_internal::SqliteFile;
using accounting_internal::Transaction;

namespace {

// FileIdentity: which file a path names.
using FileIdentity = std::pair<dev_t, ino_t>;

Error bad_file(const std::filesystem::path& path, std::string problem, std::string remedy) {
  return {ErrorCode::kBadInput, lastbit::quote(path.string(), 200), std::move(problem),
          std::move(remedy)};
}

void require_path(const std::filesystem::path& path) {
  const std::string& text = path.native();
  if (!text.empty() && text.find('\0') == std::string::npos) return;
  throw Error::bad_parameter("ledger", "path", "is not the name of a file", "name a file");
}

// regular_file: the identity of the file. A link or a second name could lead two releases to one
// budget under two locks, or be redirected to a fresh budget; a pipe would block.
FileIdentity regular_file(const std::filesystem::path& path) {
  struct stat found = {};
  if (lstat(path.c_str(), &found) != 0) {
    throw bad_file(path, "cannot be found (" + std::generic_category().message(errno) + ")",
                   "check the path; `lastbit ledger init` makes a new ledger");
  }
  if (S_ISLNK(found.st_mode)) {
    throw bad_file(path, "is a symbolic link", "name the file that it leads to");
  }
  if (!S_ISREG(found.st_mode)) throw bad_file(path, "is not a regular file", "name a ledger");
  if (found.st_nlink > 1) {
    throw bad_file(path, "has a second name (a hard link)", "remove the other name");
  }
  return {found.st_dev, found.st_ino};
}

}  // namespace

struct Ledger::State {
  State(std::filesystem::path path_, Access access_, std::chrono::milliseconds patience)
      : path(std::move(path_)),
        identity(regular_file(path)),
        access(access_),
        file(path, access == Access::kRead ? FileAccess::kRead : FileAccess::kWrite, patience),
        header(accounting_internal::read_header(file)),
        budget(accounting_internal::budget_of(file, header)) {}

  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (process != getpid()) file.abandon();
  }

  // require_same_file: the path still names the open file. Otherwise what is spent here would be
  // missing from the file that others open.
  void require_same_file() const {
    if (regular_file(path) == identity) return;
    throw bad_file(path, "was replaced by another file while it was in use",
                   "open the ledger again");
  }
  // tail: what the next record follows.
  struct Tail {
    std::int64_t id;
    std::string hash;
    Cost spent;
  };
  Tail tail() const {
    const auto last = accounting_internal::last_record(file, header);
    if (!last) return {0, header.hash(), budget.none()};
    return {last->id, last->hash, accounting_internal::total_of(file, budget, last->total)};
  }
  // allowed_total: the total after this spending; throws if it is refused.
  Cost allowed_total(const Tail& last, const Spending& spending,
                     const SpendingIntent& intent) const {
    if (!intent.same_people) accounting_internal::require_known_subject(file, spending);
    const Cost price = budget.price(spending.cost);
    auto total = budget.after(last.spent, spending.cost);
    if (!total) {
      throw Error(ErrorCode::kBudget, file.name(),
                  fmt::format("{} is asked for, and {} is left of {}", price.to_string(),
                              budget.left(last.spent).to_string(), budget.cap().to_string()),
                  "ask for less; nothing was spent");
    }
    if (!intent.again) accounting_internal::require_new_plan(file, spending.plan, price);
    return *std::move(total);
  }
  // append: fills in what follows from the tail, and adds the record.
  Record append(const Tail& last, Record record, const Cost& total) const {
    record.id = last.id + 1;
    record.time = accounting_internal::utc_now();
    record.total = total.to_string();
    record.previous = last.hash;
    record.hash = record.computed_hash();
    accounting_internal::insert_record(file, record);
    return record;
  }

  std::filesystem::path path;
  FileIdentity identity;
  Access access;
  SqliteFile file;
  Header header;
  Budget budget;
  pid_t process = getpid();
};

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Ledger Ledger::create(const std::filesystem::path& path, const Budget& budget,
                      const std::string& description) {
  require_path(path);
  require_plain_text("ledger", "description", description);
  const auto exists = [&] {
    return bad_file(path, "exists already",
                    "open it, or choose another name; a new ledger would forget what was spent");
  };
  struct stat found = {};
  if (lstat(path.c_str(), &found) == 0) throw exists();
  BitSource& bits = thread_bit_source();
  const Header header{budget.cap().to_string(), description, accounting_internal::utc_now(),
                      fmt::format("{:016x}{:016x}", bits.word(), bits.word())};
  const std::filesystem::path unfinished = path.string() + ".new-" + header.nonce;
  bool published = false;
  try {
    accounting_internal::write_schema(SqliteFile(unfinished, FileAccess::kCreate, kPatience),
                                      header);
    published = accounting_internal::publish(unfinished, path);
  } catch (const Error& error) {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    throw Error(error.code(), lastbit::quote(path.string(), 200), error.problem(), error.remedy());
  }
  if (!published) {
    std::filesystem::remove(unfinished);
    throw exists();
  }
  return open(path);
}

Ledger Ledger::open(const std::filesystem::path& path, Access access,
                    std::chrono::milliseconds patience) {
  require_path(path);
  if (patience.count() < 0 || patience > std::chrono::hours(24)) {
    throw Error::bad_parameter("ledger", "patience", "is not between nothing and a day",
                               "give the time to wait for others");
  }
  // An absolute path stays valid when the process changes its working directory.
  return Ledger(std::make_unique<State>(std::filesystem::absolute(path), access, patience));
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
  if (state.access == Access::kRead) state.file.fail_read_only();
  accounting_internal::require_plain_texts(spending);
  const Cost price = state.budget.price(spending.cost);

  Transaction transaction(state.file, Transaction::Kind::kWrite);
  state.require_same_file();
  const State::Tail last = state.tail();
  const Cost total = state.allowed_total(last, spending, intent);
  accounting_internal::upgrade(state.file);
  Record record{.kind = std::string(kSpendingKind),
                .entry = accounting_internal::count_entries(state.file) + 1,
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
  const Transaction transaction(state.file, Transaction::Kind::kRead);
  static_cast<void>(state.allowed_total(state.tail(), spending, intent));
}

void Ledger::complete(std::int64_t id) {
  State& state = usable();
  if (state.access == Access::kRead) state.file.fail_read_only();
  Transaction transaction(state.file, Transaction::Kind::kWrite);
  state.require_same_file();
  const State::Tail last = state.tail();
  if (!accounting_internal::has_record(state.file, kSpendingKind, id)) {
    throw Error::bad_parameter("complete", "id", "belongs to no entry", "use the id of spend()");
  }
  if (accounting_internal::has_record(state.file, kCompletionKind, id)) {
    throw Error::bad_parameter("complete", "id", "belongs to an entry that is already complete",
                               "complete an entry once");
  }
  accounting_internal::upgrade(state.file);
  state.append(last, Record{.kind = std::string(kCompletionKind), .entry = id}, last.spent);
  transaction.commit();
}

Cost Ledger::spent() const {
  State& state = usable();
  const Transaction transaction(state.file, Transaction::Kind::kRead);
  return state.tail().spent;
}

LedgerContents Ledger::verify(const std::optional<std::string>& noted_head) const {
  State& state = usable();
  const Transaction transaction(state.file, Transaction::Kind::kRead);
  return accounting_internal::walk(state.file, state.header, state.budget, noted_head);
}

}  // namespace lastbit
