// Escaping untrusted text for people, TOML and shells. For web pages and spreadsheets see html.h
// and csv.h.
#pragma once

#include <string>
#include <string_view>

namespace lastbit {

// shown_text: the text on one line, as well-formed UTF-8, with every hidden character as \u202e or
// \U000e0041, and every byte that is not UTF-8 as \xff. Joiners and variation selectors stay after
// characters that are not ASCII, because some scripts and emoji need them. For names and keys
// wherever people see them; programs get the exact text.
std::string shown_text(std::string_view text);

// with_hidden_escaped: the text with each hidden character as \u202e or \U000e0041, and nothing
// else changed. In a double-quoted TOML string it stands for the same text.
std::string with_hidden_escaped(std::string_view text);

// shell_text: one word for a POSIX shell, never taken for an option.
std::string shell_text(std::string_view text);

}  // namespace lastbit
