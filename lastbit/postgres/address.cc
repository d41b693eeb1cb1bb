#include "lastbit/postgres/address.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/passwords.h"
#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"

namespace lastbit::postgres {
namespace {

constexpr const char* kPlace = "address of a PostgreSQL database";
constexpr const char* kForm =
    "write it as postgresql://user@host:port/database?parameter=value, with percent signs and two "
    "hexadecimal digits for special characters";
constexpr const char* kNoPassword =
    "keep it in the file that PGPASSFILE names (by default ~/.pgpass), or in a service file";
constexpr std::array<std::string_view, 2> kSchemes = {"postgresql://", "postgres://"};

// What says where the server is and how to trust it. The rest of a session is set by Connection.
constexpr std::array<std::string_view, 25> kKnown = {"host",
                                                     "hostaddr",
                                                     "port",
                                                     "dbname",
                                                     "user",
                                                     "service",
                                                     "passfile",
                                                     "sslmode",
                                                     "sslrootcert",
                                                     "sslcert",
                                                     "sslkey",
                                                     "sslcrl",
                                                     "sslcrldir",
                                                     "sslsni",
                                                     "gssencmode",
                                                     "krbsrvname",
                                                     "gsslib",
                                                     "requirepeer",
                                                     "require_auth",
                                                     "channel_binding",
                                                     "target_session_attrs",
                                                     "ssl_min_protocol_version",
                                                     "ssl_max_protocol_version",
                                                     "load_balance_hosts",
                                                     "connect_timeout"};
constexpr std::array<std::string_view, 2> kSecret = {"password", "sslpassword"};

Error bad_address(std::string problem, std::string remedy = kForm) {
  return Error(ErrorCode::kBadText, kPlace, std::move(problem), std::move(remedy));
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<unsigned> hexadecimal(std::string_view two) {
  unsigned value = 0;
  const auto [end, problem] = std::from_chars(two.data(), two.data() + two.size(), value, 16);
  if (two.size() != 2 || problem != std::errc() || end != two.data() + two.size()) return {};
  return value;
}

// decoded: without percent signs; printable, so that it can be shown again.
std::string decoded(std::string_view part) {
  std::string text;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '%') {
      text += part[i];
      continue;
    }
    const auto byte = hexadecimal(part.substr(i + 1, 2));
    if (!byte) throw bad_address("has a percent sign without two hexadecimal digits");
    text += static_cast<char>(*byte);
    i += 2;
  }
  for (std::size_t i = 0; i < text.size();) {
    const TextCharacter character = first_character(std::string_view(text).substr(i));
    if (!character.printable) throw bad_address("has a character that cannot be printed");
    i += character.bytes;
  }
  return text;
}

std::string encoded(std::string_view text, std::string_view plain) {
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
    if (letter || std::string_view("-._~").find(c) != std::string_view::npos ||
        plain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

// cut: the text before the first of `ends`, which is removed from `rest` together with it.
std::string_view cut(std::string_view& rest, std::string_view ends) {
  const std::size_t at = std::min(rest.find_first_of(ends), rest.size());
  const std::string_view before = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return before;
}

// whole_number: from 1 to `most`; nothing otherwise.
std::optional<int> whole_number(std::string_view text, int most) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = problem == std::errc() && end == text.data() + text.size();
  return all && number >= 1 && number <= most ? std::optional(number) : std::nullopt;
}

void require_port(std::string_view port) {
  if (whole_number(port, 65535)) return;
  throw bad_address("has a port that is not a number from 1 to 65535");
}

void require_seconds(std::string_view seconds) {
  if (whole_number(seconds, 600)) return;
  throw bad_address("has a connect_timeout that is not a number of seconds from 1 to 600");
}

using Parameters = std::map<std::string, std::string>;

// read_host: one host with its port, either of which may be missing.
void read_host(std::string_view text, std::string& hosts, std::string& ports) {
  std::string_view host = text;
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) throw bad_address("has a bracket without its other half");
    host = text.substr(1, end - 1);
    port = text.substr(end + 1);
    if (!port.empty() && port.front() != ':') throw bad_address("has text after a bracket");
  } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon);
  }
  if (port.size() > 1) require_port(port.substr(1));
  const std::string name = decoded(host);
  if (name.find(',') != std::string::npos) throw bad_address("has a comma inside a host");
  hosts += name;
  ports += port.substr(std::min<std::size_t>(1, port.size()));
}

void read_hosts(std::string_view authority, Parameters& parameters) {
  std::string hosts;
  std::string ports;
  while (!authority.empty()) {
    const bool more = authority.find(',') != std::string_view::npos;
    read_host(cut(authority, ","), hosts, ports);
    if (more) {
      hosts += ',';
      ports += ',';
    }
  }
  if (hosts.find_first_not_of(',') != std::string::npos) parameters["host"] = hosts;
  if (ports.find_first_not_of(',') != std::string::npos) parameters["port"] = ports;
}

void read_authority(std::string_view authority, Parameters& parameters) {
  const std::size_t at = authority.rfind('@');
  if (at != std::string_view::npos) {
    const std::string_view person = authority.substr(0, at);
    if (person.find(':') != std::string_view::npos) {
      throw bad_address("holds a password", kNoPassword);
    }
    if (person.find('@') != std::string_view::npos) throw bad_address("has more than one @");
    if (!person.empty()) parameters["user"] = decoded(person);
    authority.remove_prefix(at + 1);
  }
  read_hosts(authority, parameters);
}

// unknown_parameter: does not repeat the name, which may be the end of a password with a `?` in it.
Error unknown_parameter(std::string_view name, std::span<const std::string_view> own) {
  std::vector<std::string> names(kKnown.begin(), kKnown.end());
  names.insert(names.end(), own.begin(), own.end());
  const auto nearest = nearest_name(name, names);
  return bad_address("has a parameter that does not belong there",
                     nearest ? fmt::format("did you mean `{}`?", *nearest)
                             : "name the server, the database, the user and how to trust the "
                               "server; everything else is set by Lastbit");
}

void read_parameter(std::string_view text, std::span<const std::string_view> own,
                    ParsedAddress& parsed, Parameters& parameters) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) throw bad_address("has a parameter without =");
  const std::string name = decoded(text.substr(0, equals));
  if (contains(kSecret, name)) throw bad_address("holds a password", kNoPassword);
  const bool ours = contains(own, name);
  if (!ours && !contains(kKnown, name)) throw unknown_parameter(name, own);
  if (name == "connect_timeout") require_seconds(text.substr(equals + 1));
  Parameters& table = ours ? parsed.own : parameters;
  if (!table.emplace(name, decoded(text.substr(equals + 1))).second) {
    throw bad_address(fmt::format("says twice what `{}` is", name), "say it once");
  }
}

}  // namespace

Address Address::service(std::string_view name) {
  bool printable = !name.empty();
  for (std::string_view rest = name; !rest.empty() && printable;) {
    const TextCharacter character = first_character(rest);
    printable = character.printable;
    rest.remove_prefix(character.bytes);
  }
  if (!printable) {
    throw bad_address("has the name of a service that is empty or cannot be printed",
                      "name an entry of the service file, such as \"office\"");
  }
  Address address;
  address.parameters_["service"] = name;
  return address;
}

std::string Address::database() const {
  const auto found = parameters_.find("dbname");
  return found == parameters_.end() ? std::string() : found->second;
}

Address Address::meaning() const {
  Address meant;
  for (const char* name : {"dbname", "service"}) {
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) continue;
    meant.parameters_.insert(*found);
    break;
  }
  return meant;
}

std::string Address::text() const {
  const auto part = [&](const char* name, std::string_view before, std::string_view after) {
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) return std::string();
    return fmt::format("{}{}{}", before, encoded(found->second, ""), after);
  };
  const auto is_plain = [&](const char* name) {
    const auto found = parameters_.find(name);
    return found == parameters_.end() || found->second.find_first_of("/,:") == std::string::npos;
  };
  // One host is written where people look for it; lists and sockets are clearer as parameters.
  const bool in_front = parameters_.contains("host") && is_plain("host") && is_plain("port");
  std::string url(kSchemes.front());
  if (in_front) url += part("user", "", "@") + part("host", "", "") + part("port", ":", "");
  url += "/" + part("dbname", "", "");
  char separator = '?';
  for (const auto& [name, value] : parameters_) {
    const bool written = in_front && (name == "host" || name == "user" || name == "port");
    if (written || name == "dbname") continue;
    url += fmt::format("{}{}={}", separator, name, encoded(value, "/,:"));
    separator = '&';
  }
  return url;
}

bool is_address(std::string_view text) {
  return std::any_of(kSchemes.begin(), kSchemes.end(),
                     [&](std::string_view scheme) { return text.starts_with(scheme); });
}

void refuse_other_urls(std::string_view place, std::string_view text) {
  if (is_address(text) || text.find("://") == std::string_view::npos) return;
  const std::string_view scheme = scheme_of(text);
  throw Error(ErrorCode::kBadText, std::string(place),
              fmt::format("{} is neither a file nor the address of a PostgreSQL database",
                          scheme.empty() ? "a text with ://" : fmt::format("{}://…", scheme)),
              "name a file, or write postgresql://user@host:port/database, without a password");
}

ParsedAddress ParsedAddress::parse(std::string_view url, std::span<const std::string_view> own) {
  if (!is_address(url)) throw bad_address("does not begin with postgresql://");
  if (url.find('#') != std::string_view::npos) throw bad_address("has a #");
  std::string_view rest = url.substr(url.find("//") + 2);
  ParsedAddress parsed;
  Parameters& parameters = parsed.address.parameters_;
  const std::size_t query = std::min(rest.find('?'), rest.size());
  std::string_view path = rest.substr(0, query);
  rest.remove_prefix(std::min(query + 1, rest.size()));
  read_authority(cut(path, "/"), parameters);
  if (path.find('/') != std::string_view::npos) throw bad_address("has a / inside the database");
  if (!path.empty()) parameters["dbname"] = decoded(path);
  while (!rest.empty()) read_parameter(cut(rest, "&"), own, parsed, parameters);
  return parsed;
}

}  // namespace lastbit::postgres
