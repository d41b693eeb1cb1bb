// The file that a ledger is in: which one a path names, and how a new one appears.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::accounting_internal {

// FileIdentity: which file a path names.
using FileIdentity = std::pair<dev_t, ino_t>;

// bad_file: a kBadInput Error about the file.
Error bad_file(const std::filesystem::path& path, std::string problem, std::string remedy);
// require_file_name: a kBadParameter Error if the path cannot be the name of a file.
void require_file_name(const std::filesystem::path& path);
// regular_file: the identity of the file. A link or a second name could lead two releases to one
// budget under two locks, or be redirected to a fresh budget; a pipe would block: all of these are
// kBadInput Errors.
FileIdentity regular_file(const std::filesystem::path& path);
// publish: gives the file `from` the name `to`; returns false if that name exists already. The new
// name is on disk when this returns. Other failures are kStorage Errors.
bool publish(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace lastbit::accounting_internal
