#include "lastbit/accounting/ledger_address.h"

#include <fmt/core.h>

#include <array>
#include <string_view>
#include <utility>

#include "lastbit/accounting/ledger_path.h"
#include "lastbit/accounting/record.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace {

constexpr std::array<std::string_view, 1> kOwnParameters = {"ledger"};

ServerLedger parse_server(const std::string& text) {
  postgres::ParsedAddress parsed = postgres::ParsedAddress::parse(text, kOwnParameters);
  const auto name = parsed.own.find("ledger");
  if (name == parsed.own.end()) return {std::move(parsed.address), LedgerAddress::kName};
  constexpr std::size_t kLongest = 200;
  if (name->second.empty() || name->second.size() > kLongest ||
      !accounting_internal::is_plain_text(name->second)) {
    throw Error(ErrorCode::kBadText, "address of a ledger",
                "has the name of a ledger that is empty, too long or not one line of UTF-8",
                fmt::format("write ?ledger=NAME with 1 to {} bytes", kLongest));
  }
  return {std::move(parsed.address), std::move(name->second)};
}

// in_url: with percent signs where a URL would end or go on otherwise.
std::string in_url(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
                       std::string_view("-._~").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

LedgerAddress::LedgerAddress(std::filesystem::path file) : place_(std::move(file)) {
  accounting_internal::require_file_name(std::get<std::filesystem::path>(place_));
}

LedgerAddress LedgerAddress::parse(const std::string& text, const std::filesystem::path& folder) {
  if (postgres::is_address(text)) return LedgerAddress(parse_server(text));
  accounting_internal::require_file_name(text);
  return folder / text;
}

std::string LedgerAddress::text() const {
  if (const auto* path = std::get_if<std::filesystem::path>(&place_)) return path->string();
  const auto& [server, name] = std::get<ServerLedger>(place_);
  const std::string url = server.text();
  const char separator = url.find('?') == std::string::npos ? '?' : '&';
  return fmt::format("{}{}ledger={}", url, separator, in_url(name));
}

std::string LedgerAddress::public_text() const {
  const auto* server = std::get_if<ServerLedger>(&place_);
  return server == nullptr ? text() : LedgerAddress(ServerLedger{{}, server->name}).text();
}

}  // namespace lastbit
