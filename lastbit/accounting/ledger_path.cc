#include "lastbit/accounting/ledger_path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "lastbit/base/text.h"

namespace lastbit::accounting_internal {
namespace {

[[noreturn]] void cannot_publish(const std::filesystem::path& path, int number) {
  throw Error(ErrorCode::kStorage, lastbit::quote(path.string(), 200),
              "cannot be created (" + std::generic_category().message(number) + ")",
              "check that the folder exists, that there is room and that you may write there");
}

void sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int synced = descriptor < 0 ? -1 : fsync(descriptor);
  const int number = errno;
  if (descriptor >= 0) close(descriptor);
  if (synced != 0) cannot_publish(path, number);
}

}  // namespace

Error bad_file(const std::filesystem::path& path, std::string problem, std::string remedy) {
  return {ErrorCode::kBadInput, lastbit::quote(path.string(), 200), std::move(problem),
          std::move(remedy)};
}

void require_file_name(const std::filesystem::path& path) {
  const std::string& text = path.native();
  if (text.empty() || text.find('\0') != std::string::npos) {
    throw Error::bad_parameter("ledger", "path", "is not the name of a file", "name a file");
  }
  // An address that is misspelt may hold a password, so it is not repeated.
  if (text.find(":/") == std::string::npos && text.find("password=") == std::string::npos) return;
  throw Error::bad_parameter("ledger", "path", "looks like the address of a server, and is none",
                             "write postgresql://host/database?ledger=NAME, without a password");
}

FileIdentity regular_file(const std::filesystem::path& path) {
  struct stat found = {};
  if (lstat(path.c_str(), &found) != 0) {
    throw bad_file(path, "cannot be found (" + std::generic_category().message(errno) + ")",
                   "check the path; `lastbit ledger init` makes a new ledger");
  }
  if (S_ISLNK(found.st_mode)) {
    throw bad_file(path, "is a symbolic link", "name the file that it leads to");
  }
  if (!S_ISREG(found.st_mode)) throw bad_file(path, "is not a regular file", "name a ledger");
  if (found.st_nlink > 1) {
    throw bad_file(path, "has a second name (a hard link)", "remove the other name");
  }
  return {found.st_dev, found.st_ino};
}

bool publish(const std::filesystem::path& from, const std::filesystem::path& to) {
  int result = renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  // Not every file system can do this; adding the new name and then removing the old one has the
  // same effect.
  if (result != 0 && (errno == EINVAL || errno == ENOSYS)) {
    result = link(from.c_str(), to.c_str());
    if (result == 0) unlink(from.c_str());
  }
  if (result != 0 && errno == EEXIST) return false;
  if (result != 0) cannot_publish(to, errno);
  sync_folder_of(to);
  return true;
}

}  // namespace lastbit::accounting_internal
