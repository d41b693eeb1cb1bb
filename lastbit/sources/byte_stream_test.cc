#include "lastbit/sources/byte_stream.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/utf8.h"
#include "lastbit/sources/csv_file.h"
#include "lastbit/sources/test_support.h"

namespace lastbit::source {
namespace byte_stream_test {

std::string in_utf16(std::u16string_view text, bool big) {
  std::string bytes;
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8);
    const char low = static_cast<char>(unit & 0xff);
    bytes += big ? high : low;
    bytes += big ? low : high;
  }
  return bytes;
}

std::string in_gzip(const std::string& text) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string in_zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

class ByteStreamTest : public ::testing::Test {
 protected:
  // The text of a file; or the problem, with the line if it has one.
  std::string text(const std::string& bytes, TextForm form, std::size_t step = 1000) {
    const std::filesystem::path path = scratch_.write(bytes);
    try {
      try {
        ByteStream stream(path, form);
        std::string all;
        for (std::size_t before = 1; before != all.size();) {
          before = all.size();
          stream.read(all, step);
        }
        return all;
      } catch (const Malformed& malformed) {
        refuse_malformed(path, malformed, form);
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      return error.problem();
    }
  }
  std::string decoded(const std::string& bytes, TextEncoding encoding, std::size_t step = 1000) {
    return text(bytes, {.encoding = encoding}, step);
  }

  TextScratch scratch_;
};

TEST_F(ByteStreamTest, EncodingsAreTheDeclaredOnes) {
  EXPECT_EQ(decoded("caf\xe9\x80\n", TextEncoding::kLatin1), "caf\xc3\xa9\xc2\x80\n");
  EXPECT_EQ(decoded("caf\xe9\x80\n", TextEncoding::kWindows1252), "caf\xc3\xa9\xe2\x82\xac\n");
  const std::u16string word = u"a\né漢😀";
  const std::string utf8 = "a\n\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80";
  for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    EXPECT_EQ(decoded(in_utf16(word, false), TextEncoding::kUtf16Le, step), utf8);
    EXPECT_EQ(decoded(in_utf16(word, true), TextEncoding::kUtf16Be, step), utf8);
    for (const bool big : {false, true}) {
      EXPECT_EQ(decoded(in_utf16(u"\ufeff" + word, big), TextEncoding::kUtf16, step),
                std::string(kByteOrderMark) + utf8);
    }
  }
}

TEST_F(ByteStreamTest, BytesThatContradictTheEncodingAreRefusedWithTheLine) {
  EXPECT_EQ(decoded("a\nb\nc\x81\n", TextEncoding::kWindows1252),
            "line 3: there is a byte that is no character in windows-1252");
  EXPECT_EQ(decoded(in_utf16(u"a\nb", false) + "x", TextEncoding::kUtf16Le),
            "line 2: the file ends within a character of UTF-16");
  const std::string unpaired = "line 2: there is half a surrogate pair of UTF-16";
  for (const std::string& wrong :
       {std::string("\x3d\xd8"), std::string("\x00\xde", 2), std::string("\x3d\xd8\x3d\xd8", 4)}) {
    const std::string start = in_utf16(u"a\nb", false);
    EXPECT_EQ(decoded(start + wrong, TextEncoding::kUtf16Le), unpaired);
    EXPECT_EQ(decoded(start + wrong + in_utf16(u"c\n", false), TextEncoding::kUtf16Le), unpaired);
  }
  EXPECT_EQ(decoded(in_utf16(u"a\n", false), TextEncoding::kUtf16),
            "line 1: the file does not start with the byte order mark of UTF-16");
}

// Lines far behind the first block, and characters across the ends of blocks.
TEST_F(ByteStreamTest, LinesOfLongFilesAreRight) {
  std::u16string word;
  std::string utf8;
  for (int i = 0; i < 50'000; ++i) {
    word += u"😀x\n";
    utf8 += "\xf0\x9f\x98\x80x\n";
  }
  EXPECT_EQ(decoded(in_utf16(word, true), TextEncoding::kUtf16Be, 4'097), utf8);
  EXPECT_EQ(decoded("x" + in_utf16(word, true), TextEncoding::kUtf16Le, 4'097).substr(0, 7),
            "line 1:");
  EXPECT_EQ(decoded(in_utf16(word, true) + "x", TextEncoding::kUtf16Be, 4'097).substr(0, 12),
            "line 50001: ");
}

TEST_F(ByteStreamTest, CompressedFilesHoldTheirText) {
  std::string large = "a,b\n";
  for (int i = 0; i < 200'000; ++i)
    large += std::to_string(i * 7919) + "," + std::to_string(i) + "\n";
  for (const std::string& whole : {std::string("a\n1\n"), std::string(), large}) {
    const std::string half = whole.substr(0, whole.size() / 3);
    const std::string rest = whole.substr(whole.size() / 3);
    for (const std::size_t step :
         {std::size_t{1'000}, std::size_t{1} << 17, std::size_t{1} << 22}) {
      EXPECT_EQ(text(in_gzip(whole), {.compression = Compression::kGzip}, step), whole);
      EXPECT_EQ(text(in_gzip(half) + in_gzip(rest), {.compression = Compression::kGzip}, step),
                whole);
      EXPECT_EQ(text(in_zstd(whole), {.compression = Compression::kZstd}, step), whole);
      EXPECT_EQ(text(in_zstd(half) + in_zstd(rest), {.compression = Compression::kZstd}, step),
                whole);
    }
  }
  EXPECT_EQ(text(in_gzip(in_utf16(u"é\n", true)), {TextEncoding::kUtf16Be, Compression::kGzip}),
            "\xc3\xa9\n");
}

TEST_F(ByteStreamTest, DamagedFilesAreRefused) {
  const std::string plain = "a,b\n" + std::string(1000, '1') + "\n";
  const std::string gzip = in_gzip(plain);
  const std::string zstd = in_zstd(plain);
  const TextForm in_gz{.compression = Compression::kGzip};
  const TextForm in_zst{.compression = Compression::kZstd};
  for (std::size_t size = 0; size < gzip.size(); ++size) {
    EXPECT_EQ(text(gzip.substr(0, size), in_gz), "is a gzip file that is cut off") << size;
  }
  for (std::size_t size = 0; size < zstd.size(); ++size) {
    EXPECT_EQ(text(zstd.substr(0, size), in_zst), "is a zstd file that is cut off") << size;
  }
  EXPECT_EQ(text(plain, in_gz), "is not a gzip file");
  EXPECT_EQ(text(plain, in_zst), "is not a zstd file");
  const std::string behind = " file, or something follows its end";
  for (const std::string& more :
       {std::string(1, '\0'), std::string("abc"), std::string("1,2\n3,4\n")}) {
    EXPECT_NE(text(gzip + more, in_gz), plain);
    EXPECT_NE(text(zstd + more, in_zst), plain);
  }
  EXPECT_EQ(text(gzip + "1,2\n3,4\n", in_gz), "is a damaged gzip" + behind);
  EXPECT_EQ(text(zstd + "1,2\n3,4\n", in_zst), "is a damaged zstd" + behind);
  // One bit anywhere in the sum at the end.
  std::string other = gzip;
  other[other.size() - 6] ^= 1;
  EXPECT_EQ(text(other, in_gz), "is a damaged gzip" + behind);
}

TEST_F(ByteStreamTest, ExpansionIsBounded) {
  const std::string bomb(ByteStream::kFreeBytes + (std::size_t{16} << 20), '1');
  EXPECT_EQ(text(in_zstd(bomb), {.compression = Compression::kZstd}, 1 << 20),
            "holds more than 1100 times its size");
}

TEST_F(ByteStreamTest, CutsOfCompressedAndConvertedFilesChangeNothing) {
  std::string latin = "h,i\n";
  for (int i = 0; i < 100; ++i) latin += "\"caf\xe9\n" + std::to_string(i) + "\",\xdf\n";
  const CsvFormat format{.form = {TextEncoding::kLatin1, Compression::kGzip}};
  const std::filesystem::path path = scratch_.write(in_gzip(latin));
  CsvFile file(path, format);
  const std::vector<TextRow> whole = read_rows(file);
  ASSERT_EQ(whole.size(), 100U);
  EXPECT_EQ(whole[7][0], "caf\xc3\xa9\n7");
  for (std::size_t block = 1; block < 60; ++block) {
    CsvFile cut(path, format, block);
    EXPECT_EQ(read_rows(cut), whole) << block;
  }
}

}  // namespace byte_stream_test
}  // namespace lastbit::source
