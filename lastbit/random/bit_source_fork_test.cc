// No bit is handed out on both sides of a fork. Each of the two safeguards is tested with the other
// one disabled, and with both disabled the streams are equal: the tests can fail.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <ostream>
#include <vector>

#include "lastbit/random/bit_source.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace bit_source_fork_test {

using internal::BitSourceAccess;
using internal::BitWindow;

using Words = std::vector<std::uint64_t>;
using Draw = std::function<Words(BitSource&)>;

enum class ForkKind {
  kFork,     // fork(): runs the pthread_atfork handlers
  kRawClone  // the bare system call: runs none
};

pid_t fork_as(ForkKind kind) {
  if (kind == ForkKind::kFork) return fork();
  return static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
}

[[noreturn]] void send_and_exit(int pipe_end, const Words& words) {
  const auto size = static_cast<ssize_t>(words.size() * sizeof(std::uint64_t));
  const bool sent = write(pipe_end, words.data(), words.size() * sizeof(std::uint64_t)) == size;
  _exit(sent ? 0 : 1);
}

Words receive(int pipe_end, std::size_t count, pid_t child) {
  Words words(count);
  const auto size = static_cast<ssize_t>(count * sizeof(std::uint64_t));
  EXPECT_EQ(read(pipe_end, words.data(), count * sizeof(std::uint64_t)), size);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return words;
}

struct BothSides {
  Words parent;
  Words child;
};

// Draws `count` words on both sides of a fork.
BothSides draw_around_fork(ForkKind kind, BitSource& source, const Draw& draw, std::size_t count) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork_as(kind);
  if (child == 0) {
    try {
      send_and_exit(ends[1], draw(source));
    } catch (...) {
      _exit(2);
    }
  }
  BothSides sides;
  sides.parent = draw(source);
  close(ends[1]);
  sides.child = receive(ends[0], count, child);
  close(ends[0]);
  return sides;
}

// Three ways to draw, each of 8 words; the second begins inside a half-used reservoir.
Words by_word(BitSource& source) {
  Words words(8);
  for (auto& word : words) word = source.word();
  return words;
}
Words by_bits(BitSource& source) {
  Words words(8);
  for (auto& word : words) word = source.bits(32);
  return words;
}
Words by_fill(BitSource& source) {
  Words words(8);
  source.fill(words);
  return words;
}

void leave_half_used(BitSource& source) {
  source.word();
  source.bits(7);  // 57 bits stay in the reservoir; by_bits starts with them
}

void cut_wipe_on_fork(BitSource& source) {
  ASSERT_EQ(madvise(BitSourceAccess::window(source), sizeof(BitWindow), MADV_KEEPONFORK), 0);
}

// No position agrees. The words of by_bits have only 32 bits, so one comparison gives a false alarm
// with probability 2^−32, and a whole run of this file with less than 2^−24.
void expect_disjoint(const BothSides& sides) {
  for (std::size_t i = 0; i < sides.parent.size(); ++i) {
    EXPECT_NE(sides.parent[i], sides.child[i]) << "position " << i;
    EXPECT_NE(sides.child[i], 0U) << "position " << i;
  }
}

struct ForkCase {
  const char* name;
  ForkKind kind;
  Words (*draw)(BitSource&);
};

// The name of a test must not hold the address of a function, which changes from run to run.
void PrintTo(const ForkCase& fork_case, std::ostream* out) { *out << fork_case.name; }

class ForkTest : public ::testing::TestWithParam<ForkCase> {};

TEST_P(ForkTest, ParentAndChildDrawDifferentBits) {
  const ForkCase& fork_case = GetParam();
  BitSource source = BitSource::secure();
  leave_half_used(source);
  expect_disjoint(draw_around_fork(fork_case.kind, source, fork_case.draw, 8));
}

TEST_P(ForkTest, ParentAndChildDifferBeforeTheFirstDraw) {
  const ForkCase& fork_case = GetParam();
  BitSource source = BitSource::secure();
  expect_disjoint(draw_around_fork(fork_case.kind, source, fork_case.draw, 8));
}

INSTANTIATE_TEST_SUITE_P(EveryDraw, ForkTest,
                         ::testing::Values(ForkCase{"fork_word", ForkKind::kFork, by_word},
                                           ForkCase{"fork_bits", ForkKind::kFork, by_bits},
                                           ForkCase{"fork_fill", ForkKind::kFork, by_fill},
                                           ForkCase{"clone_word", ForkKind::kRawClone, by_word},
                                           ForkCase{"clone_bits", ForkKind::kRawClone, by_bits},
                                           ForkCase{"clone_fill", ForkKind::kRawClone, by_fill}),
                         [](const auto& test) { return test.param.name; });

TEST(ForkNetsTest, TheHandlerAloneSeparatesTheStreams) {
  for (const auto draw : {&by_word, &by_bits, &by_fill}) {
    BitSource source = BitSource::secure();
    leave_half_used(source);
    cut_wipe_on_fork(source);
    expect_disjoint(draw_around_fork(ForkKind::kFork, source, draw, 8));
  }
}

TEST(ForkNetsTest, WithBothNetsCutTheStreamsAreEqual) {
  for (const auto draw : {&by_word, &by_bits, &by_fill}) {
    BitSource source = BitSource::secure();
    leave_half_used(source);
    cut_wipe_on_fork(source);
    const BothSides sides = draw_around_fork(ForkKind::kRawClone, source, draw, 8);
    EXPECT_EQ(sides.parent, sides.child);
  }
}

TEST(ForkNetsTest, TheParentGoesOnWithItsStream) {
  BitSource source = BitSource::secure([](void* buffer, std::size_t size) {
    static_cast<unsigned char*>(buffer)[0] = 1;
    return static_cast<ssize_t>(size);
  });
  BitSource undisturbed = BitSource::secure([](void* buffer, std::size_t size) {
    static_cast<unsigned char*>(buffer)[0] = 1;
    return static_cast<ssize_t>(size);
  });
  EXPECT_EQ(source.word(), undisturbed.word());
  draw_around_fork(ForkKind::kFork, source, by_word, 8);
  by_word(undisturbed);
  EXPECT_EQ(source.word(), undisturbed.word());
}

TEST(ForkNetsTest, TheSourceOfAThreadIsSafeToo) {
  thread_bit_source().bits(5);
  expect_disjoint(draw_around_fork(ForkKind::kFork, thread_bit_source(), by_bits, 8));
  expect_disjoint(draw_around_fork(ForkKind::kRawClone, thread_bit_source(), by_bits, 8));
}

TEST(ForkNetsTest, AGrandchildDiffersFromBoth) {
  BitSource source = BitSource::secure();
  const Draw draw_in_grandchild = [](BitSource& inherited) {
    const BothSides sides = draw_around_fork(ForkKind::kFork, inherited, by_word, 8);
    expect_disjoint(sides);
    return sides.child;
  };
  expect_disjoint(draw_around_fork(ForkKind::kFork, source, draw_in_grandchild, 8));
}

// A fork while the source is being keyed, as a signal handler might cause: the child's copy of the
// half-made key is worthless and must be made again.
int fork_pipe[2] = {-1, -1};
pid_t forked_child = -1;
bool fork_pending = false;

ssize_t entropy_with_a_fork(void* buffer, std::size_t size) {
  const ssize_t got = os_entropy(buffer, size);
  if (fork_pending) {
    fork_pending = false;
    forked_child = fork_as(ForkKind::kRawClone);
  }
  return got;
}

TEST(ForkNetsTest, AForkInTheMiddleOfKeyingIsNoticed) {
  ASSERT_EQ(pipe(fork_pipe), 0);
  fork_pending = true;
  forked_child = -1;
  Words words;
  try {
    BitSource source = BitSource::secure(entropy_with_a_fork);
    words = by_word(source);
  } catch (...) {
    if (forked_child == 0) _exit(2);
    throw;
  }
  if (forked_child == 0) send_and_exit(fork_pipe[1], words);
  close(fork_pipe[1]);
  expect_disjoint({words, receive(fork_pipe[0], words.size(), forked_child)});
  close(fork_pipe[0]);
}

TEST(ForkNetsTest, ATapeIsReadOnOnBothSides) {
  for (const ForkKind kind : {ForkKind::kFork, ForkKind::kRawClone}) {
    BitSource tape = testing::seeded_tape(1);
    leave_half_used(tape);
    const BothSides sides = draw_around_fork(kind, tape, by_bits, 8);
    EXPECT_EQ(sides.parent, sides.child);
  }
}

}  // namespace bit_source_fork_test
}  // namespace lastbit
