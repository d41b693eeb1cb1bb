// Exit codes of the tool. Scripts may rely on them; tests/cli does.
#pragma once

namespace lastbit::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitViolation = 1;  // a check found what it looks for, or a ledger refused
inline constexpr int kExitUnknown = 2;    // a check ran and could not decide
inline constexpr int kExitUsage = 64;     // the command line makes no sense
inline constexpr int kExitBadInput = 65;  // a given file or value cannot be used
inline constexpr int kExitInternal = 70;  // a bug, or a machine without randomness
inline constexpr int kExitOutput = 74;    // the answer cannot be written

}  // namespace lastbit::cli
