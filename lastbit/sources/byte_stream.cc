#include "lastbit/sources/byte_stream.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "lastbit/sources/decompress.h"
#include "lastbit/sources/file_bytes.h"
#include "lastbit/sources/records.h"
#include "lastbit/sources/transcoder.h"

namespace lastbit::source {
namespace {

constexpr std::size_t kStepBytes = std::size_t{1} << 16;

constexpr const char* kSaveSheet = "save the sheet as CSV (UTF-8), and name that file";

[[noreturn]] void refuse_front(const char* problem, const char* remedy) {
  throw Malformed{0, problem, remedy};
}

}  // namespace

struct ByteStream::State {
  State(const std::filesystem::path& path, TextForm form)
      : file(path), bytes(file, form.compression), transcoder(form.encoding) {}

  FileBytes file;
  Decompressor bytes;
  Transcoder transcoder;
  std::string text;  // converted and not handed out yet, from `at` on
  std::size_t at = 0;
};

ByteStream::ByteStream(const std::filesystem::path& path, TextForm form)
    : state_(std::make_unique<State>(path, form)) {}

ByteStream::~ByteStream() = default;

void ByteStream::read(std::string& out, std::size_t size) {
  State& state = *state_;
  if (state.transcoder.is_utf8()) {
    const std::size_t before = out.size();
    out.resize(before + size);
    out.resize(before + state.bytes.read(out.data() + before, size));
    return;
  }
  std::array<char, kStepBytes> block;
  while (size > 0) {
    if (state.at < state.text.size()) {
      const std::size_t count = std::min(size, state.text.size() - state.at);
      out.append(state.text, state.at, count);
      state.at += count;
      size -= count;
      continue;
    }
    state.text.clear();
    state.at = 0;
    if (state.transcoder.ended()) return;
    const std::size_t got = state.bytes.read(block.data(), block.size());
    state.transcoder.convert({block.data(), got}, got < block.size(), state.text);
  }
}

void ByteStream::skip(std::uint64_t count) {
  if (state_->transcoder.is_utf8() && state_->bytes.skip(count)) return;
  std::string passed;
  while (count > 0) {
    passed.clear();
    read(passed, static_cast<std::size_t>(std::min<std::uint64_t>(count, kStepBytes)));
    if (passed.empty()) return;
    count -= passed.size();
  }
}

double ByteStream::done() const { return state_->file.done(); }

std::string read_front(const std::filesystem::path& path, TextForm form, std::size_t size) {
  std::string front;
  ByteStream(path, form).read(front, size);
  return front;
}

void refuse_no_utf8(std::string_view front) {
  if (front.starts_with("\xff\xfe") || front.starts_with("\xfe\xff")) {
    refuse_front("the file is UTF-16",
                 "write encoding = \"utf-16\" in [source], or save it as UTF-8");
  }
  if (front.starts_with("\xd0\xcf\x11\xe0")) {
    refuse_front("this is an old Excel workbook, or another Office file, not a text file",
                 kSaveSheet);
  }
  if (front.starts_with("\x1f\x8b")) {
    refuse_front("the file is compressed with gzip", "end its name with .gz");
  }
  if (front.starts_with("\x28\xb5\x2f\xfd")) {
    refuse_front("the file is compressed with zstd", "end its name with .zst");
  }
}

void refuse_other_format(std::string_view front) {
  refuse_no_utf8(front);
  if (front.starts_with("PK\x03\x04")) {
    const bool workbook = front.find("[Content_Types].xml") != std::string_view::npos ||
                          front.find("xl/") != std::string_view::npos ||
                          front.find("docProps/") != std::string_view::npos;
    if (workbook) refuse_front("this is an Excel workbook, not a text file", kSaveSheet);
    refuse_front("this is a zip archive, not a text file", "unpack it, and name the file inside");
  }
  if (front.starts_with("%PDF-")) {
    refuse_front("this is a PDF, not a text file",
                 "export the table as CSV from where it was made");
  }
  if (front.starts_with("PAR1\x15")) {
    refuse_front("this is a Parquet file", "write format = \"parquet\" in [source]");
  }
  if (front.starts_with(std::string_view("SQLite format 3\0", 16))) {
    refuse_front("this is a database, not a text file", "export the table as CSV");
  }
}

}  // namespace lastbit::source
