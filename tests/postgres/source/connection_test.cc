// Sessions with the server that LASTBIT_TEST_POSTGRES describes (tests/postgres/server.py --run).
#include "lastbit/postgres/connection.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit::postgres {
namespace connection_test {

// The URL of the socket in {"socket": "…", …}.
std::string socket_url(const std::string& facts) {
  const std::string key = "\"socket\": \"";
  const std::size_t begin = facts.find(key) + key.size();
  return facts.substr(begin, facts.find('"', begin) - begin);
}

class ConnectionTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* const facts = std::getenv("LASTBIT_TEST_POSTGRES");
    ASSERT_NE(facts, nullptr) << "run this with tests/postgres/server.py --run";
    address_ = ParsedAddress::parse(socket_url(facts), {}).address;
  }
  std::unique_ptr<Connection> connected(const SessionOptions& options = {}) const {
    return std::make_unique<Connection>(address_, options);
  }
  Address address_;
};

using Clock = std::chrono::steady_clock;

std::string words_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST_F(ConnectionTest, AsksWithParameters) {
  const auto connection = connected();
  const std::vector<Parameter> parameters = {"it's", std::nullopt};
  const Rows rows = connection->query(
      "SELECT $1::text, $2::text, current_setting('search_path'), current_setting('TimeZone')",
      parameters);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0], (Row{"it's", std::nullopt, "pg_catalog, pg_temp", "UTC"}));
  EXPECT_EQ(connection->database(), "postgres");
  EXPECT_EQ(connection->server_setting("server_encoding"), "UTF8");
}

TEST_F(ConnectionTest, RepeatsNothingOfWhatTheServerSays) {
  const auto connection = connected();
  const std::string words = words_of([&] { connection->query("SELECT 'secret'::integer"); });
  EXPECT_NE(words.find("SQLSTATE 22P02"), std::string::npos) << words;
  EXPECT_EQ(words.find("secret"), std::string::npos) << words;
  EXPECT_EQ(connection->sqlstate(), "22P02");
  EXPECT_TRUE(connection->is_open());
  EXPECT_EQ(connection->query("SELECT 1").size(), 1U);
  EXPECT_EQ(connection->sqlstate(), "");
}

TEST_F(ConnectionTest, StreamsMoreThanItHolds) {
  const auto connection = connected();
  std::size_t bytes = 0;
  connection->copy_out("COPY (SELECT repeat('x', 1000) FROM generate_series(1, 20000)) TO STDOUT",
                       [&](std::string_view part) { bytes += part.size(); });
  EXPECT_EQ(bytes, 20'000U * 1001);
  // An error in the middle of the stream is one of the statement.
  const auto half = [&] {
    connection->copy_out("COPY (SELECT 1 / (500 - i) FROM generate_series(1, 900) i) TO STDOUT",
                         [](std::string_view) {});
  };
  expect_code(ErrorCode::kBadInput, half);
  EXPECT_EQ(connection->sqlstate(), "22012");
  EXPECT_TRUE(connection->is_open());
}

TEST_F(ConnectionTest, EndsWhatNobodyWaitsFor) {
  int calls = 0;
  SessionOptions options;
  options.while_waiting = [&] {
    if (++calls == 3) throw std::runtime_error("stop");
  };
  const auto connection = connected(options);
  const Clock::time_point start = Clock::now();
  EXPECT_THROW(connection->query("SELECT pg_sleep(60)"), std::runtime_error);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
  EXPECT_FALSE(connection->is_open());
  expect_code(ErrorCode::kBadInput, [&] { connection->query("SELECT 1"); });
  const Rows left = connected()->query(
      "SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND state = 'active' AND "
      "pid <> pg_backend_pid()");
  EXPECT_TRUE(left.empty());
}

TEST_F(ConnectionTest, TakersMayThrow) {
  const auto connection = connected();
  const auto take = [](std::string_view) { throw std::runtime_error("full"); };
  EXPECT_THROW(
      connection->copy_out("COPY (SELECT i FROM generate_series(1, 1000) i) TO STDOUT", take),
      std::runtime_error);
  EXPECT_FALSE(connection->is_open());
}

TEST_F(ConnectionTest, WaitingEnds) {
  SessionOptions options;
  options.failure = ErrorCode::kStorage;
  options.statement = milliseconds(200);
  const auto limited = connected(options);
  expect_code(ErrorCode::kStorage, [&] { limited->query("SELECT pg_sleep(60)"); });
  EXPECT_EQ(limited->sqlstate(), "57014");
  options.statement = milliseconds(0);
  options.silence = milliseconds(300);
  const auto silent = connected(options);
  expect_code(ErrorCode::kStorage, [&] { silent->query("SELECT pg_sleep(60)"); });
  EXPECT_FALSE(silent->is_open());
}

TEST_F(ConnectionTest, ALostServerIsNoticed) {
  const auto connection = connected();
  expect_code(ErrorCode::kBadInput,
              [&] { connection->query("SELECT pg_terminate_backend(pg_backend_pid())"); });
  EXPECT_FALSE(connection->is_open());
}

TEST_F(ConnectionTest, AForkLeavesTheSessionToItsParent) {
  auto connection = connected();
  const pid_t child = fork();
  if (child == 0) {
    bool refused = false;
    try {
      connection->query("SELECT 1");
    } catch (const Error& error) {
      refused = error.code() == ErrorCode::kNotSupported;
    }
    connection.reset();
    _exit(refused ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(connection->query("SELECT 1").size(), 1U);
}

}  // namespace connection_test
}  // namespace lastbit::postgres
