// Where the tool writes: standard output, and files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/terminal/doomed.h"

namespace lastbit::cli {

// Sink: buffered text to an open file descriptor, which it does not close.
//
// Ensures   when flush() returns, the system has accepted everything written, or the reader of the
//           pipe has gone: that is no error, and the rest is discarded.
// Fails     anything else that stops a write (a full disk) is a Failure with exit code 74.
class Sink {
 public:
  Sink(int descriptor, std::string name);
  void write(std::string_view text);
  void flush();
  // closed: nobody reads any longer; a producer of much text may stop.
  bool closed() const { return closed_; }

 private:
  void send();

  int descriptor_;
  std::string name_;
  std::string buffer_;
  bool closed_ = false;
};

// OutputFile: a file that is written under another name beside it and renamed by commit(), so that
// a file with that name is always complete. Without commit() nothing is left behind. If the path is
// a device or a pipe, it is written directly.
//
// Fails     as Sink, from the constructor on.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  Sink& sink() { return sink_; }
  void commit();

 private:
  int open();
  int open_beside();
  void close();

  std::filesystem::path path_;
  std::optional<DoomedPath> temporary_;  // empty if the path is written directly
  int descriptor_;
  Sink sink_;
};

// refuse_existing: a Failure if there is something of this name; "-" is standard output.
void refuse_existing(const std::string& path);

// write_file: the text as a file, whole or not at all. Fails as OutputFile.
void write_file(const std::filesystem::path& path, std::string_view text);

// make_temporary_folder: a new folder in the system's place for temporary files; the caller removes
// it.
std::filesystem::path make_temporary_folder();

}  // namespace lastbit::cli
