// FileBytes: the bytes of a regular file, from front to back. For this module only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace lastbit::source {

// refuse_unreadable: throws the kBadInput Error that names the file.
[[noreturn]] void refuse_unreadable(const std::filesystem::path& path, std::string problem,
                                    std::string remedy);

class FileBytes {
 public:
  // Fails  kBadInput if it cannot be opened or is not a regular file.
  explicit FileBytes(const std::filesystem::path& path);
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes();

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }  // when it was opened
  // read: the next bytes, and how many; fewer than `size` only at the end.
  std::size_t read(char* out, std::size_t size);
  void skip(std::uint64_t count) { at_ += count; }
  double done() const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
};

}  // namespace lastbit::source
