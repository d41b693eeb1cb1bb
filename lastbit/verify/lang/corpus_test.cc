// The files under corpus/, as they are and with random damage, and the programs of the guide.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/verify/lang/expectation.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/lang/printer.h"
#include "lastbit/verify/lang/test_support.h"

namespace lastbit::verify {
namespace corpus_test {

struct CorpusFile {
  std::string folder;  // correct, broken or controls
  std::string name;    // without .dp
  std::string text;
};

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<CorpusFile> read_corpus() {
  std::vector<CorpusFile> files;
  const std::filesystem::path root = std::filesystem::path(LASTBIT_SOURCE_DIR) / "corpus";
  for (const std::string folder : {"correct", "broken", "controls"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
      EXPECT_EQ(entry.path().extension(), ".dp") << entry.path();
      files.push_back({folder, entry.path().stem().string(), read_text(entry.path())});
    }
  }
  std::ranges::sort(files, {}, [](const CorpusFile& file) { return file.folder + file.name; });
  return files;
}

const std::vector<CorpusFile>& corpus() {
  static const std::vector<CorpusFile> files = read_corpus();
  return files;
}

TEST(CorpusTest, EveryFileIsReadPrintedAndReadBack) {
  EXPECT_GE(corpus().size(), 60U);
  for (const CorpusFile& file : corpus()) {
    SCOPED_TRACE(file.name);
    const Program program = parse_program(file.text, file.name);
    EXPECT_EQ(program.name, file.name);
    EXPECT_EQ(parse_program(print_program(program)), program);
    EXPECT_EQ(print_program(parse_program(print_program(program))), print_program(program));
  }
}

TEST(CorpusTest, EveryFileExpectsAVerdictInItsFirstLine) {
  for (const CorpusFile& file : corpus()) {
    SCOPED_TRACE(file.name);
    EXPECT_TRUE(file.text.starts_with("# EXPECT: "));
    const auto expected = read_expectation(file.text);
    ASSERT_TRUE(expected.has_value());
    const std::string verdict = file.folder == "correct"  ? "proved"
                                : file.folder == "broken" ? "refuted"
                                                          : "not refuted";
    EXPECT_EQ(expected->verdict, verdict);
    if (verdict != "proved") continue;
    EXPECT_EQ(expected->epsilon, print_expression(parse_program(file.text).claimed_epsilon));
  }
}

TEST(CorpusTest, EveryCorrectMechanismHasABrokenTwin) {
  for (const CorpusFile& file : corpus()) {
    if (file.folder != "correct") continue;
    const bool has_twin = std::ranges::any_of(corpus(), [&](const CorpusFile& other) {
      return other.folder == "broken" && other.name.starts_with(file.name + "_");
    });
    EXPECT_TRUE(has_twin) << file.name;
  }
}

TEST(CorpusTest, EveryConstructIsUsedSomewhere) {
  std::string all;
  for (const CorpusFile& file : corpus()) all += file.text;
  for (const std::string word : {"uniform(",
                                 "sign(",
                                 "bernoulli(",
                                 "laplace(",
                                 "exponential(",
                                 "geometric(",
                                 "discrete_laplace(",
                                 "every ",
                                 "one ",
                                 "while ",
                                 "delta ",
                                 "output ",
                                 "return ",
                                 "%",
                                 "round(",
                                 "clamp(",
                                 "pow2ceil(",
                                 "logistic(",
                                 "ln(",
                                 ": bool",
                                 ": int",
                                 ": int[n]"}) {
    EXPECT_NE(all.find(word), std::string::npos) << word;
  }
}

// The blocks of the guide that are fenced as ```dp.
std::vector<std::string> programs_of_the_guide(const std::string& guide) {
  constexpr std::string_view kFence = "```dp\n";
  std::vector<std::string> found;
  for (std::size_t at = guide.find(kFence); at != std::string::npos; at = guide.find(kFence, at)) {
    at += kFence.size();
    found.push_back(guide.substr(at, guide.find("```", at) - at));
  }
  return found;
}

TEST(GuideTest, ItsProgramsAreReadAndItsMistakeIsShownAsItIs) {
  const std::string guide =
      read_text(std::filesystem::path(LASTBIT_SOURCE_DIR) / "docs" / "language.md");
  const std::vector<std::string> programs = programs_of_the_guide(guide);
  ASSERT_GE(programs.size(), 3U);
  for (const std::string& program : programs) EXPECT_NO_THROW(parse_program(program)) << program;
  // The first program without its comment, and with a letter missing.
  std::string mistyped = programs[0].substr(programs[0].find('\n') + 1);
  mistyped.replace(mistyped.rfind("noise"), 5, "nose");
  try {
    parse_program(mistyped, "patients.dp");
    ADD_FAILURE() << "read: " << mistyped;
  } catch (const Error& error) {
    const std::string shown = error.place() + ": " + error.problem() + "\n  " + error.remedy();
    EXPECT_NE(guide.find(shown), std::string::npos) << shown;
  }
}

// Reads hostile text: either it is a program, and printing and reading it gives the same, or it is
// refused with a place. Anything else fails or crashes the test. Returns whether it was read.
bool survives(const std::string& text) {
  try {
    const Program program = parse_program(text, "hostile");
    EXPECT_EQ(parse_program(print_program(program)), program) << text;
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadText) << error.what() << "\n" << text;
    EXPECT_TRUE(error.place().starts_with("hostile:")) << error.place();
    EXPECT_FALSE(error.remedy().empty());
  }
  return false;
}

TEST(HostileTextTest, TruncatedProgramsAreRefused) {
  for (const CorpusFile& file : corpus()) {
    if (file.name != "adaptive_svt" && file.name != "snapping") continue;
    const std::size_t end = file.text.rfind('}');
    for (std::size_t length = 0; length <= end; ++length) {
      EXPECT_FALSE(survives(file.text.substr(0, length))) << length;
    }
  }
}

TEST(HostileTextTest, DamagedProgramsAreReadOrRefused) {
  const std::vector<std::string> pieces = {"(",    ")",     "{",    "}",     "[",
                                           "]",    "|",     ":=",   "<-",    "..",
                                           ".1",   ".2",    "-",    "/ 0",   " 1e999999999 ",
                                           "not ", " and ", "true", "while", "laplace(",
                                           "q",    "eps",   "#",    "\n",    "\xff",
                                           "ε",    "9",     ";",    ","};
  Dice dice(20260711);
  int read = 0;
  constexpr int kCases = 6000;
  for (int i = 0; i < kCases; ++i) {
    std::string text = dice.pick(corpus()).text;
    for (std::size_t edits = 1 + dice.below(3); edits > 0; --edits) {
      const std::size_t at = dice.below(text.size());
      const std::size_t length = 1 + dice.below(8);
      switch (dice.below(5)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, dice.pick(pieces));
          break;
        case 2:
          text[at] = static_cast<char>(dice.below(256));
          break;
        case 3:
          text.insert(at, text.substr(dice.below(text.size()), 4 * length));
          break;
        default:
          text.replace(at, length, dice.pick(pieces));
      }
      if (text.empty()) text = " ";
    }
    read += survives(text) ? 1 : 0;
  }
  // Damage in comments and the like is harmless; if all or none were read, the test would be
  // useless.
  EXPECT_GT(read, kCases / 50);
  EXPECT_LT(read, kCases / 2);
}

TEST(HostileTextTest, RandomWordsAreReadOrRefused) {
  const std::vector<std::string> words = {
      "mechanism", "requires", "adjacent",  "claims", "delta", "every", "one",    "for",
      "in",        "while",    "at",        "most",   "if",    "else",  "output", "return",
      "and",       "or",       "not",       "true",   "false", "real",  "int",    "bool",
      "f",         "q",        "n",         "x",      "y",     "i",     "eps",    "0",
      "1",         "2",        "0.5",       "1e3",    "+",     "-",     "*",      "/",
      "%",         "<",        "<=",        ">",      ">=",    "==",    "!=",     "(",
      ")",         "[",        "]",         "{",      "}",     "|",     ",",      ";",
      ":",         ":=",       "<-",        "..",     ".",     "ln",    "clamp",  "round",
      "laplace",   "sign",     "bernoulli", "uniform"};
  Dice dice(1);
  for (int i = 0; i < 4000; ++i) {
    // Half of them start like the body of a mechanism, so that they get further.
    std::string text = dice.one_in(2)
                           ? "mechanism m(f: real, q: real[n], n: int, eps: real) adjacent "
                             "|f.1 - f.2| <= 1 { x := f; y := f > 0; "
                           : "";
    for (std::size_t count = dice.below(60); count > 0; --count) text += dice.pick(words) + " ";
    survives(text + "}");
  }
}

TEST(HostileTextTest, RandomBytesAreRefused) {
  Dice dice(2);
  for (int i = 0; i < 2000; ++i) {
    std::string text(dice.below(80), ' ');
    for (char& c : text) c = static_cast<char>(dice.below(256));
    EXPECT_FALSE(survives(text));
  }
}

}  // namespace corpus_test
}  // namespace lastbit::verify
