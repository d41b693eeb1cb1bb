#include "lastbit/engines/kernel/partial_answer.h"

#include <gtest/gtest.h>

#include "lastbit/accounting/sha256.h"
#include "lastbit/base/error.h"
#include "lastbit/engines/kernel/kernel_test_support.h"
#include "lastbit/engines/memory/memory_engine.h"

namespace lastbit::engine {
namespace partial_answer_test {

const SecretKey kKey{{1, 2, 3, 4}};

Aggregation counts() {
  Aggregation aggregation;
  aggregation.unit = UnitColumn{"id", FieldType::kInteger, 2, 2};
  aggregation.groups = {FoundKeys{{"town", FieldType::kText}}};
  aggregation.measures = {RowCount{}, UnitCount{}, DistinctCount{{"x", FieldType::kInteger}}};
  return aggregation;
}

PartialAnswer part_of(const std::vector<std::int64_t>& ids, const KernelOptions& options) {
  MemoryTable table;
  table.columns = {
      {"id", FieldType::kInteger}, {"town", FieldType::kText}, {"x", FieldType::kInteger}};
  for (const std::int64_t id : ids) {
    table.rows.push_back({MemoryValue(id), MemoryValue(std::string(id % 2 == 0 ? "Ayr" : "Bath")),
                          MemoryValue(id % 3)});
  }
  const KernelTable rows(table);
  return count_rows(rows.rows(), counts(), kKey, options);
}

ErrorCode merge_code(const PartialAnswer& first, const PartialAnswer& second) {
  try {
    merge(counts(), first, second);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "the parts were merged";
  return ErrorCode::kInternal;
}

TEST(PartialAnswerTest, PartsThatShareUnitsAreRefused) {
  const KernelOptions any{.mergeable = true};
  const KernelOptions sorted{.order = RowOrder::kByUnit};
  EXPECT_EQ(merge_code(part_of({1, 2}, any), part_of({2, 3}, any)), ErrorCode::kMismatch);
  EXPECT_EQ(merge_code(part_of({1, 3}, sorted), part_of({2, 4}, sorted)), ErrorCode::kMismatch);
  EXPECT_EQ(merge_code(part_of({1, 2}, sorted), part_of({2, 4}, sorted)), ErrorCode::kMismatch);
  // What is not known to share nothing is refused too.
  EXPECT_EQ(merge_code(part_of({1, 2}, {}), part_of({3, 4}, {})), ErrorCode::kMismatch);
  EXPECT_EQ(merge_code(part_of({1, 2}, any), part_of({3, 4}, sorted)), ErrorCode::kMismatch);
  PartialAnswer other = part_of({3}, any);
  other.question = question_digest(counts(), {{1, 2, 3, 5}});
  EXPECT_EQ(merge_code(part_of({1}, any), other), ErrorCode::kMismatch);
  const PartialAnswer both = merge(counts(), part_of({3, 4}, sorted), part_of({1, 2}, sorted));
  EXPECT_EQ(answer_text(answer_of(counts(), both)),
            "Ayr [ 0:2 ][ 0:2 ][ 0:2 ]\nBath [ 0:2 ][ 0:2 ][ 0:2 ]\n");
}

TEST(PartialAnswerTest, QuestionsDifferInEveryPart) {
  const std::string whole = question_digest(counts(), kKey);
  Aggregation other = counts();
  other.max_rows = 5;
  EXPECT_NE(question_digest(other, kKey), whole);
  other = counts();
  std::get<UnitColumn>(other.unit).max_rows = 3;
  EXPECT_NE(question_digest(other, kKey), whole);
  other = counts();
  other.measures.pop_back();
  EXPECT_NE(question_digest(other, kKey), whole);
}

bool is_refused(const std::string& bytes) {
  try {
    decode_partial(counts(), kKey, bytes);
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::kBadText || error.code() == ErrorCode::kMismatch);
    return true;
  }
  return false;
}

// Bytes that are wrong, with a checksum that is right.
std::string resealed(std::string bytes) {
  bytes.resize(bytes.size() - 64);
  return bytes + sha256_hex(bytes);
}

TEST(PartialAnswerTest, DamagedBytesAreRefused) {
  const PartialAnswer part = part_of({1, 2, 3, 4, 5, 5}, {.mergeable = true});
  const std::string good = encode_partial(part);
  EXPECT_EQ(decode_partial(counts(), kKey, good), part);
  EXPECT_TRUE(is_refused(""));
  EXPECT_TRUE(is_refused(good + " "));
  for (std::size_t size = 0; size < good.size(); size += 7) {
    EXPECT_TRUE(is_refused(good.substr(0, size)));
  }
  std::size_t taken = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ change);
      EXPECT_TRUE(is_refused(bad));
      if (i >= good.size() - 64) continue;
      // Somebody who can make a checksum can change numbers, but breaks nothing.
      if (!is_refused(resealed(bad))) ++taken;
    }
    std::string shorter = good;
    shorter.erase(i, 1);
    if (i < good.size() - 64) {
      EXPECT_TRUE(is_refused(resealed(shorter)));
    }
  }
  EXPECT_LT(taken, good.size());
}

TEST(PartialAnswerTest, LongListsThatAreNotThereAreRefused) {
  const std::string good = encode_partial(part_of({}, {.mergeable = true}));
  // The last list is that of the groups.
  std::string bad = good;
  for (std::size_t i = 0; i < 8; ++i) bad[good.size() - 64 - 8 + i] = static_cast<char>(0x7f);
  EXPECT_TRUE(is_refused(resealed(bad)));
}

}  // namespace partial_answer_test
}  // namespace lastbit::engine
