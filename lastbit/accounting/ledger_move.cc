#include "lastbit/accounting/ledger_move.h"

#include <fmt/core.h>

#include <variant>

#include "lastbit/accounting/ledger_file.h"
#include "lastbit/accounting/ledger_server.h"
#include "lastbit/accounting/ledger_walk.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace {

using accounting_internal::LedgerFile;
using accounting_internal::LedgerServer;
using accounting_internal::LedgerStore;
using accounting_internal::Record;
using accounting_internal::StoreTransaction;

void require_undamaged(const LedgerContents& contents, const LedgerStore& store) {
  if (!contents.damage) return;
  throw Error(ErrorCode::kBadInput, store.name(),
              "the ledger is damaged: " + contents.damage->problem,
              "move a copy that `lastbit ledger verify` accepts");
}

void require_same_target(const LedgerContents& contents, const LedgerStore& file,
                         const std::string& target) {
  if (!contents.moved_to || *contents.moved_to == target) return;
  throw Error(ErrorCode::kRefused, file.name(),
              fmt::format("this ledger was moved to {}", *contents.moved_to),
              "name that address to finish a move that was interrupted");
}

// require_same_chain: the ledger on the server is this one, with all records of the file.
LedgerContents require_same_chain(LedgerStore& server, const LedgerContents& file) {
  const StoreTransaction reading(server, LedgerStore::Work::kRead);
  LedgerContents there = walk(server, file.budget, file.head);
  if (!there.damage) return there;
  throw Error(ErrorCode::kBadInput, server.name(),
              "holds another ledger than the file: " + there.damage->problem,
              file.moved_to ? "somebody took this name after the move began: let the owner of the "
                              "tables remove that ledger, and run this again"
                            : "choose another name with ?ledger=NAME");
}

// carry: everything that can fail is done before the file is closed; only the COMMIT comes after.
void carry(LedgerFile& file, StoreTransaction& closing, const ServerLedger& place,
           const LedgerContents& contents, const std::string& target) {
  const auto server = LedgerServer::start(place, file.header(), Ledger::kPatience);
  file.each_record([&](const Record& record) {
    server->insert(record);
    return true;
  });
  if (!contents.moved_to) {
    file.close(target);
    closing.commit();
  }
  try {
    server->commit();
  } catch (const Error& error) {
    throw Error(error.code(), error.place(), error.problem(),
                "run the same command again: the file is closed and holds all records");
  }
}

}  // namespace

LedgerContents move_ledger(const std::filesystem::path& file, const LedgerAddress& to) {
  const auto* place = std::get_if<ServerLedger>(&to.place());
  if (place == nullptr) {
    throw Error(ErrorCode::kBadInput, quote(to.text(), 300), "is a file",
                "a file can be moved by its system; name a server: postgresql://host/database");
  }
  const LedgerAddress from = LedgerAddress::parse(file.string());
  if (!from.is_file()) {
    throw Error(ErrorCode::kBadInput, quote(from.text(), 300), "is not a file",
                "only a file can be moved; administrators of a database can move all of it");
  }
  LedgerFile source(file, Ledger::Access::kSpend, Ledger::kPatience);
  const Budget budget = accounting_internal::budget_of(source);
  StoreTransaction closing(source, LedgerStore::Work::kWrite);
  const LedgerContents contents = walk(source, budget, std::nullopt);
  require_undamaged(contents, source);
  require_same_target(contents, source, to.text());
  auto there = LedgerServer::find(*place, Ledger::Access::kSpend, Ledger::kPatience);
  if (!there) {
    carry(source, closing, *place, contents, to.text());
    there = LedgerServer::find(*place, Ledger::Access::kSpend, Ledger::kPatience);
  } else if (!contents.moved_to) {
    throw Error(ErrorCode::kBadInput, there->name(), "exists already",
                "choose another name with ?ledger=NAME; nothing was moved");
  }
  if (!there) {
    throw Error(ErrorCode::kStorage, quote(to.text(), 300), "the ledger did not arrive",
                "run the same command again: the file is closed and holds all records");
  }
  return require_same_chain(*there, contents);
}

}  // namespace lastbit
