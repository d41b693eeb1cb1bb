#include "lastbit/postgres/connection.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <future>
#include <map>
#include <string>
#include <system_error>
#include <thread>

#include "lastbit/base/escape.h"
#include "lastbit/postgres/libpq.h"
#include "lastbit/postgres/sql_state.h"

namespace lastbit::postgres {
namespace {

using postgres_internal::CancelTicket;
using postgres_internal::kCommandOk;
using postgres_internal::kConnectionBad;
using postgres_internal::kConnectionOk;
using postgres_internal::kCopyOut;
using postgres_internal::kPollingFailed;
using postgres_internal::kPollingOk;
using postgres_internal::kPollingWriting;
using postgres_internal::kSqlStateField;
using postgres_internal::kTuplesOk;
using postgres_internal::libpq;
using postgres_internal::state_words;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kSlice{100};
// How long a thread may take to tell a server that nobody waits any more.
constexpr milliseconds kCancelPatience{2000};
// A client gives up later than the server, whose reason is better.
constexpr milliseconds kAfterServer{5000};
constexpr int kOldestServer = 120000;

// What finds out that a network is gone: after 10 + 3 * 5 seconds of silence, or when 20 seconds of
// sending are not acknowledged.
constexpr std::array<std::pair<const char*, const char*>, 5> kKeepalives = {{
    {"keepalives", "1"},
    {"keepalives_idle", "10"},
    {"keepalives_interval", "5"},
    {"keepalives_count", "3"},
    {"tcp_user_timeout", "20000"},
}};

std::string seconds_text(milliseconds time) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(time).count();
  return fmt::format("{} second{}", seconds, seconds == 1 ? "" : "s");
}

void swallow_notice(void* /*argument*/, const char* /*notice*/) {}

// on_one_line: the library's reason, which may have line ends.
std::string on_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\t', ' ');
  return shown_text(text);
}

}  // namespace

void Connection::FreeReply::operator()(postgres_internal::Reply* reply) const {
  libpq().clear(reply);
}

Connection::Connection(const Address& address, SessionOptions options)
    : options_(std::move(options)), place_(address.text()), owner_(getpid()) {
  try {
    connect(address);
    configure();
  } catch (...) {
    close();
    throw;
  }
}

Connection::~Connection() {
  if (getpid() == owner_) close();
}

void Connection::connect(const Address& address) {
  std::map<std::string, std::string> settings = address.parameters();
  settings.insert(kKeepalives.begin(), kKeepalives.end());
  // Address has checked that it is a number.
  const auto patience = settings.find("connect_timeout");
  if (patience != settings.end()) {
    options_.connect = std::chrono::seconds(std::stoi(patience->second));
  }
  settings["application_name"] = options_.application_name;
  settings["client_encoding"] = "UTF8";
  std::vector<const char*> names;
  std::vector<const char*> values;
  for (const auto& [name, value] : settings) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  // 0: a database called `host=elsewhere` is a name, not an address.
  session_ = libpq().connect_start(names.data(), values.data(), 0);
  if (session_ == nullptr) throw failed("there is no memory for a connection", "close something");
  libpq().set_notice_processor(session_, swallow_notice, nullptr);
  const auto reason = [&] { return on_one_line(libpq().error_message(session_)); };
  const Clock::time_point end = Clock::now() + options_.connect;
  int state = libpq().status(session_) == kConnectionBad ? kPollingFailed : kPollingWriting;
  while (state != kPollingOk && state != kPollingFailed) {
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
    if (left <= milliseconds(0) || !wait(state == kPollingWriting, left)) {
      throw failed("did not answer within " + seconds_text(options_.connect),
                   "look at the host, the port and the network between here and there");
    }
    state = libpq().connect_poll(session_);
  }
  if (state == kPollingFailed) {
    throw failed("cannot be reached: " + reason(),
                 "look at the address, at the password file and at pg_hba.conf of the server");
  }
}

void Connection::configure() {
  if (libpq().server_version(session_) < kOldestServer) {
    throw Error(ErrorCode::kNotSupported, place_, "is a server older than PostgreSQL 12",
                "move the data to a newer server");
  }
  libpq().set_nonblocking(session_, 1);
  const auto time = [](milliseconds limit) { return fmt::format("{}ms", limit.count()); };
  const std::vector<std::pair<std::string, std::string>> settings = {
      // Nobody's function or operator of the same name may replace the server's own.
      {"search_path", "pg_catalog, pg_temp"},
      // A policy that would hide rows makes an error instead.
      {"row_security", "off"},
      {"client_encoding", "UTF8"},
      {"client_min_messages", "warning"},
      {"standard_conforming_strings", "on"},
      {"DateStyle", "ISO, YMD"},
      {"IntervalStyle", "postgres"},
      {"TimeZone", "UTC"},
      {"extra_float_digits", "3"},
      {"jit", "off"},
      {"statement_timeout", time(options_.statement)},
      {"lock_timeout", time(options_.lock)},
      {"idle_in_transaction_session_timeout", time(options_.idle_in_transaction)},
  };
  std::string statement = "SELECT ";
  std::vector<Parameter> parameters;
  for (const auto& [name, value] : settings) {
    if (!parameters.empty()) statement += ", ";
    statement += fmt::format("pg_catalog.set_config(${}, ${}, false)", parameters.size() + 1,
                             parameters.size() + 2);
    parameters.emplace_back(name);
    parameters.emplace_back(value);
  }
  query(statement, parameters);
}

template <typename Work>
auto Connection::guarded(const Work& work) {
  try {
    return work();
  } catch (...) {
    cancel();
    close();
    throw;
  }
}

Rows Connection::query(const std::string& statement, std::span<const Parameter> parameters) {
  require_usable();
  sqlstate_.clear();
  Rows rows = guarded([&] {
    send(statement, parameters);
    return receive();
  });
  settle();
  return rows;
}

void Connection::copy_out(const std::string& statement, const TakeBytes& take) {
  require_usable();
  sqlstate_.clear();
  guarded([&] {
    send(statement, {});
    receive_copy(take);
  });
  settle();
}

void Connection::require_usable() const {
  if (getpid() != owner_) {
    throw Error(ErrorCode::kNotSupported, place_, "was connected by another process",
                "connect again after a fork");
  }
  if (session_ == nullptr) throw lost();
}

bool Connection::wait(bool to_write, milliseconds limit) const {
  const Clock::time_point end = Clock::now() + limit;
  while (true) {
    const auto left = limit.count() == 0
                          ? kSlice
                          : std::min(kSlice, std::chrono::ceil<milliseconds>(end - Clock::now()));
    if (left.count() <= 0) return false;
    const auto events = static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN);
    pollfd waiting{libpq().socket(session_), events, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw lost();
    if (options_.while_waiting) options_.while_waiting();
  }
}

void Connection::wait_for_server(bool to_write) const {
  milliseconds limit = options_.silence;
  if (options_.statement.count() > 0) {
    const milliseconds statement = options_.statement + kAfterServer;
    limit = limit.count() == 0 ? statement : std::min(limit, statement);
  }
  if (!wait(to_write, limit)) {
    throw failed("the server sent nothing for " + seconds_text(limit),
                 "look at the server and at the network between here and there");
  }
  if (libpq().consume_input(session_) == 0) throw lost();
}

void Connection::send(const std::string& statement, std::span<const Parameter> parameters) const {
  std::vector<const char*> values;
  for (const Parameter& parameter : parameters) {
    values.push_back(parameter ? parameter->c_str() : nullptr);
  }
  if (libpq().send_query(session_, statement.c_str(), static_cast<int>(values.size()), nullptr,
                         values.data(), nullptr, nullptr, 0) == 0) {
    throw lost();
  }
  while (true) {
    const int unsent = libpq().flush(session_);
    if (unsent < 0) throw lost();
    if (unsent == 0) return;
    wait_for_server(true);
  }
}

Connection::OwnedReply Connection::next_reply() const {
  while (libpq().is_busy(session_) != 0) wait_for_server(false);
  return OwnedReply(libpq().get_reply(session_));
}

void Connection::note(const OwnedReply& reply) {
  const char* const state = libpq().reply_error_field(reply.get(), kSqlStateField);
  // An error without a state is one of the library: the server is gone.
  if (state == nullptr) throw lost();
  if (sqlstate_.empty()) sqlstate_ = state;
}

Rows Connection::receive() {
  Rows rows;
  while (const OwnedReply reply = next_reply()) {
    const int status = libpq().reply_status(reply.get());
    if (status == kCommandOk) continue;
    if (status != kTuplesOk) {
      note(reply);
      continue;
    }
    const int columns = libpq().column_count(reply.get());
    const int count = libpq().row_count(reply.get());
    for (int i = 0; i < count; ++i) {
      Row row;
      for (int j = 0; j < columns; ++j) {
        if (libpq().is_null(reply.get(), i, j) != 0) {
          row.add(std::nullopt);
          continue;
        }
        const auto length = static_cast<std::size_t>(libpq().value_length(reply.get(), i, j));
        row.add(std::string(libpq().value(reply.get(), i, j), length));
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

void Connection::receive_copy(const TakeBytes& take) {
  while (const OwnedReply reply = next_reply()) {
    const int status = libpq().reply_status(reply.get());
    if (status == kCommandOk) continue;
    if (status != kCopyOut) {
      note(reply);
      continue;
    }
    while (true) {
      char* bytes = nullptr;
      const int length = libpq().get_copy_data(session_, &bytes, 1);
      if (length < 0) break;  // the end, or an error that the next reply holds
      if (length == 0) {
        wait_for_server(false);
        continue;
      }
      const std::unique_ptr<char, void (*)(void*)> owner(bytes, libpq().free_memory);
      take(std::string_view(bytes, static_cast<std::size_t>(length)));
    }
  }
}

void Connection::settle() {
  if (libpq().status(session_) != kConnectionOk) close();
  if (sqlstate_.empty()) {
    if (session_ == nullptr) throw lost();
    return;
  }
  auto [problem, remedy] = state_words(sqlstate_);
  throw failed(std::move(problem), std::move(remedy));
}

std::string Connection::server_setting(const std::string& name) const {
  require_usable();
  const char* const value = libpq().parameter_status(session_, name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

std::string Connection::database() const {
  require_usable();
  return libpq().database(session_);
}

std::string Connection::user() const {
  require_usable();
  return libpq().user(session_);
}

Error Connection::failed(std::string problem, std::string remedy) const {
  return Error(options_.failure, place_, std::move(problem), std::move(remedy));
}

Error Connection::lost() const {
  const std::string reason = sqlstate_.empty() ? "" : fmt::format(" (SQLSTATE {})", sqlstate_);
  return failed("the connection to the server was lost" + reason,
                "look at the server and the network, and run this again");
}

void Connection::cancel() const {
  if (session_ == nullptr) return;
  // The request goes over a connection of its own, which may hang where the network does. So a
  // thread makes it, which may outlive this call; it owns all that it needs.
  CancelTicket* const ticket = libpq().get_cancel(session_);
  if (ticket == nullptr) return;
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> finished = done->get_future();
  try {
    std::thread([ticket, done] {
      std::array<char, 256> reason{};
      libpq().cancel(ticket, reason.data(), static_cast<int>(reason.size()));
      libpq().free_cancel(ticket);
      done->set_value();
    }).detach();
  } catch (const std::system_error&) {
    libpq().free_cancel(ticket);
    return;
  }
  finished.wait_for(kCancelPatience);
}

void Connection::close() noexcept {
  if (session_ != nullptr) libpq().finish(session_);
  session_ = nullptr;
}

}  // namespace lastbit::postgres
