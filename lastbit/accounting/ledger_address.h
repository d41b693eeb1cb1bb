// Where a ledger is: a file, or a name in a PostgreSQL database.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <variant>

#include "lastbit/postgres/address.h"

namespace lastbit {

// ServerLedger: one of the ledgers in a database.
struct ServerLedger {
  postgres::Address server;
  std::string name;

  friend bool operator==(const ServerLedger&, const ServerLedger&) = default;
};

class LedgerAddress {
 public:
  // The name of a ledger in a URL that does not say one.
  static constexpr const char* kName = "ledger";

  // A path is always a file, whatever it looks like; a text is what parse makes of it.
  // Fails  as parse.
  // NOLINTBEGIN(google-explicit-constructor)
  LedgerAddress(std::filesystem::path file);
  LedgerAddress(const std::string& text) : LedgerAddress(parse(text)) {}
  LedgerAddress(const char* text) : LedgerAddress(parse(text)) {}
  // NOLINTEND(google-explicit-constructor)
  explicit LedgerAddress(ServerLedger place) : place_(std::move(place)) {}

  // parse: what people write. postgresql://user@host/database?ledger=NAME is on a server; anything
  // else is the path of a file, which starts from `folder`.
  // Fails  kBadText for a URL that is not the address of a database, or that holds a password;
  //        kBadParameter if the text cannot be the name of a file.
  static LedgerAddress parse(const std::string& text, const std::filesystem::path& folder = {});

  const std::variant<std::filesystem::path, ServerLedger>& place() const { return place_; }
  bool is_file() const { return std::holds_alternative<std::filesystem::path>(place_); }
  // text: the path or the URL, the same for equal addresses. It holds no secret.
  std::string text() const;
  // public_text: the same without where the server is, which readers of a report need not know, and
  // which means nothing: a database that was moved has the same ledgers.
  std::string public_text() const;

 private:
  std::variant<std::filesystem::path, ServerLedger> place_;
};

}  // namespace lastbit
