// Connection: one session of a PostgreSQL server.
//
// Ensures   No message repeats what the server says about rows, in errors or notices: errors hold
//           our words and the SQLSTATE. Only when a connection cannot be made, which is before any
//           row, is the library's reason passed on, with hidden characters escaped.
//           The session has search_path = pg_catalog, pg_temp, row_security = off, UTF-8, ISO
//           dates, UTC, and no JIT. Waiting ends: after the limits of SessionOptions, when
//           keepalives find that the network is gone, or when `while_waiting` throws; then the
//           statement is cancelled on the server too.
// Limits    Looking up the name of a host takes as long as the system allows. A session belongs to
//           one thread.
// Fails     With the code of SessionOptions; kNotSupported without libpq, with a server older than
//           12, and in a process other than the one that connected.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/postgres/address.h"

namespace lastbit {
namespace postgres_internal {
struct Session;
struct Reply;
}  // namespace postgres_internal

namespace postgres {

using std::chrono::milliseconds;

struct SessionOptions {
  // The code of errors: kBadInput for what is read, kStorage for what must last.
  ErrorCode failure = ErrorCode::kBadInput;
  milliseconds connect{10'000};  // unless the address has a connect_timeout
  // Limits of the server on a statement, on waiting for a lock, and on being idle in a transaction;
  // 0 for none.
  milliseconds statement{0};
  milliseconds lock{0};
  milliseconds idle_in_transaction{0};
  // How long the server may send nothing while it owes an answer; 0 for ever.
  milliseconds silence{0};
  std::string application_name = "lastbit";
  // Called about every 100 ms while a connection waits. What it throws ends the session.
  std::function<void()> while_waiting;
};

using Parameter = std::optional<std::string>;  // nothing for NULL
// Row: the fields that came. A server may send fewer than were asked for: those that did not come
// are NULL.
class Row {
 public:
  Row() = default;
  Row(std::initializer_list<std::optional<std::string>> fields) : fields_(fields) {}

  const std::optional<std::string>& operator[](std::size_t column) const {
    static const std::optional<std::string> kNull;
    return column < fields_.size() ? fields_[column] : kNull;
  }
  const std::optional<std::string>& front() const { return (*this)[0]; }
  void add(std::optional<std::string> field) { fields_.push_back(std::move(field)); }
  friend bool operator==(const Row&, const Row&) = default;

 private:
  std::vector<std::optional<std::string>> fields_;
};
using Rows = std::vector<Row>;
using TakeBytes = std::function<void(std::string_view)>;

class Connection {
 public:
  Connection(const Address& address, SessionOptions options);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // query: one statement, with parameters for $1, $2, …; its rows, as texts.
  // Requires  caller: the rows fit in memory.
  // Fails     as above. sqlstate() and is_open() say what is known about the statement afterwards.
  Rows query(const std::string& statement, std::span<const Parameter> parameters = {});
  // copy_out: runs a COPY … TO STDOUT and hands over what arrives, a row or a part at a time. What
  // `take` throws ends the session.
  void copy_out(const std::string& statement, const TakeBytes& take);

  // allow_silence: from now on the server may send nothing for so long.
  void allow_silence(milliseconds limit) { options_.silence = limit; }

  // is_open: whether more can be asked. If not, nobody knows whether the last statement was carried
  // out, whatever sqlstate() is: a server that is stopped may have committed before it says so.
  bool is_open() const { return session_ != nullptr; }
  // sqlstate: why the server refused the last statement; empty if it did not.
  const std::string& sqlstate() const { return sqlstate_; }
  // server_setting: what the server reports of itself, such as `server_encoding`; empty if it does
  // not.
  std::string server_setting(const std::string& name) const;
  // database, user: where the session is, and as whom.
  std::string database() const;
  std::string user() const;
  // place: the address, for messages.
  const std::string& place() const { return place_; }
  // abandon: forgets the session without a word to the server. For the child of a fork, where
  // saying goodbye would end the session of the parent. A destructor in another process does the
  // same.
  void abandon() { session_ = nullptr; }

 private:
  // FreeReply: also frees replies that belong to a session that is gone.
  struct FreeReply {
    void operator()(postgres_internal::Reply* reply) const;
  };
  using OwnedReply = std::unique_ptr<postgres_internal::Reply, FreeReply>;

  void connect(const Address& address);
  void configure();
  void require_usable() const;
  // wait: until the socket can be read, or written too, for at most `limit` if that is not 0.
  // Returns false if it could not.
  bool wait(bool to_write, milliseconds limit) const;
  void wait_for_server(bool to_write) const;
  void send(const std::string& statement, std::span<const Parameter> parameters) const;
  OwnedReply next_reply() const;
  void note(const OwnedReply& reply);
  Rows receive();
  void receive_copy(const TakeBytes& take);
  // settle: after the last reply; throws what note() found.
  void settle();
  Error failed(std::string problem, std::string remedy) const;
  Error lost() const;
  void cancel() const;
  void close() noexcept;
  // guarded: runs `work`; what it throws ends the session.
  template <typename Work>
  auto guarded(const Work& work);

  postgres_internal::Session* session_ = nullptr;
  SessionOptions options_;
  std::string place_;
  std::string sqlstate_;
  int owner_ = 0;  // the process that connected
};

}  // namespace postgres
}  // namespace lastbit
