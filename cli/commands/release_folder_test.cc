#include "cli/commands/release_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "cli/commands/release_limits.h"
#include "cli/terminal/failure.h"
#include "cli/terminal/output.h"

namespace lastbit::cli {
namespace release_folder_test {

namespace fs = std::filesystem;

class ReleaseFolderTest : public ::testing::Test {
 protected:
  ~ReleaseFolderTest() override { fs::remove_all(root_); }

  fs::path at(const std::string& name) const { return root_ / name; }
  static std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // refusal_of: the message with which the folder is refused.
  static std::string refusal_of(const fs::path& path) {
    try {
      const ReleaseFolder folder(path);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit_code(), kExitOutput);
      return failure.what();
    }
    return "";
  }

  const ReleaseFiles files_{.html = "<p>page</p>", .json = "{}", .csv = "a,b\r\n"};

 private:
  fs::path root_ = make_temporary_folder();
};

TEST_F(ReleaseFolderTest, WritesThreeWholeFilesAndNothingElse) {
  for (const char* name : {"new", "new2/", "deep/er"}) {
    const fs::path path = at(name);
    {
      ReleaseFolder folder(path);
      folder.write(files_);
      EXPECT_EQ(text_of(folder.report()), files_.html);
    }
    EXPECT_EQ(names_in(path),
              (std::set<std::string>{"answers.csv", "release.json", "report.html"}));
    EXPECT_EQ(text_of(path / "answers.csv"), files_.csv);
    EXPECT_EQ(text_of(path / "release.json"), files_.json);
  }
}

TEST_F(ReleaseFolderTest, LeavesNothingWithoutWriting) {
  {
    const ReleaseFolder folder(at("new"));
  }
  EXPECT_FALSE(fs::exists(at("new")));
  fs::create_directory(at("old"));
  std::ofstream(at("old") / "mine") << "text";
  {
    const ReleaseFolder folder(at("old"));
  }
  EXPECT_EQ(names_in(at("old")), std::set<std::string>{"mine"});
}

TEST_F(ReleaseFolderTest, EarlierReleaseIsNotOverwritten) {
  for (const char* name : {"report.html", "release.json", "answers.csv"}) {
    fs::create_directory(at(name));
    std::ofstream(at(name) / name) << "paid for";
    EXPECT_NE(refusal_of(at(name)).find("paid for"), std::string::npos);
    EXPECT_EQ(names_in(at(name)), std::set<std::string>{name});
  }
  fs::create_directory(at("links"));
  fs::create_symlink("nowhere", at("links") / "release.json");
  EXPECT_NE(refusal_of(at("links")), "");
}

TEST_F(ReleaseFolderTest, SecondReleaseAtTheSameTimeIsRefused) {
  std::optional<ReleaseFolder> first(at("new"));
  EXPECT_NE(refusal_of(at("new")).find("another release"), std::string::npos);
  first->write(files_);
  first.reset();
  EXPECT_NE(refusal_of(at("new")).find("earlier release"), std::string::npos);
}

TEST_F(ReleaseFolderTest, PlaceThatIsNoFolderIsNamed) {
  std::ofstream(at("file")) << "text";
  EXPECT_NE(refusal_of(at("file")).find("file"), std::string::npos);
  EXPECT_NE(refusal_of(at("file") / "below").find("below"), std::string::npos);
  EXPECT_EQ(text_of(at("file")), "text");
}

TEST(ByteCountTest, TakesSizesWithUnitsAndNothingElse) {
  EXPECT_EQ(byte_count("4GB"), 4'000'000'000U);
  EXPECT_EQ(byte_count("512MiB"), 512U << 20U);
  EXPECT_EQ(byte_count("100"), 100U);
  EXPECT_EQ(byte_count("1048576TiB"), std::uint64_t{1} << 60U);
  for (const char* text : {"", "GB", "-1", "+1", "1.5GB", "4 GB", "4gb", "4GBs", "0x10",
                           "1048577TiB", "99999999999999999999"}) {
    EXPECT_EQ(byte_count(text), std::nullopt) << text;
  }
}

}  // namespace release_folder_test
}  // namespace lastbit::cli
