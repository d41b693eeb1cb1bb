// dump_records: what our readers make of a file, for tests that compare it with what others make of
// it.
//
//   dump_records csv FILE DELIMITER BLOCK_BYTES THREADS
//   dump_records dialect FILE DELIMITER QUOTE ESCAPE NAMES ENCODING COMPRESSION BLOCK_BYTES THREADS
//   dump_records json FILE BLOCK_BYTES THREADS
//   dump_records jobs LIST
//
// QUOTE and ESCAPE are characters or "none"; NAMES is the number of columns c0, c1, … of a file
// without a header, or 0; COMPRESSION is none, gzip or zstd.
//
// It prints the columns and then the records, in the order of the file, as JSON, one array of
// strings and nulls a line. A malformed file ends it with 65. The list of `jobs` has the arguments
// of one of the other calls after the other, one argument a line; what is printed for each ends in
// a line with a
// string: "whole", or instead of all lines what is wrong with the file.
#include <fmt/core.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/sources/csv_file.h"
#include "lastbit/sources/json_file.h"

namespace lastbit::source {
namespace {

constexpr int kUsage = 64;
constexpr int kMalformedFile = 65;

// append_text: the text as Python's json.dumps writes it, so that hashes of dumps can be compared.
void append_text(std::string& out, std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  out += '"';
  for (const char c : text) {
    const std::size_t escaped = kEscaped.find(c);
    if (escaped != std::string_view::npos) {
      out += '\\';
      out += kLetters[escaped];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

// append_line: an array of fields, of which `field(i)` is the i-th.
void append_line(std::string& out, std::size_t size, const auto& field) {
  out += '[';
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) out += ',';
    const RawField text = field(i);
    if (text) {
      append_text(out, *text);
    } else {
      out += "null";
    }
  }
  out += "]\n";
}

// Dumps: the lines of the chunks that were read so far, by where they start in the file.
class Dumps {
 public:
  void add(std::uint64_t offset, std::string lines) {
    const std::lock_guard lock(mutex_);
    lines_.emplace(offset, std::move(lines));
  }
  // add: of several problems, the first in the file is kept.
  void add(const Malformed& problem) {
    const std::lock_guard lock(mutex_);
    if (!problem_ || problem.offset < problem_->offset) problem_ = problem;
  }
  void add(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
  }

  std::vector<std::string> take() {
    if (error_) std::rethrow_exception(error_);
    if (problem_) throw Malformed(*problem_);
    std::vector<std::string> all;
    for (auto& [offset, lines] : lines_) all.push_back(std::move(lines));
    return all;
  }

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::string> lines_;
  std::optional<Malformed> problem_;
  std::exception_ptr error_;
};

void dump_chunks(auto& file, Dumps& dumps) {
  try {
    const std::size_t columns = file.columns().size();
    std::vector<std::size_t> wanted(columns);
    std::iota(wanted.begin(), wanted.end(), std::size_t{0});
    Chunk chunk;
    while (file.next(chunk)) {
      std::string lines;
      source::for_each_table(file, chunk, wanted, [&](const RawTable& table) {
        for (std::size_t row = 0; row < table.rows(); ++row) {
          append_line(lines, columns, [&](std::size_t i) { return table.column(i)[row]; });
        }
      });
      dumps.add(chunk.offset, std::move(lines));
    }
  } catch (const Malformed& problem) {
    dumps.add(problem);
  } catch (...) {
    dumps.add(std::current_exception());
  }
}

std::vector<std::string> dump_file(auto file, std::size_t threads) {
  Dumps dumps;
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < threads; ++i) {
      workers.emplace_back([&] { dump_chunks(file, dumps); });
    }
  }
  std::string header;
  append_line(header, file.columns().size(),
              [&](std::size_t i) { return RawField(file.columns()[i]); });
  std::vector<std::string> all = dumps.take();
  all.insert(all.begin(), std::move(header));
  return all;
}

// count_arguments: how many a call with this first one has; 0 where it is none.
std::size_t count_arguments(std::string_view format) {
  if (format == "csv") return 5;
  if (format == "dialect") return 10;
  return format == "json" ? 4 : 0;
}

CsvFormat dialect_of(std::span<const std::string> job) {
  const auto character = [](const std::string& text) { return text == "none" ? '\0' : text.at(0); };
  CsvFormat format{.delimiter = job[2].at(0),
                   .null_texts = {},
                   .quote = character(job[3]),
                   .escape = character(job[4])};
  for (std::size_t i = 0; i < std::stoul(job[5]); ++i)
    format.names.push_back(fmt::format("c{}", i));
  for (const TextEncoding encoding : kTextEncodings) {
    if (name_of(encoding) == job[6]) format.form.encoding = encoding;
  }
  if (job[7] == "gzip") format.form.compression = Compression::kGzip;
  if (job[7] == "zstd") format.form.compression = Compression::kZstd;
  return format;
}

std::vector<std::string> dump(std::span<const std::string> job) {
  const std::size_t threads = std::stoul(job.back());
  const std::size_t block_bytes = std::stoul(job[job.size() - 2]);
  if (job[0] == "json") return dump_file(JsonFile(job[1], block_bytes), threads);
  if (job[0] == "dialect") {
    return dump_file(CsvFile(job[1], dialect_of(job), block_bytes), threads);
  }
  // Without texts for missing values every field is text.
  return dump_file(CsvFile(job[1], {.delimiter = job[2].at(0), .null_texts = {}}, block_bytes),
                   threads);
}

void print(std::span<const std::string> parts) {
  for (const std::string& part : parts) std::fwrite(part.data(), 1, part.size(), stdout);
}

int run_job(std::span<const std::string> job) {
  try {
    print(dump(job));
    return 0;
  } catch (const Malformed& malformed) {
    refuse_malformed(job[1], malformed, job[0] == "dialect" ? dialect_of(job).form : TextForm{});
  }
}

int run_jobs(const std::string& list) {
  std::ifstream file(list, std::ios::binary);
  std::vector<std::string> job;
  for (std::string argument; std::getline(file, argument);) {
    job.push_back(argument);
    const std::size_t count = count_arguments(job.front());
    if (count == 0) return kUsage;
    if (job.size() < count) continue;
    std::string outcome;
    try {
      print(dump(job));
      append_text(outcome, "whole");
    } catch (const Malformed& malformed) {
      append_text(outcome, malformed.problem);
    } catch (const Error& error) {
      append_text(outcome, error.problem());
    }
    print(std::vector{outcome, std::string("\n")});
    job.clear();
  }
  return job.empty() ? 0 : kUsage;
}

int run(std::span<const std::string> arguments) {
  if (arguments.size() == 2 && arguments[0] == "jobs") return run_jobs(arguments[1]);
  if (!arguments.empty() && arguments.size() == count_arguments(arguments[0])) {
    return run_job(arguments);
  }
  fmt::print(stderr,
             "usage: dump_records csv FILE DELIMITER BLOCK_BYTES THREADS\n"
             "       dump_records dialect FILE DELIMITER QUOTE ESCAPE NAMES ENCODING COMPRESSION "
             "BLOCK_BYTES THREADS\n"
             "       dump_records json FILE BLOCK_BYTES THREADS\n"
             "       dump_records jobs LIST\n");
  return kUsage;
}

}  // namespace
}  // namespace lastbit::source

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    return lastbit::source::run(arguments);
  } catch (const lastbit::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return lastbit::source::kMalformedFile;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return lastbit::source::kUsage;
  }
}
