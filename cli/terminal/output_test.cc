#include "cli/terminal/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/terminal/failure.h"
#include "cli/terminal/progress.h"

namespace lastbit::cli {
namespace output_test {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class OutputTest : public ::testing::Test {
 protected:
  void SetUp() override { folder_ = make_temporary_folder(); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  std::filesystem::path folder_;
};

TEST_F(OutputTest, FileAppearsOnlyWhenItIsCommitted) {
  const auto path = folder_ / "a.csv";
  OutputFile file(path);
  file.sink().write("text");
  EXPECT_FALSE(std::filesystem::exists(path));
  file.commit();
  EXPECT_EQ(contents(path), "text");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, FileThatIsNotCommittedLeavesTheOldOne) {
  const auto path = folder_ / "a.csv";
  std::ofstream(path) << "old";
  {
    OutputFile file(path);
    file.sink().write(std::string(200'000, 'x'));
  }
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, TwoWritersOfOneFileDoNotMix) {
  const auto path = folder_ / "a.csv";
  OutputFile first(path);
  OutputFile second(path);
  first.sink().write("first");
  second.sink().write("second");
  first.commit();
  second.commit();
  EXPECT_EQ(contents(path), "second");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, FullDeviceIsAFailureWithItsExitCode) {
  OutputFile file("/dev/full");
  file.sink().write("text");
  try {
    file.commit();
    FAIL() << "nothing was thrown";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit_code(), kExitOutput);
    EXPECT_EQ(failure.place(), "/dev/full");
  }
}

TEST_F(OutputTest, ReaderThatLeavesClosesTheSinkQuietly) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  ::close(ends[0]);
  Sink sink(ends[1], "pipe");
  EXPECT_FALSE(sink.closed());
  sink.write("text");
  sink.flush();
  EXPECT_TRUE(sink.closed());
  sink.write("more");
  sink.flush();
  ::close(ends[1]);
  std::signal(SIGPIPE, before);
}

TEST_F(OutputTest, DoomedPathsGoWithTheirScope) {
  const auto inner = folder_ / "inner";
  {
    const DoomedPath folder(inner);
    const DoomedPath file(inner / "file");
    std::filesystem::create_directory(inner);
    std::ofstream(inner / "file") << "text";
  }
  EXPECT_FALSE(std::filesystem::exists(inner));
}

TEST_F(OutputTest, DoomedPathsGoWhenASignalEndsTheProgram) {
  const auto path = folder_ / "file";
  EXPECT_EXIT(
      {
        const DoomedPath file(path);
        std::ofstream(path) << "text";
        std::raise(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM), "");
  EXPECT_EQ(files(), 0u);
}

TEST(ProgressTest, BarShowsTheShareAndSurvivesOddTotals) {
  EXPECT_NE(progress_bar("work", 1, 2).find(" 50 %"), std::string::npos);
  EXPECT_NE(progress_bar("work", 0, 0).find("100 %"), std::string::npos);
  EXPECT_NE(progress_bar("work", 9, 2).find("100 %"), std::string::npos);
}

}  // namespace output_test
}  // namespace lastbit::cli
