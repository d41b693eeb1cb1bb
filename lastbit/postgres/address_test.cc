#include "lastbit/postgres/address.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit::postgres {
namespace address_test {

constexpr std::array<std::string_view, 1> kOwn = {"table"};

ParsedAddress parsed(std::string_view url) { return ParsedAddress::parse(url, kOwn); }
std::string text_of(std::string_view url) { return parsed(url).address.text(); }

// refusal: what a URL is refused with, and that it is.
std::string refusal(std::string_view url) {
  try {
    parsed(url);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadText);
    return error.what();
  }
  ADD_FAILURE() << url << " was accepted";
  return "";
}

TEST(Address, KnowsItsParts) {
  const ParsedAddress address =
      parsed("postgresql://anna@db.example:5433/my%20data?sslmode=verify-full&table=clinic.visits");
  const std::map<std::string, std::string> expected = {{"dbname", "my data"},
                                                       {"host", "db.example"},
                                                       {"port", "5433"},
                                                       {"sslmode", "verify-full"},
                                                       {"user", "anna"}};
  EXPECT_EQ(address.address.parameters(), expected);
  EXPECT_EQ(address.address.database(), "my data");
  EXPECT_EQ(address.own.at("table"), "clinic.visits");
}

TEST(Address, HasOneTextThatMeansTheSame) {
  for (const char* url :
       {"postgresql://anna@db.example:5433/data?sslmode=require", "postgresql:///",
        "postgresql:///data?host=/run/postgresql&user=a%40b", "postgresql:///?service=office",
        "postgresql:///data?host=a,::1&port=1,2", "postgresql://a%2Bb/%C3%BC"}) {
    EXPECT_EQ(text_of(url), url);
  }
  EXPECT_EQ(text_of("postgres://h"), "postgresql://h/");
  EXPECT_EQ(text_of("postgresql://[::1]:77/x"), "postgresql:///x?host=::1&port=77");
  EXPECT_EQ(text_of("postgresql://%2Ftmp/x"), "postgresql:///x?host=/tmp");
  EXPECT_EQ(text_of("postgresql://a:1,b:2/x"), "postgresql:///x?host=a,b&port=1,2");
  EXPECT_EQ(Address::service("office").text(), "postgresql:///?service=office");
  EXPECT_EQ(parsed("postgresql://h/x?table=1").address, parsed("postgres://h/x?table=2").address);
  EXPECT_NE(parsed("postgresql://h/x").address, parsed("postgresql://h/y").address);
}

TEST(OtherUrls, AreRefusedWithTheirSchemeAlone) {
  for (const auto& [text, begin] :
       {std::pair("jdbc:postgresql://u:hush@h/d", "DATA: jdbc:postgresql://… is neither"),
        std::pair("POSTGRESQL://u:hush@h/d", "DATA: POSTGRESQL://… is neither"),
        std::pair(" postgresql://u:hush@h/d", "DATA: a text with :// is neither"),
        std::pair("u:hush@h/://d", "DATA: a text with :// is neither")}) {
    try {
      refuse_other_urls("DATA", text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadText);
      EXPECT_TRUE(std::string(error.what()).starts_with(begin)) << error.what();
      EXPECT_EQ(std::string(error.what()).find("hush"), std::string::npos) << error.what();
    }
  }
  for (const char* fine : {"survey.csv", "a:/b", "postgresql://u:p@h", "postgres://", ""}) {
    EXPECT_NO_THROW(refuse_other_urls("DATA", fine));
  }
}

TEST(Address, RefusesPasswordsWithoutRepeatingThem) {
  for (const char* url :
       {"postgresql://anna:hunter2@db/data", "postgresql://db/data?password=hunter2",
        "postgresql://db/data?sslpassword=hunter2", "postgresql://db/data?passwor%64=hunter2",
        "postgresql://anna:hunter2?x@db/data", "postgresql://anna:hunter2/@db/data",
        "postgresql://anna:a&hunter2=b?hunter2=c@db/data", "postgresql://anna:hunter2#@db/data",
        "postgresql://anna:hunter2%@db/data", "postgresql://anna:hunter2"}) {
    EXPECT_EQ(refusal(url).find("hunter"), std::string::npos) << url;
  }
  EXPECT_NE(refusal("postgresql://anna:x@db/").find("PGPASSFILE"), std::string::npos);
  EXPECT_NE(refusal("postgresql://db/?password=x").find("PGPASSFILE"), std::string::npos);
}

TEST(Address, RefusesWhatItDoesNotKnow) {
  EXPECT_NE(refusal("postgresql://db/data?sslmod=require").find("sslmode"), std::string::npos);
  for (const char* url : {"mysql://db",
                          "POSTGRESQL://db",
                          "postgresql://db/a/b",
                          "postgresql://db:0/a",
                          "postgresql://db:65536/a",
                          "postgresql://db/a?connect_timeout=0",
                          "postgresql://db/a?connect_timeout=1s",
                          "postgresql://db:1x/a",
                          "postgresql://[::1/a",
                          "postgresql://[::1]1/a",
                          "postgresql://db/a?user",
                          "postgresql://db/a?options=-c%20x",
                          "postgresql://db/%00",
                          "postgresql://db/%0a",
                          "postgresql://db/%ff",
                          "postgresql://db/%4",
                          "postgresql://db/?user=a&user=b",
                          "postgresql://a@db/?user=b",
                          "postgresql://a@b@db/",
                          "postgresql://a%2Cb/"}) {
    refusal(url);
  }
  expect_code(ErrorCode::kBadText, [] { Address::service(""); });
  expect_code(ErrorCode::kBadText, [] { Address::service("a\nb"); });
}

}  // namespace address_test
}  // namespace lastbit::postgres
