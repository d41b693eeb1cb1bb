// What a BitSource does when the operating system gives no randomness.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {
namespace bit_source_entropy_test {

using internal::BitSourceAccess;
using internal::BitWindow;
using internal::fork_generation;

// An EntropyFunction has no state of its own; the tests in this file run one after another.
int calls = 0;
int interruptions_left = 0;
bool entropy_works = true;

ssize_t fails_with_eio(void*, std::size_t) {
  ++calls;
  errno = EIO;
  return -1;
}

ssize_t one_byte_short(void* buffer, std::size_t size) { return os_entropy(buffer, size - 1); }

ssize_t nothing_at_all(void*, std::size_t) { return 0; }

ssize_t claims_too_much(void* buffer, std::size_t size) { return os_entropy(buffer, size) + 1; }

ssize_t writes_nothing(void*, std::size_t size) { return static_cast<ssize_t>(size); }

ssize_t interrupted(void* buffer, std::size_t size) {
  ++calls;
  if (interruptions_left-- > 0) {
    errno = EINTR;
    return -1;
  }
  return os_entropy(buffer, size);
}

ssize_t switchable(void* buffer, std::size_t size) {
  ++calls;
  if (entropy_works) return os_entropy(buffer, size);
  // Part of a key is written before the failure, as a careless driver might.
  std::memset(buffer, 0x5a, size / 2);
  errno = EIO;
  return -1;
}

Error error_of(EntropyFunction entropy) {
  try {
    BitSource::secure(entropy);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "a source was made without entropy";
  return Error(ErrorCode::kInternal, "", "", "");
}

TEST(BitSourceEntropyTest, AFailedReadStopsTheSourceBeforeItExists) {
  calls = 0;
  const Error error = error_of(fails_with_eio);
  EXPECT_EQ(error.code(), ErrorCode::kEntropy);
  EXPECT_NE(error.problem().find(std::strerror(EIO)), std::string::npos) << error.what();
  EXPECT_EQ(calls, 1);
}

TEST(BitSourceEntropyTest, AShortOrOverlongReadIsAnError) {
  EXPECT_EQ(error_of(one_byte_short).code(), ErrorCode::kEntropy);
  EXPECT_EQ(error_of(nothing_at_all).code(), ErrorCode::kEntropy);
  EXPECT_EQ(error_of(claims_too_much).code(), ErrorCode::kEntropy);
}

TEST(BitSourceEntropyTest, AnEntropyFunctionThatWritesNothingIsAnError) {
  EXPECT_EQ(error_of(writes_nothing).code(), ErrorCode::kEntropy);
}

TEST(BitSourceEntropyTest, AnInterruptedReadIsRepeated) {
  calls = 0;
  interruptions_left = 3;
  BitSource source = BitSource::secure(interrupted);
  EXPECT_EQ(calls, 4);
  EXPECT_NE(source.word(), source.word());
}

TEST(BitSourceEntropyTest, EntropyIsAskedOnceHoweverMuchIsDrawn) {
  calls = 0;
  entropy_works = true;
  BitSource source = BitSource::secure(switchable);
  EXPECT_EQ(calls, 1);
  std::vector<std::uint64_t> words(10 * BitWindow::kWords);
  source.fill(words);
  EXPECT_EQ(calls, 1);
}

TEST(BitSourceEntropyTest, ASourceThatCannotRekeyStaysFailedUntilItCan) {
  entropy_works = true;
  BitSource source = BitSource::secure(switchable);
  source.bits(3);  // leaves bits in the reservoir and words in the window
  // The child's handler would do this after a fork.
  fork_generation.fetch_add(1);
  entropy_works = false;
  std::vector<std::uint64_t> words(5);
  for (int attempt = 0; attempt < 3; ++attempt) {
    expect_code(ErrorCode::kEntropy, [&] { source.bit(); });
    expect_code(ErrorCode::kEntropy, [&] { source.word(); });
    expect_code(ErrorCode::kEntropy, [&] { source.fill(words); });
    expect_code(ErrorCode::kEntropy, [&] { source.leading_zeros(); });
  }
  EXPECT_TRUE(std::ranges::all_of(words, [](std::uint64_t w) { return w == 0; }));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(BitSourceAccess::window(source));
  EXPECT_TRUE(std::all_of(bytes, bytes + sizeof(BitWindow), [](unsigned char b) { return b == 0; }))
      << "a failed source keeps something that could be handed out";
  entropy_works = true;
  calls = 0;
  EXPECT_NE(source.word(), source.word());
  EXPECT_EQ(calls, 1);
}

// refuse_getrandom: from here on, getrandom fails with `error` in this process.
bool refuse_getrandom(unsigned error) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offsetof(seccomp_data, nr))),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {static_cast<unsigned short>(std::size(filter)), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum ChildVerdict { kRefusedAsItShould = 0, kHandedOutBits = 1, kOtherFailure = 2, kNoFilter = 3 };

template <class F>
ChildVerdict verdict_without_getrandom(unsigned error, F&& draw) {
  const pid_t child = fork();
  if (child == 0) {
    int verdict = kHandedOutBits;
    try {
      if (refuse_getrandom(error)) {
        draw();
      } else {
        verdict = kNoFilter;
      }
    } catch (const Error& problem) {
      verdict = problem.code() == ErrorCode::kEntropy ? kRefusedAsItShould : kOtherFailure;
    } catch (...) {
      verdict = kOtherFailure;
    }
    _exit(verdict);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return static_cast<ChildVerdict>(WEXITSTATUS(status));
}

class WithoutGetrandomTest : public ::testing::TestWithParam<unsigned> {};

TEST_P(WithoutGetrandomTest, NoSourceIsMade) {
  const auto verdict = verdict_without_getrandom(GetParam(), [] { BitSource::secure(); });
  if (verdict == kNoFilter) GTEST_SKIP() << "this sandbox does not allow a seccomp filter";
  EXPECT_EQ(verdict, kRefusedAsItShould);
}

TEST_P(WithoutGetrandomTest, ASourceFromBeforeTheForkHandsOutNothing) {
  BitSource source = BitSource::secure();
  source.bits(1);
  const auto word = verdict_without_getrandom(GetParam(), [&] { source.word(); });
  if (word == kNoFilter) GTEST_SKIP() << "this sandbox does not allow a seccomp filter";
  EXPECT_EQ(word, kRefusedAsItShould);
  EXPECT_EQ(verdict_without_getrandom(GetParam(), [&] { source.bit(); }), kRefusedAsItShould);
  EXPECT_EQ(verdict_without_getrandom(GetParam(), [] { thread_bit_source().word(); }),
            kRefusedAsItShould);
}

INSTANTIATE_TEST_SUITE_P(Errors, WithoutGetrandomTest, ::testing::Values(EPERM, ENOSYS));

}  // namespace bit_source_entropy_test
}  // namespace lastbit
