// DoomedPath: a file or empty folder that must not outlive the program, however it ends.
#pragma once

#include <filesystem>

namespace lastbit::cli {

// Removes the path when it goes out of scope, and when the program is ended by a signal that asks
// it to (SIGINT, SIGTERM, SIGHUP). A path that is not there is fine; errors are ignored.
// Requires  caller: at most 8 at a time, in one thread; any more are removed only at the end of
//           scope.
class DoomedPath {
 public:
  explicit DoomedPath(std::filesystem::path path);
  DoomedPath(const DoomedPath&) = delete;
  DoomedPath& operator=(const DoomedPath&) = delete;
  ~DoomedPath();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace lastbit::cli
