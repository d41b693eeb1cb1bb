// Where a ledger is, as people write it.
#include "lastbit/accounting/ledger_address.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <variant>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace ledger_address_test {

TEST(LedgerAddressTest, TextIsAFileUnlessItIsTheUrlOfADatabase) {
  for (const char* text : {"survey.ledger", "./postgresql", "a//b", "password"}) {
    EXPECT_TRUE(LedgerAddress::parse(text).is_file()) << text;
    EXPECT_EQ(LedgerAddress::parse(text).text(), text);
  }
  EXPECT_FALSE(LedgerAddress::parse("postgresql://host/db").is_file());
  EXPECT_FALSE(LedgerAddress("postgres://host/db").is_file());
}

TEST(LedgerAddressTest, PathsStartFromTheFolder) {
  EXPECT_EQ(LedgerAddress::parse("l", "/srv").text(), "/srv/l");
  EXPECT_EQ(LedgerAddress::parse("/l", "/srv").text(), "/l");
  EXPECT_EQ(LedgerAddress::parse("l", "").text(), "l");
  EXPECT_EQ(LedgerAddress::parse("postgresql://h/d", "/srv").text(),
            "postgresql://h/d?ledger=ledger");
}

TEST(LedgerAddressTest, EqualAddressesHaveOneText) {
  const std::string text = "postgresql://me@host:5433/db?sslmode=require&ledger=a%20b%26%C3%A9";
  EXPECT_EQ(LedgerAddress::parse(text).text(), text);
  EXPECT_EQ(
      LedgerAddress::parse("postgres://me@host:5433/db?ledger=a%20b%26é&sslmode=require").text(),
      text);
  const auto address = LedgerAddress::parse(text);
  EXPECT_EQ(std::get<ServerLedger>(address.place()).name, "a b&é");
  EXPECT_EQ(std::get<ServerLedger>(LedgerAddress::parse(address.text()).place()),
            std::get<ServerLedger>(address.place()));
}

TEST(LedgerAddressTest, PublicTextDoesNotSayWhereTheServerIs) {
  EXPECT_EQ(LedgerAddress("postgresql://me@host:5433/db?ledger=a%20b").public_text(),
            "postgresql:///?ledger=a%20b");
  EXPECT_EQ(LedgerAddress("folder/l").public_text(), "folder/l");
}

TEST(LedgerAddressTest, BadAddressesAreRefusedAndNotRepeated) {
  for (const char* text :
       {"postgresql://me:hush@host/db", "postgresql://host/db?password=hush",
        "postgresql://host/db?ledger=", "postgresql://host/db?ledger=hush&ledger=b",
        "postgresql://host/db?table=hush", "postgresql://host/db?ledger=hush%0Ahush"}) {
    try {
      static_cast<void>(LedgerAddress::parse(text));
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadText);
      EXPECT_EQ(std::string(error.what()).find("hush"), std::string::npos) << error.what();
    }
  }
  for (const char* text :
       {"POSTGRESQL://me:hush@h", " postgresql://me:hush@h", "jdbc:postgresql://hush",
        "host=h password=hush", "postgresql:/me:hush@h"}) {
    try {
      static_cast<void>(LedgerAddress::parse(text));
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
      EXPECT_EQ(std::string(error.what()).find("hush"), std::string::npos) << error.what();
    }
  }
  const std::string longest = "postgresql://host/db?ledger=" + std::string(200, 'x');
  EXPECT_EQ(LedgerAddress::parse(longest).text(), longest);
  expect_code(ErrorCode::kBadText, [&] { LedgerAddress::parse(longest + "x"); });
  expect_code(ErrorCode::kBadParameter, [] { LedgerAddress::parse(""); });
}

}  // namespace ledger_address_test
}  // namespace lastbit
