// Parquet files whose footer or page headers lie are refused, each for its own reason; so are bytes
// that no Thrift writer produces.
#include <limits>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/reading/parquet_test_support.h"
#include "lastbit/sources/thrift_reader.h"

namespace lastbit::source {
namespace parquet_lies_test {

class ParquetLiesTest : public ParquetFileTest {};

TEST_F(ParquetLiesTest, TruthIsAccepted) {
  EXPECT_EQ(verdict_on([](Told&) {}), "INTEGER, INTEGER");
  EXPECT_EQ(verdict_on([](Told& told) { told.in_footer.text(6, "a writer").i32(32767, 3); }),
            "INTEGER, INTEGER");
}

TEST_F(ParquetLiesTest, CountsOfRowsAddUp) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{2}, std::int64_t{4}, kMost}) {
    EXPECT_EQ(verdict_on([&](Told& told) { told.rows = wrong; }), kRows);
    EXPECT_EQ(verdict_on([&](Told& told) { told.group_rows = wrong; }), kRows);
    EXPECT_EQ(verdict_on([&](Told& told) { told.rows = told.group_rows = wrong; }), kRows);
    EXPECT_EQ(verdict_on([&](Told& told) { told.values = wrong; }), wrong < 0 ? kFooter : kRows);
  }
}

TEST_F(ParquetLiesTest, ChunksAreThoseOfTheSchema) {
  EXPECT_EQ(verdict_on([](Told& told) { told.physical = 2; }), kOthers);
  EXPECT_EQ(verdict_on([](Told& told) { told.path = {"y"}; }), kOthers);
  EXPECT_EQ(verdict_on([](Told& told) { told.path = {}; }), kOthers);
  EXPECT_EQ(verdict_on([](Told& told) { told.path = {"x", "x"}; }), kOthers);
  EXPECT_EQ(verdict_on([](Told& told) { told.path = {"root", "x"}; }), kOthers);
  EXPECT_EQ(verdict_on([](Told& told) { told.codec = 8; }), "is compressed in an unknown way");
  EXPECT_EQ(verdict_on([](Told& told) { told.codec = -1; }), "is compressed in an unknown way");
  EXPECT_EQ(verdict_on([](Told& told) { told.file = "other.parquet"; }),
            "keeps its data in other files");
  EXPECT_EQ(verdict_on([](Told& told) { told.uncompressed = -1; }), kFooter);
}

TEST_F(ParquetLiesTest, ChunksAreWithinTheData) {
  EXPECT_EQ(verdict_on([](Told& told) { told.moved = -1; }), kPlaces);
  EXPECT_EQ(verdict_on([](Told& told) { told.moved = 1000; }), kPlaces);
  EXPECT_EQ(verdict_on([](Told& told) { told.moved = std::int64_t{1} << 62; }), kPlaces);
  EXPECT_EQ(verdict_on([](Told& told) { told.more_bytes = 1; }), kPlaces);  // y's
  EXPECT_EQ(verdict_on([](Told& told) { told.more_bytes = std::int64_t{1} << 62; }), kPlaces);
  EXPECT_EQ(verdict_on([](Told& told) { told.more_bytes = -1000; }), kFooter);
  EXPECT_EQ(verdict_on([](Told& told) { told.more_bytes = -1; }), kPages);
  EXPECT_EQ(verdict_on([](Told& told) { told.y_is_x = true; }), kPlaces);
  EXPECT_EQ(verdict_on([](Told& told) { told.dictionary_at = 3; }), kPlaces);
  EXPECT_EQ(verdict_on([](Told& told) { told.dictionary_at = -1; }), kPlaces);
  EXPECT_EQ(verdict_on([](Told& told) { told.dictionary_at = 5; }), kPlaces);
}

TEST_F(ParquetLiesTest, SchemaIsATreeOfNamedColumns) {
  for (const std::int32_t children : {-1, 0, 1, 3, std::numeric_limits<std::int32_t>::max()}) {
    EXPECT_EQ(verdict_on([&](Told& told) { told.children = children; }), kSchema);
  }
  for (const std::int32_t repetition : {-1, 3}) {
    EXPECT_EQ(verdict_on([&](Told& told) { told.repetition = repetition; }), kSchema);
  }
  EXPECT_EQ(verdict_on([](Told& told) { told.other_name = "X"; }),
            "has two columns that cannot be told apart by name, 'x' and 'X'");
  EXPECT_EQ(verdict_on([](Told& told) { told.other_name = ""; }),
            "has a column whose name is empty");
  EXPECT_EQ(verdict_on([](Told& told) { told.other_name = "\xff"; }),
            "names a column '\\xff', which is not UTF-8 text");
  EXPECT_EQ(verdict(framed("", Fields().list(2, 12, {}).i64(3, 0).list(4, 12, {}).end())), kSchema);
  const std::string root = Fields().text(4, "root").i32(5, 0).end();
  EXPECT_EQ(verdict(framed("", Fields().list(2, 12, {root}).i64(3, 0).list(4, 12, {}).end())),
            "has no columns");
}

TEST_F(ParquetLiesTest, EncryptedFilesAreCalledSo) {
  const auto name_key = [](Told& told) { told.in_footer.fields(8, Fields().fields(1, {})); };
  EXPECT_EQ(verdict_on(name_key), "is encrypted");
  EXPECT_EQ(verdict_on([](Told& told) { told.in_chunk.fields(8, Fields().fields(1, {})); }),
            "is encrypted");
  EXPECT_EQ(verdict_on([](Told& told) { told.in_chunk.text(9, "secret"); }), "is encrypted");
  std::string whole = forged({});
  whole[3] = whole.back() = 'E';
  EXPECT_EQ(verdict(whole), "is encrypted");
}

TEST_F(ParquetLiesTest, FootersFitTheirFiles) {
  std::string whole = forged({});
  whole[whole.size() - 5] = '\x7f';
  EXPECT_EQ(verdict(whole), "is damaged: its footer has no room in it");
  EXPECT_EQ(verdict("PAR1" + std::string(4, '\0') + "PAR1"),
            "is damaged: its footer has no room in it");
  EXPECT_EQ(verdict("PAR1"), "is not a Parquet file, or not a complete one");
  EXPECT_EQ(code_of([&] { read_parquet_footer(scratch_.path(".")); }), ErrorCode::kBadInput);
  EXPECT_EQ(code_of([&] { read_parquet_footer(scratch_.path("none")); }), ErrorCode::kBadInput);
  // Bytes after the metadata.
  EXPECT_EQ(verdict(framed("", Fields().list(2, 12, {}).end() + "x")), kSchema);
}

TEST_F(ParquetLiesTest, PagesAddUp) {
  const auto with = [&](std::vector<std::string> pages) {
    return verdict_on([&](Told& told) { told.pages = std::move(pages); });
  };
  const std::string fine = "INTEGER, INTEGER";
  EXPECT_EQ(with({page(data_page(1)), page(data_page(0)), page(data_page(2))}), fine);
  EXPECT_EQ(with({page(dictionary_page(9)), page(data_page(3))}), fine);
  EXPECT_EQ(with({page(data_page_v2(3, 3, 3))}), fine);
  // A header longer than the first read.
  EXPECT_EQ(with({page(data_page(3).text(9, std::string(100000, 's')))}), fine);
  const std::vector<std::vector<std::string>> lies = {
      {page(data_page(2))},
      {page(data_page(4))},
      {page(data_page(3)), page(data_page(1))},
      {page(data_page(4)), page(data_page(-1))},
      {page(data_page(3), 4)},
      {page(data_page(3, -1), 0)},
      {page(data_page(3, 5, 4))},
      {page(data_page(3)), page(dictionary_page(9))},
      {page(dictionary_page(9)), page(dictionary_page(9)), page(data_page(3))},
      {page(dictionary_page(-1)), page(data_page(3))},
      {page(dictionary_page(3))},
      {page(data_page_v2(3, 0, 2))},
      {page(data_page_v2(3, 4, 3))},
      {page(data_page_v2(3, -1, 3))},
      {page(data_page_v2(3, 0, 3, 6))},
      {page(data_page_v2(3, 0, 3, -1))},
      {page(data_page_v2(3, 0, 3, 2, 1))},
      {page(Fields().i32(1, 1).i32(2, 5).i32(3, 5).fields(6, {})), page(data_page(3))},
      {page(Fields().i32(1, 0).i32(2, 5).i32(3, 5))},
      {page(Fields().i32(1, 0).i32(2, 5).i32(3, 5).fields(5, Fields().i64(1, 3).i32(3, 3)))},
      {page(data_page(3).fields(8, Fields().i32(1, 3)))},
      {std::string(20, '\xff')},
      {page(data_page(3)), "\x15"},
  };
  for (std::size_t i = 0; i < lies.size(); ++i) EXPECT_EQ(with(lies[i]), kPages) << i;
  // Without compression both sizes are the same.
  EXPECT_EQ(verdict_on([](Told& told) { told.codec = 0; }), kPages);
  // The footer gives a wrong start of the data.
  EXPECT_EQ(verdict_on([](Told& told) {
              told.pages = {page(dictionary_page(9)), page(data_page(3))};
              told.dictionary_at = 4;
              told.moved = 7;
            }),
            kPages);
}

TEST_F(ParquetLiesTest, ValuesOfRequiredColumnsAreThere) {
  EXPECT_EQ(verdict_on([](Told& told) {
              told.repetition = 0;
              told.pages = {page(data_page_v2(3, 1, 3, 0))};
            }),
            kPages);
  EXPECT_EQ(verdict_on([](Told& told) {
              told.repetition = 0;
              told.pages = {page(data_page_v2(3, 0, 3, 0))};
            }),
            "INTEGER, INTEGER");
}

TEST_F(ParquetLiesTest, ColumnsToCheckAreFlatAndTheFileIsTheSame) {
  const auto path = write(forged({}));
  ParquetFooter footer = read_parquet_footer(path);
  const std::vector<std::string> none = {"z"};
  EXPECT_EQ(code_of([&] { check_parquet_pages(path, footer, none); }), ErrorCode::kBadInput);
  footer.file_bytes += 1;
  EXPECT_EQ(code_of([&] { check_parquet_pages(path, footer, {}); }), ErrorCode::kBadInput);
}

// The outcome of reading `bytes` as a struct whose fields are all skipped.
std::string skipped(const std::string& bytes) {
  ThriftReader reader(bytes);
  try {
    reader.read_struct([](ThriftField) { return false; });
  } catch (ThriftError error) {
    return error == ThriftError::kCut ? "cut" : "malformed";
  }
  return std::to_string(reader.offset());
}

TEST(ThriftReaderTest, SkipsEveryTypeAndNothingElse) {
  Fields all;
  all.flag(1, true).byte(2, 'x').raw(3, 4, "\x02").i32(4, -5).i64(5, 7);
  all.raw(6, 7, "12345678").text(7, "text").list(8, 1, {"\x01", "\x02"}).list(9, 5, {"\x01"});
  all.raw(10, 11,
          std::string("\x01\x58\x02\x03"
                      "abc",
                      7))
      .fields(11, Fields().i32(1, 1));
  all.raw(12, 11, std::string(1, '\0')).raw(13, 10, "\x15\x02");
  const std::string bytes = all.end();
  EXPECT_EQ(skipped(bytes + "rest"), std::to_string(bytes.size()));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(skipped(bytes.substr(0, size)), "cut") << size;
  }
}

TEST(ThriftReaderTest, HostileBytesAreRefusedWithoutEffort) {
  const std::string most = Fields::varint(0x7fffffff);
  EXPECT_EQ(skipped(Fields().raw(1, 9, "\xfc" + most).end()), "cut");
  EXPECT_EQ(skipped(Fields().raw(1, 11, most + "\xcc").end()), "cut");
  EXPECT_EQ(skipped(Fields().raw(1, 8, most).end()), "cut");
  EXPECT_EQ(skipped(Fields().raw(1, 8, Fields::varint(0x80000000)).end()), "malformed");
  EXPECT_EQ(skipped(Fields().raw(1, 6, std::string(9, '\xff') + "\x02").end()), "malformed");
  EXPECT_EQ(skipped(Fields().raw(1, 6, std::string(10, '\xff') + "\x01").end()), "malformed");
  EXPECT_EQ(skipped(Fields().i32(2, 1).i32(2, 1).end()), "malformed");
  EXPECT_EQ(skipped(Fields().i32(2, 1).i32(1, 1).end()), "malformed");
  EXPECT_EQ(skipped(Fields().raw(1, 13, "").end()), "malformed");
  EXPECT_EQ(skipped("\x10"), "malformed");
  EXPECT_EQ(skipped(std::string(1000, '\x1c')), "malformed");
  EXPECT_EQ(skipped("\x19" + std::string(1000, '\x19')), "malformed");
}

TEST(ThriftReaderTest, ValuesAreInRangeAndOfTheirType) {
  const auto read = [](const std::string& bytes, const auto& action) -> std::string {
    ThriftReader reader(bytes);
    std::string value;
    try {
      reader.read_struct([&](ThriftField field) {
        value = std::to_string(action(reader, field));
        return true;
      });
    } catch (ThriftError) {
      return "refused";
    }
    return value;
  };
  const auto i32 = [](ThriftReader& reader, ThriftField field) { return reader.read_i32(field); };
  const auto i64 = [](ThriftReader& reader, ThriftField field) { return reader.read_i64(field); };
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{2147483647}, std::int64_t{-2147483648}}) {
    EXPECT_EQ(read(Fields().i32(1, value).end(), i32), std::to_string(value));
    EXPECT_EQ(read(Fields().i64(1, value).end(), i64), std::to_string(value));
    EXPECT_EQ(read(Fields().i64(1, value).end(), i32), "refused");
  }
  EXPECT_EQ(read(Fields().i32(1, 2147483648).end(), i32), "refused");
  EXPECT_EQ(read(Fields().i32(1, -2147483649).end(), i32), "refused");
  for (const std::int64_t value :
       {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(read(Fields().i64(1, value).end(), i64), std::to_string(value));
  }
}

}  // namespace parquet_lies_test
}  // namespace lastbit::source
