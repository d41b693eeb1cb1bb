#include "cli/terminal/text_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::cli {
namespace {

Error unusable(const std::string& path, const std::string& problem, const std::string& remedy) {
  return Error(ErrorCode::kBadInput, path, problem, remedy);
}

Error cannot_read(const std::string& path) {
  const int reason = errno;
  const char* remedy = reason == EISDIR   ? "name a file"
                       : reason == ENOENT ? "check the name"
                                          : "choose a file that you may read";
  return unusable(path, "cannot read this file: " + std::generic_category().message(reason),
                  remedy);
}

// Descriptor: an open file that is closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string read_text_file(const std::string& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) throw cannot_read(path);
  std::string text;
  std::array<char, 1 << 16> part;
  while (text.size() <= limit) {
    const std::size_t wanted = std::min(part.size(), limit + 1 - text.size());
    const ssize_t got = ::read(file.number(), part.data(), wanted);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw cannot_read(path);
    if (got == 0) break;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  if (text.empty()) throw unusable(path, "the file is empty", "name a file with text in it");
  if (text.size() > limit) {
    throw unusable(path, fmt::format("the file has more than {} KiB", limit >> 10U),
                   "such files are smaller; check the name");
  }
  return text;
}

}  // namespace lastbit::cli
