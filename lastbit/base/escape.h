// Text of others where something else would read it: people, TOML and shells. html.h and csv.h are
// for pages and spreadsheets.
#pragma once

#include <string>
#include <string_view>

namespace lastbit {

// shown_text: the text on one line, as well-formed UTF-8, with every hidden character as \u202e or
// \U000e0041, and every byte that is not UTF-8 as \xff. Joiners and variation selectors stay behind
// characters that are not ASCII: some scripts and emoji are written with them. For names and keys
// wherever people see them; programs get the exact text.
std::string shown_text(std::string_view text);

// with_hidden_escaped: the text with each hidden character as \u202e or \U000e0041, and nothing else
// changed. Inside a string of TOML in double quotes it means the same text.
std::string with_hidden_escaped(std::string_view text);

// shell_text: one word for a POSIX shell, and no option.
std::string shell_text(std::string_view text);

}  // namespace lastbit
