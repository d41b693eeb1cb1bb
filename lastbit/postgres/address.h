// Address: where a PostgreSQL server and its database are. It never holds a password, so that it
// may be printed, compared and written down.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace lastbit::postgres {

class Address {
 public:
  // service: the entry of that name in the service file of libpq.
  // Fails  kBadText if the name is empty or has a character that cannot be printed.
  static Address service(std::string_view name);

  // parameters: what libpq connects with, by its keywords. `host` and `port` may be lists.
  const std::map<std::string, std::string>& parameters() const { return parameters_; }
  // database: its name; empty if the service or the environment decides.
  std::string database() const;
  // meaning: which database it is, wherever that is: the address with its database alone, or with
  // its service if that names the database. Nothing if neither does.
  Address meaning() const;
  // text: a URL for the same address, the same for equal addresses, without own parameters.
  std::string text() const;

  friend bool operator==(const Address&, const Address&) = default;

 private:
  friend struct ParsedAddress;
  std::map<std::string, std::string> parameters_;
};

// is_address: whether the text begins like the URL of a PostgreSQL database, in lower case.
bool is_address(std::string_view text);

// refuse_other_urls: for texts that name a file or a database.
// Fails  kBadText, at `place`, for a text with :// that does not begin like an address. As it may
//        hold a password, the message repeats its scheme alone.
void refuse_other_urls(std::string_view place, std::string_view text);

// ParsedAddress: a URL in its two parts.
struct ParsedAddress {
  Address address;
  // Parameters of the URL that are ours and that libpq never sees, such as `table`.
  std::map<std::string, std::string> own;

  // parse: postgresql://user@host:port/database?parameter=value&…, where every part may be left
  // out, and hosts may be a list.
  // Requires  checked: each parameter is one of `own` or one that libpq knows and that says where
  //           the server is or how to trust it, at most once; no part is a password.
  // Fails     kBadText. No message repeats a part of the text, because it may be a password.
  static ParsedAddress parse(std::string_view url, std::span<const std::string_view> own);
};

}  // namespace lastbit::postgres
