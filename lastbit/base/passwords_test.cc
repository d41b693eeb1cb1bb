#include "lastbit/base/passwords.h"

#include <gtest/gtest.h>

#include <string>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace passwords_test {

TEST(WithoutPasswordsTest, LeavesOutWhatFollowsTheMark) {
  EXPECT_EQ(without_passwords("jdbc:postgresql://u:hush@host/db"), "jdbc:postgresql://…");
  EXPECT_EQ(without_passwords("is 'https://u:hush@h/x' a file?"), "is 'https://…' a file?");
  EXPECT_EQ(without_passwords("postgresql://u:hush@host/db: no"), "postgresql://… no");
  EXPECT_EQ(without_passwords("a b://hush c d://u:hush@h e"), "a b://… c d://… e");
  EXPECT_EQ(without_passwords("jdbc:sqlserver://h;user=u;password=hush"), "jdbc:sqlserver://…");
  EXPECT_EQ(without_passwords("://hush"), "://…");
}

TEST(WithoutPasswordsTest, FindsPasswordsInAddresses) {
  for (const std::string wrong :
       {"postgresql://u:hush@h/d", "postgres://:hush@h", "postgresql://h/d?password=hush",
        "postgresql://h/d?sslpassword=hush", "postgresql://u:hush/more@h", "POSTGRESQL://u:hush@h",
        "postgresql://u:hu@sh@h", "postgresql://u:1 hush@h", "postgresql://u:1'hush@h",
        "jdbc:postgresql://u:hush", "xpostgres://u:hush", "postgresql://u:p://hush@h"}) {
    EXPECT_EQ(without_passwords(wrong).find("hu"), std::string::npos) << wrong;
    EXPECT_NE(without_passwords(wrong).find("://…"), std::string::npos) << wrong;
    if (wrong.find_first_of(" '") != std::string::npos) continue;
    // Where it was cut off, too.
    for (std::size_t length = 0; length < wrong.size(); ++length) {
      const std::string shown = without_passwords(quote(wrong, length));
      EXPECT_EQ(shown.find("hu"), std::string::npos) << wrong << " " << shown;
    }
  }
}

TEST(WithoutPasswordsTest, KeepsTheRest) {
  for (const std::string fine :
       {"", "a:/b@c", "postgresql://", "see postgresql://me@host:5432/db?ledger=x, or",
        "postgresql://user@host:port/database?parameter=value, with percent signs",
        "moved from postgresql://a@h:1/d to 'postgresql://b@h:1/d'", "postgresql:///?service=x",
        "postgresql://host:5432/db: cannot be reached", "postgresql:///d?host=/tmp/a&port=1",
        "u:hush@host"}) {
    EXPECT_EQ(without_passwords(fine), fine);
  }
}

TEST(WithoutPasswordsTest, ChangesNothingTheSecondTime) {
  for (const std::string text : {"x://u:p@h y", "postgresql://u:p@h d://", "a://b c@d e"}) {
    const std::string once = without_passwords(text);
    EXPECT_EQ(without_passwords(once), once);
  }
}

TEST(WithoutPasswordsTest, NoErrorHoldsOne) {
  const std::string url = "ftp://u:hush@h";
  const Error error(ErrorCode::kBadInput, url, "there is no " + quote(url), "make " + url);
  EXPECT_EQ(error.place(), "ftp://…");
  EXPECT_STREQ(error.what(), "ftp://…: there is no 'ftp://…'; make ftp://…");
}

TEST(SchemeTest, IsWhatStandsBeforeTheMark) {
  EXPECT_EQ(scheme_of("jdbc:postgresql://u:hush@host"), "jdbc:postgresql");
  EXPECT_EQ(scheme_of("u:hush@host://x"), "");
  EXPECT_EQ(scheme_of("a/b://x"), "");
  EXPECT_EQ(scheme_of("a.csv"), "");
  EXPECT_EQ(scheme_of("://"), "");
}

}  // namespace passwords_test
}  // namespace lastbit
